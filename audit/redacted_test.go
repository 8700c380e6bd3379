package audit_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// digestOf returns a digest of text, which looks like a secret itself.
func digestOf(text string) []byte {
	h := hmac.New(sha256.New, []byte("a key of sixteen"))
	_, _ = h.Write([]byte(text))
	return h.Sum(nil)
}

// alike returns a text of the same length and the same kinds of characters.
func alike(text string) string {
	d := digestOf(text)
	i := 0
	return strings.Map(func(r rune) rune {
		i++
		n := rune(d[i%len(d)]) + rune(i)
		switch {
		case 'a' <= r && r <= 'z':
			return 'a' + n%26
		case 'A' <= r && r <= 'Z':
			return 'A' + n%26
		case '0' <= r && r <= '9':
			return '0' + n%10
		}
		return r
	}, text)
}

type sealer struct{}

func (sealer) Seal(text []byte) (string, error) {
	return base64.StdEncoding.EncodeToString(digestOf(string(text))), nil
}

// maskers returns a function that makes each Masker. The own ones make markers that look
// like secrets.
func maskers(t *testing.T) map[string]func() sensitive.Masker {
	must := func(m sensitive.Masker, err error) sensitive.Masker {
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	own := func(replace func(string) string) func() sensitive.Masker {
		return func() sensitive.Masker { return sensitive.TextMasker(replace) }
	}
	return map[string]func() sensitive.Masker{
		"mask":      sensitive.NewMask,
		"drop":      sensitive.NewDrop,
		"digest":    func() sensitive.Masker { return must(sensitive.NewDigest([]byte("a key of sixteen"))) },
		"pseudonym": func() sensitive.Masker { return must(sensitive.NewPseudonym([]byte("a key of sixteen"))) },
		"encrypt":   func() sensitive.Masker { return sensitive.NewEncrypt("decrypt", sealer{}) },
		"words":     own(func(text string) string { return fmt.Sprintf("[hidden %x]", digestOf(text)[:4]) }),
		"hex":       own(func(text string) string { return hex.EncodeToString(digestOf(text)) }),
		"base64":    own(func(text string) string { return base64.RawURLEncoding.EncodeToString(digestOf(text)) }),
		"token":     own(func(text string) string { return "ghp_" + hex.EncodeToString(digestOf(text))[:36] }),
		"url":       own(func(text string) string { return "https://user:" + hex.EncodeToString(digestOf(text)) + "@host/" }),
		"alike":     own(alike),
	}
}

// All samples are redacted by every Masker: those of the rules, and those with all of their
// secrets declared elsewhere, so that their copies are replaced before the first audit. The
// output has none of the secrets, and an audit finds no other. With -short, each sample is redacted by
// one Masker.
func TestRedactedSamples(t *testing.T) {
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	auditor, err := redact.NewAuditor(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := maskers(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		masker := all[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			for r := range rules.All() {
				for _, sample := range slices.Concat(r.Catch, r.Ignore) {
					if n++; testing.Short() && n%len(all) != i {
						continue
					}
					documents, secrets := sampleCatalogs(t, sample)
					s := redactedSample{auditor, masker, sample, isOwn(masker())}
					s.check(t, documents)
					if declared := declaring(t, documents, secrets); len(declared) > 0 {
						s.check(t, append(documents, declared))
					}
				}
			}
		})
	}
}

// isOwn reports whether the markers of m are recognized by their form.
func isOwn(m sensitive.Masker) bool {
	return !strings.Contains(fmt.Sprintf("%T", m), "textMasker") && !strings.Contains(fmt.Sprintf("%T", m), "encrypter")
}

// declaring returns a catalog of a resource that declares the secrets of documents, or "" if
// there are none.
func declaring(t *testing.T, documents []string, secrets []map[string][][2]int) string {
	t.Helper()
	r := resource{Type: "Class", Title: "Declares", Parameters: map[string]any{}}
	for i, document := range documents {
		var catalog any
		decode(t, document, &catalog)
		for pointer, spans := range secrets[i] {
			text, ok := at(catalog, pointer).(string)
			for _, span := range spans {
				if !ok {
					continue
				}
				name := fmt.Sprint("p", len(r.Parameters))
				r.Parameters[name] = text[span[0]:span[1]]
				r.Sensitive = append(r.Sensitive, name)
			}
		}
	}
	if len(r.Parameters) == 0 {
		return ""
	}
	b, err := json.Marshal(map[string]any{"name": "other", "resources": []any{r}, "edges": []any{}})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// at returns the value at a pointer, or nil.
func at(v any, pointer string) any {
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch in := v.(type) {
		case map[string]any:
			v = in[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

type redactedSample struct {
	auditor redact.Auditor
	masker  func() sensitive.Masker
	sample  string
	own     bool // an audit recognizes the markers
}

func (s *redactedSample) check(t *testing.T, documents []string) {
	t.Helper()
	format := formats.RichJSON()
	out := make([]bytes.Buffer, len(documents))
	var inputs []redact.Input
	for i, text := range documents {
		inputs = append(inputs, redact.Input{
			Name: ofCatalog(i),
			Open: func(context.Context) (*catalog.Reader, io.Closer, error) {
				return catalog.NewReaderBytes([]byte(text), format, serialization.DecodeOptions{}), nil, nil
			},
			Write: func(_ context.Context, write func(io.Writer) error) error { return write(&out[i]) },
		})
	}
	result, err := redact.Run(t.Context(), inputs, redact.Options{Masker: s.masker(), Audit: s.auditor, Jobs: 1})
	if err = errors.Join(append(result.Failures, err)...); err != nil {
		t.Errorf("%s\n%s: %v", s.sample, documents, err)
		return
	}
	if !s.own {
		return
	}
	var again []audit.Input
	for i := range out {
		again = append(again, audit.Document("", out[i].Bytes()))
	}
	report, err := s.auditor.Run(t.Context(), again)
	if err != nil || len(report.Failures) > 0 {
		t.Fatal(err, report.Failures)
	}
	for _, f := range report.Findings {
		if f.Class == rule.Leak && f.Rule != "redacted-literal" {
			t.Errorf("%s\n%s at %s: %s", s.sample, f.Rule, f.Pointer, out[0].Bytes())
		}
	}
}
