// Package auditconfig holds a user's decisions about an audit: its configuration, custom
// rules, and a baseline of known findings.
//
//	Config      severities, names, custom rules and allowed findings: the content
//	            of `.pcat-audit.yaml`
//	Find        searches for the file in a directory and its parents
//	Parse       parses the file
//	ParseTOML   parses text rules in the gitleaks format
//	Condition   a rule on resources, as an expression of the Puppet language
//	RuleSet     both kinds of rules, for [audit.Options]
//	Baseline    known findings
//
// The decisions of a user that the commands and pcatd share belong here; how an audit finds and
// judges does not.
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
// An entry allows the findings that match all of its patterns: rule, type, title,
// parameter, node, file and manifest, in which `*` matches any text and `?` one
// character. A relative file also matches the end of a path, as reports show it. A rule may also be named by its family. Each entry requires a reason. An
// expired entry allows nothing; expired entries and entries without a match cause
// warnings.
//
// # Rules
//
// A text rule examines every text that is not declared Sensitive, including texts that
// are encoded in others:
//
//	[[rules]]
//	id = "acme-token"
//	description = "A token of the Acme service"
//	regex = '''acme_(live|test)_([0-9a-f]{32})'''
//	secretGroup = 2
//	entropy = 3.0
//	keywords = ["acme_"]
//
// Expressions use the RE2 syntax and match in linear time. A rule with a path applies to
// resources that manage a file with a matching path; without a regex, the whole content
// of the file is the secret.
//
// The IDs of findings have the prefix "own/" before the ID of the rule.
package auditconfig
