package sensitive_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// Nothing is redacted, and no output is searched, before the secrets are known.
func TestRedactWithoutCollect(t *testing.T) {
	data := []byte(`{"name":"web01","resources":[
		{"type":"User","title":"app","parameters":{"password":"S3cret-Value"},"sensitive_parameters":["password"]},
		{"type":"File","title":"/etc/app.conf","parameters":{"content":"pw=S3cret-Value"}}],"edges":[
		{"source":"User[app]","target":"File[/etc/app.conf]"}],"version":"S3cret-Value"}`)
	var whole *catalog.Catalog
	for c, err := range reader(t, data, "rich-json").Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		whole = c
	}
	member := catalog.NewMember("version", pcore.String("S3cret-Value"))
	ways := map[string]func(r *sensitive.Redactor) error{
		"Redact": func(r *sensitive.Redactor) error {
			return r.Redact(t.Context(), io.Discard, format(t, "rich-json"), reader(t, data, "rich-json"))
		},
		"RedactAs": func(r *sensitive.Redactor) error {
			return r.RedactAs(t.Context(), io.Discard, format(t, "rich-msgpack"), reader(t, data, "rich-json"), catalog.WriteOptions{})
		},
		"Guard": func(r *sensitive.Redactor) error {
			_, err := r.Guard(io.Discard, "json")
			return err
		},
		"Resource": func(r *sensitive.Redactor) error {
			_, err := r.Resource(t.Context(), whole.Resources()[1])
			return err
		},
		"Edge": func(r *sensitive.Redactor) error {
			_, err := r.Edge(t.Context(), whole.Edges()[0])
			return err
		},
		"Member": func(r *sensitive.Redactor) error {
			_, err := r.Member(t.Context(), &member)
			return err
		},
	}
	collected := func(r *sensitive.Redactor) *sensitive.Redactor {
		t.Helper()
		if err := r.Collect(reader(t, data, "rich-json")); err != nil {
			t.Fatal(err)
		}
		return r
	}
	found := func(r *sensitive.Redactor) *sensitive.Redactor {
		t.Helper()
		secret := pcore.NewSensitive(pcore.String("S3cret-Value"))
		if err := r.Follow(sensitive.Found{Secret: secret, At: whole.Resources()[0].Ref().Parameter("password")}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	broken := func(r *sensitive.Redactor) *sensitive.Redactor {
		if r.Collect(reader(t, data[:len(data)/2], "rich-json")) == nil {
			t.Fatal("half a document was collected")
		}
		return r
	}
	turn := func() {}
	for _, tt := range []struct {
		name     string
		redactor *sensitive.Redactor
		want     error
	}{
		{"new", sensitive.New(sensitive.Options{}), sensitive.ErrNotCollected},
		{"told of findings only", found(sensitive.New(sensitive.Options{})), sensitive.ErrNotCollected},
		{"a broken document", broken(sensitive.New(sensitive.Options{})), sensitive.ErrNotCollected},
		{"next", sensitive.New(sensitive.Options{}).Next(), sensitive.ErrNotCollected},
		{"share", sensitive.New(sensitive.Options{}).Share(turn), sensitive.ErrNotCollected},
		{"collected", collected(sensitive.New(sensitive.Options{})), nil},
		{"next of collected", found(collected(sensitive.New(sensitive.Options{})).Next()), nil},
		{"share of collected", collected(sensitive.New(sensitive.Options{})).Share(turn), nil},
		{"share of next", collected(sensitive.New(sensitive.Options{})).Next().Share(turn), nil},
	} {
		for name, redact := range ways {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				if err := redact(tt.redactor); !errors.Is(err, tt.want) {
					t.Errorf("got %v, want %v", err, tt.want)
				}
			})
		}
	}
	r := sensitive.New(sensitive.Options{})
	fork := collected(r.Fork())
	if err := r.Join(fork, nil); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.Redact(t.Context(), &out, format(t, "rich-json"), reader(t, data, "rich-json")); err != nil || bytes.Contains(out.Bytes(), []byte("S3cret")) {
		t.Errorf("after Join: %v, %s", err, &out)
	}
}
