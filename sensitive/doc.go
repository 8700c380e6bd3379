// Package sensitive removes the secrets of catalogs.
//
//	Collector  collects the secrets of catalogs
//	Secrets    the collected secrets: immutable, safe for concurrent use
//	Redactor   writes catalogs without them
//	Masker     makes the replacements: NewMask, NewDigest, NewPseudonym,
//	           NewDrop, NewEncrypt, NewMaskUnencrypted, TextMasker
//	InTurn     makes markers deterministic when catalogs are redacted concurrently
//	Report     the number of replacements, and the secrets that were not followed
//	LeakError  where the output would have contained a secret; matches ErrLeak
//
// Only a Collector makes Secrets, and only Secrets make a Redactor with secrets. So a
// program cannot forget to collect before it redacts, which would leave every copy of a
// secret in the output. Package redact combines this package with an audit.
//
// Package sensitive/seal encrypts secrets for a node.
//
// # Secrets
//
// Secrets are the parameters that a resource names in `sensitive_parameters`, although
// their values are in plain text, and the contents of Sensitive values at any depth: in
// keys of Hashes, arguments of a Deferred and attributes of Objects. If a parameter that
// names the resource (`name`, `path`, `command`) is listed but absent, Puppet omitted it
// because it equals the title. Then the title is the secret.
//
// # Following
//
// Each String, Binary and number of a secret is followed through the whole catalog:
// titles, tags, edges, references, keys, commands, content and metadata: unchanged, in lower
// case, quoted, in Base64, in hexadecimal digits and in UTF-16, and with escapes and line
// breaks in these. If it is part of a longer text, only that part is replaced. Equal texts have equal replacements and different
// texts have different ones, so references still resolve and titles stay unique.
//
// A secret of several lines is followed as a whole, without surrounding blanks and
// regardless of indentation. The passwords, keys and credentials in URLs that it contains
// are followed, too. Its single lines are not, because lines of a configuration file
// occur in many others. A number is followed by its value, and by its decimal, scientific
// and hexadecimal digits in text.
//
// These are not followed, but counted in the [Report]: secrets below six bytes, numbers of
// fewer than eight digits, ordinary words, weak secrets that are words of the catalogs,
// and comments. In a secret Array or Hash, neither are keys that do not look like tokens, nor
// the names of files, hosts and accounts: elsewhere, they name other things.
//
// # Replacements
//
// A Sensitive stays a Sensitive, and a listed parameter stays listed. The value keeps its
// shape: an Array its length and a Hash its number of entries. A number becomes 0, a
// Boolean false, and a Binary stays a Binary. Every text, including the keys of a secret
// Hash, and every other rich value becomes a marker such as `redacted-1-by-pcat`. A
// marker is valid in tags, titles, paths and URLs, and differs from the text `Sensitive
// [value redacted]` that Puppet leaves by mistake. A marker for an absolute path begins
// with a slash, so it is still a path. Redacting a redacted catalog does not change it.
package sensitive
