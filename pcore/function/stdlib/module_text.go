package stdlib

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubyre"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleTextFunctions returns functions that convert between texts, booleans and
// numbers.
func moduleTextFunctions() []function.Function {
	return []function.Function{
		{
			Name:       "base64",
			Doc:        "Returns a text encoded to base64 or decoded from it, by the method default, strict or urlsafe. What is decoded and is no text is a Binary.",
			Dispatches: one("Enum[encode, decode] action, Variant[String, Binary] text, Enum['default', strict, urlsafe] method?", base64Text),
		},
		{
			Name:       "str2bool",
			Doc:        "Returns the Boolean that a text such as yes, f, 1 or the empty one means.",
			Dispatches: one("Variant[String, Boolean, Undef] text", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) { return str2bool(args[0]) }),
		},
		{
			Name:       "any2bool",
			Doc:        "Returns the Boolean that a value means: a text as by str2bool or as a number, whether a number is at least 1, false for undef, and true for any other value.",
			Dispatches: one("Any value, Any ignored*", any2bool),
		},
		{
			Name: "bool2str",
			Doc:  "Returns the text for a Boolean: true or false, or those that are given.",
			Dispatches: []function.Dispatch{
				on("Boolean value", bool2str),
				on("Boolean value, String yes, String no", bool2str),
			},
		},
		{
			Name:       "num2bool",
			Doc:        "Reports whether a number, also one written as a text, is at least 1.",
			Dispatches: one("Any number", num2bool),
		},
		{
			Name: "bool2num",
			Doc:  "Returns 1 or 0 for a Boolean, or for a text that means one.",
			Dispatches: one("Variant[String, Boolean, Undef] value", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				b, err := str2bool(args[0])
				if err != nil || !isTruthy(b) {
					return pcore.Integer(0), err
				}
				return pcore.Integer(1), nil
			}),
		},
		{
			Name:       "to_bytes",
			Doc:        "Returns the number of bytes that a text such as 4 kB means.",
			Dispatches: one("Variant[String, Numeric, Undef] size", toBytes),
		},
		{
			Name:       "clamp",
			Doc:        "Returns the one in the middle of three numbers, which can also be texts or in arrays, as an integer.",
			Dispatches: one("Any values*", clamp),
		},
		{
			Name:       "convert_base",
			Doc:        "Returns an integer, also one written as a text, in digits of a base from 2 to 36.",
			Dispatches: one("Variant[String, Integer] number, Variant[String, Integer] base", convertBase),
		},
		{
			Name: "squeeze",
			Doc:  "Returns a text, or each text of an array, with runs of the same character replaced by one, of all characters or of a set.",
			Dispatches: []function.Dispatch{
				on("String text, Any characters?", squeeze),
				on("Array[String] texts, Any characters?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return mapped(c, args[0], func(v pcore.Value) (pcore.Value, error) {
						return squeeze(c, append([]pcore.Value{v}, args[1:]...))
					})
				}),
			},
		},
		eachText("swapcase", "Returns a text with the case of each letter turned round.", rubytext.Swapcase),
		eachText("uriescape", "Returns a text with what cannot stand in a URI in percent notation.", uriEscape),
		eachText("regexpescape", "Returns a pattern that matches a text and nothing else.", rubyre.Escape),
		{
			Name: "dos2unix",
			Doc:  "Returns a text with LF in place of each CR LF.",
			Dispatches: one("String text", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return longer(c, args[0], 1, func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") })
			}),
		},
		{
			Name: "unix2dos",
			Doc:  "Returns a text with CR LF at the end of each line.",
			Dispatches: one("String text", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return longer(c, args[0], 2, func(s string) string { return lineEnd.Get().ReplaceAllString(s, "\r\n") })
			}),
		},
		affix("start_with", "Reports whether a text begins with one of the prefixes.", strings.HasPrefix),
		affix("end_with", "Reports whether a text ends with one of the suffixes.", strings.HasSuffix),
		{
			Name:       "stdlib::xml_encode",
			Doc:        "Returns a text as the content of an element of XML, or as an attribute in its quotes.",
			Dispatches: one("String str, Enum[text, 'attr'] type? >> String", xmlEncode),
		},
	}
}

var lineEnd = lazyregexp.New(`\r*\n`)

func base64Text(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	text := textOrBytes(args[1])
	method, _ := optional(args, 2).(pcore.String)
	encoding := base64.StdEncoding
	if method == "urlsafe" {
		encoding = base64.URLEncoding
	}
	const copies = 5 // each as long as the result of encoding, or shorter
	if err := c.Hold(copies * int64(len(text))); err != nil {
		return nil, err
	}
	if str(args[0]) == "encode" {
		s := encoding.EncodeToString([]byte(text))
		if method == "" || method == "default" {
			s = lines(s)
		}
		return pcore.String(s), c.Spend(len(s))
	}
	decoding := base64.StdEncoding.Strict()
	switch method {
	case "strict":
	case "urlsafe":
		text = base64Padded(strings.NewReplacer("-", "+", "_", "/").Replace(text))
	default:
		text, decoding = base64Lenient(text), base64.RawStdEncoding
	}
	b, err := decoding.DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") { // which Go ignores
		return nil, errors.New("the text is no base64")
	}
	if !utf8.Valid(b) {
		return pcore.NewBinary(b), c.Spend(len(b))
	}
	return pcore.String(b), c.Spend(len(b))
}

// base64Padded adds the padding to a text that has none.
func base64Padded(s string) string {
	if rest := len(s) % 4; rest > 0 && !strings.HasSuffix(s, "=") {
		s += strings.Repeat("=", 4-rest)
	}
	return s
}

// base64Lenient removes characters that are not base64, and anything after the
// padding, like Ruby's unpack.
func base64Lenient(s string) string {
	s, _, _ = strings.Cut(s, "=")
	s = strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '+' || r == '/' {
			return r
		}
		return -1
	}, s)
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	return s
}

// lines inserts a line break after every 60 characters and at the end.
func lines(s string) string {
	const width = 60
	var b strings.Builder
	for len(s) > width {
		b.WriteString(s[:width] + "\n")
		s = s[width:]
	}
	if s != "" {
		b.WriteString(s + "\n")
	}
	return b.String()
}

func textOrBytes(v pcore.Value) string {
	if b, ok := v.(pcore.Binary); ok {
		return b.Raw()
	}
	return str(v)
}

func str2bool(v pcore.Value) (pcore.Value, error) {
	s, ok := v.(pcore.String)
	if !ok {
		return pcore.Boolean(v == pcore.Value(pcore.Boolean(true))), nil
	}
	// The patterns of the reference match any line, one after the other.
	lines := strings.Split(strings.TrimSuffix(strings.ToLower(string(s)), "\n"), "\n")
	among := func(words ...string) bool {
		return slices.ContainsFunc(lines, func(line string) bool { return slices.Contains(words, line) })
	}
	switch {
	case among(""):
		return pcore.Boolean(false), nil
	case among("1", "t", "y", "true", "yes"):
		return pcore.Boolean(true), nil
	case among("0", "f", "n", "false", "no", "undef", "undefined"):
		return pcore.Boolean(false), nil
	default:
		return nil, errors.New("Unknown type of boolean given") //nolint:staticcheck // the reference's words
	}
}

func any2bool(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	switch v := args[0].(type) {
	case pcore.Boolean:
		return v, nil
	case pcore.Integer, pcore.BigInteger, pcore.Float:
		return num2bool(c, args)
	case pcore.String:
		if _, err := rubytext.Float(v); err == nil {
			return num2bool(c, args)
		}
		return str2bool(v)
	default:
		return pcore.Boolean(true), nil
	}
}

func bool2str(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	if len(args) == 1 {
		return pcore.String(args[0].String()), nil
	}
	if isTruthy(args[0]) {
		return args[1], nil
	}
	return args[2], nil
}

func num2bool(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	number := args[0]
	f, err := rubytext.Float(number)
	if err != nil && pcore.Is[pcore.String](number) {
		return nil, errors.New("the text does not look like a number")
	}
	return pcore.Boolean(f >= 1), nil
}

var (
	byteSize      = lazyregexp.New(`([0-9.e+-]*)\s*([^bB]?)`)
	leadingNumber = lazyregexp.New(`^[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)(e[+-]?[0-9]+)?`) // as Ruby's to_f reads it
)

func toBytes(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	s, ok := args[0].(pcore.String)
	if !ok {
		return args[0], nil
	}
	m := byteSize.Get().FindStringSubmatch(string(s))
	f, err := strconv.ParseFloat(leadingNumber.Get().FindString(m[1]), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		f = 0
	}
	shift := strings.Index("kMGTPE", m[2])
	if shift < 0 {
		return nil, fmt.Errorf("Unknown prefix %s", m[2]) //nolint:staticcheck // the reference's words
	}
	if m[2] != "" {
		f *= float64(int64(1) << (10 * (shift + 1)))
	}
	return wholeNumber(math.Trunc(f))
}

// eachText returns a function that applies f to a text, or to each text in an
// array.
func eachText(name, doc string, f func(string) string) function.Function {
	each := func(c *function.Call, v pcore.Value) (pcore.Value, error) {
		if !pcore.Is[pcore.String](v) {
			return v, nil
		}
		const escaped = 3 // bytes for each byte
		return longer(c, v, escaped, f)
	}
	return function.Function{Name: name, Doc: doc, Dispatches: []function.Dispatch{
		on("Undef text", func(*function.Call, []pcore.Value) (pcore.Value, error) { return pcore.String(""), nil }),
		on("String text", func(c *function.Call, args []pcore.Value) (pcore.Value, error) { return each(c, args[0]) }),
		on("Array texts", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return mapped(c, args[0], func(v pcore.Value) (pcore.Value, error) { return each(c, v) })
		}),
	}}
}

func uriEscape(s string) string {
	const safe = "-_.!~*'()a-zA-Z0-9;/?:@&=+$,[]"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(safe, c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func affix(name, doc string, has func(s, affix string) bool) function.Function {
	return function.Function{Name: name, Doc: doc, Dispatches: one("String test_string, Variant[String[1], Array[String[1], 1]] affixes >> Boolean",
		func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
			for v := range flattened(args[1:]) {
				if has(str(args[0]), str(v)) {
					return pcore.Boolean(true), nil
				}
			}
			return pcore.Boolean(false), nil
		})}
}

func xmlEncode(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	const entity = 6 // bytes for each byte
	return longer(c, args[0], entity, func(s string) string {
		s = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
		if optional(args, 1) == pcore.Value(pcore.String("attr")) {
			s = `"` + strings.NewReplacer(`"`, "&quot;", "'", "&apos;").Replace(s) + `"`
		}
		return s
	})
}

var allDigits = lazyregexp.New(`(?m)^\d+$`)

// clamp returns the median of three integers.
func clamp(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	var numbers []*big.Int
	for v := range flattened(args) {
		if len(numbers) == 3 {
			return nil, errClamp
		}
		n := new(big.Int)
		switch v := v.(type) {
		case pcore.String:
			if !allDigits.Get().MatchString(string(v)) {
				return nil, fmt.Errorf("Required explicit numeric (%s:String)", v) //nolint:staticcheck // the reference's words
			}
			leading, err := leadingInteger(v)
			if err != nil {
				return nil, err
			}
			n.SetInt64(leading)
		case pcore.Integer, pcore.Float:
			var err error
			if n, err = rubytext.Integer(v); err != nil {
				return nil, err
			}
		case pcore.Undef: // only inside an array; it counts as 0
		case *pcore.Hash:
			return nil, fmt.Errorf("The Hash type is not allowed (%s)", v) //nolint:staticcheck // likewise
		default:
			return nil, fmt.Errorf("a %s is no number", pcore.KindOf(v))
		}
		numbers = append(numbers, n)
	}
	if len(numbers) != 3 {
		return nil, errClamp
	}
	slices.SortFunc(numbers, (*big.Int).Cmp)
	return pcore.NewBigInteger(numbers[1]), nil
}

var errClamp = errors.New("Wrong number of arguments, need three to clamp") //nolint:staticcheck // likewise

func convertBase(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	for _, v := range args {
		if s, ok := v.(pcore.String); ok && !allDigits.Get().MatchString(string(s)) {
			return nil, errors.New("First argument must be an integer or a string corresponding to an integer in base 10") //nolint:staticcheck // likewise
		}
	}
	base, err := leadingInteger(args[1])
	if err != nil || base < 2 || base > 36 {
		return nil, errors.New("base must be at least 2 and must not be greater than 36")
	}
	text := rubytext.LeftStrip(rubytext.Text(args[0]))
	const longest = 4096 // digits: the time grows with their square
	if len(text) > longest {
		return nil, fmt.Errorf("a number of more than %d digits", longest)
	}
	if end := strings.IndexFunc(text, func(r rune) bool { return r != '-' && (r < '0' || r > '9') }); end >= 0 {
		text = text[:end]
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		n = new(big.Int)
	}
	return pcore.String(n.Text(int(base))), nil
}

// squeeze is Ruby's String#squeeze.
func squeeze(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	s := str(args[0])
	in := func(rune) bool { return true }
	if len(args) > 1 {
		text, ok := args[1].(pcore.String)
		if !ok {
			return nil, fmt.Errorf("a set of characters must be a String, not %s", pcore.KindOf(args[1]))
		}
		set := string(text)
		if err := c.Spend(len(set) + len(s)*(1+len(set)/comparisons)); err != nil {
			return nil, err
		}
		var err error
		if in, err = characterSet([]rune(set)); err != nil {
			return nil, err
		}
	}
	if err := c.Hold(int64(len(s))); err != nil {
		return nil, err
	}
	var b strings.Builder
	last := rune(-1)
	for _, r := range s {
		if r != last || !in(r) {
			b.WriteRune(r)
		}
		last = r
	}
	return pcore.String(b.String()), c.Spend(len(s))
}
