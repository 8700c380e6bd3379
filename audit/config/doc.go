// Package config reads `.pcat-audit.yaml`: what a user decided about findings.
//
//	Find     looks for the file in a folder and those above it
//	Parse    reads it
//	Config   severities, names and rules of one's own, and entries that allow
//	         findings
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
package config
