package redact

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/redact/internal/names"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// collectNames learns the names in all inputs, one after another: their order decides on the
// numbers of the markers.
func (r *run) collectNames(ctx context.Context, redactor *sensitive.Redactor) {
	if !r.Names {
		return
	}
	r.names = &nameMasker{set: names.New()}
	for i := range r.inputs {
		if r.result.Failures[i] == nil {
			r.result.Failures[i] = redactor.Err(r.names.collect(ctx, &r.inputs[i]))
		}
	}
}

// nameMasker is a [catalog.Transform] that replaces names.
type nameMasker struct {
	set    *names.Set
	hidden bool // the input is not written
}

func (n *nameMasker) collect(ctx context.Context, in *Input) error {
	n.hidden = in.Write == nil
	n.set.Hide(n.hidden)
	src, done, err := in.open(ctx)
	if err != nil {
		return err
	}
	for p, failed := range src.Parts() {
		if err = errors.Join(failed, ctx.Err()); err != nil {
			break
		}
		if err = n.part(p); err != nil {
			break
		}
	}
	if closed := done.Close(); err == nil {
		err = closed
	}
	return err
}

func (n *nameMasker) part(p catalog.Part) error {
	switch p.Kind {
	case catalog.PartResource:
		return n.resource(p.Resource)
	case catalog.PartMember:
		v, err := p.Member.Value()
		if err != nil {
			return err
		}
		switch p.Member.Key {
		case "name", "certname", "host":
			n.values(names.Node, v)
		case "environment":
			if text, ok := v.(pcore.String); ok {
				n.set.Keep(string(text))
			}
		}
		n.value(v)
	default:
	}
	return nil
}

// resource collects the names in a resource.
func (n *nameMasker) resource(res *catalog.Resource) error {
	ref := res.Ref()
	isUser := n.title(ref)
	n.set.Scan(ref.Title)
	members := res.RawMembers()
	for i := range members {
		if members[i].Key == "parameters" {
			continue
		}
		v, err := res.Decode(&members[i])
		if err != nil {
			return err
		}
		n.entry(members[i].Key, v)
	}
	return n.parameters(res, ref, isUser)
}

func (n *nameMasker) parameters(res *catalog.Resource, ref catalog.Ref, isUser bool) error {
	parameters, err := res.RawParameters()
	if err != nil {
		return err
	}
	listed := catalog.NamesOf(res.SensitiveParameters())
	defer n.set.Hide(n.hidden)
	for i := range parameters {
		n.set.Hide(n.hidden || listed.Has(parameters[i].Key))
		v, err := res.Decode(&parameters[i])
		if err != nil {
			return err
		}
		text, isText := v.(pcore.String)
		switch {
		case isUser && isText && parameters[i].Key == "comment":
			n.set.AddAlias(ref.Title, string(text))
		case isUser && parameters[i].Key == "name":
			n.values(names.User, v)
		}
		n.entry(parameters[i].Key, v)
	}
	return nil
}

// title collects the name in a title, by the type of the resource. It reports whether the
// resource is a user.
func (n *nameMasker) title(ref catalog.Ref) bool {
	n.set.KeepType(ref.Type)
	module, _, isQualified := strings.Cut(ref.Type, "::")
	if isQualified {
		n.set.Keep(module)
	}
	kind := strings.ToLower(ref.Type[strings.LastIndexByte(ref.Type, ':')+1:])
	switch kind {
	case "class":
		module, _, _ = strings.Cut(ref.Title, "::")
		n.set.Keep(module)
	case "package", "service":
		n.set.Keep(ref.Title)
	case "node", "sshkey":
		n.set.Add(names.Node, ref.Title)
	case "ssh_authorized_key", "role", "account":
		n.set.Add(names.User, ref.Title)
	default:
		switch role := names.RoleOf(kind); {
		case kind == "vhost": // its title is often any text
			if strings.Contains(ref.Title, ".") {
				n.set.Add(names.Host, ref.Title)
			}
		case role == names.Host && !strings.Contains(ref.Title, "/"):
			n.set.Add(names.Node, ref.Title)
		case role == names.User:
			name, _, _ := strings.Cut(ref.Title, "/")
			n.set.Add(names.User, name)
			return true
		case role == names.Group:
			n.set.Add(names.Group, ref.Title)
		}
	}
	return kind == "account"
}

// entry collects the names in the value of a key.
func (n *nameMasker) entry(key string, v pcore.Value) {
	if role := names.RoleOf(key); role != names.NoRole {
		n.values(role, v)
	}
	n.value(v)
}

// values collects names: a text, a list of texts, or the keys of a Hash.
func (n *nameMasker) values(role names.Role, v pcore.Value) {
	switch v := v.(type) {
	case pcore.String:
		n.set.Add(role, string(v))
	case *pcore.Array:
		for e := range v.Values() {
			if text, ok := e.(pcore.String); ok {
				n.set.Add(role, string(text))
			}
		}
	case *pcore.Hash:
		for k, e := range v.All() {
			text, isText := k.(pcore.String)
			if _, isNested := e.(*pcore.Hash); isText && isNested {
				n.set.Add(role, string(text))
			}
		}
	default:
	}
}

// value collects the names inside a value. A name in a secret is probably in no output.
func (n *nameMasker) value(v pcore.Value) {
	isHidden := n.set.Hidden()
	defer n.set.Hide(isHidden)
	_ = pcore.Walk(v, func(c *pcore.Cursor) error { // never fails
		n.set.Hide(isHidden || c.Secret())
		if hash, ok := c.Value().(*pcore.Hash); ok {
			for k, e := range hash.All() {
				if key, ok := k.(pcore.String); ok {
					n.values(names.RoleOf(string(key)), e)
				}
			}
		} else if text, ok := textOf(c.Value()); ok {
			n.set.Scan(text)
		}
		return nil
	})
}

// textOf returns the text of a value that can contain names.
func textOf(v pcore.Value) (text string, ok bool) {
	switch v := v.(type) {
	case pcore.String:
		return string(v), true
	case pcore.Symbol:
		return string(v), true
	case pcore.Binary:
		return v.Raw(), true
	case *pcore.Regexp:
		return v.Source(), true
	case *pcore.URI:
		return v.Text(), true
	case pcore.Type:
		return v.String(), true
	default:
		return "", false
	}
}

// withText returns a value like another one, with another text. It is a String if the text is not
// valid for its kind, and for a type.
func withText(v pcore.Value, text string) pcore.Value {
	switch v.(type) {
	case pcore.Binary:
		return pcore.NewBinaryString(text)
	case *pcore.Regexp:
		return pcore.NewRegexp(text)
	case pcore.Symbol:
		return pcore.Symbol(text)
	case *pcore.URI:
		if uri, err := pcore.ParseURI(text); err == nil {
			return uri
		}
	default:
	}
	return pcore.String(text)
}

// Resource implements [catalog.Transform].
func (n *nameMasker) Resource(_ context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	parameters, err := res.RawParameters()
	if err != nil {
		return nil, err
	}
	to, changed, err := n.members(res, parameters, nil)
	if err != nil {
		return nil, err
	}
	title := res.Title()
	out := res
	if changed {
		out = out.WithParameters(to)
	}
	if text := n.set.Replace(title); text != title {
		out = out.WithTitle(text)
	}
	if to, changed, err = n.members(out, out.RawMembers(), isStructure); err != nil || !changed {
		return out, err
	}
	return out.WithMembers(to), nil
}

// isStructure reports whether a member of a resource has no names, or was replaced before.
func isStructure(key string) bool {
	switch key {
	case "type", "title", "kind", "parameters", "sensitive_parameters":
		return true
	}
	return false
}

// members returns members, or parameters, without names, except for the keys that skip
// reports. Keys are part of the structure.
func (n *nameMasker) members(res *catalog.Resource, members []catalog.Member, skip func(key string) bool) (all []catalog.Member, changed bool, err error) {
	for i := range members {
		m := members[i]
		if skip == nil || !skip(m.Key) {
			v, err := res.Decode(&m)
			if err != nil {
				return nil, false, err
			}
			to, err := n.replaced(v)
			if err != nil {
				return nil, false, err
			}
			if to != v {
				m, changed = catalog.NewMember(m.Key, to), true
			}
		}
		all = append(all, m)
	}
	return all, changed, nil
}

// Edge implements [catalog.EdgeTransform].
func (n *nameMasker) Edge(_ context.Context, e *catalog.Edge) (*catalog.Edge, error) {
	source, target := e.Source(), e.Target()
	source.Title, target.Title = n.set.Replace(source.Title), n.set.Replace(target.Title)
	if source == e.Source() && target == e.Target() {
		return e, nil
	}
	return e.With(source, target), nil
}

// Member implements [catalog.MemberTransform].
func (n *nameMasker) Member(_ context.Context, m *catalog.Member) (*catalog.Member, error) {
	v, err := m.Value()
	if err != nil {
		return nil, err
	}
	to, err := n.replaced(v)
	if err != nil || to == v {
		return m, err
	}
	clean := catalog.NewMember(m.Key, to)
	return &clean, nil
}

// replaced returns a value without names.
func (n *nameMasker) replaced(v pcore.Value) (pcore.Value, error) {
	return pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		if c.Secret() {
			return c.Value(), nil // a marker
		}
		if text, ok := textOf(c.Value()); ok {
			if to := n.set.Replace(text); to != text {
				return withText(c.Value(), to), nil
			}
		}
		return c.Value(), nil
	})
}

// through passes the document of a format that write writes through the transform.
func (n *nameMasker) through(ctx context.Context, w io.Writer, format serialization.Format, o catalog.WriteOptions, write func(io.Writer) error) error {
	r, pipe := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := write(pipe)
		_ = pipe.CloseWithError(err) // never fails
		ended <- err
	}()
	o.Secrets = serialization.PlainSecrets // no secrets are left
	err := catalog.Copy(ctx, catalog.NewWriter(w, format, o), catalog.NewReader(r, format, serialization.DecodeOptions{}), n)
	_ = r.Close() // never fails
	if first := <-ended; first != nil && !errors.Is(first, io.ErrClosedPipe) {
		return first
	}
	return err
}

// counts returns the numbers of names that were replaced.
func (n *nameMasker) counts() NameCounts {
	if n == nil {
		return NameCounts{}
	}
	return NameCounts(n.set.Counts())
}
