package typeexpr

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// texts returns the texts of types in the vectors and in the cases of this
// package.
func texts(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, path := range []string{
		"../../testdata/vectors/types_parse.jsonl", "../../testdata/vectors/assignable.jsonl",
		"../../testdata/vectors/instance.jsonl", "testdata/types.jsonl", "testdata/assignable.jsonl",
	} {
		f, err := os.Open(filepath.FromSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			var c struct{ Type, T1, T2, Expr string }
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			all = append(all, c.Type, c.T1, c.T2, c.Expr)
		}
		if err := errors.Join(lines.Err(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// compareRoads checks that the direct parser, if it accepts the text, returns
// the same type as the full parser, and reports whether it accepts it.
func compareRoads(t *testing.T, text string) (direct bool) {
	t.Helper()
	got, ok := parseDirect(text, nil)
	if !ok {
		return false
	}
	want, err := parseTree(text, nil)
	if err != nil {
		t.Fatalf("%q is %s directly, and should be refused: %v", text, got, err)
	}
	describe := func(typ pcore.Type) string { return pcore.FormatType(typ, pcore.TypeExpanded) }
	if !pcore.EqualTypes(got, want) || describe(got) != describe(want) {
		t.Fatalf("%q is %s directly, want %s", text, describe(got), describe(want))
	}
	return true
}

func TestDirectRoadIsTheSame(t *testing.T) {
	taken, types := 0, 0
	for _, text := range append(texts(t),
		" Integer\n[1]", "Integer[1]\t", "Integer [1]", "Integer[]", "Integer[1,]", "Integer[,1]", "Integer[1][2]",
		"Integer[-1, 0x1f]", "Integer[- 1]", "Integer[-9223372036854775808]", "Integer[9223372036854775808]", "Integer[007]",
		"Float[-0.0, 1.5]", "Float[1.]", "Float[1e3]", "Float[1.5e3]", "Float[00.5]", "Integer[1x]", "Integer[1.x]",
		"Enum['', 'a']", "Enum['''']", `Enum["a", "$"]`, `Enum['\'']`, "Enum[é]", "Enum['é']", "Enum['\xff']", "Enum[a-b]", "Enum[a::b]", "Enum[_a]",
		"Enum[type]", "Enum[if]", "Enum[undef]", "Struct[{type => Integer}]", "Struct[type => Integer]", "Struct[{if => Integer}]",
		"Struct[a => Integer, b => String]", "Tuple[a => Integer, String]", "Tuple[String, {a => 1,}]", "Struct[{a => 1 => 2}]",
		"Struct[{}]", "Struct[{a => Integer, a => String}]", "Runtime[ruby, [/a/, 'b']]", "Pattern[/a\\/b/]", "Pattern[/*/]", "Pattern[//]", "Pattern[/a\n/]",
		"A::B", "A::", "A::b", "::A", "A::B::[1]", "My::Own[1, [2, {a => b}]]", "my", "1", "[Integer]", "{a => Integer}", "", " ",
		"Array[Integer]]", "Array[Integer", "Array[Integer}", "Array[String] # c", "Array[/* c */ String]", "Array[a.b]", "Array[f(1)]", "Enum[default]",
		"Callable[[Integer, 0, 5], Integer]", "Init[Integer, 'a']", "Object[{attributes => {a => {type => Integer, kind => derived}}}]",
		"TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {A => Integer}}]", "type A = Integer", "Type[type]",
	) {
		if text != "" && text[0] >= 'A' && text[0] <= 'Z' {
			types++
		}
		if compareRoads(t, text) {
			taken++
		}
	}
	if taken*10 < types*8 {
		t.Errorf("of %d texts %d only were read directly", types, taken)
	}
}

func TestDirectRoadEndsWhereItGetsDeep(t *testing.T) {
	for _, depth := range []int{maxDirect, maxDirect + 1, 2 * maxDirect} {
		text := strings.Repeat("Array[", depth) + "Integer" + strings.Repeat("]", depth)
		if got, want := compareRoads(t, text), depth <= maxDirect; got != want {
			t.Errorf("%d brackets: read directly is %t, want %t", depth, got, want)
		}
		if _, err := Parse(text, nil); err != nil {
			t.Error(err)
		}
	}
}

func FuzzDirectRoad(f *testing.F) {
	for _, text := range texts(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1<<12 {
			compareRoads(t, text)
		}
	})
}
