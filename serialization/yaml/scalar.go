package yaml

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// maxDigits is the maximum length of the text of a number in bytes.
const maxDigits = 4096

// scalar decodes a scalar.
func scalar(node *yaml.Node, limit int) (pcore.Value, error) {
	if len(node.Value) > limit {
		return nil, fmt.Errorf("%w: the string has more than %d bytes", serialization.ErrTooLarge, limit)
	}
	switch tag := node.ShortTag(); tag {
	case "!!str":
		if node.Style == 0 && isNumeral(node.Value) {
			return number(node.Value) // too large for the parser
		}
		return pcore.String(node.Value), nil
	case "!!null":
		return pcore.Undef{}, nil
	case "!!bool":
		b, err := strconv.ParseBool(strings.ToLower(node.Value))
		if err != nil {
			return nil, fmt.Errorf("%w: not a boolean", serialization.ErrSyntax)
		}
		return pcore.Boolean(b), nil
	case "!!int", "!!float":
		return number(node.Value)
	case "!!timestamp":
		if node.Style&yaml.TaggedStyle == 0 {
			return pcore.String(node.Value), nil
		}
	case "!!binary":
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(node.Value), ""))
		if err != nil {
			return nil, fmt.Errorf("%w: not valid base64", serialization.ErrValue)
		}
		return pcore.NewBinary(b), nil
	case "!ruby/sym", "!ruby/symbol":
		return pcore.String(node.Value), nil // symbols in catalogs
	case "!ruby/regexp":
		return rubyRegexp(node.Value)
	case "!!merge":
		return nil, fmt.Errorf("%w: merge keys are not supported; list the members, or quote the key", serialization.ErrUnsupported)
	}
	return nil, unknownTag()
}

func unknownTag() error {
	return fmt.Errorf("%w: a tag that belongs neither to the YAML schema nor to Puppet", serialization.ErrUnsupported)
}

// isContainer reports whether the tag of a list or map is a standard tag, or
// the tag of a Puppet object, which is read as its map.
func isContainer(node *yaml.Node) bool {
	switch tag := node.ShortTag(); tag {
	case "!!seq", "!!map":
		return true
	default:
		return node.Kind == yaml.MappingNode && strings.HasPrefix(tag, "!ruby/object:Puppet::")
	}
}

// rubyRegexp parses a Ruby regular expression: a pattern between slashes,
// followed by options.
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
		source = "(?" + on + ":" + source + ")"
	}
	return pcore.NewRegexp(source), nil
}

var numeral = lazyregexp.New(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// isNumeral reports whether text has the form of a number.
func isNumeral(text string) bool {
	return text != "" && strings.IndexByte("+-.0123456789", text[0]) >= 0 && numeral.Get().MatchString(text)
}

// number parses an Integer, BigInteger or Float.
func number(text string) (pcore.Value, error) {
	if len(text) > maxDigits {
		return nil, fmt.Errorf("%w: more than %d digits", serialization.ErrRange, maxDigits)
	}
	plain := strings.ReplaceAll(text, "_", "")
	if i, ok := new(big.Int).SetString(strings.TrimPrefix(plain, "+"), 0); ok {
		return pcore.NewBigInteger(i), nil
	}
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, fmt.Errorf("%w: the number cannot be represented", serialization.ErrRange)
	}
	return pcore.Float(f), nil
}
