package pcore_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

const canary = "canary-7Qx9-secret"

// holders returns a value of every kind that can contain another value, each
// with the canary inside a Sensitive.
func holders() map[string]any {
	s := pcore.NewSensitive(pcore.String(canary))
	big := pcore.NewHashBuilder(20)
	for i := range 20 {
		big.Set(pcore.NewArray(s, pcore.Integer(i)), s)
	}
	var path pcore.Path
	_ = pcore.Walk(pcore.NewHash(pcore.Entry{Key: s, Value: s}), func(c *pcore.Cursor) error {
		path = c.Path()
		return nil
	})
	return map[string]any{
		"sensitive":       s,
		"nested":          pcore.NewSensitive(s),
		"in an array":     pcore.NewArray(s),
		"as a value":      pcore.NewHash(pcore.Entry{Key: pcore.String("k"), Value: s}),
		"as a key":        pcore.NewHash(pcore.Entry{Key: s, Value: pcore.Integer(1)}),
		"in a large hash": big.Hash(),
		"builder":         big,
		"in a deferred":   pcore.NewDeferred("f", pcore.NewArray(s)),
		"in an object":    pcore.NewObject(pcore.NewTypeReferenceType("T"), pcore.NewHash(pcore.Entry{Key: pcore.String("k"), Value: s})),
		"in a path":       path,
		"unexported":      struct{ v pcore.Value }{s},
		"exported":        struct{ V pcore.Value }{s},
		"pointer":         &struct{ v *pcore.Sensitive }{s},
		"map":             map[string]pcore.Value{"k": s},
		"slice":           []pcore.Value{s},
		"error":           fmt.Errorf("cannot use %v: %w", s, fmt.Errorf("%s %q %x", s, s, s)),
		"entry":           pcore.Entry{Key: s, Value: s},
	}
}

func TestNoRoadPrintsASecret(t *testing.T) {
	for name, v := range holders() {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X", "%t", "%p", "%T", "%U"} {
			noLeak(t, name+" by "+verb, fmt.Sprintf(verb, v))
		}
		text, err := json.Marshal(v)
		noLeak(t, name+" by json", string(text)+fmt.Sprint(err))
		var log bytes.Buffer
		for _, h := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
			slog.New(h).Info("value", "v", v)
		}
		noLeak(t, name+" by slog", log.String())
		func() {
			defer func() { noLeak(t, name+" by panic", fmt.Sprint(recover())) }()
			panic(v)
		}()
	}
}

func noLeak(t *testing.T, where, text string) {
	t.Helper()
	for _, form := range []string{canary, fmt.Sprintf("%x", canary), fmt.Sprintf("%X", canary), fmt.Sprintf("%d", []byte(canary))} {
		if strings.Contains(text, form) {
			t.Errorf("%s: the secret is told: %s", where, text)
		}
	}
}

func TestSensitiveText(t *testing.T) {
	s := pcore.NewSensitive(pcore.Integer(5))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		if got := fmt.Sprintf(verb, s); got != pcore.RedactedText {
			t.Errorf("%s gives %q", verb, got)
		}
	}
	if text, err := json.Marshal(s); err != nil || string(text) != `"`+pcore.RedactedText+`"` {
		t.Errorf("json: %s, %v", text, err)
	}
	if text, err := s.MarshalText(); err != nil || string(text) != pcore.RedactedText {
		t.Errorf("text: %s, %v", text, err)
	}
	if got := (*pcore.Sensitive)(nil).Reveal(); got != (pcore.Undef{}) {
		t.Errorf("nil reveals %v", got)
	}
}

// The type of a secret is printed although the secret is not, so it must not
// contain parts of the secret.
func TestSensitiveTypeTellsNothing(t *testing.T) {
	secret := pcore.NewRegexp("hunter2")
	for want, v := range map[string]pcore.Value{
		"Sensitive[Regexp]":               secret,
		"Sensitive[Array[Regexp]]":        pcore.NewArray(secret),
		"Sensitive[Hash[String, Regexp]]": pcore.NewHash(pcore.Entry{Key: pcore.String("k"), Value: secret}),
		"Sensitive[Type[Regexp]]":         pcore.NewRegexpType(secret),
	} {
		if got := pcore.Infer(pcore.NewSensitive(v)).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
