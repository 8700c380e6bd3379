package sensitive

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
)

// declaring is a part of a [catalog.Outline] that may declare secrets, or that a search of its bytes
// does not fully cover.
type declaring struct {
	Part int // its position in Parts
	// Unclear is set if the bytes do not show all secrets that the part declares, and all
	// its texts. Then its values must be decoded, and there is nothing else.
	Unclear bool
	// Secrets are the secrets that the part declares, in order.
	Secrets []declaredSecret
	// Listed are the names of the parameters that a resource lists in
	// `sensitive_parameters`, present or not.
	Listed []string
	// Binaries are the positions of the base64 of Binaries, and Spelled those of other
	// rich values whose bytes do not show their text, outside of the secrets.
	Binaries, Spelled []document.Span
}

// declaredSecret is a secret in its own location: a Sensitive, or a listed parameter. It is
// immutable and safe for concurrent use.
type declaredSecret struct {
	// Value is the position of the value, and Secret that of the secret in it: the content of
	// a Sensitive, or all of a listed parameter.
	Value, Secret document.Span
	// Listed is set for a parameter that is listed.
	Listed bool

	of   *catalog.Outline
	part int
	name document.Span  // of the listed parameter
	rich *document.Rich // the Sensitive
}

// Location returns the location of the secret in the catalog.
func (s *declaredSecret) Location() catalog.Location {
	typ, title := s.of.TypeAndTitle(s.part)
	at := catalog.Location{Ref: catalog.Ref{Type: string(typ), Title: string(title)}}
	if s.Listed {
		at.Path = pcore.Path{}.Key(s.parameter())
		return at
	}
	first, n := 0, s.of.Depth(s.rich)
	if key, _ := s.of.Step(s.rich, 0); string(key) == "parameters" {
		first = 1
	}
	at.Path = make(pcore.Path, 0, n-first)
	for i := first; i < n; i++ {
		key, index := s.of.Step(s.rich, i)
		step := pcore.Step{Kind: pcore.StepIndex, Index: index}
		if key != nil {
			step = pcore.Step{Kind: pcore.StepEntry, Key: pcore.String(key)}
		}
		at.Path = append(at.Path, step)
	}
	return at
}

func (s *declaredSecret) origin() origin { return origin{Location: s.Location()} }

// parameter returns the name of a listed parameter, and "" for a Sensitive.
func (s *declaredSecret) parameter() string { return string(s.of.Data[s.name.Start:s.name.End]) }

// text returns the text of the secret. ok is false if it is not a String.
func (s *declaredSecret) text() (text []byte, ok bool) {
	if s.of.Data[s.Secret.Start] != '"' {
		return nil, false
	}
	return s.of.String(s.Secret.Start), true
}

// mayBeRich reports whether the secret may be or contain rich data, as [catalog.Member.MayBeRich] does.
func (s *declaredSecret) mayBeRich() bool {
	raw := s.of.Data[s.Secret.Start:s.Secret.End]
	return bytes.Contains(raw, []byte(typeKey)) || bytes.Contains(raw, []byte(`\u`))
}

// reveal decodes the secret. The error is a *[catalog.Error] with the offset in the input.
func (s *declaredSecret) reveal() (pcore.Value, error) {
	return s.of.RevealAt(s.part, s.Secret.Start, s.Secret.End) //nolint:forbidigo // its callers say why
}

// revealPlain is reveal without rich data, as in [catalog.Member.PlainValue].
func (s *declaredSecret) revealPlain() (pcore.Value, error) {
	return s.of.RevealPlainAt(s.part, s.Secret.Start, s.Secret.End) //nolint:forbidigo // its callers say why
}

// declaringParts returns the parts of o that may declare secrets, in order.
func declaringParts(o *catalog.Outline) []declaring {
	d := declarations{Outline: o}
	for i := range o.Parts {
		if o.Declares(i) {
			d.part(i)
		}
	}
	return d.all
}

// declarations collects the parts that may declare secrets. The slices of all parts share
// their memory.
type declarations struct {
	*catalog.Outline
	all     []declaring
	secrets []declaredSecret
	spans   []document.Span
}

func (d *declarations) part(i int) {
	p := declaring{Part: i}
	p.Unclear = !d.IsResource(i) || d.Parts[i].Odd || !d.resourceAt(&p)
	if p.Unclear {
		p = declaring{Part: i, Unclear: true}
	}
	if p.Unclear || len(p.Secrets)+len(p.Listed)+len(p.Binaries)+len(p.Spelled) > 0 {
		d.all = append(d.all, p)
	}
}

// resourceAt finds the secrets of a resource. It returns false if the values must be decoded.
func (d *declarations) resourceAt(p *declaring) (ok bool) {
	part := &d.Parts[p.Part]
	var listed []declaredSecret
	if part.Watched || !d.HasHead(p.Part) {
		if p.Listed, listed, ok = d.listed(p.Part); !ok {
			return false
		}
	}
	first, firstSpan := len(d.secrets), len(d.spans)
	end := part.Start // of the last secret
	rich := d.Rich(p.Part)
	for k := range rich {
		v := &rich[k]
		for len(listed) > 0 && listed[0].Value.Start <= v.Start {
			d.secrets, end = append(d.secrets, listed[0]), listed[0].Value.End
			listed = listed[1:]
		}
		if v.Start < end {
			continue // a part of a secret
		}
		var next *document.Rich
		if k+1 < len(rich) {
			next = &rich[k+1]
		}
		if !d.isOfResource(v) || !d.shows(v, next) {
			return false
		}
		switch string(d.Data[v.Type.Start:v.Type.End]) {
		case "Sensitive":
			d.secrets = append(d.secrets, declaredSecret{Value: v.Span, Secret: v.Value, of: d.Outline, part: p.Part, rich: v})
			end = v.End
		case "Binary":
			p.Binaries = append(p.Binaries, document.Span{Start: v.Value.Start + 1, End: v.Value.End - 1})
		case "Timestamp", "Timespan", "URI", "SemVerRange":
			if !d.IsCanonical(v) {
				d.spans = append(d.spans, v.Span)
			}
		}
	}
	d.secrets = append(d.secrets, listed...)
	p.Secrets = slices.Clip(d.secrets[first:])
	p.Spelled = slices.Clip(d.spans[firstSpan:])
	return !slices.ContainsFunc(p.Secrets, func(s declaredSecret) bool { return d.mayRefer(s.Secret) })
}

// listed finds the listed parameters of a resource and the secrets among its parameters. It
// returns false if the resource has another shape.
func (d *declarations) listed(part int) (names []string, secrets []declaredSecret, ok bool) {
	ok = true
	var parameters document.Span
	for key, value := range d.Members(d.Parts[part].Span) {
		switch string(d.Data[key.Start:key.End]) {
		case "type", "title":
			ok = ok && d.Data[value.Start] == '"'
		case "parameters":
			ok = ok && d.Data[value.Start] == '{'
			parameters = value
		case listKey:
			names = []string{}
			ok = ok && d.Data[value.Start] == '['
			for name := range d.Elements(value) {
				text := d.Data[name.Start:name.End]
				ok = ok && d.IsPlain(name)
				names = append(names, string(text[1:max(1, len(text)-1)]))
			}
		}
	}
	if !ok || parameters.End == 0 || len(names) == 0 {
		return names, nil, ok
	}
	isListed := catalog.NamesOf(names)
	for key, value := range d.Members(parameters) {
		if isListed.Has(string(d.Data[key.Start:key.End])) {
			secrets = append(secrets, declaredSecret{Value: value, Secret: value, Listed: true, of: d.Outline, part: part, name: key})
		}
	}
	return names, secrets, true
}

// isOfResource reports whether a rich value is in a valid location of a resource: the resource
// and its parameters are maps, not rich values.
func (d *declarations) isOfResource(v *document.Rich) bool {
	depth := d.Depth(v)
	if depth == 0 {
		return false
	}
	if key, _ := d.Step(v, 0); string(key) != "parameters" {
		return true
	}
	if depth == 1 {
		return false
	}
	key, _ := d.Step(v, 1)
	return key != nil
}

// shows reports whether the bytes show which values are, or contain, a Sensitive, and what it
// contains. next is the rich value that follows, or nil.
func (d *declarations) shows(v, next *document.Rich) bool {
	typ := string(d.Data[v.Type.Start:v.Type.End])
	hasValue := v.Value.End > 0
	switch typ {
	case "Sensitive":
		return hasValue
	case "Binary":
		return hasValue && d.IsPlain(v.Value)
	case "Timestamp", "Timespan", "URI", "SemVerRange":
	default:
		if !d.HasOneSpelling(v) && !isObjectName(typ) {
			return false
		}
	}
	return !hasValue || next == nil || !v.Value.Holds(next.Span)
}

// mayRefer reports whether a value may be or contain a reference to another value.
func (d *declarations) mayRefer(at document.Span) bool {
	raw := d.Data[at.Start:at.End]
	return raw[0] != '"' && (bytes.Contains(raw, []byte("LocalRef")) || bytes.Contains(raw, []byte(`\u`)))
}

// isObjectName reports whether a type is defined by a module.
func isObjectName(typ string) bool {
	const own = "pcore::" // the types of the language itself
	if !strings.Contains(typ, "::") || len(typ) >= len(own) && strings.EqualFold(typ[:len(own)], own) {
		return false
	}
	for _, c := range []byte(typ) {
		if c != ':' && c != '_' && (c < '0' || '9' < c) && (c|0x20 < 'a' || 'z' < c|0x20) {
			return false
		}
	}
	return true
}
