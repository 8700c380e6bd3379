package document

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// TotalFlags are the flags of a command that prints a total over many inputs. Declare them
// with AddFlags.
type TotalFlags struct {
	Each  bool // print each input
	Total bool // print the total of any number of inputs
}

// handful is the maximum number of inputs that are printed one by one by default.
const handful = 4

// AddFlags declares the flags.
func (f *TotalFlags) AddFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Each, "each", false, "print each input; the default for up to 4 inputs, and for JSON")
	flags.BoolVar(&f.Total, "total", false, "print a total of all inputs; the default for more than 4, as text")
}

// Totals reports whether to print a total. Programs get each input unless they ask for the total.
func (f *TotalFlags) Totals(sources []cli.Source, forPrograms bool) bool {
	return f.Total || !f.Each && !forPrograms && len(sources) > handful
}

// NotCompared is the last line of a total in which a text is masked: the masks of one input
// say nothing about the secrets of another.
const NotCompared = "masked secrets are not compared: equal lines can have different secrets"

// IsMasked reports whether a secret in text is masked.
func IsMasked(text string) bool {
	return strings.Contains(text, pcore.RedactedText) || secret.LastMarker([]byte(text)) > 0
}

// Counted returns a number with a noun in the singular or plural: 1 node, 2 nodes.
func Counted(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
