package redact_test

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// label is a row of truth.jsonl: a text at a location, and whether it is a secret.
type label struct {
	Catalog, Pointer, Secret, Carrier string
	Leak                              bool
	Fragments                         []string
}

// labelled reads the catalogs and the labels of the archive that PCAT_LABELLED names.
func labelled(t *testing.T) (catalogs map[string][]byte, labels []label) {
	t.Helper()
	file := os.Getenv("PCAT_LABELLED")
	if file == "" {
		t.Skip("PCAT_LABELLED names no archive of labelled catalogs")
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // was read
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	catalogs = map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return catalogs, labels
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		switch dir, name := path.Split(h.Name); {
		case path.Base(dir) == "catalogs" && len(data) > 0:
			catalogs["catalogs/"+name] = data
		case name == "truth.jsonl":
			for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
				var l label
				if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
					t.Fatal(err)
				}
				labels = append(labels, l)
			}
		}
	}
}

// textLeaf is a text of a document: a value, or a key of a map.
type textLeaf struct {
	path     string
	text     string
	declared bool // in a Sensitive, or in a listed parameter
}

// textLeaves adds the texts of a value in order. The text of a Binary is its bytes.
func textLeaves(list []textLeaf, v pcore.Value, at string, declared bool) []textLeaf {
	switch v := v.(type) {
	case pcore.String:
		list = append(list, textLeaf{at, string(v), declared})
	case pcore.Binary:
		list = append(list, textLeaf{at, v.Raw(), declared})
	case *pcore.Sensitive:
		list = textLeaves(list, v.Reveal(), at, true)
	case *pcore.Deferred:
		list = textLeaves(list, v.Arguments(), at+"()", declared)
	case *pcore.Array:
		for e := range v.Values() {
			list = textLeaves(list, e, at+"/-", declared)
		}
	case *pcore.Hash:
		var listed []textLeaf
		if names, ok := v.GetString("sensitive_parameters"); ok {
			listed = textLeaves(nil, names, "", false)
		}
		for k, e := range v.All() {
			list = textLeaves(list, k, at+"#", declared)
			name := strings.Trim(k.String(), "'")
			if parameters, ok := e.(*pcore.Hash); ok && name == "parameters" && listed != nil {
				for k, e := range parameters.All() {
					is := slices.ContainsFunc(listed, func(l textLeaf) bool { return pcore.String(l.text) == k })
					list = textLeaves(list, e, at+"/parameters/"+k.String(), declared || is)
				}
				continue
			}
			list = textLeaves(list, e, at+"/"+name, declared)
		}
	default: // has no text
	}
	return list
}

var marker = regexp.MustCompile(`/?redacted-[0-9]+-by-pcat`)

// replaced returns the parts of a text that markers replace, or the whole text if it
// changed in another way.
func replaced(before, after string) (parts []string) {
	at := 0
	kept := marker.Split(after, -1)
	for i, text := range kept {
		n := strings.Index(before[at:], text)
		if i == len(kept)-1 && strings.HasSuffix(before[at:], text) {
			n = len(before) - at - len(text)
		}
		if n < 0 {
			return []string{before}
		}
		if i > 0 {
			parts = append(parts, before[at:at+n])
		}
		at += n + len(text)
	}
	return parts
}

// Redacting catalogs whose secrets are known leaves none of them and changes nothing else.
func TestLabelled(t *testing.T) {
	catalogs, labels := labelled(t)
	var names []string
	for name := range catalogs {
		names = append(names, name)
	}
	slices.Sort(names)
	formatOf := func(name string) serialization.Format {
		if path.Ext(name) == ".msgpack" {
			return formats.RichMessagePack()
		}
		return formats.RichJSON()
	}
	decode := func(name string, data []byte) pcore.Value {
		v, err := formatOf(name).Decode(data, serialization.DecodeOptions{AllowUnknownTypes: true})
		if err != nil {
			t.Fatal(name, err)
		}
		return v
	}
	outputs := make([]bytes.Buffer, len(names))
	var all []redact.Input
	for i, name := range names {
		all = append(all, redact.Input{
			Name: name,
			Open: func(context.Context) (*catalog.Reader, io.Closer, error) {
				return catalog.NewReaderBytes(catalogs[name], formatOf(name), serialization.DecodeOptions{}), nil, nil
			},
			Write: func(_ context.Context, write func(io.Writer) error) error { return write(&outputs[i]) },
		})
	}
	result, err := redact.Run(t.Context(), all, redact.Options{Audit: auditor(t), Masker: sensitive.NewMask()})
	if err != nil || errors.Join(result.Failures...) != nil {
		t.Fatal(err, result.Failures)
	}

	var secrets []string
	before := make([][]textLeaf, len(names))
	for i, name := range names {
		before[i] = textLeaves(nil, decode(name, catalogs[name]), "", false)
		for _, l := range before[i] {
			if l.declared && len(l.text) >= 6 {
				secrets = append(secrets, l.text)
			}
		}
	}
	for _, l := range labels {
		if l.Leak && l.Secret != "" {
			secrets = append(append(secrets, l.Secret, l.Carrier), l.Fragments...)
		}
	}
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return s == "" })
	right := func(part string) bool {
		inBase64 := strings.ToLower(base64.StdEncoding.EncodeToString([]byte(part)))
		part = strings.ToLower(strings.TrimSpace(part))
		inUTF16 := strings.ReplaceAll(part, "\x00", "")
		return slices.ContainsFunc(secrets, func(s string) bool {
			s = strings.ToLower(s)
			return strings.Contains(part, s) || strings.Contains(s, part) || strings.Contains(s, inBase64) || strings.Contains(inUTF16, s)
		})
	}
	changed, wrong := 0, 0
	for i, name := range names {
		after := textLeaves(nil, decode(name, outputs[i].Bytes()), "", false)
		if len(after) != len(before[i]) {
			t.Errorf("%s: %d texts became %d", name, len(before[i]), len(after))
			continue
		}
		for k, b := range before[i] {
			if b.text == after[k].text || b.declared {
				continue
			}
			for _, part := range replaced(b.text, after[k].text) {
				if changed++; !right(part) {
					wrong++
					t.Errorf("%s: %s: %.60q is no secret", name, b.path, part)
				}
			}
		}
	}

	auditor, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var outs []audit.Input
	for i, name := range names {
		outs = append(outs, audit.Input{Name: name, Open: func() (*catalog.Reader, io.Closer, error) {
			return catalog.NewReaderBytes(outputs[i].Bytes(), formatOf(name), serialization.DecodeOptions{}), nil, nil
		}})
	}
	report, err := auditor.Run(t.Context(), outs)
	if err != nil {
		t.Fatal(err)
	}
	findings := 0
	for _, f := range report.Findings {
		if f.Class == rule.Leak {
			findings++
			t.Errorf("%s: %s: %s is left", f.Catalog, f.Pointer, f.Rule)
		}
	}
	left := 0
	for _, l := range labels {
		if i := slices.Index(names, l.Catalog); l.Leak && len(l.Secret) >= 8 && bytes.Contains(outputs[i].Bytes(), []byte(l.Secret)) {
			left++
			t.Errorf("%s: %s: the secret is left", l.Catalog, l.Pointer)
		}
	}
	t.Logf("%d catalogs, %d parts of texts replaced, %d of them no secret, %d findings and %d secrets left", len(names), changed, wrong, findings, left)
}
