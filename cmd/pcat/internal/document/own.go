package document

import (
	_ "embed" // the words
	"io"

	"github.com/pcatdev/pcat/sensitive"
)

// ownWords are the words of all texts of pcat, such as the names of columns, keys and the
// words of messages. A secret may be one of them: where it is alone in an output, it says
// nothing about a catalog. A test compares them with the sources.
//
//go:embed own.txt
var ownWords []byte

// Guard returns a writer that passes on to out only output without the secrets that mask
// knows; see [sensitive.Redactor.GuardAround]. wire is the syntax of the output.
func Guard(mask *sensitive.Redactor, out io.Writer, wire string) io.WriteCloser {
	return mask.GuardAround(out, wire, func() []byte { return ownWords })
}
