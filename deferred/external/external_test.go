package external

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/backoff"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// rich is the Codec of the tests.
type rich struct{}

func (rich) Encode(v pcore.Value) ([]byte, error) {
	return formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
}

func (rich) Decode(data []byte) (pcore.Value, error) {
	return formats.RichJSON().Decode(data, serialization.DecodeOptions{})
}

// call calls a function of f like the resolver.
func call(ctx context.Context, f function.Finder, name string, args ...pcore.Value) (pcore.Value, error) {
	env := function.Env{Functions: f, KeepSecrets: true, Allow: func(*function.Function) error { return nil }}
	if function.HoldsSecret(args...) {
		ctx = function.InClear(ctx)
	}
	return env.Call(ctx, name, args, nil)
}

// install writes a script as a plugin into dir.
func install(t *testing.T, dir, name, script string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

func plugins(t *testing.T, dir string, o PluginOptions) *Plugins {
	t.Helper()
	o.Codec = rich{}
	p, err := NewPlugins(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// environment returns an Environment with defaultPath and TOKEN.
func environment(t *testing.T, token string) Environment {
	t.Helper()
	e, err := NewEnvironment([]string{token}, []string{"TOKEN"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func encoded(t *testing.T, v pcore.Value) string {
	t.Helper()
	if v == nil {
		return "nothing"
	}
	text, err := rich{}.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const canary = "Hunter2-canary.pass"

func sensitiveText(text string) pcore.Value { return pcore.NewSensitive(pcore.String(text)) }

func TestPlugins(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "echo", `cat`)
	install(t, dir, "vault/lookup", `echo '{"__ptype":"Sensitive","__pvalue":"s3cret"}'`)
	install(t, dir, "null", `echo null`)
	install(t, dir, "two", `echo '1 2'`)
	install(t, dir, "nothing", `exit 0`)
	install(t, dir, "fails", `echo "no such secret" >&2; exit 1`)
	install(t, dir, "silent", `exit 3`)
	install(t, dir, "dies", `kill -9 $$`)
	install(t, dir, "paints", `printf '\033[31mred\033[0m\nand\tmore\n' >&2; exit 1`)
	install(t, dir, "chatty", `i=0; while [ $i -lt 400 ]; do echo "a line of a long story" >&2; i=$((i+1)); done; exit 1`)
	install(t, dir, "where", `printf '"%s %s"' "$PWD" "$#"`)
	install(t, dir, "environment", `env -u PWD -u SHLVL -u _ | sort | tr '\n' ' ' | sed 's/.*/"&"/'`)
	if err := os.WriteFile(filepath.Join(dir, "text"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := plugins(t, dir, PluginOptions{Environment: environment(t, "TOKEN=t0ken")})
	for _, tt := range []struct {
		name string
		args []pcore.Value
		want string // the result, or the error
	}{
		{"echo", nil, `[]`},
		{"echo", []pcore.Value{pcore.String("a\nb"), pcore.Integer(1), pcore.Undef{}}, `["a\nb",1,null]`},
		{"echo", []pcore.Value{pcore.String("\xff\x00")}, `[{"__ptype":"Binary","__pvalue":"/wA="}]`},
		{"echo", []pcore.Value{sensitiveText("x")}, `{"__ptype":"Sensitive","__pvalue":[{"__ptype":"Sensitive","__pvalue":"x"}]}`},
		{"vault::lookup", nil, `{"__ptype":"Sensitive","__pvalue":"s3cret"}`},
		{"null", nil, `null`},
		{"where", nil, `"` + dir + ` 0"`},
		{"environment", nil, `"PATH=` + defaultPath + ` TOKEN=t0ken "`},
		{"nothing", nil, `nothing(): the plugin printed no result; to return undef, print null`},
		{"fails", nil, `fails(): no such secret`},
		{"silent", nil, `silent(): the program failed: exit status 3`},
		{"dies", nil, `dies(): the program failed: signal: killed`},
		{"paints", nil, `paints(): red and more`},
		{"text", nil, `text(): cannot start the plugin ` + dir + `/text: not executable; use chmod +x`},
		{"unknown", nil, `Unknown function 'unknown'`},
		{"vault", nil, `Unknown function 'vault'`}, // a folder
	} {
		v, err := call(t.Context(), p, tt.name, tt.args...)
		got := encoded(t, v)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s%v gives\n%s, want\n%s", tt.name, tt.args, got, tt.want)
		}
	}
	if v, err := call(t.Context(), p, "two"); err == nil || !strings.Contains(err.Error(), "is not rich data") {
		t.Errorf("two results: %v, %v", v, err)
	}
	p.env = Environment{}
	if _, err := call(t.Context(), p, "chatty"); err == nil || len(err.Error()) > maxMessage+50 || !strings.Contains(err.Error(), " … ") {
		t.Errorf("a long story: %v", err)
	}
}

// TestNamesOfPlugins checks that names cannot leave the folder, or select other
// files.
func TestNamesOfPlugins(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "outside", `echo 1`)
	install(t, dir, "inside/a/f", `echo 1`)
	install(t, dir, "inside/x.sh", `echo 1`)
	install(t, dir, "inside/-rf", `echo 1`)
	p := plugins(t, filepath.Join(dir, "inside"), PluginOptions{})
	if _, ok := p.Function("a::f"); !ok {
		t.Fatal("a::f is not found")
	}
	for _, name := range []string{
		"", "::", "a::", "::f", "a::::f", "..", "../outside", "..::outside", "a::..::..::outside", "a/f", "/bin/sh",
		".", "a::.::f", "x.sh", "-rf", "a::f\x00", "a::f\n", "A::f", "a::F", "ä", dir + "/outside",
	} {
		if f, ok := p.Function(name); ok {
			t.Errorf("%q is found: %s", name, f.Source)
		}
	}
	for _, dir := range []string{filepath.Join(dir, "nowhere"), filepath.Join(dir, "outside")} {
		if _, err := NewPlugins(dir, PluginOptions{}); err == nil {
			t.Errorf("%s is taken for a folder of plugins", dir)
		}
	}
}

// TestEffects checks that plugins run only if commands are allowed.
func TestEffects(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "touches", `touch "$PWD/touched"; echo 1`)
	env := function.Env{Functions: plugins(t, dir, PluginOptions{})}
	_, err := env.Call(t.Context(), "touches", nil, nil)
	if refused, ok := errors.AsType[*function.RefusedError](err); !ok || refused.Effects != function.RunsCommands {
		t.Errorf("the plugin is not refused: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "touched")); err == nil {
		t.Error("the plugin was started")
	}
}

func TestTemporaryFailures(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "flaky", `n=$(cat tries 2>/dev/null || echo 0); n=$((n+1)); echo $n > tries
if [ $n -le 2 ]; then echo "sealed, try $n" >&2; exit 75; fi
echo $n`)
	install(t, dir, "sealed", `echo x >> sealed.tries; echo "the vault is sealed" >&2; exit 75`)
	p := plugins(t, dir, PluginOptions{Retries: 3})
	var waits []time.Duration
	p.retry.sleep = func(_ context.Context, d time.Duration) { waits = append(waits, d) }
	if v, err := call(t.Context(), p, "flaky"); err != nil || v != pcore.Value(pcore.Integer(3)) || len(waits) != 2 {
		t.Errorf("the third try gives %v, %v after waits of %v", v, err, waits)
	}

	waits = nil
	_, err := call(t.Context(), p, "sealed")
	if !errors.Is(err, errTemporary) || err.Error() != "sealed(): temporary failure, tried 4 times: the vault is sealed" {
		t.Errorf("it never succeeds: %v", err)
	}
	if tries, err := os.ReadFile(filepath.Join(dir, "sealed.tries")); len(tries) != 8 {
		t.Errorf("tried %d times, %v", len(tries)/2, err)
	}
	for i, wait := range waits {
		if most := backoff.First << i; wait < most/2 || wait > most {
			t.Errorf("wait %d is %s, want between %s and %s", i, wait, most/2, most)
		}
	}

	// A caller that retries by itself gets each failure, which it recognizes.
	if err := os.Remove(filepath.Join(dir, "sealed.tries")); err != nil {
		t.Fatal(err)
	}
	_, err = call(function.SingleAttempt(t.Context()), p, "sealed")
	if temporary, ok := errors.AsType[*function.TemporaryError](err); !ok || temporary.Error() != "the vault is sealed" {
		t.Errorf("got %v, want a temporary failure", err)
	}
	if tries, err := os.ReadFile(filepath.Join(dir, "sealed.tries")); len(tries) != 2 {
		t.Errorf("tried %d times, %v", len(tries)/2, err)
	}

	// Retries end with the context of the call.
	waits = nil
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	p.retry.sleep = func(context.Context, time.Duration) { cancel() }
	if _, err := call(ctx, p, "sealed"); !errors.Is(err, context.Canceled) {
		t.Errorf("the call is not wanted any more: %v", err)
	}
	for n := range 1000 {
		if wait := backoff.Wait(n + 1); wait <= 0 || wait > backoff.Longest {
			t.Fatalf("wait %d is %s", n+1, wait)
		}
	}
}

// TestTimeout checks that a timeout ends a plugin and its children.
func TestTimeout(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "hangs", `(trap '' TERM; sleep 600 & echo $! > child; wait) & wait`)
	p := plugins(t, dir, PluginOptions{})
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("nobody waits")
	pid := make(chan string, 1)
	go func() {
		defer cancel(gone)
		for ctx.Err() == nil {
			if text, err := os.ReadFile(filepath.Join(dir, "child")); err == nil && strings.HasSuffix(string(text), "\n") {
				pid <- strings.TrimSpace(string(text))
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := call(ctx, p, "hangs"); !errors.Is(err, gone) {
		t.Fatalf("the plugin hangs: %v", err)
	}
	awaitEnd(t, <-pid)
}

// awaitEnd waits until a killed process is gone.
func awaitEnd(t *testing.T, pid string) {
	t.Helper()
	for n := 0; alive(pid); n++ {
		if n == 5000 {
			t.Fatalf("process %s lives on", pid)
		}
		time.Sleep(time.Millisecond)
	}
}

// alive reports whether a process runs. A zombie does not.
func alive(pid string) bool {
	status, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !strings.Contains(string(status), ") Z ")
}

// TestLeftBehind checks that a call does not wait for children that keep the
// pipes open.
func TestLeftBehind(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "forks", `sleep 600 & echo $! > child; echo '"done"'`)
	v, err := call(t.Context(), plugins(t, dir, PluginOptions{}), "forks")
	if err != nil || v != pcore.Value(pcore.String("done")) {
		t.Errorf("%v, %v", v, err)
	}
}

func TestTooMuchOutput(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "floods", `trap '' PIPE; yes 1234567890123456789012345678901234567890`)
	_, err := call(t.Context(), plugins(t, dir, PluginOptions{}), "floods")
	if !errors.Is(err, errTooLong) {
		t.Errorf("%v", err)
	}
}

// TestSecretsOfPlugins checks that secrets in messages of a plugin are masked.
func TestSecretsOfPlugins(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "tells", `in=$(cat); echo "cannot use $in" >&2; exit 1`)
	install(t, dir, "spells", `in=$(cat | tr -d '[]"' | sed 's/.*__pvalue:\([^}]*\)}.*/\1/')
echo "as base64 $(printf %s "$in" | base64 -w0), hex $(printf %s "$in" | od -An -tx1 | tr -d ' \n'), upper $(printf %s "$in" | tr a-z A-Z), part ${in%%-*}" >&2; exit 1`)
	install(t, dir, "environment", `echo "refused for $TOKEN" >&2; exit 1`)
	install(t, dir, "long", `in=$(cat); i=0; while [ $i -lt 300 ]; do echo "cannot use $in" >&2; i=$((i+1)); done; exit 1`)
	p := plugins(t, dir, PluginOptions{Environment: environment(t, "TOKEN="+canary)})
	for name, want := range map[string]string{
		"tells":       `tells(): cannot use [{"__ptype":"Sensitive","__pvalue":"[redacted]"}]`,
		"environment": `environment(): refused for [redacted]`,
		"spells":      `spells(): as base64 `,
		"long":        `long(): the program failed: exit status 1; its message is withheld because it may contain secrets`,
	} {
		_, err := call(t.Context(), p, name, sensitiveText(canary))
		if err == nil {
			t.Fatalf("%s succeeds", name)
		}
		told := err.Error()
		if !strings.HasPrefix(told, want) {
			t.Errorf("%s: %q, want %q", name, told, want)
		}
		for _, s := range []string{canary, strings.ToUpper(canary), "Hunter2", "canary", "SHVudGVyMi1jYW5hcnku", "48756e74657232"} {
			if strings.Contains(told, s) {
				t.Errorf("%s tells %s: %s", name, s, told)
			}
		}
	}
}

func TestMessages(t *testing.T) {
	hidden := new(secrets)
	hidden.add(false,
		pcore.String("plain"), sensitiveText("pin"), sensitiveText("two words\nand-a-line"),
		pcore.NewHash(pcore.Entry{Key: sensitiveText("inthekey"), Value: pcore.NewSensitive(pcore.NewArray(pcore.Integer(4711), pcore.NewBinaryString("\xfe\xfdbinary")))}),
	)
	message := func(s *secrets, text string, cut bool) (string, error) {
		said := &output{max: maxSaid}
		_, _ = said.Write([]byte(text))
		said.cut = cut
		return s.message(said)
	}
	for text, want := range map[string]string{
		"plain text":                            "plain text",
		"pin: pinned (pin)":                     "[redacted]: pinned ([redacted])",
		"PIN":                                   "[redacted]",
		"words":                                 "[redacted]",
		"got two words\nand-a-line!":            "got [redacted]!",
		"line\nand-a-line":                      "[redacted] [redacted]",
		"inthekey=4711":                         "[redacted]=[redacted]",
		"in\x1b[31mthe\x1b[0mkey, in\x07thekey": "[redacted], [redacted]",
		"\xfe\xfdbinary":                        "[redacted]",
		"\xffnoise":                             "�noise",
	} {
		if got, err := message(hidden, text, false); err != nil || got != want {
			t.Errorf("%q is told as %q, %v, want %q", text, got, err, want)
		}
	}
	if got, err := message(new(secrets), "half a", true); err != nil || got != "half a" {
		t.Errorf("no secrets: %q, %v", got, err)
	}
	if got, err := message(hidden, "half a", true); err == nil {
		t.Errorf("half a secret may be in %q", got)
	}
	hidden.add(true, pcore.String(strings.Repeat("x", maxSecrets)))
	if got, err := message(hidden, "anything", false); err == nil {
		t.Errorf("too many secrets to look for: %q", got)
	}
}

// TestMessagesHoldNoSecret checks that no part of a secret remains in a message.
func TestMessagesHoldNoSecret(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringMatching(`[a-zA-Z0-9äß§ \n:/+=_-]{4,20}`), 1, 4).Draw(t, "secrets")
		spell := []func(string) string{
			func(s string) string { return s }, strings.ToUpper, strings.ToLower, strings.TrimSpace, strconv.Quote,
			func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
			func(s string) string { return hex.EncodeToString([]byte(s)) },
			url.QueryEscape,
		}
		hidden := new(secrets)
		said := &output{max: maxSaid}
		var spelled []string
		for _, text := range texts {
			hidden.add(false, sensitiveText(text))
			s := rapid.SampledFrom(spell).Draw(t, "spelling")(text)
			spelled = append(spelled, s)
			_, _ = fmt.Fprintf(said, "%s%s%s", rapid.StringMatching(`[a-z ]{0,5}`).Draw(t, "before"), s, rapid.StringMatching(`[. ,]{0,3}`).Draw(t, "after"))
		}
		got, err := hidden.message(said)
		if err != nil {
			t.Fatal(err)
		}
		got = strings.ReplaceAll(got, masked, "\x00")
		for _, s := range append(spelled, texts...) {
			if s = strings.TrimSpace(s); len(s) >= 4 && strings.Contains(got, s) {
				t.Fatalf("%q is told in %q", s, got)
			}
		}
	})
}

func TestEnvironment(t *testing.T) {
	all := []string{"PATH=/mine", "VAULT_TOKEN=s.1", "HOME=/root", "EMPTY=", "VAULT_ADDR=https://a=b"}
	for _, tt := range []struct {
		names string
		want  string
	}{
		{"", "PATH=" + defaultPath},
		{"VAULT_TOKEN EMPTY UNSET", "PATH=" + defaultPath + " VAULT_TOKEN=s.1 EMPTY="},
		{"PATH VAULT_ADDR", "PATH=/mine VAULT_ADDR=https://a=b"},
	} {
		got, err := NewEnvironment(all, strings.Fields(tt.names))
		if err != nil || strings.Join(got.list(), " ") != tt.want {
			t.Errorf("%q: %q, %v, want %q", tt.names, got.list(), err, tt.want)
		}
	}
	for _, name := range []string{"", "TOKEN=secret", "A\x00"} {
		if _, err := NewEnvironment(all, []string{name}); err == nil {
			t.Errorf("%q is taken for a name", name)
		}
	}
}
