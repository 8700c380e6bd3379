package native_test

import (
	"errors"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/native"
)

type level int

func (l level) MarshalPcore() (pcore.Value, error) {
	if l < 0 || l > 1 {
		return nil, errors.New("no such level")
	}
	return pcore.String([]string{"low", "high"}[l]), nil
}

func (l *level) UnmarshalPcore(v pcore.Value) error {
	switch v {
	case pcore.String("low"):
		*l = 0
	case pcore.String("high"):
		*l = 1
	default:
		return errors.New("neither low nor high")
	}
	return nil
}

func (level) PcoreType() pcore.Type { return pcore.NewEnumType(false, "low", "high") }

type named string

type common struct {
	Owner string
	Mode  string `pcore:"mode"`
}

type backup struct {
	common
	*Extra
	Port     int8
	HTTPPort uint16   `pcore:",omitempty"`
	BaseURLs []string `pcore:",omitempty"`
	Skipped  chan int `pcore:"-"`
	Mode     string   `pcore:"mode"` // hides common.Mode
}

type Extra struct{ Note string }

type node struct {
	Value    int
	Next     *node
	Children []node
}

type tree map[string]tree

// Every row is marshaled, compared, described, and unmarshaled again.
func TestKinds(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 789, time.UTC)
	address := netip.MustParseAddr("2001:db8::1")
	link, _ := url.Parse("https://example.com/a?b=c")
	version, _ := pcore.ParseSemVer("1.2.3-rc.1")
	versions, _ := pcore.ParseSemVerRange(">=1.0.0 <2.0.0")
	huge := new(big.Int).Lsh(big.NewInt(1), 70)
	deferred := pcore.NewDeferred("f", pcore.NewArray(pcore.Integer(1)))
	for _, c := range []struct {
		in    any
		value string
		typ   string
	}{
		{true, "true", "Boolean"},
		{int(-5), "-5", "Integer"},
		{int8(-128), "-128", "Integer[-128, 127]"},
		{int32(7), "7", "Integer[-2147483648, 2147483647]"},
		{int64(math.MinInt64), "-9223372036854775808", "Integer"},
		{uint8(255), "255", "Integer[0, 255]"},
		{uint64(math.MaxUint64), "18446744073709551615", "Integer[0]"},
		{float32(0.5), "0.5", "Float"},
		{1e100, "1.0e+100", "Float"},
		{"a'b", `'a\'b'`, "String"},
		{named("x"), "'x'", "String"},
		{[]byte("abc"), `Binary("YWJj")`, "Binary"},
		{[3]byte{97, 98, 99}, `Binary("YWJj")`, "Binary"},
		{[]int{1, 2}, "[1, 2]", "Array[Integer]"},
		{[2]string{"a", "b"}, "['a', 'b']", "Array[String, 2, 2]"},
		{map[string]int{"b": 2, "a": 1}, "{'a' => 1, 'b' => 2}", "Hash[String, Integer]"},
		{map[int]bool{10: true, 9: false}, "{9 => false, 10 => true}", "Hash[Integer, Boolean]"},
		{map[[2]int]string{{2, 1}: "y", {1, 2}: "x"}, "{[1, 2] => 'x', [2, 1] => 'y'}", "Hash[Array[Integer, 2, 2], String]"},
		{map[any]any{"a": nil, true: int64(1)}, "{true => 1, 'a' => undef}", "Hash"},
		{new(5), "5", "Optional[Integer]"},
		{(*int)(nil), "undef", "Optional[Integer]"},
		{struct{}{}, "{}", "Hash[0, 0]"},
		{at, "Timestamp('2026-02-03T04:05:06.000000789 UTC')", "Timestamp"},
		{90 * time.Minute, "Timespan('0-01:30:00.0')", "Timespan"},
		{*big.NewInt(5), "5", "Integer"},
		{huge, "1180591620717411303424", "Optional[Integer]"},
		{link, "URI('https://example.com/a?b=c')", "Optional[URI]"},
		{*link, "URI('https://example.com/a?b=c')", "URI"},
		{regexp.MustCompile("a/b"), `/a\/b/`, "Optional[Regexp]"},
		{version, "SemVer('1.2.3-rc.1')", "Optional[SemVer]"},
		{versions, "SemVerRange('>=1.0.0 <2.0.0')", "Optional[SemVerRange]"},
		{address, "'2001:db8::1'", "String"},
		{map[netip.Addr]int{address: 1}, "{'2001:db8::1' => 1}", "Hash[String, Integer]"},
		{level(1), "'high'", "Enum['high', 'low']"},
		{[]level{0, 1}, "['low', 'high']", "Array[Enum['high', 'low']]"},
		{pcore.Symbol("s"), ":s", "Any"},
		{pcore.Default{}, "default", "Default"},
		{deferred, "Deferred({'name' => 'f', 'arguments' => [1]})", "Optional[Deferred]"},
		{pcore.NewTimespan(1<<40, 0), "Timespan('12725829-00:36:16.0')", "Timespan"},
		{[]pcore.Value{pcore.Undef{}, pcore.Default{}}, "[undef, default]", "Array"},
		{[]any{nil, true, int64(1), huge, 0.5, "s", []byte("b"), at, time.Second, []any{}, map[string]any{"k": int64(1)}}, "", "Array"},
		{backup{common: common{Owner: "me"}, Port: 3, Mode: "0644"},
			"{'owner' => 'me', 'port' => 3, 'mode' => '0644'}",
			"Struct[{'owner' => String, Optional['note'] => String, 'port' => Integer[-128, 127], Optional['http_port'] => Integer[0, 65535], Optional['base_urls'] => Array[String], 'mode' => String}]"},
		{node{1, &node{Value: 2, Children: []node{}}, []node{{Value: 3, Children: []node{}}}},
			"{'value' => 1, 'next' => {'value' => 2, 'next' => undef, 'children' => []}, 'children' => [{'value' => 3, 'next' => undef, 'children' => []}]}",
			"Node"},
		{tree{"a": {"b": {}}}, "{'a' => {'b' => {}}}", "Tree"},
	} {
		v, err := native.Marshal(c.in)
		if err != nil {
			t.Errorf("%T: %v", c.in, err)
			continue
		}
		if got := v.String(); c.value != "" && got != c.value {
			t.Errorf("%T: got %s, want %s", c.in, got, c.value)
		}
		goType := reflect.TypeOf(c.in)
		typ, err := new(native.Codec).TypeOf(goType)
		if err != nil {
			t.Errorf("%T: %v", c.in, err)
			continue
		}
		if got := typ.String(); got != c.typ {
			t.Errorf("%T: got the type %s, want %s", c.in, got, c.typ)
		}
		if m := pcore.Mismatch(goType.String(), typ, v); m != nil {
			t.Errorf("the type does not accept the value: %v", m)
		}
		back := reflect.New(goType)
		if err := native.Unmarshal(v, back.Interface()); err != nil {
			t.Errorf("%T: %v", c.in, err)
		} else if got := back.Elem().Interface(); !reflect.DeepEqual(got, c.in) {
			t.Errorf("%T: got back %#v, want %#v", c.in, got, c.in)
		}
	}
}
