// Package config holds the decisions of a user about an audit: its
// configuration, own rules, and a baseline of known findings.
//
//	Config      severities, names and rules of one's own, and entries that allow
//	            findings: the content of `.pcat-audit.yaml`
//	Find        looks for the file in a folder and the ones above it
//	Parse       reads it
//	ParseTOML   reads rules on text in the form that gitleaks made usual
//	Condition   a rule on resources, as an expression of the Puppet language
//	RuleSet     both kinds of rules, for [audit.Options]
//	Baseline    known findings
//
// # Configuration
//
//	severities:
//	  show-diff-enabled: info
//	  weak-secret: off
//	names:
//	  secret: [pepper]
//	  harmless: [signing_key_alias]
//	rules:
//	  - id: exec-environment
//	    when: $type == 'Exec' and $parameters['environment'] =~ Array
//	    title: Variables are given to a command
//	    parameter: environment
//	    severity: low
//	rule_files: [our-tokens.toml]
//	allow:
//	  - rule: plain-secret-parameter
//	    type: Profile::Legacy::*
//	    parameter: password
//	    reason: replaced together with the legacy cluster
//	    expires: 2026-12-31
//
// An entry matches when all that it names matches: rule, type, title,
// parameter, certname, catalog and file are patterns, in which `*` stands for
// any text and `?` for one character; a rule names its family, too. Each entry
// has a reason. One that has expired allows nothing; that, and an entry that
// matched nothing, is told.
//
// # Rules
//
// A rule on text looks at every text that nothing declares Sensitive, those that
// are encoded in others as well:
//
//	[[rules]]
//	id = "acme-token"
//	description = "A token of the Acme service"
//	regex = '''acme_(live|test)_([0-9a-f]{32})'''
//	secretGroup = 2
//	entropy = 3.0
//	keywords = ["acme_"]
//
// Expressions are those of RE2, which take time in proportion to the text. With a
// path, the rule holds for resources that manage a file of such a path; with a
// path alone, all that the file contains is the secret.
//
// IDs of findings have "own/" before that of the rule.
package config
