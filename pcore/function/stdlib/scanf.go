package stdlib

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func scanf(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	found, err := scan(str(args[0]), str(args[1]))
	if err != nil {
		return nil, err
	}
	if c.Block != nil {
		return c.Yield(pcore.NewArray(found...))
	}
	return pcore.NewArray(found...), c.Spend(len(found))
}

// scan reads text by the directives of a format, up to the first mismatch.
func scan(text, format string) ([]pcore.Value, error) {
	var found []pcore.Value
	for format != "" {
		m := scanPiece.Get().FindStringSubmatch(format)
		if m == nil {
			return nil, fmt.Errorf("malformed format string at %q", format)
		}
		format = format[len(m[0]):]
		if m[scanBlank] != "" {
			text = strings.TrimLeft(text, blanks)
			continue
		}
		if m[scanVerb] == "" {
			rest, ok := strings.CutPrefix(text, strings.TrimPrefix(m[0], "%"))
			if !ok {
				return found, nil
			}
			text = rest
			continue
		}
		v, rest, err := scanDirective(text, m[scanVerb], m[scanWidth])
		if v == nil || err != nil {
			return found, err
		}
		if text = rest; m[scanDrop] == "" {
			found = append(found, v)
		}
	}
	return found, nil
}

const blanks = " \t\n\v\f\r"

// scanPiece matches blanks, a directive, `%%` or a literal character.
var scanPiece = lazyregexp.New(`^(?s:(\s+)|%(\*?)(\d*)([diuoxXfgeEGaAsc]|\[\^?\]?[^\]]*\])|%%|[^%\s])`)

// The groups of scanPiece.
const (
	scanBlank = iota + 1
	scanDrop
	scanWidth
	scanVerb
)

var (
	scanDecimal = lazyregexp.New(`^[-+]?\d+`)
	scanInteger = lazyregexp.New(`^[-+]?(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)`)
	scanOctal   = lazyregexp.New(`^[-+]?[0-7]+`)
	scanHex     = lazyregexp.New(`^[-+]?(?:0[xX])?[0-9a-fA-F]+`)
	scanFloat   = lazyregexp.New(`^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?`)
	scanWord    = lazyregexp.New(`^\S+`)
	scanAny     = lazyregexp.New(`^(?s:.+)`)
)

// scanShape returns the expression for a directive.
func scanShape(verb string) (*regexp.Regexp, error) {
	switch verb {
	case "d":
		return scanDecimal.Get(), nil
	case "i":
		return scanInteger.Get(), nil
	case "o":
		return scanOctal.Get(), nil
	case "x":
		return scanHex.Get(), nil
	case "f":
		return scanFloat.Get(), nil
	case "s":
		return scanWord.Get(), nil
	case "c":
		return scanAny.Get(), nil
	}
	set, err := regexp.Compile("^" + verb + "+") // of characters
	if err != nil {
		return nil, errors.New("the set of characters " + verb + " cannot be read")
	}
	return set, nil
}

// scanDirective returns the value that a directive matches, nil on a mismatch,
// and the text after it.
func scanDirective(text, verb, width string) (v pcore.Value, rest string, err error) {
	switch verb {
	case "u":
		verb = "d"
	case "X":
		verb = "x"
	case "g", "e", "E", "G", "a", "A":
		verb = "f"
	}
	shape, err := scanShape(verb)
	if err != nil {
		return nil, "", err
	}
	if verb != "c" && verb[0] != '[' {
		text = strings.TrimLeft(text, blanks)
	} else if verb == "c" && width == "" {
		width = "1"
	}
	part := text
	if n, err := strconv.Atoi(width); err == nil {
		part = firstCharacters(text, n)
	}
	found := shape.FindString(part)
	if found == "" {
		return nil, text, nil
	}
	v, err = scanned(verb, found)
	return v, text[len(found):], err
}

func scanned(verb, found string) (pcore.Value, error) {
	switch verb {
	case "d":
		return integerOf("", found)
	case "i":
		return integerOf("0", found)
	case "o":
		return integerOf("0o", found)
	case "x":
		return integerOf("0x", strings.Replace(strings.ToLower(found), "0x", "", 1))
	case "f":
		f, err := strconv.ParseFloat(found, 64)
		return pcore.Float(f), err
	default:
		return pcore.String(found), nil
	}
}

// integerOf parses signed digits with the radix for prefix. The prefix "" means
// decimal even with leading zeros; "0" means that the digits contain the radix.
func integerOf(prefix, digits string) (pcore.Value, error) {
	sign := ""
	if digits[0] == '-' || digits[0] == '+' {
		sign, digits = digits[:1], digits[1:]
	}
	switch prefix {
	case "":
		digits = "0d" + digits
	case "0":
	default:
		digits = prefix + digits
	}
	n, err := rubytext.ParseInteger(sign + digits)
	if err != nil {
		return nil, err
	}
	return pcore.NewBigInteger(n), nil
}

// firstCharacters returns the first n characters of s, or all of it.
func firstCharacters(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
