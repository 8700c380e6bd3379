// Package detect finds plain-text secrets in the texts of a catalog.
//
//	Detector   the knowledge about names, values, tokens and programs (detect.go)
//	Scanner    visits the texts of the leaves of one document (scanner.go)
//	Text       a text to search: that of a leaf, or one decoded from a part of it (text.go)
//	Hit        a secret and its position (detect.go)
//	Judgement  the verdict on the value of a name (judge.go)
//	Declared   finds the secrets inside values that are declared Sensitive (declared.go)
//
// # Names and values
//
// Most secrets are found by the name of a value. Every search finds a name and its value,
// looks up the meaning of the name (name.go, vocabulary.go), and judges the value
// (judge.go). Each grammar has its own way to give a value to a name; grammar.go calls the
// searches:
//
//	parameter.go sibling.go        keys of parameters and Hashes, their siblings, options in Arrays
//	deferred.go augeas.go check.go arguments of calls, conditions of Augeas, checks of Nagios
//	assign.go before.go after.go   `k = v`, `"k": "v"`: the assignment, its name, its value
//	quoted.go block.go             values in quotes, values on the next line
//	around.go container.go         the meaning of a name in its section, object or block
//	xml.go pair.go                 `<k>v</k>`; the members `name` and `value` of one object
//	list.go                        lists whose elements share the name of the list
//	call.go                        arguments of functions in programs
//	authorization.go               Authorization headers and `user:password`
//	sentence.go                    passwords in sentences
//	hook.go                        URLs with a secret in their path
//	directive.go place.go          `k v`, and directives with the secret at a fixed position
//	device.go                      configuration of network devices
//	lines.go account.go            line formats of single programs, accounts before a host
//	file.go columns.go csv.go      files whose name reveals their format
//	commandline.go argument.go     command lines and their words
//	shell.go option.go program.go  pipelines, options, arguments of programs
//	usage.go                       the arguments through which a program takes a secret
//	input.go redirect.go expect.go passwords piped to programs or written to files
//	sql.go                         SQL statements
//
// The use of a text (flow.go) and the kind of its file (kind.go) select the searches.
//
// # Judging a value
//
// judge.go weighs an assignment. A value is rejected for a reason (value.go): it is a
// placeholder (placeholder.go) or a mask (mask.go), a template (template.go), a reference,
// encrypted or public (reference.go), a path or an address (address.go), another notation
// such as a version or a date (notation.go), code (code.go) or a label (label.go).
//
// Other values get a score (score.go): the strength of the value, plus weights for its
// name, its place and its appearance: whether it looks random (random.go) or is a
// passphrase (phrase.go). Default passwords are reported by a rule of their own (weak.go).
//
// # Secrets without a name
//
// Some secrets are recognized by their form: tokens of providers and their checksums
// (token.go, shape.go, structured.go), private keys (pem.go, der.go, material.go, jwk.go),
// password hashes (hash.go), passwords in URLs (url.go), and the text that Puppet prints
// for a Sensitive or a Deferred (leaked.go).
//
// # Knowledge
//
// The tables in the folder knowledge (knowledge.go) list tokens (tokens.txt), programs
// (programs.txt), directives (directives.txt), files (files.txt) and webhooks
// (webhooks.txt). Each row has a sample, and most rows have a similar text without a
// secret; a test checks both.
//
// # Encodings
//
// Encoded parts of a text are decoded and searched, up to four levels deep and within
// limits (decode.go, base64.go, begins.go, utf16.go, compression.go). The members of an
// archive are searched like files with their path (archive.go).
//
// # Basics
//
// Lines and words are split by line.go and word.go; comment.go recognizes comment lines.
// Lookups use sets of bytes (character.go, alphabet.go), of words (set.go) and of prefixes
// (prefix.go). Results for names are cached (memo.go).
//
// The running time is linear in the length of a text.
package detect
