package fallback

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
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

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rsaKey is a key for all tests: making one takes time.
var rsaKey = sync.OnceValue(func() []byte {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
})

func testKey(t *testing.T) *Key {
	t.Helper()
	k, err := ParseKey(rsaKey())
	check(t, err)
	return k
}

func policyOf(t *testing.T, rules ...Rule) *Policy {
	t.Helper()
	p, err := NewPolicy(rules)
	check(t, err)
	return p
}

// storeCall is a call of a store for a path.
func storeCall(resource, path string) deferred.Call {
	ref, _ := catalog.ParseRef(resource)
	return deferred.Call{
		At: catalog.Location{Ref: ref}, Function: "store::get", Effects: function.UsesNetwork,
		Arguments: []pcore.Value{pcore.String(path)},
	}
}

var errDown = &function.TemporaryError{Err: errors.New("sealed")}

// Each failure meets each action. An answer of the last run has an age.
func TestActions(t *testing.T) {
	forbidden := errors.New("received 403")
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		rule    Rule
		err     error
		kept    time.Duration // age of the answer in the cache; negative for none
		source  deferred.Source
		want    string
		skips   bool
		failure string
	}{
		{name: "fail", err: errDown, kept: -1, failure: "sealed"},
		{name: "skip", rule: Rule{OnFailure: Skip}, err: errDown, kept: -1, source: deferred.Skipping, skips: true, failure: "sealed"},
		{name: "default", rule: Rule{OnFailure: Default, Default: pcore.String("x")}, err: errDown, kept: -1, source: deferred.Default, want: "Sensitive x"},
		{name: "plain default", rule: Rule{OnFailure: Default, Default: pcore.String("x"), Plain: true}, err: forbidden, kept: -1, source: deferred.Default, want: "x"},
		{name: "keep", rule: Rule{OnFailure: Keep}, err: errDown, kept: time.Hour, source: deferred.LastRun, want: "Sensitive old"},
		{name: "keep on any failure", rule: Rule{OnFailure: Keep}, err: forbidden, kept: time.Hour, source: deferred.LastRun, want: "Sensitive old"},
		{name: "keep, permanent", rule: Rule{OnFailure: Keep, OnlyTemporary: true}, err: forbidden, kept: time.Hour, failure: "received 403"},
		{name: "keep, time-out", rule: Rule{OnFailure: Keep, OnlyTemporary: true}, err: deferred.ErrTimeout, kept: time.Hour, source: deferred.LastRun, want: "Sensitive old"},
		{name: "too old", rule: Rule{OnFailure: Keep}, err: errDown, kept: 25 * time.Hour, failure: "sealed; the last answer is 25h0m0s old, more than 24h0m0s"},
		{name: "too old, skip", rule: Rule{OnFailure: Keep, MaxAge: time.Minute, Otherwise: Skip}, err: errDown, kept: time.Hour, source: deferred.Skipping, skips: true, failure: "sealed; the last answer is 1h0m0s old, more than 1m0s"},
		{name: "none, default", rule: Rule{OnFailure: Keep, Otherwise: Default, Default: pcore.Integer(1), Plain: true}, err: errDown, kept: -1, source: deferred.Default, want: "1"},
		{name: "none", rule: Rule{OnFailure: Keep}, err: errDown, kept: -1, failure: "sealed; there is no answer of an earlier run"},
		{name: "future", rule: Rule{OnFailure: Keep}, err: errDown, kept: -time.Hour, failure: "sealed; the last answer is from the future; check the clock"},
		{name: "not allowed", rule: Rule{OnFailure: Skip}, err: &function.RefusedError{Function: "store::get", Effects: function.UsesNetwork}, kept: -1, failure: "store::get is not allowed: it uses the network"},
		{name: "skipped argument", rule: Rule{OnFailure: Default, Default: pcore.String("x")}, err: &SkipError{Err: errDown}, kept: -1, skips: true, failure: "sealed"},
		{name: "made", rule: Rule{OnFailure: Skip}, kept: -1, want: "Sensitive new"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cache, err := OpenCache(filepath.Join(t.TempDir(), "cache"), testKey(t))
			check(t, err)
			h, err := New(Options{Policy: policyOf(t, tt.rule), Codec: rich{}, Cache: cache})
			check(t, err)
			h.now = func() time.Time { return now }
			c := h.For("web01", "production").(*catalogHandler)
			call, err := rich{}.Encode(pcore.NewArray(pcore.String("store::get"), pcore.NewArray(pcore.String("db"))))
			check(t, err)
			if tt.kept != -1 {
				cache.put(c.address(call), pcore.NewSensitive(pcore.String("old")), now.Add(-tt.kept), rich{})
			}
			v, o, err := c.Handle(t.Context(), storeCall("File[/x]", "db"), func(context.Context) (pcore.Value, error) {
				if tt.err != nil {
					return nil, tt.err
				}
				return pcore.NewSensitive(pcore.String("new")), nil
			})
			if got := shown(v); got != tt.want || o.Source != tt.source || errors.Is(err, deferred.ErrSkip) != tt.skips {
				t.Errorf("got %q, %+v, %v", got, o, err)
			}
			if tt.failure == "" != (err == nil) || err != nil && err.Error() != tt.failure {
				t.Errorf("got %v, want %q", err, tt.failure)
			}
			if o.Source == deferred.LastRun && o.Age != tt.kept {
				t.Errorf("age %s", o.Age)
			}
		})
	}
}

// shown returns the text of a value, with the content of a Sensitive.
func shown(v pcore.Value) string {
	if v == nil {
		return ""
	}
	if s, ok := v.(*pcore.Sensitive); ok {
		return "Sensitive " + shown(s.Reveal())
	}
	if s, ok := v.(pcore.String); ok {
		return string(s)
	}
	return v.String()
}

// The first rule that matches a call decides.
func TestRules(t *testing.T) {
	p := policyOf(t,
		Rule{Functions: []string{"Store::*"}, Paths: []string{"prod/*", "ca"}},
		Rule{Functions: []string{"other::*", "store::get"}, Resources: []string{"file"}},
		Rule{Resources: []string{"My::Thing[a*]", "Notify[[x]]"}},
	)
	for _, tt := range []struct {
		function, path, resource string
		want                     int
	}{
		{"store::get", "prod/db/x", "File[/x]", 1},
		{"store::get", "/prod/db/", "File[/x]", 1},
		{"::store::get", "ca", "Exec[x]", 1},
		{"store::get", "test/db", "File[/x]", 2},
		{"other::get", "test/db", "file[/x]", 2},
		{"other::get", "test/db", "Exec[x]", 0},
		{"any", "", "My::Thing[abc]", 3},
		{"any", "", "My::Thing[bc]", 0},
		{"any", "", "Notify[[x]]", 3},
	} {
		c := storeCall(tt.resource, tt.path)
		c.Function = tt.function
		if _, got := p.rule(&c); got != tt.want {
			t.Errorf("%+v: got rule %d", tt, got)
		}
	}
	c := storeCall("File[/x]", "")
	c.Arguments = []pcore.Value{pcore.NewSensitive(pcore.String("prod/x"))}
	if _, got := p.rule(&c); got != 2 {
		t.Errorf("a secret is no path: got rule %d", got)
	}
}

// A temporary failure is repeated after a wait, a permanent one is not, and a server can ask for a longer wait.
func TestRetries(t *testing.T) {
	for _, tt := range []struct {
		name     string
		failures []error // of the attempts; then it succeeds
		retries  int
		limit    time.Duration // of the call
		attempts int
		least    time.Duration // waited
		most     time.Duration
		ok       bool
	}{
		{"at once", nil, 2, time.Minute, 1, 0, 0, true},
		{"second", []error{errDown}, 2, time.Minute, 2, 125 * time.Millisecond, 250 * time.Millisecond, true},
		{"never", []error{errDown, errDown, errDown}, 2, time.Minute, 3, 375 * time.Millisecond, 750 * time.Millisecond, false},
		{"permanent", []error{errors.New("403")}, 2, time.Minute, 1, 0, 0, false},
		{"later permanent", []error{errDown, errors.New("403")}, 2, time.Minute, 2, 125 * time.Millisecond, 250 * time.Millisecond, false},
		{"retry after", []error{&function.TemporaryError{Err: errors.New("429"), After: 7 * time.Second}}, 2, time.Minute, 2, 7 * time.Second, 7 * time.Second, true},
		{"retry after an hour", []error{&function.TemporaryError{Err: errors.New("429"), After: time.Hour}}, 2, 10 * time.Minute, 2, 5 * time.Minute, 5 * time.Minute, true},
		{"no time for it", []error{&function.TemporaryError{Err: errors.New("429"), After: time.Hour}}, 2, time.Minute, 1, 0, 0, false},
		{"time-out", []error{deferred.ErrTimeout}, 1, time.Minute, 2, 125 * time.Millisecond, 250 * time.Millisecond, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, err := New(Options{Policy: policyOf(t, Rule{Retries: tt.retries}), Codec: rich{}})
				check(t, err)
				ctx, cancel := context.WithTimeoutCause(t.Context(), tt.limit, deferred.ErrTimeout)
				defer cancel()
				begin, n := time.Now(), 0
				_, o, err := h.For("", "").Handle(ctx, storeCall("File[/x]", "db"), func(ctx context.Context) (pcore.Value, error) {
					if !function.IsSingleAttempt(ctx) {
						t.Error("the provider may retry, too")
					}
					if n++; n <= len(tt.failures) {
						return nil, tt.failures[n-1]
					}
					return pcore.Undef{}, nil
				})
				waited := time.Since(begin)
				if (err == nil) != tt.ok || o.Attempts != tt.attempts || n != tt.attempts || waited < tt.least || waited > tt.most {
					t.Errorf("%v, %d attempts, %d reported, after %s", err, n, o.Attempts, waited)
				}
			})
		})
	}
}

// The time of a rule ends each attempt, and the time of the call ends all.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, err := New(Options{Policy: policyOf(t, Rule{Timeout: 5 * time.Second, Retries: 100, OnFailure: Skip}), Codec: rich{}})
		check(t, err)
		ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Second, deferred.ErrTimeout)
		defer cancel()
		begin := time.Now()
		_, o, err := h.For("", "").Handle(ctx, storeCall("File[/x]", "db"), func(ctx context.Context) (pcore.Value, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		})
		if !errors.Is(err, deferred.ErrSkip) || !errors.Is(err, deferred.ErrTimeout) || o.Attempts < 3 || o.Attempts > 4 || time.Since(begin) > 20*time.Second {
			t.Errorf("got %v, %+v after %s", err, o, time.Since(begin))
		}
	})
}

// Equal calls are made once, also at the same time, unless the function computes only or the rules differ.
func TestShared(t *testing.T) {
	h, err := New(Options{Codec: rich{}, Policy: policyOf(t,
		Rule{Resources: []string{"Notify"}, Retries: 1, OnFailure: Skip}, Rule{Resources: []string{"File"}, OnFailure: Default, Default: pcore.String("d")}, Rule{OnFailure: Skip})})
	check(t, err)
	var made atomic.Int64
	down := func(context.Context) (pcore.Value, error) { made.Add(1); return nil, errors.New("no") }
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			v, o, err := h.For("n", "e").Handle(t.Context(), storeCall(fmt.Sprintf("File[/%d]", i), "db"), down)
			if err != nil || shown(v) != "Sensitive d" || o.Attempts != 1 {
				t.Errorf("got %v, %+v, %v", v, o, err)
			}
		})
	}
	all.Wait()
	if _, _, err := h.For("n", "e").Handle(t.Context(), storeCall("Exec[x]", "db"), down); !errors.Is(err, deferred.ErrSkip) || made.Load() != 1 {
		t.Errorf("a rule with another action: %v, %d calls", err, made.Load())
	}
	if _, _, err := h.For("n", "e").Handle(t.Context(), storeCall("Notify[x]", "db"), down); !errors.Is(err, deferred.ErrSkip) || made.Load() != 2 {
		t.Errorf("a rule with other retries: %v, %d calls", err, made.Load())
	}
	c := storeCall("File[/x]", "db")
	c.Effects = 0
	if _, _, err := h.For("n", "e").Handle(t.Context(), c, down); err != nil || made.Load() != 3 {
		t.Errorf("a pure function: %v, %d calls", err, made.Load())
	}
}

func TestParsePolicy(t *testing.T) {
	for text, want := range map[string]string{
		`{"rules":[{"function":"a::*","path":["b/*","c"],"resource":"File","timeout":"5s","retries":3,"failures":"temporary","on_failure":"keep","max_age":"7d","otherwise":"default","default":null,"sensitive":false}]}`: "",
		`{"rules":[]}`:                      "",
		`{"rules":[{"on_failure":"skip"}]}`: "",
		`[]`:                                "a policy must be a map with the key rules",
		`{}`:                                "the key rules is missing",
		`{"rule":[]}`:                       `unknown key 'rule'; use rules`,
		`{"rules":{}}`:                      "rules: expected a list of rules",
		`{"rules":["x"]}`:                   "rule 1: expected a map",
		`{"rules":[{},{"fun":"x"}]}`:        "rule 2: 'fun': unknown key; use function",
		`{"rules":[{"function":[]}]}`:       "the list is empty",
		`{"rules":[{"function":1}]}`:        "use a text",
		`{"rules":[{"timeout":"5"}]}`:       "use a time such as 5s, 12h or 7d",
		`{"rules":[{"timeout":"-5s"}]}`:     "use a time such as",
		`{"rules":[{"max_age":"9999999999999d"}]}`:                                  "use a time such as",
		`{"rules":[{"retries":-1}]}`:                                                "use a number from 0 to 100",
		`{"rules":[{"on_failure":"ignore"}]}`:                                       "use fail, skip, default or keep",
		`{"rules":[{"on_failure":"keep","otherwise":"keep"}]}`:                      "use fail, skip or default",
		`{"rules":[{"on_failure":"skip","otherwise":"skip"}]}`:                      "otherwise needs on_failure: keep",
		`{"rules":[{"on_failure":"skip","max_age":"1h"}]}`:                          "max_age needs on_failure: keep",
		`{"rules":[{"on_failure":"default"}]}`:                                      "the value is missing: use default: VALUE",
		`{"rules":[{"on_failure":"skip","default":"x"}]}`:                           "the default is not used",
		`{"rules":[{"on_failure":"skip","sensitive":false}]}`:                       "sensitive is about a default",
		`{"rules":[{"failures":"some"}]}`:                                           "use any or temporary",
		`{"rules":[{"on_failure":"default","default":"s3cret-x","sensitive":"x"}]}`: "use true or false",
	} {
		v, err := rich{}.Decode([]byte(text))
		check(t, err)
		_, err = ParsePolicy(v)
		if (want == "") != (err == nil) || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestParseKey(t *testing.T) {
	edPublic, ed, err := ed25519.GenerateKey(rand.Reader)
	check(t, err)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	block := func(typ string, der []byte, err error) []byte {
		check(t, err)
		return pem.EncodeToMemory(&pem.Block{Type: typ, Bytes: der})
	}
	pkcs8 := func(key any) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		return block("PRIVATE KEY", der, err)
	}
	public, err := x509.MarshalPKIXPublicKey(edPublic)
	check(t, err)
	sec1, err := x509.MarshalECPrivateKey(ec)
	check(t, err)
	one, err := ParseKey(block("EC PRIVATE KEY", sec1, nil))
	check(t, err)
	other, err := ParseKey(append(block("EC PARAMETERS", []byte{6, 0}, nil), pkcs8(ec)...))
	check(t, err)
	if one.address([]byte("x")) != other.address([]byte("x")) {
		t.Error("two spellings of a key are different keys")
	}
	if _, err := ParseKey(pkcs8(ed)); err != nil {
		t.Error(err)
	}
	if text := fmt.Sprintf("%v %+v %#v", one, one, one); text != strings.TrimSpace(strings.Repeat("key of a cache [redacted] ", 3)) {
		t.Errorf("printed: %s", text)
	}
	for name, text := range map[string][]byte{
		"no private key found": block("PUBLIC KEY", public, nil), "expected PEM": []byte("hunter2"),
		"damaged": block("RSA PRIVATE KEY", []byte("hunter2"), nil), "encrypted": block("ENCRYPTED PRIVATE KEY", nil, nil),
	} {
		if _, err := ParseKey(text); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A call that is cancelled is no answer for equal ones.
func TestCancelledLeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, err := New(Options{Policy: policyOf(t, Rule{}), Codec: rich{}})
		check(t, err)
		leader, cancel := context.WithCancel(t.Context())
		c := h.For("n", "e")
		go func() {
			_, _, err := c.Handle(leader, storeCall("File[/x]", "db"), func(ctx context.Context) (pcore.Value, error) {
				<-ctx.Done()
				return nil, context.Cause(ctx)
			})
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}()
		synctest.Wait()
		var asked atomic.Int32
		for range 3 {
			go func() {
				v, _, err := c.Handle(t.Context(), storeCall("File[/y]", "db"), func(context.Context) (pcore.Value, error) {
					asked.Add(1)
					return pcore.String("x"), nil
				})
				if v != pcore.Value(pcore.String("x")) || err != nil {
					t.Error(v, err)
				}
			}()
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		if n := asked.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

// Slashes around a path do not count, and a policy does not change its rules.
func TestPathPatterns(t *testing.T) {
	rule := Rule{Functions: []string{"Store::Get"}, Paths: []string{"/kv/*"}}
	p := policyOf(t, rule)
	for path, want := range map[string]int{"kv/app": 1, "/kv/app": 1, "secret/app": 0} {
		call := storeCall("File[/x]", path)
		if _, got := p.rule(&call); got != want {
			t.Errorf("%s: rule %d, want %d", path, got, want)
		}
	}
	if rule.Functions[0] != "Store::Get" || rule.Paths[0] != "/kv/*" {
		t.Errorf("the rule has changed: %v", rule)
	}
}

// A handler of many calls remembers a bounded number of answers, and a bounded size of them.
func TestForgotten(t *testing.T) {
	h, err := New(Options{Codec: rich{}, Policy: policyOf(t, Rule{OnFailure: Skip})})
	check(t, err)
	h.most, h.maxSize = 3, 1000
	made := 0
	ask := func(path string, size int, failure error) {
		t.Helper()
		_, _, err := h.For("n", "e").Handle(t.Context(), storeCall("File[/x]", path), func(context.Context) (pcore.Value, error) {
			made++
			return pcore.String(strings.Repeat("x", size)), failure
		})
		if (err != nil) != (failure != nil) {
			t.Fatal(err)
		}
		if len(h.asked) != len(h.complete) || len(h.asked) > h.most || h.size > h.maxSize {
			t.Errorf("%d answers, %d complete, %d bytes", len(h.asked), len(h.complete), h.size)
		}
	}
	for i := range 100 {
		ask(strconv.Itoa(i), i, nil)
	}
	if ask("99", 1, nil); made != 100 {
		t.Errorf("the newest answer is forgotten: %d calls", made)
	}
	if ask("0", 1, nil); made != 101 {
		t.Errorf("the oldest answer is remembered: %d calls", made)
	}
	if ask("large", 2000, nil); len(h.asked) != 0 || h.size != 0 {
		t.Errorf("%d answers, %d bytes are remembered", len(h.asked), h.size)
	}
	for i := range 100 {
		ask(strconv.Itoa(i), 0, errors.New(strings.Repeat("no", 100)))
	}
}
