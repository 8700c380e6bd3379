package sensitive_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// leaky is a Masker that leaves secrets in the parameter named open, and masks all other ones.
type leaky struct{ sensitive.Masker }

func (m leaky) Value(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error) {
	if len(at.Path) > 0 && at.Path[0].Key == pcore.String("open") {
		return secret.Reveal(), nil
	}
	return m.Masker.Value(secret, at)
}

// TestLeakIsLocated checks that the error of a refused output names the location of the secret
// and not the secret.
func TestLeakIsLocated(t *testing.T) {
	const own = `{"__ptype":"Sensitive","__pvalue":"S3cret-Value"}`
	const spanning = `{"type":"User","title":"u","parameters":{"password":"Kx9Kx9Kx\",\"Lm4q7Lm4"},"sensitive_parameters":["password"]}`
	for _, tt := range []struct {
		name, doc string
		masker    sensitive.Masker
		want      string // before the text of the error
		origin    string // of the secret
	}{
		{"a value", in(`{"type":"T","title":"t","parameters":{"a":1,"open":{"b":[1,` + own + `]}}}`), leaky{sensitive.NewMask()}, "T[t]/open/b/1: ", "T[t]/open/b/1"},
		{"a listed parameter", in(`{"type":"T","title":"t","parameters":{"open":"S3cret-Value"},"sensitive_parameters":["open"]}`), leaky{sensitive.NewMask()}, "T[t]/open: ", "T[t]/open"},
		{"a title with the secret", in(`{"type":"T","title":"t S3cret-Value","parameters":{"open":"S3cret-Value"},"sensitive_parameters":["open"]}`), leaky{sensitive.NewMask()}, "T[t redacted-1-by-pcat]/open: ", "T[t redacted-1-by-pcat]/open"},
		{"a key with the secret", in(`{"type":"T","title":"t","parameters":{"open":{"S3cret-Value":` + own + `}}}`), leaky{sensitive.NewMask()}, "T[t]/open/redacted-1-by-pcat: ", "T[t]/open/redacted-1-by-pcat"},
		{"a masker that cannot mask locations", in(`{"type":"A","title":"a"}`, `{"type":"T","title":"t S3cret-Value","parameters":{"a":`+own+`}}`), careless{}, "resources/1: ", ""},
		{"JSON around two strings", in(spanning, `{"type":"File","title":"/x","parameters":{"mode":"0644","list":{"deep":["a",["Kx9Kx9Kx","Lm4q7Lm4"]]}}}`), sensitive.NewMask(), "File[/x]/list/deep/1: ", "User[u]/password"},
		{"JSON around members", in(spanning, `{"type":"File","title":"/x","tags":["Kx9Kx9Kx","Lm4q7Lm4"]}`), sensitive.NewMask(), "File[/x]: ", "User[u]/password"},
		{"metadata", `{"resources":[` + spanning + `],"classes":["b",["Kx9Kx9Kx","Lm4q7Lm4"]],"edges":[]}`, sensitive.NewMask(), "classes: ", "User[u]/password"},
		{"an edge", `{"resources":[],"edges":[{"source":"A[a]","target":"B[b]","x":` + own + `}]}`, sensitive.NewMask(), "edges/A[a]/B[b]: ", ""},
		{
			"between two resources", in(`{"type":"User","title":"u","parameters":{"password":"0644\"}},{\"type\":\"Exec"},"sensitive_parameters":["password"]}`,
				`{"type":"File","title":"/x","parameters":{"mode":"0644"}}`, `{"type":"Exec","title":"/x","parameters":{"mode":"0644"}}`),
			sensitive.NewMask(), "near byte ", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, src := range map[string]func() *catalog.Reader{
				"in memory": func() *catalog.Reader { return reader(t, []byte(tt.doc), "rich-json") },
				"streamed":  func() *catalog.Reader { return streamed(t, []byte(tt.doc)) },
			} {
				c := sensitive.NewCollector(sensitive.CollectOptions{})
				if err := c.Collect(src()); err != nil {
					t.Fatal(err)
				}
				r := c.Secrets().Redactor(tt.masker)
				var out bytes.Buffer
				err := r.Redact(t.Context(), &out, format(t, "rich-json"), src())
				if !errors.Is(err, sensitive.ErrLeak) || out.Len() > 0 {
					t.Fatalf("%s: got %v, %d bytes", name, err, out.Len())
				}
				located := r.Locate(t.Context(), err, format(t, "rich-json"), src())
				var leak *sensitive.LeakError
				if !errors.As(located, &leak) || !strings.HasPrefix(located.Error(), tt.want) || !strings.Contains(located.Error(), ": "+sensitive.ErrLeak.Error()) {
					t.Errorf("%s: got %q, want %q", name, located, tt.want)
				}
				if origin := leak.Secret.String(); leak.Offset < 0 && origin != tt.origin || leak.Rule != "" {
					t.Errorf("%s: the secret is from %q, %q, want %q", name, origin, leak.Rule, tt.origin)
				}
				for _, err := range []error{err, located} {
					text := fmt.Sprintf("%v %+v %#v %#v", err, err, err, leak.At)
					if strings.Contains(text, "S3cret") || strings.Contains(text, "Kx9") {
						t.Errorf("%s: the error contains the secret: %s", name, text)
					}
				}
			}
		})
	}
}

// TestLocateOthers checks that other errors stay as they are.
func TestLocateOthers(t *testing.T) {
	other := errors.New("other")
	var r sensitive.Redactor
	for _, err := range []error{nil, other} {
		if got := r.Locate(t.Context(), err, format(t, "rich-json"), reader(t, []byte(in()), "rich-json")); !errors.Is(got, err) {
			t.Errorf("got %v, want %v", got, err)
		}
	}
	// Nothing to locate in a document without the secret.
	near := error(&sensitive.LeakError{Offset: 7})
	if got := r.Locate(t.Context(), near, format(t, "rich-json"), reader(t, []byte(in()), "rich-json")); !errors.Is(got, near) {
		t.Errorf("got %v, want %v", got, near)
	}
}
