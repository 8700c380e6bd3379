package timefmt

import (
	"fmt"
	"sync"
)

// InstantFormat is a format of Timestamps: text with directives of Ruby's
// strftime and strptime, such as %Y. It is compiled once, immutable, and safe
// for concurrent use. The zero value is the empty format.
type InstantFormat struct {
	source string
	print  []printStep
	// printErr is the reason why the format cannot print. It may still be able
	// to parse.
	printErr error
	scan     []scanStep
}

// NewInstantFormat compiles a format. It never fails, because a format may be
// valid for [InstantFormat.Format] only, or for [InstantFormat.Parse] only, and
// most text that is not a directive is literal.
func NewInstantFormat(source string) *InstantFormat {
	f := &InstantFormat{source: source, scan: compileScan(source)}
	f.print, f.printErr = compilePrint(source)
	return f
}

// FormatError describes an error in a format.
type FormatError struct {
	Format   string // the whole format
	Spec     string // the invalid directive, up to the error
	Position int    // position of the error, in characters from 0
	Reason   string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("bad format %q: %s, at %q before position %d", e.Format, e.Reason, e.Spec, e.Position)
}

// MaxPadding is the maximum sum of the widths in a format. Without it, a format
// of a few bytes could request gigabytes of zeros.
const MaxPadding = 1 << 20

// defaultInstantFormats returns the default formats of a Timestamp: first the
// ones with a time zone, then the ones without.
var defaultInstantFormats = sync.OnceValue(func() []*InstantFormat {
	var formats []*InstantFormat
	for _, zone := range []string{" %Z", ""} {
		for _, source := range []string{"%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"} {
			formats = append(formats, NewInstantFormat(source+zone))
		}
	}
	return formats
})
