// Package external runs other programs to answer calls of functions that are not
// part of the language, such as the lookup of a secret.
//
//	Plugins   executables in a folder, one for each function
//	Ruby      the functions of modules that are written in Ruby
//	Codec     the encoding of values for the programs
//
// Plugins and Ruby implement [function.Finder]. Their functions have the effect
// [function.RunsCommands], so a policy must allow them before anything is
// started.
//
// A program is started without a shell and with only the given environment. It
// has its own process group, which is killed when the context of the call ends.
// Its output is limited in size.
//
// # Secrets
//
// A program receives a Sensitive argument as a Sensitive on its standard input,
// never in its arguments or environment. The secrets of a call are masked in the
// error messages of a program: in all common encodings, and also single lines
// and words of a secret; see [function.MaskedError]. If a call is inside a
// Sensitive, all its arguments are secrets. The result of a call with a
// Sensitive argument is Sensitive, unless [function.Env] says otherwise.
package external

import "github.com/pcatdev/pcat/pcore"

// Codec encodes values for a program and decodes its results. It is safe for
// concurrent use.
type Codec interface {
	// Encode returns v as JSON on one line, with plain-text secrets. Its
	// errors contain no values.
	Encode(v pcore.Value) ([]byte, error)
	// Decode returns the value of a JSON text. Its errors contain no values.
	Decode(json []byte) (pcore.Value, error)
}
