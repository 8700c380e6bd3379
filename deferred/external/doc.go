// Package external answers calls by other programs, for functions that are not
// part of the language, such as the look-up of a secret.
//
//	Plugins   an executable for each function, in a folder
//	Ruby      the functions of modules that are written in Ruby
//	Codec     how values are written for the programs
//
// Both are a [function.Finder]. Their functions have the effect
// [function.RunsCommands]; nothing is started unless a policy allows that.
//
// A program is started without a shell, in a process group that is killed when
// the context of the call ends, with the environment that it was given and no
// more. What it prints is bounded.
//
// # Secrets
//
// A Sensitive among the arguments comes to the program as what it is, on its
// standard input, and never in its arguments or environment. What a program
// says about a failure is shown without the secrets that it was given, in all
// their usual spellings and also when it tells only a line or a word of one; see
// [function.MaskedError]. When a call stands inside a Sensitive, all of its
// arguments are secrets. The result of a call with a Sensitive among its
// arguments is Sensitive, unless [function.Env] says otherwise.
package external

import "github.com/pcatdev/pcat/pcore"

// Codec turns values into what a program reads, and back. It is safe for
// concurrent use.
type Codec interface {
	// Encode returns v as JSON on one line, secrets in clear. Its errors
	// quote no value.
	Encode(v pcore.Value) ([]byte, error)
	// Decode returns the value that JSON stands for. Its errors quote no
	// value.
	Decode(json []byte) (pcore.Value, error)
}
