package convert_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/convert"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

func typ(t testing.TB, text string) pcore.Type {
	t.Helper()
	parsed, err := typeexpr.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func hash(members ...pcore.Value) *pcore.Hash {
	var b pcore.HashBuilder
	for i := 0; i < len(members); i += 2 {
		b.Set(members[i], members[i+1])
	}
	return b.Hash()
}

// TestErrors checks the texts of errors, which are the reference's except for
// the names of parameter types.
func TestErrors(t *testing.T) {
	text := func(s string) []pcore.Value { return []pcore.Value{pcore.String(s)} }
	for _, tt := range []struct {
		typ  string
		args []pcore.Value
		want string
	}{
		{"Integer", text("x"), "The string 'x' cannot be converted to Integer"},
		{"Integer", []pcore.Value{pcore.NewArray(pcore.Integer(1))}, "Value of type Array[Integer] cannot be converted to Integer"},
		{"Integer", []pcore.Value{pcore.String("1"), pcore.Integer(3)}, "Illegal radix: 3, expected 2, 8, 10, 16, or default"},
		{"Integer", []pcore.Value{hash(pcore.String("from"), pcore.String("x"))}, "The string 'x' cannot be converted to Integer"},
		{"Integer", []pcore.Value{hash(pcore.String("from"), pcore.String("1"), pcore.String("foo"), pcore.Integer(1))},
			"Integer.new has wrong type, unrecognized key 'foo'"},
		{"Integer", text("08"), `invalid value for Integer(): "08"`},
		{"Integer", nil, "'new' expects between 1 and 3 arguments, got none"},
		{"Float", text("x"), "The string 'x' cannot be converted to Float"},
		{"Numeric", text("08"), "The string '08' cannot be converted to Numeric"},
		{"Boolean", []pcore.Value{pcore.Undef{}}, "Value of type Undef cannot be converted to Boolean"},
		{"Array", []pcore.Value{pcore.Float(3)}, "Value of type Float cannot be converted to Array"},
		{"Array", []pcore.Value{pcore.String("a"), pcore.Integer(3)}, "'new_array' parameter 'wrap' expects a Boolean value, got Integer"},
		{"Hash", []pcore.Value{pcore.Integer(3)}, "odd number of arguments for Hash"},
		{"Hash", []pcore.Value{pcore.Undef{}}, "Value of type Undef cannot be converted to Hash"},
		{"SemVer", text("x"), "The string 'x' cannot be converted to a SemVer"},
		{"Annotation", []pcore.Value{hash()}, "'new_Annotation' expects no arguments, got 1"},
		{"Sensitive", nil, "'new_Sensitive' expects 1 argument, got none"},
		{"Integer[0, 5]", text("6"), "Converted value from Integer[0, 5].new() has wrong type, expects an Integer[0, 5] value, got Integer[6, 6]"},
		{"Deferred", text("X"), "The function 'new_Deferred' was called with arguments it does not accept. It expects one of:"},
		{"URI", []pcore.Value{pcore.Integer(1)}, "The function 'new_URI' was called with arguments it does not accept. It expects one of:\n" +
			"  (String[1] uri)\n    rejected: parameter 'uri' expects a String value, got Integer"},
		{"Timestamp", []pcore.Value{pcore.String("2016-01-01 CET"), pcore.String("%F %Z"), pcore.String("UTC")},
			"the format reads a timezone although one is given"},
		{"Timestamp", []pcore.Value{pcore.String("2016-01-01 CET"), pcore.NewArray(pcore.String("%F %Z")), pcore.String("UTC")},
			"using format %F %Z"},
		{"Callable", []pcore.Value{pcore.Integer(1)}, "creation of a new instance is not supported"},
	} {
		v, err := convert.New(typ(t, tt.typ), tt.args...)
		if err == nil {
			t.Errorf("%s.new(%v) = %v, want the error %q", tt.typ, tt.args, v, tt.want)
			continue
		}
		var e *convert.Error
		if !errors.As(err, &e) || e.Type == nil {
			t.Errorf("%s.new(%v): %T is no *convert.Error with a type", tt.typ, tt.args, err)
		}
		if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s.new(%v): the error is %q, want %q", tt.typ, tt.args, err, tt.want)
		}
	}
}

// TestErrorKinds checks the errors that errors wrap.
func TestErrorKinds(t *testing.T) {
	var (
		argument *convert.ArgumentError
		mismatch *pcore.MismatchError
		parse    *timefmt.ParseError
	)
	_, err := convert.New(typ(t, "Integer"), pcore.String("x"))
	if !errors.As(err, &argument) {
		t.Errorf("%v: no ArgumentError", err)
	}
	_, err = convert.New(typ(t, "Integer[0, 5]"), pcore.String("6"))
	if !errors.As(err, &mismatch) {
		t.Errorf("%v: no MismatchError", err)
	}
	_, err = convert.New(typ(t, "Timestamp"), pcore.String("x"))
	if !errors.As(err, &parse) {
		t.Errorf("%v: no ParseError", err)
	}
	_, err = convert.New(typ(t, "Enum[a]"), pcore.String("b"))
	if !errors.Is(err, pcore.ErrNotCreatable) {
		t.Errorf("%v: no ErrNotCreatable", err)
	}
	var e *convert.Error
	_, err = convert.New(typ(t, "Init[Integer]"), pcore.String("x"))
	if !errors.As(err, &e) || e.Type.String() != "Integer" {
		t.Errorf("Init[Integer].new('x'): the type at fault is %v, want Integer", e.Type)
	}
}

func TestClock(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 30, 0, 5, time.FixedZone("", 2*60*60))
	c := convert.Converter{Now: func() time.Time { return now }}
	for _, tt := range []struct {
		args []pcore.Value
		want string
	}{
		{nil, "2026-07-01T10:30:00.000000005 UTC"},
		{[]pcore.Value{pcore.String("2016-09-06 08:00"), pcore.String("%F %H:%M"), pcore.String("Current")}, "2016-09-06T06:00:00.000000000 UTC"},
		{[]pcore.Value{pcore.String("2016-09-06 08:00"), pcore.String("%F %H:%M"), pcore.String("PST")}, "2016-09-06T16:00:00.000000000 UTC"},
		{[]pcore.Value{pcore.String("2016-09-06 08:00"), pcore.String("%F %H:%M")}, "2016-09-06T08:00:00.000000000 UTC"},
	} {
		v, err := c.New(&pcore.TimestampType{}, tt.args...)
		if err != nil {
			t.Errorf("Timestamp.new(%v): %v", tt.args, err)
			continue
		}
		if got := v.(pcore.Timestamp).Text(); got != tt.want {
			t.Errorf("Timestamp.new(%v) = %s, want %s", tt.args, got, tt.want)
		}
	}
}

// TestBadTimespanFormat checks that an invalid format matters only if no
// earlier format matches.
func TestBadTimespanFormat(t *testing.T) {
	formats := pcore.NewArray(pcore.String("%S"), pcore.String("%Q"))
	if _, err := convert.New(&pcore.TimespanType{}, pcore.String("5"), formats); err != nil {
		t.Errorf("the first format fits, but: %v", err)
	}
	var bad *timefmt.FormatError
	if _, err := convert.New(&pcore.TimespanType{}, pcore.String("x"), formats); !errors.As(err, &bad) {
		t.Errorf("no format fits and one is bad, but the error is: %v", err)
	}
	if _, err := convert.New(&pcore.TimespanType{}, pcore.String("5"), pcore.String("%Q")); !errors.As(err, &bad) {
		t.Errorf("the format is bad, but the error is: %v", err)
	}
}

// TestLimits checks that short inputs with large results are rejected.
func TestLimits(t *testing.T) {
	long := make([]pcore.Value, 600)
	for i := range long {
		long[i] = pcore.String("a")
	}
	tree := func(path ...pcore.Value) *pcore.Array {
		return pcore.NewArray(
			pcore.NewArray(pcore.NewArray(pcore.String("a")), pcore.NewArray()),
			pcore.NewArray(pcore.NewArray(path...), pcore.Integer(1)))
	}
	many := make([]pcore.Value, 0, 2000)
	for i := range 1000 {
		size, _ := pcore.NewIntegerType(pcore.At(int64(i)), pcore.Bound[int64]{})
		many = append(many, size, pcore.String("%d"))
	}
	wide := hash(typ(t, "Array"), hash(pcore.String("format"), pcore.String("%a"),
		pcore.String("string_formats"), hash(typ(t, "Integer"), pcore.String("%16000000d"))))
	numbers := pcore.NewArray(slicesOf(1000)...)
	for name, call := range map[string]struct {
		typ  string
		args []pcore.Value
	}{
		"numbers":         {"Array", []pcore.Value{pcore.Integer(math.MaxInt64)}},
		"numbers of type": {"Array", []pcore.Value{typ(t, "Integer[-9223372036854775807, 9223372036854775807]")}},
		"pairs":           {"Hash", []pcore.Value{pcore.Integer(1 << 40)}},
		"digits":          {"Integer", []pcore.Value{pcore.String(strings.Repeat("1", 1<<20))}},
		"path":            {"Hash", []pcore.Value{tree(long...), pcore.String("tree")}},
		"index":           {"Hash", []pcore.Value{tree(pcore.String("a"), pcore.Integer(math.MaxInt64)), pcore.String("tree")}},
		"width":           {"String", []pcore.Value{numbers, wide}},
		"formats":         {"String", []pcore.Value{numbers, hash(many...)}},
		"separator": {"String", []pcore.Value{numbers, hash(typ(t, "Array"), hash(
			pcore.String("format"), pcore.String("%a"), pcore.String("separator"), pcore.String(strings.Repeat(" ", 1<<20))))}},
		"seconds":      {"Timespan", []pcore.Value{pcore.Float(math.Inf(1))}},
		"not a number": {"Integer", []pcore.Value{pcore.Float(math.NaN())}},
	} {
		if v, err := convert.New(typ(t, call.typ), call.args...); err == nil {
			t.Errorf("%s: no error but %s", name, pcore.KindOf(v))
		}
	}
	_, err := convert.New(typ(t, "String"), numbers, wide)
	if !errors.Is(err, convert.ErrTextLength) {
		t.Errorf("the error is %v, want ErrTextLength", err)
	}
}

func slicesOf(n int) []pcore.Value {
	values := make([]pcore.Value, n)
	for i := range values {
		values[i] = pcore.Integer(i)
	}
	return values
}

func TestSpend(t *testing.T) {
	left := 100
	errSpent := errors.New("spent")
	c := convert.Converter{Spend: func(n int) error {
		if left -= n; left < 0 {
			return errSpent
		}
		return nil
	}}
	if _, err := c.New(typ(t, "Array"), pcore.Integer(60)); err != nil {
		t.Error(err)
	}
	if _, err := c.New(typ(t, "Array"), pcore.Integer(60)); !errors.Is(err, errSpent) {
		t.Errorf("the error is %v, want that of Spend", err)
	}
}

// creatable returns types that have a constructor.
func creatable() []string {
	return []string{
		"Numeric", "Integer", "Float", "Boolean", "String", "Array", "Tuple", "Hash", "Struct", "Timespan", "Timestamp",
		"SemVer", "SemVerRange", "Binary", "URI", "Regexp", "Sensitive", "Type", "NotUndef", "NotUndef[Integer]",
		"Optional[Integer]", "Init[Integer]", "Init[SemVer]", "Deferred", "Error",
	}
}

// TestSecrets checks that neither errors nor results contain a secret.
func TestSecrets(t *testing.T) {
	const secret = "hunter2"
	names := append(creatable(), "Sensitive[Integer]", "Array[Integer]", "Hash[String, Integer]", "Struct[{from => Integer}]", "Sensitive[Regexp[/x/]]",
		"Init[Sensitive[Regexp[/x/]]]", "Tuple[Sensitive[Integer]]", "Error", "Optional[Sensitive[Array[Integer]]]")
	rapid.Check(t, func(r *rapid.T) {
		inner := rapid.SampledFrom([]pcore.Value{
			pcore.String(secret), pcore.NewArray(pcore.String(secret)), hash(pcore.String(secret), pcore.String(secret)),
			pcore.NewBinaryString(secret), pcore.NewRegexp(secret), pcore.NewEnumType(false, secret),
			pcore.NewArray(pcore.NewRegexp(secret)),
		}).Draw(r, "secret")
		args := []pcore.Value{pcore.NewSensitive(inner)}
		switch rapid.IntRange(0, 4).Draw(r, "around") {
		case 1:
			args[0] = pcore.NewArray(args[0])
		case 2:
			args[0] = hash(pcore.String("from"), args[0])
		case 3:
			args = append(args, args[0])
		}
		v, err := convert.New(typ(t, rapid.SampledFrom(names).Draw(r, "type")), args...)
		if err != nil && strings.Contains(err.Error(), secret) {
			r.Fatalf("the error tells the secret: %v", err)
		}
		if s, ok := v.(pcore.String); ok && strings.Contains(string(s), secret) {
			r.Fatalf("the text tells the secret: %s", s)
		}
		format := rapid.StringMatching(`%[-#+ 0]?[0-9]?[a-zA-Z]`).Draw(r, "format")
		if s, err := convert.String(args[0], pcore.String(format)); strings.Contains(s, secret) ||
			err != nil && strings.Contains(err.Error(), secret) {
			r.Fatalf("%s tells the secret: %s, %v", format, s, err)
		}
	})
}

// TestNewIsIdempotent checks that a constructor returns an instance of its
// type, which New returns unchanged.
func TestNewIsIdempotent(t *testing.T) {
	names := creatable()
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.SampledFrom(names).Draw(r, "type")
		arg := rapid.OneOf(
			rapid.Map(rapid.Int64(), func(i int64) pcore.Value { return pcore.Integer(i) }),
			rapid.Map(rapid.Float64(), func(f float64) pcore.Value { return pcore.Float(f) }),
			rapid.Map(rapid.StringMatching(`[-+]?[0-9a-z.: -]{1,12}`), func(s string) pcore.Value { return pcore.String(s) }),
			rapid.Map(rapid.SliceOfN(rapid.Int64Range(0, 255), 0, 6), func(list []int64) pcore.Value {
				var elems []pcore.Value
				for _, i := range list {
					elems = append(elems, pcore.Integer(i))
				}
				return pcore.NewArray(elems...)
			}),
		).Draw(r, "argument")
		if i, ok := arg.(pcore.Integer); ok && (i > 1000 || i < -1000) && (name == "Array" || name == "Tuple" || name == "Hash" || name == "Struct") {
			arg = i % 1000
		}
		parsed := typ(t, name)
		v, err := convert.New(parsed, arg)
		if err != nil {
			return
		}
		if !pcore.Contains(parsed, v) {
			r.Fatalf("%s.new(%s) = %s is no instance", name, arg, v)
		}
		if _, isInit := parsed.(*pcore.InitType); isInit {
			return
		}
		again, err := convert.New(parsed, v)
		if err != nil || again != v && !pcore.Identical(again, v) {
			r.Fatalf("%s.new(%s) = %v, %v: the instance does not pass", name, v, again, err)
		}
	})
}

// TestRoundTrip checks that a formatted value can be created again from the
// text.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var v pcore.Value
		var format string
		var args []pcore.Value
		switch rapid.IntRange(0, 5).Draw(r, "kind") {
		case 0:
			v = pcore.Integer(rapid.Int64().Draw(r, "integer"))
			radix := rapid.SampledFrom([]string{"%d", "%+x", "%+#x", "%+#b", "%+#o", "%+d"}).Draw(r, "format")
			format = radix
			if radix == "%+x" {
				format = "%+#x"
			}
		case 1:
			v, format = pcore.Float(rapid.Float64Range(-1e14, 1e14).Draw(r, "float")), "%p"
		case 2:
			v = pcore.NewBinary(rapid.SliceOf(rapid.Byte()).Draw(r, "bytes"))
			format = rapid.SampledFrom([]string{"%b", "%u", "%B"}).Draw(r, "format")
			args = []pcore.Value{pcore.String(format)}
		case 3:
			v, format = pcore.NewTimestamp(rapid.Int64Range(-1e10, 1e11).Draw(r, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(r, "ns")), "%s"
		case 4:
			v, format = pcore.NewTimespan(rapid.Int64Range(-1e10, 1e11).Draw(r, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(r, "ns")), "%s"
		case 5:
			s, err := pcore.ParseSemVer(rapid.StringMatching(`[1-9]{1,3}\.[1-9]\.0(-[a-z]{1,3})?(\+[a-z]{1,3})?`).Draw(r, "version"))
			if err != nil {
				r.Fatal(err)
			}
			v, format = s, "%s"
		}
		text, err := convert.String(v, pcore.String(format))
		if err != nil {
			r.Fatal(err)
		}
		back, err := convert.New(pcore.Generalize(pcore.Infer(v)), append([]pcore.Value{pcore.String(text)}, args...)...)
		if err != nil {
			r.Fatalf("%s as %s is %q: %v", v, format, text, err)
		}
		if !pcore.Identical(back, v) {
			r.Fatalf("%s as %s is %q, which is %s", v, format, text, back)
		}
	})
}

func FuzzString(f *testing.F) {
	f.Add("%-#10.3s", "text", int64(1))
	f.Add("%[ 5.2a", "a b", int64(-7))
	f.Add("%#<80p", "", int64(0))
	f.Fuzz(func(t *testing.T, format, text string, number int64) {
		v := pcore.NewArray(pcore.String(text), pcore.Integer(number), hash(pcore.String(text), pcore.NewArray(pcore.Float(number))))
		for e := range v.Values() {
			check(t, e, format)
		}
		check(t, v, format)
	})
}

// check checks the length of a text and, for an Integer, that the same format
// given for its type has the same result.
func check(t *testing.T, v pcore.Value, format string) {
	t.Helper()
	s, err := convert.String(v, pcore.String(format))
	if err != nil {
		return
	}
	if len(s) > 64<<20 {
		t.Errorf("%q makes %d bytes", format, len(s))
	}
	if again, err := convert.String(v, hash(pcore.Generalize(pcore.Infer(v)), pcore.String(format))); pcore.Is[pcore.Integer](v) && (err != nil || again != s) {
		t.Errorf("%q makes %q of %s alone, and %q, %v by its type", format, s, v, again, err)
	}
}
