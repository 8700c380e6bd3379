// Package detect finds secrets in the texts of a catalog.
//
//	Detector   what is known about names, values, tokens and programs
//	Scanner    goes over the leaves of one document
//	Text       a text that is looked at: a leaf, or what is encoded in one
//	Hit        a secret, and where it stands
//	Declared   the secrets inside what is declared to be one
//
// # Context
//
// One thing is done everywhere: find a name and the value it is given, ask what
// the name says (name.go, vocabulary.go), and judge the value (judge.go). The
// ways in which names are given values are many (grammar.go):
//
//	parameter.go sibling.go        keys, what stands beside and around them, options in arrays
//	deferred.go augeas.go check.go arguments of calls, conditions of Augeas, checks of Nagios
//	assign.go before.go after.go   `k = v`, `"k": "v"`: the name before, and the value after
//	quoted.go block.go             where a value ends
//	around.go container.go         what the text around a name says about it
//	xml.go pair.go                 `<k>v</k>`, and name and value as members of their own
//	call.go                        what programs hand to functions
//	list.go                        lists, whose elements have the name of the list
//	sentence.go                    texts that tell a password to people
//	hook.go                        URLs with the secret in their path
//	directive.go place.go          `k v`, and directives with the secret at a place of its own
//	device.go                      lines of network devices
//	lines.go account.go            lines of one program, accounts before a host
//	file.go columns.go csv.go      files whose name says what they hold
//	commandline.go argument.go     what is a command line, and its words
//	shell.go option.go program.go  what commands take
//	usage.go                       how single programs take a secret
//	input.go redirect.go expect.go what they read, and write to files
//	sql.go                         statements
//
// What becomes of a text (flow.go) and the grammar that it has (kind.go) tell
// which of them to look for.
//
// # What speaks against a value
//
// A value that is no secret whatever its name says (value.go) is a placeholder
// (placeholder.go) or a mask (mask.go), filled in later (template.go), kept
// elsewhere, encrypted or public (reference.go), a path or an address
// (address.go), has another notation (notation.go), is code (code.go) or a
// caption (label.go), or does not look made by a machine where it should
// (random.go, phrase.go).
//
// # Form
//
// What proves itself needs no name: tokens of providers with their checksums
// (token.go, shape.go, structured.go), keys that parse (pem.go, der.go,
// material.go, jwk.go), hashes of passwords (hash.go), URLs (url.go), and the text
// of values that should not have been printed (leaked.go).
//
// # Knowledge
//
// What is known about tokens, programs, directives, files and webhooks is in tables
// of text, which people read and edit (knowledge.go, folder knowledge). Each row
// has a sample, and most have a similar text that is no secret.
//
// # Encodings
//
// What is encoded is decoded and looked at again, up to four levels deep and
// within bounds (decode.go, base64.go, utf16.go, compression.go). The members of
// an archive are files of their own, with what their paths tell (archive.go).
//
// The time is linear in the length of a text, whatever it holds.
package detect
