package yaml

import (
	"encoding/base64"
	"fmt"
	"math"
	"strings"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// scalar decodes a scalar: a plain one, which may be a number or a date, like Ruby's
// Psych, and any other as a String.
func (s *events) scalar(e *yamlwire.Event) (pcore.Value, error) {
	if limit := codec.StringLimit(&s.opts); len(e.Value) > limit {
		return nil, fmt.Errorf("%w: the string has more than %d bytes", serialization.ErrTooLarge, limit)
	}
	switch shortTag(*e) {
	case "":
		if e.Style != yamlwire.Plain {
			return s.slab.String(e.Value), nil
		}
		return s.plain(e.Value)
	case "!", "!!int", "!!bool", "!!null", "!!timestamp":
		return s.plain(e.Value)
	case "!!float":
		f, err := rubytext.Float(psych.Scalar(e.Value))
		if err != nil {
			return nil, fmt.Errorf("%w: not a number", serialization.ErrSyntax)
		}
		return finite(pcore.Float(f))
	case "!!str":
		return pcore.String(e.Value), nil
	case "!!binary", "!binary":
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(e.Value), ""))
		if err != nil {
			return nil, fmt.Errorf("%w: not valid base64", serialization.ErrValue)
		}
		return pcore.NewBinary(b), nil
	case "!ruby/sym", "!ruby/symbol":
		return pcore.String(e.Value), nil // symbols in catalogs
	case "!ruby/regexp":
		return rubyRegexp(e.Value)
	}
	return nil, unknownTag()
}

// shortTag returns the tag of e, with two exclamation marks for a tag of YAML itself.
func shortTag(e yamlwire.Event) string {
	if suffix, ok := strings.CutPrefix(e.Tag, yamlwire.Prefix); ok {
		return "!!" + suffix
	}
	return e.Tag
}

// plain decodes a plain scalar. A Symbol is read as its name, and a date as its text.
func (s *events) plain(text string) (pcore.Value, error) {
	if psych.IsText(text) {
		return s.slab.String(text), nil
	}
	value := psych.Scalar(text)
	switch v := value.(type) {
	case pcore.Float:
		return finite(v)
	case pcore.Symbol:
		return pcore.String(v), nil
	case pcore.Default:
		return pcore.String("default"), nil
	case pcore.Timestamp:
		return pcore.String(text), nil
	case pcore.String:
		if psych.IsLongNumber(text) {
			return nil, fmt.Errorf("%w: more than %d digits", serialization.ErrRange, psych.MaxNumber)
		}
		return value, nil // not v, which would be allocated again
	default:
		return value, nil
	}
}

func finite(f pcore.Float) (pcore.Value, error) {
	if math.IsInf(float64(f), 0) || math.IsNaN(float64(f)) {
		return nil, fmt.Errorf("%w: the number cannot be represented", serialization.ErrRange)
	}
	return f, nil
}

// mergeKey is a key whose value, a map, Ruby merges into the map that contains it.
const mergeKey = "<<"

// keyValue decodes a key of a map.
func (s *events) keyValue(e *yamlwire.Event) (pcore.Value, error) {
	if e.Value == mergeKey && e.Style == yamlwire.Plain && e.Tag == "" {
		return nil, fmt.Errorf("%w: merge keys are not supported; list the members, or quote the key", serialization.ErrUnsupported)
	}
	return s.scalar(e)
}

func unknownTag() error {
	return fmt.Errorf("%w: a tag that belongs neither to the YAML schema nor to Puppet", serialization.ErrUnsupported)
}

// isContainer reports whether the tag of a list or map is a standard tag, or
// the tag of a Puppet object, which is read as its map.
func isContainer(e yamlwire.Event) bool {
	switch shortTag(e) {
	case "", "!":
		return true
	case "!!seq":
		return e.Kind == yamlwire.SequenceStart
	case "!!map":
		return e.Kind == yamlwire.MappingStart
	default:
		return e.Kind == yamlwire.MappingStart && strings.HasPrefix(e.Tag, "!ruby/object:Puppet::")
	}
}

// rubyRegexp parses a Ruby regular expression: a pattern between slashes,
// followed by options. A comment that ends an extended pattern would take the
// parenthesis behind it for its own, so a line break follows it.
func rubyRegexp(text string) (pcore.Value, error) {
	end := strings.LastIndexByte(text, '/')
	if end < 1 || text[0] != '/' {
		return nil, fmt.Errorf("%w: expected a regular expression between slashes", serialization.ErrSyntax)
	}
	source := text[1:end]
	if on := strings.Map(func(r rune) rune {
		if strings.ContainsRune("imx", r) {
			return r
		}
		return -1
	}, text[end+1:]); on != "" {
		if strings.Contains(on, "x") && strings.Contains(source[strings.LastIndexByte(source, '\n')+1:], "#") {
			source += "\n"
		}
		source = "(?" + on + ":" + source + ")"
	}
	v, err := pcore.ParseRegexp(source)
	if err != nil {
		return nil, fmt.Errorf("%w: the text is not a valid Regexp", serialization.ErrValue)
	}
	return v, nil
}
