package stdlib

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubyorder"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func compareFunctions(reference pcore.Reference) []function.Function {
	return []function.Function{
		{
			Name:       "max",
			Doc:        "Returns the greatest of its arguments, or of the elements of an array. Numbers, texts, versions and times are compared as such, other values by their texts, or all by a block. Puppet 7 also compares versions and times by their texts.",
			Dispatches: extremeDispatches(reference, "max", 1),
		},
		{
			Name:       "min",
			Doc:        "Returns the least of its arguments, or of the elements of an array. Numbers, texts, versions and times are compared as such, other values by their texts, or all by a block. Puppet 7 also compares versions and times by their texts.",
			Dispatches: extremeDispatches(reference, "min", -1),
		},
		{
			Name: "compare",
			Doc:  "Returns -1, 0 or 1 as the first value comes before, with or after the second one. Texts are compared without regard to case unless the third argument is false.",
			Dispatches: []function.Dispatch{
				on("Numeric a, Numeric b", compareValues),
				on("String a, String b, Boolean ignore_case?", compareTexts),
				on("SemVer a, SemVer b", compareValues),
				on("Numeric a, Variant[Timespan, Timestamp] b", compareWithTime),
				on("Timestamp a, Variant[Timestamp, Numeric] b", compareValues),
				on("Timespan a, Variant[Timespan, Numeric] b", compareValues),
				{Text: "Variant[String, SemVer, Numeric, Timespan, Timestamp] a, Variant[String, SemVer, Numeric, Timespan, Timestamp] b, Any ignore_case*", Mismatch: whyNotCompared},
				{Text: "Any a, Any b, Any ignore_case*", Mismatch: func(args []pcore.Value) string {
					return "compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp can be compared. Got " +
						label(args[0]) + " and " + label(args[1])
				}},
			},
		},
		{
			Name:       "versioncmp",
			Doc:        "Returns -1, 0 or 1 as the first version is older than, the same as or newer than the second one, in the way of package versions.",
			Dispatches: one("String a, String b, Boolean ignore_trailing_zeroes?", versioncmp),
		},
	}
}

func extremeDispatches(reference pcore.Reference, name string, sign int) []function.Dispatch {
	e := extreme{name, sign}
	types := []struct {
		name  string
		order ordering
	}{{"Numeric", orderOf}, {"String", e.orderTexts}, {"SemVer", orderOf}, {"Timespan", orderOf}, {"Timestamp", orderOf}}
	if reference == pcore.Puppet7 {
		types = types[:2]
	}
	var values, arrays []function.Dispatch
	for _, t := range types {
		values = append(values, on(t.name+" values*", e.of(t.order)))
		arrays = append(arrays, on("Array["+t.name+"] values, &Callable[2, 2] block?", e.elements(t.order)))
	}
	return slices.Concat(values, arrays, []function.Dispatch{
		on("Array values, &Callable[2, 2] block?", e.elements(e.orderAny)),
		on("Any values*, &Callable[2, 2] block", e.byBlock),
		on("Any values*", e.of(e.orderAny)),
	})
}

// extreme implements max, with sign 1, and min, with sign -1.
type extreme struct {
	name string
	sign int
}

// ordering compares two values. If they are not comparable, ok is false. It
// passes deprecation warnings about the comparison to say.
type ordering func(say func(string), a, b pcore.Value) (n int, ok bool)

func (e extreme) of(o ordering) function.Implementation {
	return func(c *function.Call, args []pcore.Value) (pcore.Value, error) { return e.find(c, o, args) }
}

func (e extreme) elements(o ordering) function.Implementation {
	return func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
		values := elements(args[0])
		if c.Block != nil {
			return e.byBlock(c, values)
		}
		return e.find(c, o, values)
	}
}

func (e extreme) find(c *function.Call, o ordering, values []pcore.Value) (pcore.Value, error) {
	if len(values) == 0 {
		return nil, errors.New("Wrong number of arguments need at least one") //nolint:staticcheck // the reference's words
	}
	var said []string
	say := func(text string) {
		if !slices.Contains(said, text) {
			said = append(said, text)
			deprecated(c, text)
		}
	}
	best := values[0]
	for _, v := range values[1:] {
		n, ok := o(say, v, best)
		if !ok {
			return nil, rubyorder.Error(v, best)
		}
		if n*e.sign > 0 {
			best = v
		}
	}
	return best, c.Spend(len(values))
}

func (e extreme) byBlock(c *function.Call, values []pcore.Value) (pcore.Value, error) {
	if len(values) == 0 {
		return pcore.Undef{}, nil
	}
	best := values[0]
	for _, v := range values[1:] {
		n, err := c.Yield(v, best)
		if err != nil {
			return nil, err
		}
		sign, err := signOf(n, v, best)
		if err != nil {
			return nil, err
		}
		if sign*e.sign > 0 {
			best = v
		}
	}
	return best, nil
}

func orderOf(_ func(string), a, b pcore.Value) (int, bool) { return rubyorder.Compare(a, b) }

// orderTexts compares texts; two texts with numbers compare as numbers.
func (e extreme) orderTexts(say func(string), a, b pcore.Value) (int, bool) {
	return e.order(say, str(a), str(b)), true
}

// orderAny compares any two values by their texts.
func (e extreme) orderAny(say func(string), a, b pcore.Value) (int, bool) {
	s, t := rubytext.Text(a), rubytext.Text(b)
	if !writesNumber(s) || !writesNumber(t) {
		say("The " + e.name + "() function's auto conversion of Any to String is deprecated - change to convert input before calling, or use lambda")
	}
	return e.order(say, s, t), true
}

func (e extreme) order(say func(string), a, b string) int {
	if writesNumber(a) && writesNumber(b) {
		say("The " + e.name + "() function's auto conversion of String to Numeric is deprecated - change to convert input before calling, or use lambda")
		return cmp.Compare(leadingFloat(a), leadingFloat(b))
	}
	return strings.Compare(a, b)
}

// writesNumber reports whether s consists of digits, optionally with one of
// `._eE` between them.
func writesNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	i := strings.IndexAny(s, "._eE")
	if i < 0 {
		return areDigits(s)
	}
	return areDigits(s[:i]) && areDigits(s[i+1:])
}

func leadingFloat(s string) float64 {
	f, err := rubytext.ParseFloat(s)
	if err != nil {
		return 0 // unreachable: writesNumber accepts only numbers
	}
	return f
}

// signOf interprets a block's comparison result for a and b as Ruby does.
func signOf(n, a, b pcore.Value) (int, error) {
	if n == pcore.Value(pcore.Undef{}) {
		return 0, rubyorder.Error(a, b)
	}
	order := rubyorder.Numbers
	if isTime(n) {
		order = rubyorder.Compare
	}
	sign, ok := order(n, pcore.Integer(0))
	if !ok {
		return 0, rubyorder.Error(n, pcore.Integer(0))
	}
	return sign, nil
}

func compareValues(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	n, ok := rubyorder.Compare(args[0], args[1])
	if !ok {
		return pcore.Undef{}, nil // NaN
	}
	return pcore.Integer(n), nil
}

// compareWithTime compares a number with a time in reverse, and inverts the result.
func compareWithTime(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	n, ok := rubyorder.Compare(args[1], args[0])
	if !ok {
		return nil, errors.New("undefined method `-@' for nil:NilClass")
	}
	return pcore.Integer(-n), nil
}

func compareTexts(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	a, b := str(args[0]), str(args[1])
	if len(args) < 3 || isTruthy(args[2]) {
		a, b = foldASCII(a), foldASCII(b)
	}
	return pcore.Integer(strings.Compare(a, b)), nil
}

func foldASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}

func whyNotCompared(args []pcore.Value) string {
	a, b, more := args[0], args[1], args[2:]
	if len(more) > 0 {
		_, okA := a.(pcore.String)
		_, okB := b.(pcore.String)
		switch {
		case !okA || !okB:
			return "compare(): The third argument (ignore case) can only be used when comparing strings"
		case len(more) > 1:
			return fmt.Sprintf("compare(): Accepts at most 3 arguments, got %d", len(args))
		default:
			return "compare(): The third argument (ignore case) must be a Boolean. Got " + label(more[0])
		}
	}
	return "compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). Got " + label(a) + " and " + label(b)
}

// label returns the name of a value's kind, for messages.
func label(v pcore.Value) string {
	switch v.(type) {
	case pcore.Undef:
		return "Undef Value"
	case pcore.Default:
		return "Default Value"
	default:
		return pcore.KindOf(v).String()
	}
}

func versioncmp(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	a, b := str(args[0]), str(args[1])
	if len(args) > 2 && isTruthy(args[2]) {
		a, b = withoutTrailingZeros(a), withoutTrailingZeros(b)
	}
	return pcore.Integer(compareVersions(a, b)), nil
}

// withoutTrailingZeros removes the zeros and points at the end of the version
// proper, which ends at the first dash, and the dashes at the end of the rest.
func withoutTrailingZeros(s string) string {
	version, rest, found := strings.Cut(s, "-")
	version = strings.TrimRight(version, ".0")
	if !found {
		return version
	}
	return version + "-" + strings.TrimRight(rest, "-")
}

// compareVersions compares versions part by part. A dash sorts before a point,
// and both sort before anything else. Numbers compare by value, except that a
// leading zero makes them text.
func compareVersions(a, b string) int {
	restA, restB := a, b
	for restA != "" && restB != "" {
		var x, y string
		x, restA = versionPart(restA)
		y, restB = versionPart(restB)
		switch {
		case x == y:
			continue
		case x == "-":
			return -1
		case y == "-":
			return 1
		case x == ".":
			return -1
		case y == ".":
			return 1
		case areDigits(x) && areDigits(y) && x[0] != '0' && y[0] != '0':
			return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
		default:
			return strings.Compare(rubytext.Upcase(x), rubytext.Upcase(y))
		}
	}
	return strings.Compare(a, b)
}

// versionPart splits off a dash, a point, a number, or a run of other
// characters.
func versionPart(s string) (part, rest string) {
	kind := versionByte(s[0])
	n := 1
	for kind != 0 && n < len(s) && versionByte(s[n]) == kind {
		n++
	}
	return s[:n], s[n:]
}

func versionByte(c byte) int {
	switch {
	case c == '-' || c == '.':
		return 0
	case '0' <= c && c <= '9':
		return 1
	default:
		return 2
	}
}
