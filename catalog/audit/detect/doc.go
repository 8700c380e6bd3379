// Package detect finds secrets in the texts of a catalog.
//
//	Detector   what is known about names, values, tokens and programs
//	Scanner    goes over the leaves of one document
//	Text       a text that is looked at: a leaf, or what is encoded in one
//	Hit        a secret, and where it stands
//
// # Context
//
// One thing is done everywhere: find a name and the value it is given, ask what
// the name says (vocabulary in name.go), and what speaks against the value. The
// ways in which names are given values are many:
//
//	parameter.go            keys, siblings, options in arrays
//	grammar.go assign.go    `k = v`, `"k": "v"`; quoted.go and block.go: where v ends
//	xml.go pair.go          `<k>v</k>`, and name and value as members of their own
//	call.go                 what programs hand to functions
//	container.go            hashes and sections in which all members are secrets
//	list.go                 lists, whose elements have the name of the list
//	sentence.go             texts that tell a password to people
//	directive.go            `k v`, network devices, headers
//	file.go                 columns, and files whose name says what they hold
//	shell.go program.go     command lines
//	redirect.go             what command lines write to files, and read
//	sql.go                  statements
//
// # What speaks against a value
//
// A value that is no secret whatever its name says (value.go) is a placeholder or
// a mask (placeholder.go), filled in later (template.go), kept elsewhere, encrypted
// or public (reference.go), a path or an address (address.go), has another notation
// (notation.go) or does not look made by a machine where it should (random.go).
//
// # Form
//
// What proves itself needs no name: tokens of providers with their checksums
// (token.go, issued.go, structured.go), keys that parse (pem.go, der.go,
// material.go, jwk.go), hashes of passwords (hash.go), URLs (url.go), and the
// text of values that should not have been printed (leaked.go).
//
// # Encodings
//
// What is encoded is decoded and looked at again, up to four levels deep and
// within bounds (decode.go, compression.go). The members of an archive are files
// of their own, with what their paths tell (archive.go).
//
// The time is linear in the length of a text, whatever it holds.
package detect
