// Package sensitive removes the secrets of catalogs.
//
//	Collector  learns the secrets of catalogs
//	Secrets    what was learned: immutable, safe for concurrent use
//	Redactor   writes catalogs without them
//	Masker     makes the replacements: NewMask, NewDigest, NewPseudonym,
//	           NewDrop, NewEncrypt, TextMasker
//	InTurn     gives the same markers to catalogs that are redacted at once
//	Report     the number of replacements, and the secrets that were not followed
//	ErrLeak    a secret would have been written after all
//
// Only Secrets make a Redactor, and only a Collector makes Secrets: redacting without
// collecting, which would leave every copy of a secret in the output, does not compile.
// Package redact combines this package with an audit.
//
// Package sensitive/secret finds secrets in text, sensitive/seal encrypts them
// for a node.
//
// # What is a secret
//
// A parameter that its resource names in `sensitive_parameters`, though it
// stands there in clear, and what a Sensitive holds: at any depth, in the keys
// of Hashes, the arguments of a Deferred and the attributes of Objects. When a
// parameter that names the resource (`name`, `path`, `command`) is listed but
// absent, then Puppet left it out because it is the title: the title is the
// secret.
//
// # What is followed
//
// Each String and Binary of a secret is followed through the whole catalog:
// titles, tags, edges, references, keys, commands, content, metadata; as it is
// and in all [secret.Forms]. Wherever it stands in a longer text, that part of
// the text is replaced. The same text becomes the same everywhere, different
// text becomes different text: references still meet, titles stay unique.
//
// A secret of several lines is followed as a whole, without the blanks around
// it and however its lines are indented, and by the passwords, keys and
// credentials in URLs that it holds, never by its single lines: those of a
// configuration file stand in many others. Not followed, but counted in the
// [Report], are secrets below [secret.MinFollowed] bytes, ordinary words, and the keys of
// Hashes that are secret as a whole.
//
// # What stands there afterwards
//
// A Sensitive stays a Sensitive, and a listed parameter stays listed. What it
// holds keeps its shape: an Array its length, a Hash the number of its entries,
// a number becomes 0, a Boolean false, a Binary stays one. Every text, the keys
// of a secret Hash included, and every other rich value becomes a marker such
// as `redacted-1-by-pcat`. It consists of what tags, titles, paths and URLs can
// hold, and is not the text `Sensitive [value redacted]` that Puppet leaves by
// mistake. A marker for an absolute path begins with a slash, so that what has
// to be a path is one. A catalog that was redacted is left alone by another
// run.
package sensitive
