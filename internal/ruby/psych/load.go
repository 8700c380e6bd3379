package psych

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
	"github.com/pcatdev/pcat/pcore"
)

// MaxNodes is the maximum number of values in one document; an alias counts
// each time it is used.
const MaxNodes = 1 << 20

// maxDepth is the maximum nesting depth of sequences and mappings.
const maxDepth = 10000

// Load returns the first document of a YAML text; ok is false if there is none.
// Tags of Ruby classes and recursive aliases are errors. The last of equal keys
// takes precedence.
func Load(text string) (v pcore.Value, ok bool, err error) {
	l := loader{parser: yamlwire.NewBytes([]byte(text)), left: MaxNodes}
	start, err := l.parser.Next()
	if err != nil || start.Kind == yamlwire.StreamEnd {
		return pcore.Undef{}, false, err
	}
	e, err := l.parser.Next()
	if err != nil {
		return nil, false, err
	}
	if v, err = l.value(e); err == nil {
		_, err = l.parser.Next() // the end of the document
	}
	return v, err == nil, err
}

// LoadAll returns the values of all documents of a YAML text. Besides what [Load] refuses, it
// refuses tags other than those of YAML itself: only the program that reads the text knows
// what they mean. A time is a Timestamp and a date a Symbol, so that two values are equal if
// those of Psych are.
func LoadAll(text string) ([]pcore.Value, error) {
	l := loader{parser: yamlwire.NewBytes([]byte(text)), left: MaxNodes, known: true}
	var all []pcore.Value
	for {
		start, err := l.parser.Next()
		if err != nil || start.Kind == yamlwire.StreamEnd {
			return all, err
		}
		e, err := l.parser.Next()
		if err != nil {
			return nil, err
		}
		l.nodes = nil // anchors end with their document
		v, err := l.value(e)
		if err == nil {
			_, err = l.parser.Next() // the end of the document
		}
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
}

type loader struct {
	parser *yamlwire.Parser
	left   int
	depth  int
	nodes  map[string]node // by anchor
	known  bool            // all tags must be those of YAML
}

// node is a value with an anchor.
type node struct {
	value pcore.Value // nil as long as it is not complete
	size  int         // the number of values in it
}

func (l *loader) fail(e yamlwire.Event, format string, args ...any) error {
	line, _ := l.parser.Position(e.At)
	return fmt.Errorf("line %d: "+format, append([]any{line}, args...)...)
}

// use counts n values.
func (l *loader) use(n int) error {
	if l.left -= n; l.left < 0 {
		return fmt.Errorf("the document holds more than %d values", MaxNodes)
	}
	return nil
}

// value returns the value that begins with e.
func (l *loader) value(e yamlwire.Event) (v pcore.Value, err error) {
	if e.Kind == yamlwire.Alias {
		return l.alias(e)
	}
	before := l.left
	if err := l.use(1); err != nil {
		return nil, err
	}
	isText := e.Tag == yamlwire.Prefix+"str" || e.Tag == "!str"
	if strings.HasPrefix(e.Tag, "!ruby/") && e.Kind != yamlwire.Scalar || isText && e.Kind == yamlwire.MappingStart {
		return nil, l.fail(e, "the tag %s is not allowed", e.Tag)
	}
	if l.known && e.Tag != "" && e.Tag != "!" && !strings.HasPrefix(e.Tag, yamlwire.Prefix) {
		return nil, l.fail(e, "the tag %s is not one of YAML", e.Tag)
	}
	if e.Anchor != "" {
		l.remember(e.Anchor, node{})
	}
	if l.depth++; l.depth > maxDepth {
		return nil, l.fail(e, "more than %d levels of sequences and mappings", maxDepth)
	}
	switch e.Kind {
	case yamlwire.SequenceStart:
		v, err = l.sequence()
	case yamlwire.MappingStart:
		v, err = l.mapping()
	default:
		v, err = l.scalar(e)
	}
	l.depth--
	if e.Anchor != "" && err == nil {
		l.remember(e.Anchor, node{v, before - l.left})
	}
	return v, err
}

func (l *loader) remember(anchor string, n node) {
	if l.nodes == nil {
		l.nodes = make(map[string]node)
	}
	l.nodes[anchor] = n
}

func (l *loader) alias(e yamlwire.Event) (pcore.Value, error) {
	n, ok := l.nodes[e.Value]
	switch {
	case !ok:
		return nil, l.fail(e, "an alias without its anchor")
	case n.value == nil:
		return nil, l.fail(e, "an alias inside of its own anchor")
	}
	return n.value, l.use(n.size)
}

func (l *loader) sequence() (pcore.Value, error) {
	var elems []pcore.Value
	for {
		e, err := l.parser.Next()
		switch {
		case err != nil:
			return nil, err
		case e.Kind == yamlwire.SequenceEnd:
			return pcore.NewArray(elems...), nil
		}
		v, err := l.value(e)
		if err != nil {
			return nil, err
		}
		elems = append(elems, v)
	}
}

func (l *loader) mapping() (pcore.Value, error) {
	b := pcore.NewHashBuilder(0)
	for {
		e, err := l.parser.Next()
		switch {
		case err != nil:
			return nil, err
		case e.Kind == yamlwire.MappingEnd:
			return b.Hash(), nil
		}
		k, err := l.value(e)
		if err != nil {
			return nil, err
		}
		next, err := l.parser.Next()
		if err != nil {
			return nil, err
		}
		v, err := l.value(next)
		if err != nil {
			return nil, err
		}
		if k == pcore.String(mergeKey) && e.Tag != yamlwire.Prefix+"str" && next.Kind != yamlwire.Scalar {
			merge(b, v)
			continue
		}
		b.Set(k, v)
	}
}

// merge adds the entries of one or several mappings for a `<<` key.
func merge(b *pcore.HashBuilder, v pcore.Value) {
	switch v := v.(type) {
	case *pcore.Hash:
		for k, e := range v.All() {
			b.Set(k, e)
		}
	case *pcore.Array:
		for i := v.Len() - 1; i >= 0; i-- {
			if h, ok := v.At(i).(*pcore.Hash); ok {
				for k, e := range h.All() {
					b.Set(k, e)
				}
			}
		}
	default:
		b.Set(pcore.String(mergeKey), v)
	}
}

func (l *loader) scalar(e yamlwire.Event) (pcore.Value, error) {
	switch {
	case e.Tag != "":
		return l.tagged(e)
	case e.Style != yamlwire.Plain:
		return pcore.String(e.Value), nil
	case !l.known:
		return plainValue(e.Value), nil
	case date.Get().MatchString(e.Value):
		v := dateOf(e.Value)
		if day, ok := v.(pcore.Timestamp); ok {
			return pcore.Symbol(day.Time().Format(time.DateOnly)), nil // neither its text nor the beginning of the day
		}
		return v, nil
	default:
		return Scalar(e.Value), nil
	}
}

// plainValue returns the value of a plain scalar. Dates and times remain texts,
// because Psych rejects them.
func plainValue(s string) pcore.Value {
	v := Scalar(s)
	if pcore.Is[pcore.Timestamp](v) {
		return pcore.String(s)
	}
	return v
}

func (l *loader) tagged(e yamlwire.Event) (pcore.Value, error) {
	switch tag := strings.TrimPrefix(e.Tag, yamlwire.Prefix); tag {
	case "str", "!str":
		return pcore.String(e.Value), nil
	case "binary", "!binary":
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(e.Value), ""))
		if err != nil {
			return nil, l.fail(e, "the binary value is no base64")
		}
		return pcore.NewBinary(b), nil
	case "!ruby/symbol", "!ruby/sym":
		return symbol(e.Value), nil
	case "float", "!float":
		f, err := rubytext.Float(plainValue(e.Value))
		if err != nil {
			return nil, l.fail(e, "the value is no number")
		}
		return pcore.Float(f), nil
	default:
		if strings.HasPrefix(tag, "!ruby/") {
			return nil, l.fail(e, "the tag %s is not allowed", tag)
		}
		return plainValue(e.Value), nil
	}
}
