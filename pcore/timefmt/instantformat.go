package timefmt

import (
	"fmt"
	"sync"
)

// An InstantFormat is a format of Timestamps: text with directives of Ruby's strftime and
// strptime, such as %Y. It is compiled once, immutable, and safe for concurrent use. The
// zero value is the empty format.
type InstantFormat struct {
	source string
	print  []printStep
	// printErr is why the format cannot be used to print; it may well be to parse.
	printErr error
	scan     []scanStep
}

// NewInstantFormat compiles a format. It never fails, because a format may be good for
// [InstantFormat.Format] only, or for [InstantFormat.Parse] only, and most text that is no
// directive stands for itself.
func NewInstantFormat(source string) *InstantFormat {
	f := &InstantFormat{source: source, scan: compileScan(source)}
	f.print, f.printErr = compilePrint(source)
	return f
}

// String returns the text of the format.
func (f *InstantFormat) String() string { return f.source }

// A FormatError says what is wrong with a format.
type FormatError struct {
	Format   string // the whole format
	Spec     string // the directive at fault, as far as it was read
	Position int    // where reading stopped, in characters from 0
	Reason   string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("bad format %q: %s, at %q before position %d", e.Format, e.Reason, e.Spec, e.Position)
}

// MaxPadding is the highest sum of the widths in a format. A format of a few bytes could
// ask for gigabytes of zeros otherwise.
const MaxPadding = 1 << 20

// defaultInstantFormats are the formats of a Timestamp when none is given: with a time
// zone first, then without one.
var defaultInstantFormats = sync.OnceValue(func() []*InstantFormat {
	var formats []*InstantFormat
	for _, zone := range []string{" %Z", ""} {
		for _, source := range []string{"%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"} {
			formats = append(formats, NewInstantFormat(source+zone))
		}
	}
	return formats
})
