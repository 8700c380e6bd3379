package diff

import (
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// declaration returns the file and the line that have a changed value: of the manifest or, for
// the content of a file that is copied, of that file.
func (c *change) declaration() (file string, line int64) {
	if file := c.at.res.ContentFile(); file != "" && c.isContent() {
		if c.path[0].Key == pcore.String("content") { // not a checksum
			line = firstChanged(c.old, c.new)
		}
		return file, line
	}
	return c.at.res.File(), c.at.res.Line()
}

// isContent reports whether a change is one of the content of a file, or of its checksum.
func (c *change) isContent() bool {
	if c.member || len(c.path) == 0 {
		return false
	}
	key := c.path[0].Key
	return key == pcore.String("content") || key == pcore.String("checksum_value")
}

// firstChanged returns the number of the first line that differs, or 0 unless both values are texts.
func firstChanged(old, new pcore.Value) int64 {
	a, ok := old.(pcore.String)
	b, also := new.(pcore.String)
	if !ok || !also {
		return 0
	}
	line := int64(1)
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			line++
		}
	}
	return line
}

// sameContent reports whether two versions of a file, at least one of which is copied, have the
// same content. known is false if that is not known.
func sameContent(old, new *item) (same, known bool) {
	a, b := old.content(), new.content()
	known = a != nil && b != nil && (old.res.ContentFile() != "" || new.res.ContentFile() != "")
	return known && pcore.Identical(a, b), known
}

// losesSource reports whether the file that a resource copies is no longer there: the old version has
// it, and the new one has the same source.
func losesSource(old, new *item) bool {
	if old.res.ContentFile() == "" || new.res.ContentFile() != "" {
		return false
	}
	a, had, err := old.res.Parameter("source")
	b, has, newErr := new.res.Parameter("source")
	return had && has && err == nil && newErr == nil && pcore.Identical(a, b)
}

// content returns the content of a file, or its checksum, or nil if it is not known. It can be a secret: compare
// it, and never print it.
func (i *item) content() pcore.Value {
	for _, key := range []string{"content", "checksum_value"} {
		if v, ok, err := i.res.RevealParameter(key); err == nil && ok { //nolint:forbidigo // it is compared, never printed
			return v
		}
	}
	return nil
}

// maxData is the largest text, in bytes, that is parsed as data.
const maxData = 1 << 20

// data returns the data in two texts of one file, if both are JSON, YAML or INI,
// and the name of their format.
func data(x, y string) (a, b pcore.Value, format string) {
	if len(x) > maxData || len(y) > maxData {
		return nil, nil, ""
	}
	for _, f := range []struct {
		name  string
		parse func(string) pcore.Value
	}{{"json", parseJSON}, {"ini", parseINI}, {"yaml", parseYAML}} {
		if a = f.parse(x); a == nil {
			continue
		}
		if b = f.parse(y); b != nil {
			return a, b, f.name
		}
	}
	return nil, nil, ""
}

// sameData reports whether two texts have the same data.
func sameData(x, y string) bool {
	a, b, format := data(x, y)
	return format != "" && pcore.Identical(a, b)
}

// parseJSON returns an object or an array, or nil.
func parseJSON(text string) pcore.Value {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	v, err := formats.JSON().Decode([]byte(text), serialization.DecodeOptions{Plain: true})
	if err != nil {
		return nil
	}
	return v
}

// parseYAML returns a mapping or a sequence of block style as Ruby reads it, a list of them for
// several documents, or nil. Many texts that are no YAML can be read as YAML; a file that has
// nested data begins like it.
func parseYAML(text string) pcore.Value {
	if !looksLikeYAML(text) {
		return nil
	}
	documents, err := psych.LoadAll(text)
	switch {
	case err != nil || len(documents) == 0:
		return nil
	case len(documents) == 1:
		return documents[0]
	default:
		return pcore.NewArray(documents...)
	}
}

// looksLikeYAML reports whether each line could be one of block style.
func looksLikeYAML(text string) bool {
	entries := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimLeft(line, " ")
		switch {
		case bare == "" || bare[0] == '#' || line == "---" || line == "...":
		case strings.HasPrefix(bare, "- ") || bare == "-", strings.HasSuffix(bare, ":"), strings.Contains(bare, ": "):
			entries++
		case line == bare:
			return false // neither an entry nor a continuation
		}
	}
	return entries > 0
}

// parseINI returns the sections of a file, or nil if it does not begin with one.
// Keys before the first section are not INI for this purpose.
func parseINI(text string) pcore.Value {
	sections := pcore.NewHashBuilder(0)
	var name string
	var entries *pcore.HashBuilder
	seen := make(map[string]bool)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case line[0] == '[' && line[len(line)-1] == ']':
			if entries != nil {
				sections.SetString(name, entries.Hash())
			}
			if name = line[1 : len(line)-1]; seen["["+name] {
				return nil
			}
			seen["["+name] = true
			entries = pcore.NewHashBuilder(0)
		default:
			key, value, ok := strings.Cut(line, "=")
			if key = strings.TrimSpace(key); !ok || entries == nil || seen[name+"\x00"+key] {
				return nil
			}
			seen[name+"\x00"+key] = true
			entries.SetString(key, pcore.String(strings.TrimSpace(value)))
		}
	}
	if entries == nil {
		return nil
	}
	sections.SetString(name, entries.Hash())
	return sections.Hash()
}

// dataChanges returns the differences of the data in two texts, and its format.
func dataChanges(x, y string) ([]DataChange, string) {
	a, b, format := data(x, y)
	if format == "" {
		return nil, ""
	}
	c := comparer{noise: &noise{}}
	c.values(nil, a, b, sensitivity{})
	var all []DataChange
	for _, d := range c.deltas {
		all = append(all, DataChange{Op: d.op, Path: d.path.Pointer(), Old: d.old, New: d.new})
	}
	return all, format
}
