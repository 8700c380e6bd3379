// Package custom holds rules that users write for themselves.
//
//	ParseTOML   reads rules on text in the form that gitleaks made usual
//	Condition   a rule on resources, as an expression of the Puppet language
//	New         makes a Set of both, for [audit.Options]
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
package custom
