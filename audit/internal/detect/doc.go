// Package detect finds plain-text secrets in the texts of a catalog.
//
//	Detector   the knowledge about names, values, tokens and programs (detect.go)
//	Scanner    visits the texts of the leaves of one document (detect.go)
//	Text       a text to search: that of a leaf, or one decoded from a part of it (text.go)
//	Hit        a secret and its position (detect.go)
//	Judgement  the verdict on the value of a name (judge.go)
//	Declared   finds the secrets inside values that are declared Sensitive (declared.go)
//
// A document is searched with two loops:
//
//	for text := range scanner.Texts(leaf) {
//		for hit := range text.Hits() {
//
// # Names and values
//
// Most secrets are found by the name of a value. Each grammar has its own way to give a
// value to a name: it finds both, looks up the meaning of the name (package verdict), and
// has the value judged (judge.go). Text.grammars in text.go lists the grammars:
//
//	parameters   keys of parameters and Hashes, options in Arrays, arguments of calls, checks of
//	             Nagios: parameter.go; the siblings of a key in sibling.go
//	commands     command lines: command.go, package commandline
//	assignments  `k = v`, `"k": "v"`, `<k>v</k>`: text.go, package assign
//	directives   `k v`, and the configuration of network devices: directive.go; directives with
//	             the secret at a fixed position in position.go
//	lineFormats  line formats of single programs, conditions of Augeas, prompts of Expect:
//	             format.go; accounts before a host, and Authorization headers in account.go
//	statements   SQL: sql.go
//	calls        arguments of functions in programs: call.go
//	tuples       credentials in terms of Erlang: tuple.go
//	files        files whose name reveals their format: file.go, columns.go
//	sentences    passwords in sentences: sentence.go
//
// The use of a text and the kind of its file (kind.go) select the searches. Each grammar reads all
// lines, whatever the others found in them.
//
// # Judging a value
//
// judge.go weighs an assignment: package verdict has the meaning of names, the reasons
// against a value, and the score of the others. Some default passwords repeat the name of
// their user or service (owner.go). A value may be the name of a secret that is elsewhere (reference.go).
//
// # Secrets without a name
//
// Some secrets are recognized by their form:
//
//	issuers  tokens of providers: form.go, package token
//	keys     private keys: key.go, package privatekey; files that are a random key: randomKeys
//	hashes   password hashes: form.go
//	urls     passwords in URLs, and secrets in their paths: url.go
//	leaks    the text that Puppet prints for a Sensitive or a Deferred: form.go
//
// # Knowledge
//
// The tables of package knowledge list tokens, programs, directives, files and webhooks.
// Each row has a sample, and most rows have a similar text without a secret; a test checks
// both.
//
// # Encodings
//
// Package decode decodes the encoded parts of a text, which are searched like the text. The
// members of an archive are searched like files with their path. Bytes that are not UTF-8 are
// read as text in an encoding of eight bits, whose positions are mapped to the bytes.
//
// # Basics
//
// Package lines splits a text into lines and words, and package alphabet has the sets of
// bytes. Package feature finds out in one pass which words a text cannot contain. A grammar that
// needs bytes and words first asks for them, with Text.mentions for example, and is left out
// of the texts that lack them; the line formats are a table of what each needs (format.go).
//
// The running time is linear in the length of a text.
package detect
