package diff

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// learn learns the secrets of both sides.
func learn(ctx context.Context, secrets Secrets, parts func(string) []string, old, new Side) error {
	failures, err := secrets.Learn(ctx, parts, old.open, new.open)
	if err != nil {
		return err
	}
	var errs []error
	for i, err := range failures {
		errs = append(errs, sideError(i == 1, err))
	}
	return errors.Join(errs...)
}

// SideError is an error in one of two catalogs.
type SideError struct {
	New bool // it is in the new catalog
	Err error
}

func sideError(isNew bool, err error) error {
	if err == nil {
		return nil
	}
	return &SideError{isNew, err}
}

// Error implements error.
func (e *SideError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *SideError) Unwrap() error { return e.Err }

// hasDigests reports whether a title or a change has a text with as many hexadecimal
// digits in a row as the shortest digest.
func (c *comparison) hasDigests() bool {
	inside := func(v pcore.Value) bool {
		return v != nil && pcore.Search(v, func(v pcore.Value) (found, inside bool) {
			switch v := v.(type) {
			case pcore.String:
				return hasDigest(string(v)), true
			case pcore.Binary:
				return hasDigest(v.Raw()), true
			default:
				return false, true
			}
		})
	}
	titled := func(i *item) bool { return hasDigest(i.ref.Title) }
	return slices.ContainsFunc(c.changes, func(ch change) bool { return hasDigest(ch.path.Pointer()) || inside(ch.old) || inside(ch.new) }) ||
		len(c.changes) > 0 && (slices.ContainsFunc(c.old.items, titled) || slices.ContainsFunc(c.new.items, titled))
}

func hasDigest(s string) bool {
	const shortest = 32
	run := 0
	for i := range len(s) {
		switch b := s[i]; {
		case '0' <= b && b <= '9', 'a' <= b && b <= 'f', 'A' <= b && b <= 'F':
			if run++; run == shortest {
				return true
			}
		default:
			run = 0
		}
	}
	return false
}

// digests returns the digests of a secret, from which it can be guessed: a catalog can
// contain one as a checksum.
func digests(text string) []string {
	all := make([]string, 0, secret.NumHashes)
	for _, hash := range secret.Hashes(text) {
		all = append(all, string(hash))
	}
	return all
}

// open opens the document of s. It is a [catalog.Opener].
func (s Side) open(context.Context) (*catalog.Reader, io.Closer, error) {
	if s.Document != nil {
		return s.Document(), nil, nil
	}
	v, err := s.Catalog.RevealValue() //nolint:forbidigo // only its secrets are collected
	if err != nil {
		return nil, nil, err
	}
	format := formats.RichJSON()
	b, err := format.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	if err != nil {
		return nil, nil, err
	}
	return catalog.NewReaderBytes(bytes.Clone(b), format, serialization.DecodeOptions{}), nil, nil
}

// masks replace the secrets of all catalogs.
type masks struct {
	redactor *sensitive.Redactor
	digester sensitive.Masker // nil for no digests
}

func newMasks(secrets *sensitive.Secrets, digester sensitive.Masker) *masks {
	return &masks{secrets.Redactor(digester), digester}
}

// digest returns the digest of a secret value: of its text, if it is a scalar.
func (m *masks) digest(v pcore.Value) string {
	switch {
	case v == nil || m.digester == nil:
		return ""
	case !isContainer(v):
		return m.digester.Text(pcore.NewSensitive(pcore.String(textOf(v))))
	}
	var b strings.Builder
	canonical(&b, v, func(s string) string { return s })
	return m.digester.Text(pcore.NewSensitive(pcore.String(b.String())))
}

func (m *masks) guard(w io.Writer, wire string, own func() []byte) io.WriteCloser {
	return m.redactor.GuardAround(w, wire, own)
}

func (m *masks) text(s string) string { return m.redactor.Text(s) }

// about masks a text about a change, which may quote its values.
func (m *masks) about(s string, c *change) string {
	if s == "" {
		return ""
	}
	return m.redactor.TextAt(m.redactor.TextAt(s, c.location()), c.oldLocation())
}

// location returns where the value of a change is in the new catalog.
func (c *change) location() catalog.Location { return catalog.Location{Ref: c.ref, Path: c.path} }

// oldLocation returns where the value of a change is in the old catalog.
func (c *change) oldLocation() catalog.Location {
	at := c.location()
	if !c.oldRef.IsZero() {
		at.Ref = c.oldRef
	}
	return at
}

func (m *masks) texts(list []string) []string {
	masked := make([]string, len(list))
	for i, s := range list {
		masked[i] = m.text(s)
	}
	return masked
}

// failure returns a failure with secrets masked.
func (m *masks) failure(f *Failure) *Failure {
	if f == nil {
		return nil
	}
	return &Failure{m.text(f.Message), m.text(f.File), f.Line}
}

func (m *masks) location(at catalog.Location) string { return m.redactor.Location(at).String() }

func (m *masks) ref(r catalog.Ref) string {
	if r.IsZero() {
		return ""
	}
	return m.redactor.Location(catalog.Location{Ref: r}).Ref.String()
}

// value returns the value of a change without secrets. A secret becomes a Sensitive without
// content.
func (m *masks) value(v pcore.Value, c *change, at catalog.Location) pcore.Value {
	switch {
	case v == nil:
		return nil
	case c.oldSecret || c.newSecret:
		return hidden()
	}
	masked, err := m.redactor.Value(v, at)
	if err != nil || masked == nil {
		return hidden()
	}
	masked, err = pcore.Rewrite(masked, func(c *pcore.Cursor) (pcore.Value, error) {
		if pcore.Is[*pcore.Sensitive](c.Value()) {
			return hidden(), nil
		}
		return c.Value(), nil
	})
	if err != nil {
		return hidden()
	}
	return masked
}

// hidden is the replacement of a secret.
func hidden() pcore.Value { return pcore.NewSensitive(pcore.Undef{}) }

// change returns c without secrets.
func (m *masks) change(id string, e *entry) Change {
	c := &e.change
	secret := c.oldSecret || c.newSecret
	d := Change{
		ID: id, Op: c.op, Kind: c.kind, Ref: m.ref(c.ref), From: m.ref(c.from), Path: m.path(c),
		Old: m.value(c.old, c, c.oldLocation()), New: m.value(c.new, c, c.location()),
		OldSecret: c.oldSecret, NewSecret: c.newSecret, Same: c.same,
		File: m.text(c.file), Line: c.line, Container: m.ref(c.container), Detail: m.about(c.detail, c), IsContainer: c.contains, Alike: c.alike, Rank: c.rank(),
	}
	for _, e := range c.effects {
		d.Effects = append(d.Effects, Effect{
			Effect: e.effect, Ref: m.ref(e.ref), Via: m.ref(e.via), Rank: e.rank, Detail: m.about(e.detail, c),
			Old: m.assembled(e.old), New: m.assembled(e.new),
		})
	}
	if secret {
		d.OldDigest, d.NewDigest = m.digest(c.old), m.digest(c.new)
	}
	x, ok := d.Old.(pcore.String)
	y, also := d.New.(pcore.String)
	if !ok || !also {
		return d
	}
	if a, b := base64Text(string(x)), base64Text(string(y)); a != "" && b != "" {
		d.OldText, d.NewText = m.text(a), m.text(b)
	}
	if c.kind == kind.Content {
		d.Data, d.Format = dataChanges(string(x), string(y))
	}
	return d
}

// assembled returns the text of an assembled file without secrets, or nil.
func (m *masks) assembled(text pcore.Value) pcore.Value {
	if text == nil {
		return nil
	}
	return pcore.String(m.text(textOf(text)))
}

// base64Text returns the text that s contains in base64, or "".
func base64Text(s string) string {
	const least = 16 // shorter words are base64 by chance
	s = strings.TrimSpace(strings.ReplaceAll(s, "\n", ""))
	if len(s) < least || len(s)%4 != 0 {
		return ""
	}
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil || !utf8.Valid(b) || bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' }) {
		return ""
	}
	return string(b)
}

// path returns the JSON pointer of a change, from its resource.
func (m *masks) path(c *change) string {
	if len(c.path) == 0 {
		return ""
	}
	pointer := m.redactor.Location(catalog.Location{Ref: c.ref, Path: c.path}).Path.Pointer()
	if !c.member {
		pointer = "/parameters" + pointer
	}
	return m.text(pointer) // a secret can be longer than a step
}
