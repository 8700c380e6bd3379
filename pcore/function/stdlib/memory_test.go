package stdlib_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

func texts(n int, s string) pcore.Value {
	elems := make([]pcore.Value, n)
	for i := range elems {
		elems[i] = pcore.String(s)
	}
	return pcore.NewArray(elems...)
}

func numbered(n int) *pcore.Hash {
	b := pcore.NewHashBuilder(n)
	for i := range n {
		b.Set(pcore.Integer(i), pcore.Integer(i))
	}
	return b.Hash()
}

func nested(depth int, v pcore.Value) pcore.Value {
	for range depth {
		v = pcore.NewArray(v)
	}
	return v
}

func long(n int) pcore.String { return pcore.String(strings.Repeat("a", n)) }

// hostile returns calls whose results are far larger than their arguments.
func hostile() map[string]struct {
	name string
	args []pcore.Value
} {
	type call = struct {
		name string
		args []pcore.Value
	}
	list := func(args ...pcore.Value) []pcore.Value { return args }
	s := func(text string) pcore.Value { return pcore.String(text) }
	epp := func(text string) call { return call{"inline_epp", list(pcore.String(text))} }
	return map[string]call{
		"regsubst":                 {"regsubst", list(long(30_000), s("a"), long(100_000), s("G"))},
		"regsubst by a hash":       {"regsubst", list(long(30_000), s("a"), pcore.NewHash(pcore.Entry{Key: s("a"), Value: long(100_000)}), s("G"))},
		"regsubst of an array":     {"regsubst", list(texts(20_000, "a"), s("a"), long(100_000), s("G"))},
		"regsubst, what is around": {"regsubst", list(s(strings.Repeat("ab", 30_000)), s("b"), s("\\`\\'"), s("G"))},
		"split by groups":          {"split", list(long(30_000), s(strings.Repeat("()", 3_000)))},
		"join":                     {"join", list(texts(20_000, "x"), long(100_000))},
		"join of rich values":      {"join", list(pcore.NewArray(nested(1, texts(200, string(long(100_000)))), nested(1, texts(2_000, string(long(100_000))))), s(","))},
		"prefix":                   {"prefix", list(texts(20_000, "x"), long(100_000))},
		"prefix of a hash":         {"prefix", list(numbered(20_000), long(100_000))},
		"suffix":                   {"suffix", list(texts(20_000, "x"), long(100_000))},
		"suffix of a hash":         {"suffix", list(numbered(20_000), long(100_000))},
		"join_keys_to_values":      {"join_keys_to_values", list(numbered(20_000), long(100_000))},
		"a key for many values":    {"join_keys_to_values", list(pcore.NewHash(pcore.Entry{Key: long(100_000), Value: texts(20_000, "x")}), s("="))},
		"to_json_pretty": {"to_json_pretty", list(nested(500, texts(100_000, "x")), pcore.Boolean(false),
			pcore.NewHash(pcore.Entry{Key: s("max_nesting"), Value: pcore.Integer(-1)}))},
		"to_json_pretty, a long indent": {"to_json_pretty", list(texts(20_000, "x"), pcore.Boolean(false),
			pcore.NewHash(pcore.Entry{Key: s("indent"), Value: long(100_000)}))},
		"seeded_rand_string":   {"seeded_rand_string", list(pcore.Integer(1<<40), s("seed"))},
		"values_at":            {"values_at", list(texts(20_000, "x"), texts(20_000, "0-19999"))},
		"powershell_escape":    {"powershell_escape", list(texts(2_000, string(long(100_000))))},
		"to_yaml":              {"to_yaml", list(nested(500, texts(100_000, "x")))},
		"to_json":              {"to_json", list(texts(2_000, string(long(100_000))))},
		"to_toml":              {"to_toml", list(pcore.NewHash(pcore.Entry{Key: s("k"), Value: texts(2_000, string(long(100_000)))}))},
		"to_ruby":              {"to_ruby", list(texts(2_000, string(long(100_000))))},
		"to_python":            {"to_python", list(texts(2_000, string(long(100_000))))},
		"shellquote":           {"shellquote", list(texts(2_000, string(long(100_000))))},
		"shell_join":           {"shell_join", list(texts(2_000, string(long(100_000))))},
		"upcase":               {"upcase", list(texts(2_000, string(long(100_000))))},
		"uriescape":            {"uriescape", list(texts(2_000, strings.Repeat(" ", 100_000)))},
		"fail":                 {"fail", list(texts(2_000, string(long(100_000))), texts(2_000, string(long(100_000))))},
		"parsejson":            {"parsejson", list(s("[" + strings.Repeat("{},", 2_000_000) + "{}]"))},
		"new of numbers":       {"new", list(&pcore.ArrayType{}, pcore.Integer(1_000_000_000))},
		"slice with a rest":    epp(`<% [1].slice(2000000000) |$a, *$r| { 1 } %>`),
		"map":                  epp(`<% Integer[1, 100000000].map |$x| { { a => $x } } %>`),
		"filter":               epp(`<% Integer[1, 100000000].filter |$x| { true } %>`),
		"unfold":               epp(`<% notice(*Integer[1, 100000000].step(2)) %>`),
		"reduce":               epp(`<%= Integer[1, 60].reduce('abcdefgh') |$m, $x| { "${m}${m}" } %>`),
		"arrays that grow":     epp(`<% Integer[1, 60].reduce([1]) |$m, $x| { $m + $m } %>`),
		"hashes that hold one": epp(`<% Integer[1, 60].reduce([1]) |$m, $x| { [$m, $m] } %>`),
		"template in a loop":   epp(`<% Integer[1, 100000000].each |$x| { %>` + strings.Repeat("a", 1_000) + `<% } %>`),
		"text of a list":       epp(`<% $a = Integer[1, 17].reduce('abcdefgh') |$m, $x| { "${m}${m}" }; $b = [$a, $a, $a, $a, $a, $a, $a, $a] %><%= "${b}${b}${b}${b}${b}${b}${b}" %>`),
		"width":                epp(`<%= String.new(1, '%-16000000d') %><%= String.new(1, '%-16000000d') %><%= String.new(1, '%-16000000d') %>`),
		"separator":            epp(`<% $s = Integer[1, 14].reduce('abcdefgh') |$m, $x| { "${m}${m}" } %><%= String.new(Array.new(100000), { Array => { format => '%a', separator => $s } }) %>`),
	}
}

// bounded returns an evaluator with limits on budget and memory, and its memory.
func bounded(t *testing.T, budget, memory int64) (*eval.Evaluator, *function.Memory) {
	t.Helper()
	m := function.NewMemory(memory)
	all, err := stdlib.New(pcore.Puppet7) // of all references, it has most functions
	if err != nil {
		t.Fatal(err)
	}
	return eval.New(function.Env{Functions: all, Budget: function.NewBudget(budget), Memory: m}, nil, eval.Mode{}), m
}

// allocated returns the total bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostileMemory makes calls that need far more than the memory limit. Each
// fails early with ErrMemory and releases its memory.
func TestHostileMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	const memory = 16 << 20
	const most = 12 * memory // including the overhead of the loops
	for title, call := range hostile() {
		t.Run(title, func(t *testing.T) {
			e, m := bounded(t, 1<<50, memory)
			var err error
			n := allocated(func() { _, err = e.Call(e.Scope(t.Context()), call.name, call.args...) })
			if !errors.Is(err, function.ErrMemory) && !strings.Contains(errorText(err), "has more than") {
				t.Errorf("error %.200v, want ErrMemory", err)
			}
			if n > most {
				t.Errorf("%d MiB allocated, want at most %d", n>>20, most>>20)
			}
			if m.Held() != 0 {
				t.Errorf("%d bytes are held after the call", m.Held())
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestHostileWork makes the same calls with a small budget. A text is charged
// before it is built, so the budget remains for other calls.
func TestHostileWork(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	for title, call := range hostile() {
		t.Run(title, func(t *testing.T) {
			e, _ := bounded(t, 1_000_000, 256<<20)
			var err error
			n := allocated(func() { _, err = e.Call(e.Scope(t.Context()), call.name, call.args...) })
			if !errors.Is(err, function.ErrBudget) && !errors.Is(err, function.ErrMemory) && !strings.Contains(errorText(err), "has more than") {
				t.Errorf("error %.200v, want ErrBudget", err)
			}
			if n > 192<<20 {
				t.Errorf("%d MiB allocated", n>>20)
			}
		})
	}
}

// TestHostileEnded makes the same calls with a context that ends.
func TestHostileEnded(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	for title, call := range hostile() {
		t.Run(title, func(t *testing.T) {
			ctx := &endingContext{Context: t.Context(), left: 20}
			e, _ := bounded(t, 1<<50, 64<<20) // the memory limit refuses a result made in one step
			var err error
			n := allocated(func() { _, err = e.Call(e.Scope(ctx), call.name, call.args...) })
			if err == nil || n > 512<<20 {
				t.Errorf("%v, %d MiB allocated", err, n>>20)
			}
		})
	}
}

// endingContext ends after a number of calls of Err.
type endingContext struct {
	context.Context //nolint:containedctx // it is one
	left            int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func (c *endingContext) Done() <-chan struct{} {
	if c.left < 0 {
		done := make(chan struct{})
		close(done)
		return done
	}
	return nil
}

// TestManyCalls makes more calls than the memory could hold results of: a call's
// intermediate values are released, and its result belongs to the caller.
func TestManyCalls(t *testing.T) {
	const memory = 1 << 20
	e, m := bounded(t, 1<<50, memory)
	for range 1_000 {
		if _, err := e.Text(e.Scope(t.Context()), "", `Integer[1, 100].map |$x| { "${x}${x}" }.join(',')`); err != nil {
			t.Fatal(err)
		}
	}
	for range 1_000 {
		held := m.Held()
		v, err := e.Call(e.Scope(t.Context()), "join", texts(1_000, "abc"), pcore.String(","))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Held() - held; got != int64(len(v.(pcore.String))) {
			t.Fatalf("%d bytes are held for a result of %d", got, len(v.(pcore.String)))
		}
		m.ReleaseTo(held)
	}
}

// TestHostileFile reads a long file. Its size is paid for before it is read.
func TestHostileFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "long")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(200<<20), f.Close()); err != nil { // a hole, which takes no disk
		t.Fatal(err)
	}
	for _, read := range []struct {
		name           string
		budget, memory int64
		want           error
	}{
		{"file", 1 << 50, 16 << 20, function.ErrMemory},
		{"binary_file", 1 << 50, 16 << 20, function.ErrMemory},
		{"file", 1 << 20, 1 << 40, function.ErrBudget},
	} {
		e := eval.New(fileEnv(t, read.budget, read.memory), nil, eval.Mode{})
		var err error
		n := allocated(func() { _, err = e.Call(e.Scope(t.Context()), read.name, pcore.String(name)) })
		if !errors.Is(err, read.want) || n > 1<<20 {
			t.Errorf("%s: %v after %d bytes", read.name, err, n)
		}
	}
}

func fileEnv(t *testing.T, budget, memory int64) function.Env {
	t.Helper()
	return function.Env{
		Functions: newRegistry(t), Budget: function.NewBudget(budget), Memory: function.NewMemory(memory),
		Files: function.Tree{Folders: []string{"/"}}, Allow: func(*function.Function) error { return nil },
	}
}
