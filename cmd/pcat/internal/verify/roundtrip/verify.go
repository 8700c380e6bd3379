package roundtrip

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Options select the checks. The zero value enables all.
type Options struct {
	// Decode contains the limits and types for decoding. Unknown types are
	// always allowed.
	Decode serialization.DecodeOptions
	// ValuesOnly skips the byte-for-byte check of the document's own format:
	// blanks, escapes and the spelling of numbers.
	ValuesOnly bool
	// Display, if not nil, returns the location to display for a location
	// whose titles or keys must not be seen.
	Display func(catalog.Location) catalog.Location
}

// Result is the result for one document.
type Result struct {
	Format  string       `json:"format"`
	Size    int          `json:"size"` // in bytes
	Formats []Conversion `json:"formats"`
}

// Same reports whether no format differs.
func (r *Result) Same() bool {
	for i := range r.Formats {
		if r.Formats[i].Status == Different {
			return false
		}
	}
	return true
}

// Status is the result for one format.
type Status string

// The possible results for a format.
const (
	Same      Status = "same"
	Different Status = "different"
	Lossy     Status = "lossy" // the format does not support some value
)

// Location is the location of a value. It is empty for a whole document.
type Location struct {
	// Ref is the resource, or empty, and Path the JSON pointer in it or else in the document.
	Ref  string `json:"ref,omitempty"`
	Path string `json:"path,omitempty"`
	// Text is the location for people: Type[title]/parameter/path.
	Text string `json:"-"`
}

// Conversion is the result of converting the document to one format.
type Conversion struct {
	Format     string      `json:"format"`
	Status     Status      `json:"status"`
	Difference *Difference `json:"difference,omitempty"`
	Location

	// Reason and the location describe the first value that the format does not
	// support. Losses is the number of values that it would lose.
	Reason string `json:"reason,omitempty"`
	Losses int    `json:"losses,omitempty"`

	written int64 // bytes
	stopped bool  // the value could not be written to its end
	copied  bool  // the document itself was written, byte for byte
}

// Step is the step of a conversion that found a difference.
type Step string

// The steps of a conversion.
const (
	StepRead     Step = "read"     // the output cannot be read
	StepValue    Step = "value"    // the output is read as a different value
	StepRewrite  Step = "rewrite"  // the value that was read is written as different bytes
	StepOnePass  Step = "one pass" // the one-pass conversion produces different bytes
	StepSpelling Step = "spelling" // the document itself is written as different bytes
)

// Difference is the first difference of a conversion. It contains no values.
type Difference struct {
	Step     Step `json:"step"`
	Location      // of differing values

	// Before and After describe the original and the new value.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Offset is the offset of the first differing byte, or -1 if the
	// difference is not in bytes.
	Offset int64 `json:"offset"`
	// Detail is the error of reading.
	Detail string `json:"detail,omitempty"`
}

// String describes the difference in one line.
func (d *Difference) String() string {
	switch d.Step {
	case StepRead:
		return "the output cannot be read: " + d.Detail
	case StepValue:
		return d.Before + " is read back as " + d.After
	case StepRewrite:
		return fmt.Sprintf("writing it again produces different bytes from byte %d on", d.Offset)
	case StepOnePass:
		return fmt.Sprintf("direct transcoding produces different bytes from byte %d on", d.Offset)
	default:
		return fmt.Sprintf("equal values, but different bytes from byte %d on", d.Offset)
	}
}

// Document converts a document to each format of through and checks the results.
// The error is a failure to read the document in its own format.
func Document(data []byte, format serialization.Format, through []serialization.Format, o Options) (*Result, error) {
	o.Decode.AllowUnknownTypes = true
	v, err := format.Decode(data, o.Decode)
	if err != nil {
		return nil, catalog.UntilMember(err)
	}
	c := check{data: data, format: format, value: v, opts: o, codec: newCodec(o)}
	r := &Result{Format: format.Name, Size: len(data)}
	for _, f := range through {
		r.Formats = append(r.Formats, c.conversion(f, false))
	}
	return r, nil
}

// check is a document with its decoded value.
type check struct {
	data   []byte
	format serialization.Format
	value  pcore.Value
	opts   Options
	open   []level // that began in an earlier batch
	codec  *codec
}

// location returns the displayed location of a path in the document.
func (c *check) location(path pcore.Path) Location {
	at := inDocument(locationOf(c.value, path), c.open)
	if c.opts.Display != nil {
		at = c.opts.Display(at)
	}
	l := Location{Path: at.Pointer(), Text: at.String()}
	if !slices.ContainsFunc(path, isParameters) {
		l.Path = catalog.Location{Path: at.Path}.Pointer()
	}
	if !at.Ref.IsZero() {
		l.Ref = at.Ref.String()
	}
	return l
}

// isParameters reports whether a step leads to the parameters of a resource.
func isParameters(s pcore.Step) bool { return s.Key == pcore.String("parameters") }

// conversion converts the document to a format. If lossesOnly is set, it counts losses.
func (c *check) conversion(f serialization.Format, lossesOnly bool) Conversion {
	conversion := Conversion{Format: f.Name, Status: Same}
	o := serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
	var first serialization.Loss
	o.OnLoss = func(l serialization.Loss) {
		if conversion.Losses++; conversion.Losses == 1 {
			first = l
		}
	}
	written, err := c.codec.append(f, c.value, o)
	o.OnLoss = nil
	conversion.written = int64(len(written))
	switch {
	case err != nil:
		return c.lossy(conversion, err)
	case lossesOnly:
		return conversion
	case conversion.Losses > 0:
		conversion.Status, conversion.Reason, conversion.Location = Lossy, reasonOf(first.Kind), c.location(first.Path)
		return conversion
	case f.Name == c.format.Name && bytes.Equal(written, c.data):
		// These bytes were decoded to the value, and written from it: to do
		// both again would give the same.
		conversion.copied = true
		return conversion
	}
	back, err := c.codec.decode(f, written)
	if errors.Is(err, serialization.ErrUnknownType) {
		// The document contains definitions of its types.
		o.EmbedTypes = true
		if written, err = c.codec.append(f, c.value, o); err == nil {
			back, err = c.codec.decode(f, written)
		}
	}
	if err != nil {
		return different(conversion, &Difference{Step: StepRead, Offset: -1, Detail: err.Error()})
	}
	if d := c.values(back); d != nil {
		return different(conversion, d)
	}
	if d := c.rewriting(f, o, written, back); d != nil {
		return different(conversion, d)
	}
	if d := c.onePass(f, written); d != nil {
		return different(conversion, d)
	}
	if d := c.spelling(f, o, written); d != nil {
		return different(conversion, d)
	}
	return conversion
}

func different(conversion Conversion, d *Difference) Conversion {
	conversion.Status, conversion.Difference = Different, d
	return conversion
}

// lossy records the reason why the value could not be written. Encoding
// errors contain no values.
func (c *check) lossy(conversion Conversion, err error) Conversion {
	conversion.Status, conversion.Reason, conversion.stopped = Lossy, err.Error(), true
	var placed *serialization.Error
	if errors.As(err, &placed) {
		conversion.Reason, conversion.Location = placed.Err.Error(), c.location(placed.Path)
	}
	return conversion
}

func reasonOf(kind serialization.LossKind) string {
	switch kind {
	case serialization.LostType:
		return "a rich value becomes plain text"
	case serialization.LostValue:
		return "a value is replaced"
	case serialization.LostKey:
		return "a key is replaced"
	case serialization.LostEntry:
		return "two keys become equal"
	default:
		return "a hash with the key __ptype will be read as rich data"
	}
}

func (c *check) values(back pcore.Value) *Difference {
	path, before, after, differ := first(c.value, back)
	if !differ {
		return nil
	}
	return &Difference{Step: StepValue, Location: c.location(path), Before: before, After: after, Offset: -1}
}

// rewriting writes the value that was read from the written bytes, which must give
// the same bytes. In the tabulated formats, two definitions of a named type are read
// as one type, which is then written once; that must not change further.
func (c *check) rewriting(f serialization.Format, o serialization.EncodeOptions, written []byte, back pcore.Value) *Difference {
	again, err := c.codec.appendAgain(f, back, o)
	if err == nil && strings.HasPrefix(f.Wire, "tabulated-") && len(again) < len(written) {
		if back, err = c.codec.decode(f, again); err == nil && c.values(back) == nil {
			written = again
			again, err = f.Append(nil, back, o)
		}
	}
	if err != nil || !bytes.Equal(written, again) {
		return &Difference{Step: StepRewrite, Offset: firstByte(written, again)}
	}
	return nil
}

func (c *check) onePass(f serialization.Format, written []byte) *Difference {
	if !document.OnePass(c.format, f) {
		return nil
	}
	out, err := document.Transcode(nil, c.data, c.format, f, c.opts.Decode, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	switch {
	case err != nil:
		return &Difference{Step: StepRead, Offset: -1, Detail: err.Error()}
	case !bytes.Equal(out, written):
		return &Difference{Step: StepOnePass, Offset: firstByte(out, written)}
	}
	return nil
}

// spelling compares the document with its value written in the same format and
// layout. YAML has no canonical spelling.
func (c *check) spelling(f serialization.Format, o serialization.EncodeOptions, written []byte) *Difference {
	if c.opts.ValuesOnly || f.Name != c.format.Name || !f.Canonical {
		return nil
	}
	data := c.data
	if f.Text {
		data = bytes.TrimSuffix(data, []byte{'\n'})
		if o.Indent = indentOf(data); o.Indent != "" {
			var err error
			if written, err = f.Append(nil, c.value, o); err != nil {
				return &Difference{Step: StepSpelling, Offset: 0}
			}
		}
	}
	if bytes.Equal(data, written) {
		return nil
	}
	return &Difference{Step: StepSpelling, Offset: firstByte(data, written)}
}

// indentOf returns the indentation of the first member of a text.
func indentOf(text []byte) string {
	if len(text) < 2 || text[1] != '\n' {
		return ""
	}
	rest := text[2:]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
}

// firstByte returns the offset of the first difference of a and b.
func firstByte(a, b []byte) int64 {
	n := min(len(a), len(b))
	if bytes.Equal(a[:n], b[:n]) {
		return int64(n)
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return int64(i)
}
