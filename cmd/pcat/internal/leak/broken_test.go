package leak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect/summary"
	"github.com/pcatdev/pcat/cmd/pcat/internal/verify/roundtrip"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// mark is the common prefix of all secrets in broken documents, so that a
// partial secret is detected, too.
const mark = "Qz7"

// hidden is a secret with the mark in keys and values at several depths.
const hidden = `{"` + mark + `a":"` + mark + `b","` + mark + `c":[{"` + mark + `d":1.5}],` +
	`"` + mark + `e":{"__ptype":"Hash","__pvalue":["` + mark + `f",{"` + mark + `g":true},7,2]},` +
	`"` + mark + `h":{"__ptype":"SemVer","__pvalue":"1.2.3"},` +
	`"` + mark + `i":{"__ptype":"My::` + mark + `","` + mark + `j":null}}`

// declared is a document with the secret declared as Sensitive.
const declared = `{"resources":[{"type":"File","title":"/s","parameters":{"mode":"0644",` +
	`"content":{"__ptype":"Sensitive","__pvalue":` + hidden + `},"owner":"root"}}]}`

// turned declares the secret after its value, in the arguments of a call.
const turned = `{"resources":[{"type":"File","title":"/t","parameters":{"list":[1,{"__ptype":"Deferred","name":"f",` +
	`"arguments":[{"__pvalue":` + hidden + `,"__ptype":"Sensitive"}]}]}}]}`

// listing declares the secret in sensitive_parameters, after its value.
const listing = `{"resources":[{"type":"File","title":"/l","parameters":{"mode":"0644","content":` + hidden +
	`,"owner":"root"},"sensitive_parameters":["content"]}]}`

// inForm converts text, a rich JSON document, to another format.
func inForm(t *testing.T, text string, f serialization.Format) []byte {
	t.Helper()
	if f.Name == "rich-json" {
		return []byte(text)
	}
	v, err := rich(t).Decode([]byte(text), serialization.DecodeOptions{AllowUnknownTypes: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets, EmbedTypes: true})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// breakages calls f with data truncated at each byte, and with each byte
// replaced by other bytes that are significant in the wire format.
func breakages(data []byte, wire string, f func(how string, broken []byte)) {
	for i := range data {
		f(fmt.Sprintf("cut at %d", i), data[:i:i])
	}
	others := []byte("\"\\{}:\x80")
	if wire != "json" {
		others = []byte("\":")
	}
	if strings.Contains(wire, "msgpack") {
		// Bytes that lengthen a text would change its content.
		others = []byte{0x00, 0x81, 0x91, 0xa1, 0xc1, 0xdf}
	}
	for i := range data {
		for _, c := range others {
			broken := bytes.Clone(data)
			broken[i] = c
			if c == data[i] || undeclares(data, broken) {
				continue
			}
			f(fmt.Sprintf("%q instead of %q at %d", c, data[i], i), broken)
		}
	}
}

// undeclares reports whether a change affects the declaration of a secret, so
// that it may no longer be declared.
func undeclares(data, broken []byte) bool {
	for _, word := range []string{"Sensitive", " __pvalue", "__pvalue", "__ptype", " parameters", "sensitive_parameters", "- content"} {
		if bytes.Count(data, []byte(word)) != bytes.Count(broken, []byte(word)) {
			return true
		}
	}
	return false
}

// marks fails a test when it finds the mark, once for each surface.
type marks struct {
	*testing.T
	seen    map[string]bool
	catalog bool // the reader understands catalogs
}

func (m *marks) none(surface, how, text string) {
	m.Helper()
	if !strings.Contains(text, mark) {
		return
	}
	if m.seen == nil {
		m.seen = map[string]bool{}
	}
	if !m.seen[surface] {
		m.seen[surface] = true
		m.Errorf("%s: %s: %.300s", surface, how, text)
	}
}

// err checks an error and the locations in it.
func (m *marks) err(surface, how string, err error) {
	m.Helper()
	if err == nil || !strings.HasPrefix(how, "cut") && !m.catalog && errors.Is(err, serialization.ErrUnknownType) {
		return // well-formed apart from the contents of its maps and arrays
	}
	m.none(surface, how, fmt.Sprintf("%v %+v %q", err, err, err))
	var placed *serialization.Error
	if errors.As(err, &placed) {
		m.none(surface+", its path", how, placed.Path.String()+" "+placed.Err.Error())
	}
	var at *catalog.Error
	if errors.As(err, &at) {
		m.none(surface+", its place", how, at.At.String()+" "+at.At.Path.String())
	}
}

// cursors reads a document with cursors that enter everything but secrets.
func (m *marks) cursors(how string, f serialization.Format, broken []byte) {
	for _, take := range []struct {
		name string
		by   func(serialization.Reader) error
	}{
		{"Value", func(r serialization.Reader) error { _, err := r.Value(); return err }},
		{"Raw", func(r serialization.Reader) error { _, err := r.Raw(); return err }},
		{"Skip", func(r serialization.Reader) error { return r.Skip() }},
	} {
		r := f.NewReader(bytes.NewReader(broken), serialization.DecodeOptions{})
		m.err(f.Name+": a cursor by "+take.name, how, enter(r, 3, take.by))
	}
}

// enter enters the levels down to depth and calls take below.
func enter(r serialization.Reader, depth int, take func(serialization.Reader) error) error {
	t, err := r.Token()
	switch {
	case err != nil:
		return err
	case depth == 0 || t != serialization.TokenMap && t != serialization.TokenArray:
		return take(r)
	}
	if _, err := r.Enter(); err != nil {
		return err
	}
	for {
		t, err := r.Token()
		if err != nil {
			return err
		}
		if t == serialization.TokenEnd {
			return r.Leave()
		}
		if t == serialization.TokenKey {
			if _, err := r.Key(); err != nil {
				return err
			}
		}
		if err := enter(r, depth-1, take); err != nil {
			return err
		}
	}
}

// documents tests decoders and cursors, which do not know about catalogs.
func (m *marks) documents(how string, f serialization.Format, broken []byte) {
	if strings.HasPrefix(f.Wire, "tabulated") && !strings.HasPrefix(how, "cut") {
		return // another byte may undeclare a secret
	}
	_, err := f.Decode(broken, serialization.DecodeOptions{})
	m.err(f.Name+": Decode", how, err)
	_, err = f.Decode(broken, serialization.DecodeOptions{AllowUnknownTypes: true})
	m.err(f.Name+": Decode with unknown types", how, err)
	_, err = f.NewDecoder(slowly{bytes.NewReader(broken)}, serialization.DecodeOptions{}).Decode()
	m.err(f.Name+": a decoder of pieces", how, err)
	m.cursors(how, f, broken)
	for _, to := range formats.Default().Formats() {
		if !document.OnePass(f, to) {
			continue
		}
		o := serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
		_, err := document.Transcode(nil, broken, f, to, serialization.DecodeOptions{AllowUnknownTypes: true}, o)
		m.err(f.Name+": transcoding to "+to.Name, how, err)
	}
}

// slowly reads a few bytes at a time.
type slowly struct{ r io.Reader }

func (r slowly) Read(p []byte) (int, error) { return r.r.Read(p[:min(len(p), 7)]) }

// isOpen reports whether a broken document is still readable to a point where
// its secret is no longer declared.
func isOpen(f serialization.Format, broken []byte) bool {
	for res, err := range catalog.NewReaderBytes(broken, f, serialization.DecodeOptions{}).Resources() {
		if err == nil && !slices.Contains(res.SensitiveParameters(), "content") && !bytes.Contains(broken, []byte("Sensitive")) {
			return true
		}
	}
	return false
}

// catalogs tests the readers of catalogs.
func (m *marks) catalogs(how string, f serialization.Format, broken []byte) {
	if isOpen(f, broken) {
		return
	}
	open := func() *catalog.Reader {
		return catalog.NewReaderBytes(broken, f, serialization.DecodeOptions{})
	}
	for name, r := range map[string]*catalog.Reader{
		"in memory": open(),
		"in pieces": catalog.NewReader(slowly{bytes.NewReader(broken)}, f, serialization.DecodeOptions{}),
	} {
		for res, err := range r.Resources() {
			m.err(f.Name+": resources "+name, how, err)
			if err == nil {
				m.resource(how, f, res)
			}
		}
	}
	for _, err := range summary.Summaries(open(), summary.Options{}) {
		m.err(f.Name+": inspect", how, err)
	}
	for _, to := range formats.Default().Formats()[:2] {
		w := catalog.NewWriter(io.Discard, to, catalog.WriteOptions{Secrets: serialization.PlainSecrets})
		m.err(f.Name+": converting to "+to.Name, how, catalog.Copy(context.Background(), w, open()))
	}
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(open()); err != nil {
		m.err(f.Name+": collecting", how, err)
	} else {
		m.err(f.Name+": redacting", how, c.Secrets().Redactor(nil).Redact(context.Background(), io.Discard, f, open()))
	}
	_, err := roundtrip.Document(broken, f, []serialization.Format{f}, roundtrip.Options{})
	m.err(f.Name+": verifying", how, err)
}

func (m *marks) resource(how string, f serialization.Format, res *catalog.Resource) {
	_, err := res.Parameters()
	m.err(f.Name+": parameters", how, err)
	_, err = res.Value()
	m.err(f.Name+": a resource", how, err)
	_, err = res.HoldsSecrets()
	m.err(f.Name+": its secrets", how, err)
}

// TestBrokenDocuments checks that errors and their paths contain no part of a
// secret, for documents with any byte missing or replaced.
func TestBrokenDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("it breaks each format at each byte")
	}
	for _, f := range formats.Default().Formats() {
		if !f.Rich {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			m := &marks{T: t}
			for _, whole := range []string{declared, turned} {
				breakages(inForm(t, whole, f), f.Wire, func(how string, broken []byte) { m.documents(how, f, broken) })
			}
			m.catalog = true
			for _, whole := range []string{declared, turned, listing} {
				breakages(inForm(t, whole, f), f.Wire, func(how string, broken []byte) { m.catalogs(how, f, broken) })
			}
		})
	}
}

// TestBrokenDocumentsInValues does the same for documents inside values.
func TestBrokenDocumentsInValues(t *testing.T) {
	if testing.Short() {
		t.Skip("it breaks each format at each byte")
	}
	m := &marks{T: t}
	a, err := audit.New(audit.Options{ReportRejected: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, whole := range []string{declared, listing} {
		for _, f := range formats.Default().Formats() {
			if !f.Rich {
				continue
			}
			breakages(inForm(t, whole, f), f.Wire, func(how string, broken []byte) {
				if !strings.HasPrefix(how, "cut") {
					return
				}
				inside := pcore.Value(pcore.String(broken))
				if strings.Contains(f.Wire, "msgpack") {
					inside = pcore.NewBinary(broken)
				}
				res := pcore.NewHash(
					pcore.Entry{Key: pcore.String("type"), Value: pcore.String("File")},
					pcore.Entry{Key: pcore.String("title"), Value: pcore.String("/x")},
					pcore.Entry{Key: pcore.String("parameters"), Value: pcore.NewHash(pcore.Entry{Key: pcore.String("content"), Value: inside})},
				)
				doc, err := rich(t).Append(nil, pcore.NewHash(pcore.Entry{Key: pcore.String("resources"), Value: pcore.NewArray(res)}), serialization.EncodeOptions{})
				if err != nil {
					t.Fatal(err)
				}
				m.audited(f.Name, how, a, rich(t), doc)
				if !isOpen(f, broken) {
					m.audited(f.Name+" itself", how, a, f, broken)
				}
			})
		}
	}
}

func (m *marks) audited(name, how string, a *audit.Auditor, f serialization.Format, doc []byte) {
	r, err := a.Run(context.Background(), []audit.Input{{Name: "c", Open: func() (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes(doc, f, serialization.DecodeOptions{}), nil, nil
	}}})
	m.err(name+": an audit", how, err)
	if err != nil {
		return
	}
	for _, failure := range r.Failures {
		m.err(name+": a failure of an audit", how, failure)
	}
	for _, f := range report.Formats() {
		var out bytes.Buffer
		if err := report.Write(&out, f.Name, r, report.Options{Color: true}); err != nil {
			m.Fatal(err)
		}
		m.none(name+": a report as "+f.Name, how, out.String())
	}
}
