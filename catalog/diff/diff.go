package diff

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// Options configure a comparison. The zero value selects the defaults.
type Options struct {
	// Profiles are the differences that do not count. Without any, or with
	// "auto", the formats of the catalogs select them.
	Profiles []Profile
	// Only are rules that select the changes to report, if there are any. If its condition
	// fails, a rule selects the change.
	Only []Rule
	// Ranks are the rules that set ranks.
	Ranks []RankRule
	// Ignore are the rules by which changes are left out. They see the ranks that Ranks set.
	Ignore []Rule
	// Digest, if not nil, identifies secrets: it replaces their copies in texts, and the
	// changes of secrets have its result. Use one with a key, such as
	// [sensitive.NewDigest].
	Digest sensitive.Masker
	// Baseline indicates that the old catalogs may be of other nodes, whose names do not
	// count.
	Baseline bool
	// StrictEnvironment counts the environment of a catalog as a change. Otherwise the report
	// only says it.
	StrictEnvironment bool
}

// checkWords checks the words among the options, since a misspelled one would ignore nothing, or everything.
func (o *Options) checkWords() error {
	for _, p := range o.Profiles {
		if !slices.Contains(Profiles(), p) {
			return fmt.Errorf("diff: unknown profile %q", p)
		}
	}
	rules := slices.Concat(o.Only, o.Ignore)
	for _, r := range o.Ranks {
		rules = append(rules, r.Rule)
	}
	for _, r := range rules {
		for _, k := range r.Kinds {
			if !slices.Contains(Kinds(), k) {
				return fmt.Errorf("diff: unknown kind %q in a rule", k)
			}
		}
	}
	return nil
}

// Side is one catalog of a pair.
type Side struct {
	Catalog *catalog.Catalog
	// Document returns a new Reader of the document that contains the catalog, to
	// collect its secrets. If it is nil, they are collected from Catalog.
	Document func() *catalog.Reader
	// Format is the name of the format of the document, for the report. It may be empty.
	Format string
	// Name is the name of the node in the report. If it is empty, that of the catalog is used.
	Name string
}

// Secrets learns the secrets of compared catalogs, so that a report contains none of them. A
// Finder of package redact is one. It must be safe for concurrent use.
type Secrets interface {
	// Learn learns the secrets of documents that belong together. It is called with those
	// of a pair of catalogs that differ. parts, which may be nil, returns more secrets in the
	// text of a declared one. failures has the error of each document, or nil.
	Learn(ctx context.Context, parts func(secret string) []string, documents ...catalog.Opener) (failures []error, err error)
	// Secrets returns the secrets of all documents so far.
	Secrets() *sensitive.Secrets
}

// Compare compares two catalogs of one node. The error is an *[catalog.Error] about a
// value that cannot be decoded, or that of ctx or of secrets.
func Compare(ctx context.Context, old, new Side, secrets Secrets, o Options) (*Report, error) {
	f := NewFleet(secrets, o)
	p, err := f.Compare(ctx, old, new)
	if err != nil {
		return nil, err
	}
	f.Add(p)
	return f.Report(), nil
}

// change is one difference between two catalogs, with secrets.
type change struct {
	delta
	member bool // path begins at the resource, not at its parameters
	ref    catalog.Ref
	from   catalog.Ref // the old reference of a renamed resource
	oldRef catalog.Ref // where its old value is, if that is not ref
	at     *item       // the resource with the file and the line
	// Set from declaration, when the change outlives its catalog.
	file string
	line int64

	container catalog.Ref   // the resource that contains it
	contains  bool          // the resource is a class or an instance of a define
	detail    string        // a sentence about it
	ends      []catalog.Ref // the other ends of changed arrows
	loses     bool          // an arrow that refreshes
	// The resources of the new catalog that have an event by the change: Puppet would set a property,
	// or run something. Events refresh other resources.
	events  []*item
	fails   bool // Puppet cannot make the change
	starts  bool // a service
	alike   bool // it means the same to Puppet
	effects []effect
	given   *Rank // the rank that a rule gives it
}

// comparison is the work on one pair of catalogs.
type comparison struct {
	old, new *side
	*pairing
	noise   *noise
	changes []change

	environments [2]string // if they differ and do not count

	related []match            // a relationship metaparameter differs
	tagged  map[string]tagDiff // by the identity in the new catalog
	moved   map[string]bool    // resources with another container

	// Made when they are needed.
	refreshed map[string]bool           // the targets of refreshes in the new catalog
	olds      map[*item]*item           // the old version of a resource of the new catalog
	states    map[*item][]puppet.Change // of matched resources
	classTags map[string]bool           // the tags that classes and defines give
	skipped   map[string]*item          // resources that a failing one makes Puppet skip, by identity
	creates   map[string][]*item        // Execs by the files of their creates
	purges    map[string]*item          // the Resources that purge, by type
}

// compare returns the differences between two catalogs, without their effects.
func compare(ctx context.Context, old, new *catalog.Catalog, o Options) (*comparison, error) {
	c := &comparison{old: newSide(old), new: newSide(new), tagged: make(map[string]tagDiff), moved: make(map[string]bool)}
	c.noise = newNoise(o.Profiles, c.old, c.new)
	c.pairing = pairUp(c.old, c.new)
	c.removed = slices.DeleteFunc(c.removed, func(i *item) bool { return c.noise.ignoredResource(i, true) })
	c.added = slices.DeleteFunc(c.added, func(i *item) bool { return c.noise.ignoredResource(i, false) })
	c.compileDirs()
	if err := c.findRenames(); err != nil {
		return nil, err
	}
	for _, i := range c.added {
		c.fresh[i] = true
	}
	for i, m := range c.matches {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := c.match(m); err != nil {
			return nil, err
		}
	}
	if err := c.wholes(); err != nil {
		return nil, err
	}
	c.containers()
	c.tags()
	if err := c.relations(); err != nil {
		return nil, err
	}
	if err := c.members(o); err != nil {
		return nil, err
	}
	return c, nil
}

// match compares the two versions of a resource.
func (c *comparison) match(m match) error {
	if m.renamed {
		c.changes = append(c.changes, change{delta: delta{op: OpMove, kind: kind.Rename}, ref: m.new.ref, from: m.old.ref, at: m.new})
	}
	if sameRaw(m.old.res.Wire(), m.new.res.Wire(), m.old.res.Bytes(), m.new.res.Bytes()) {
		return nil
	}
	if err := c.resourceMembers(m); err != nil {
		return err
	}
	oldParams, err := m.old.res.RawParameters()
	if err != nil {
		return err
	}
	newParams, err := m.new.res.RawParameters()
	if err != nil {
		return err
	}
	x := &parameters{comparison: c, match: m, oldListed: catalog.NamesOf(m.old.res.SensitiveParameters()), newListed: catalog.NamesOf(m.new.res.SensitiveParameters())}
	for i := range oldParams {
		p := &oldParams[i]
		if err := x.both(p, member(newParams, p.Key, i)); err != nil {
			return err
		}
	}
	for i := range newParams {
		p := &newParams[i]
		if member(oldParams, p.Key, i) == nil {
			if err := x.both(nil, p); err != nil {
				return err
			}
		}
	}
	if x.related {
		c.related = append(c.related, m)
	}
	return nil
}

// member returns the member with a key, which is often at position near.
func member(members []catalog.Member, key string, near int) *catalog.Member {
	if near < len(members) && members[near].Key == key {
		return &members[near]
	}
	for i := range members {
		if members[i].Key == key {
			return &members[i]
		}
	}
	return nil
}

// sameRaw reports whether two parts of one format have the same bytes, and so the
// same value.
func sameRaw(wireA, wireB string, a, b []byte) bool {
	return a != nil && wireA == wireB && bytes.Equal(a, b)
}

// parameters compares the parameters of a resource.
type parameters struct {
	*comparison
	match
	oldListed, newListed catalog.Names
	related              bool
}

// both compares a parameter, which one of the catalogs may lack.
func (x *parameters) both(p, q *catalog.Member) error {
	key := ""
	in := sensitivity{}
	var a, b pcore.Value
	var err error
	if p != nil {
		key, in.old = p.Key, x.oldListed.Has(p.Key)
	}
	if q != nil {
		key, in.new = q.Key, x.newListed.Has(q.Key)
	}
	if p != nil && q != nil && in.old == in.new && sameRaw(p.Wire(), q.Wire(), p.Bytes(), q.Bytes()) {
		return nil
	}
	if p != nil {
		if a, err = decoded(x.match.old, p); err != nil {
			return err
		}
		a = present(a)
	}
	if q != nil {
		if b, err = decoded(x.match.new, q); err != nil {
			return err
		}
		b = present(b)
	}
	switch {
	case a == nil && b == nil:
	case puppet.IndexOf(key) >= 0:
		x.related = true
	case isSet(key) && in == sensitivity{}:
		x.set(key, a, b)
	case b == nil:
		x.lone(key, OpRemove, a, in, x.match.old)
	case a == nil:
		x.lone(key, OpAdd, b, in, x.match.new)
	default:
		x.compared(key, a, b, in)
	}
	return nil
}

// decoded returns the value of a parameter. Plain data that cannot be rich data, although
// it has the key `__ptype`, is plain data.
func decoded(i *item, p *catalog.Member) (pcore.Value, error) {
	v, err := i.res.Decode(p)
	if err == nil {
		return v, nil
	}
	if v, plainErr := p.PlainValue(); plainErr == nil {
		return v, nil
	}
	return nil, err
}

// present returns nil for undef, which is no value of a parameter.
func present(v pcore.Value) pcore.Value {
	if pcore.Is[pcore.Undef](v) {
		return nil
	}
	return v
}

// lone appends a parameter that only one of the catalogs has.
func (x *parameters) lone(key string, op Op, v pcore.Value, in sensitivity, i *item) {
	if x.noise.ignoredParameter(i, key, v, in.old || in.new, op == OpRemove) || x.inert(key) {
		return
	}
	if x.renamed && key == puppet.TitleParameter(i.ref.Type) && (sameName(x.match.old.ref, v) || sameName(x.match.new.ref, v)) {
		return // the rename says it
	}
	if bare, _, _ := unwrap(v, nil, in); x.noise.on[profileAgentCache] && isCall(bare) {
		x.noise.ignore(profileAgentCache, "resolved Deferred") // to undef
		return
	}
	d := delta{op: op, kind: kind.Value, path: pcore.Path{}.Key(key)}
	if op == OpRemove {
		d.old, _, in = unwrap(v, nil, in)
	} else {
		_, d.new, in = unwrap(nil, v, in)
	}
	d.oldSecret, d.newSecret = in.old, in.new
	x.append(d)
}

// compared appends the differences between the values of a parameter.
func (x *parameters) compared(key string, a, b pcore.Value, in sensitivity) {
	if x.renamed && pcore.Is[pcore.String](a) && pcore.Is[pcore.String](b) && a != b &&
		follows(textOf(a), textOf(b), x.replace) {
		x.noise.ignore(profileDefault, "text that follows from a rename")
		return
	}
	v := comparer{noise: x.noise, core: !x.match.old.isDefined() && !x.match.new.isDefined(), param: key}
	v.values(pcore.Path{}.Key(key), a, b, in)
	if len(v.deltas) == 0 || x.inert(key) {
		return
	}
	for _, d := range v.deltas {
		x.append(d)
	}
}

// set appends the difference between two unordered lists.
func (x *parameters) set(key string, a, b pcore.Value) {
	if key == "alias" && x.noise.on[profilePuppetDB] && x.noise.oldDB != x.noise.newDB {
		if !sameSet(texts(a), texts(b)) {
			x.noise.ignore(profilePuppetDB, "alias")
		}
		return
	}
	if sameSet(texts(a), texts(b)) {
		return
	}
	d := delta{op: OpChange, kind: kind.Array, path: pcore.Path{}.Key(key), old: a, new: b}
	switch {
	case a == nil:
		d.op = OpAdd
	case b == nil:
		d.op = OpRemove
	}
	x.append(d)
}

func (x *parameters) append(d delta) {
	x.changes = append(x.changes, change{delta: d, ref: x.match.new.ref, oldRef: x.oldRef(), at: x.match.new})
}

// wholes appends the resources that only one of the catalogs has.
func (c *comparison) wholes() error {
	for _, i := range c.removed {
		if err := c.whole(i, OpRemove); err != nil {
			return err
		}
	}
	for _, i := range c.added {
		if err := c.whole(i, OpAdd); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) whole(i *item, op Op) error {
	values, err := i.res.Parameters()
	if err != nil {
		return err
	}
	d := delta{op: op, kind: kind.Resource}
	if op == OpAdd {
		d.new = values
	} else {
		d.old = values
	}
	c.changes = append(c.changes, change{delta: d, ref: i.ref, at: i})
	return nil
}

// resourceMembers compares the members of a resource other than its parameters.
func (c *comparison) resourceMembers(m match) error {
	oldMembers, newMembers := m.old.res.RawMembers(), m.new.res.RawMembers()
	for i := range oldMembers {
		p := &oldMembers[i]
		if err := c.resourceMember(m, p, member(newMembers, p.Key, i)); err != nil {
			return err
		}
	}
	for i := range newMembers {
		q := &newMembers[i]
		if member(oldMembers, q.Key, i) == nil {
			if err := c.resourceMember(m, nil, q); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *comparison) resourceMember(m match, p, q *catalog.Member) (err error) {
	key := ""
	var a, b pcore.Value = pcore.Undef{}, pcore.Undef{}
	if q != nil {
		key = q.Key
	}
	if p != nil {
		key = p.Key
	}
	if isProvenance(key) || c.noise.on[profilePuppetDB] && key != "exported" || p != nil && q != nil && sameRaw(p.Wire(), q.Wire(), p.Bytes(), q.Bytes()) {
		return nil
	}
	if p != nil {
		if a, err = p.Value(); err != nil {
			return err
		}
	}
	if q != nil {
		if b, err = q.Value(); err != nil {
			return err
		}
	}
	switch {
	case key == "tags":
		if p != nil && q != nil {
			c.tagged[m.new.id] = newTagDiff(m, texts(a), texts(b))
		}
		return nil
	case isEmptyMember(a) && isEmptyMember(b) || pcore.Identical(a, b):
		return nil
	}
	d := delta{op: OpChange, kind: kind.Member, path: pcore.Path{}.Key(key), old: present(a), new: present(b)}
	c.changes = append(c.changes, change{delta: d, member: true, ref: m.new.ref, oldRef: m.oldRef(), at: m.new})
	return nil
}

// isEmptyMember reports whether a member has the meaning of an absent one.
func isEmptyMember(v pcore.Value) bool {
	switch v := v.(type) {
	case pcore.Undef:
		return true
	case pcore.Boolean:
		return !bool(v)
	case *pcore.Array:
		return v.Len() == 0
	case *pcore.Hash:
		return v.Len() == 0
	default:
		return false
	}
}

// members compares the members of the catalogs.
func (c *comparison) members(o Options) error {
	for _, key := range []string{"environment", "name"} {
		a, b := c.old.catalog.Environment(), c.new.catalog.Environment()
		if key == "name" {
			a, b = c.old.catalog.Name(), c.new.catalog.Name()
		}
		switch {
		case a == b || a == "" || b == "":
		case key == "environment" && !o.StrictEnvironment:
			c.environments = [2]string{a, b}
		default:
			c.catalogChange(delta{op: OpChange, kind: kind.Catalog, path: pcore.Path{}.Key(key), old: pcore.String(a), new: pcore.String(b)})
		}
	}
	c.classes()
	for _, key := range []string{"metadata", "recursive_metadata"} {
		if err := c.metadata(key); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) catalogChange(d delta) {
	c.changes = append(c.changes, change{delta: d, member: true})
}

// classes compares the lists of classes, except for classes whose resources differ.
func (c *comparison) classes() {
	old, new := c.old.catalog.Classes(), c.new.catalog.Classes()
	if len(old) == 0 || len(new) == 0 {
		return // not every format has them
	}
	differ := make(map[string]bool) // identities
	for _, i := range slices.Concat(c.removed, c.added) {
		differ[i.id] = true
	}
	for _, m := range c.matches {
		if m.renamed {
			differ[m.old.id], differ[m.new.id] = true, true
		}
	}
	known := func(name string) bool { return differ[identity(catalog.Ref{Type: "Class", Title: name})] }
	old = slices.DeleteFunc(slices.Clone(old), known)
	new = slices.DeleteFunc(slices.Clone(new), known)
	if !sameSet(old, new) {
		c.catalogChange(delta{op: OpChange, kind: kind.Catalog, path: pcore.Path{}.Key("classes"), old: textArray(old), new: textArray(new)})
	}
}

func textArray(list []string) *pcore.Array {
	values := make([]pcore.Value, len(list))
	for i, s := range list {
		values[i] = pcore.String(s)
	}
	return pcore.NewArray(values...)
}

// metadata compares what a static catalog says about the sources of its files.
func (c *comparison) metadata(key string) error {
	old, err := c.old.metadata(key)
	if err != nil {
		return err
	}
	new, err := c.new.metadata(key)
	if err != nil {
		return err
	}
	if old == nil || new == nil {
		return nil // only one of the catalogs is static
	}
	for title, a := range old.All() {
		b, ok := new.Get(title)
		if !ok {
			continue
		}
		i := c.new.resolve(catalog.Ref{Type: "File", Title: textOf(title)})
		permissions := i != nil && strings.HasPrefix(i.text("source_permissions"), "use")
		if !pcore.Identical(sourceOf(a, permissions), sourceOf(b, permissions)) {
			c.metadataChange(delta{op: OpChange, old: a, new: b}, title, i)
		}
	}
	return nil
}

// metadataChange appends a change of the source of a file, i, which can be nil.
func (c *comparison) metadataChange(d delta, title pcore.Value, i *item) {
	ref := catalog.Ref{Type: "File", Title: textOf(title)}
	if i != nil {
		ref = i.ref
	}
	d.kind, d.path = kind.Static, pcore.Path{}.Key("metadata")
	c.changes = append(c.changes, change{delta: d, member: true, ref: ref, at: i})
}

func (s *side) metadata(key string) (*pcore.Hash, error) {
	m, ok := s.catalog.Member(key)
	if !ok {
		return nil, nil //nolint:nilnil // absent
	}
	v, err := m.Value()
	if err != nil {
		return nil, err
	}
	h, _ := v.(*pcore.Hash)
	return h, nil
}

// sourceOf removes the part of metadata that does not matter on the node: where it comes
// from, the time of a folder, and the permissions unless the file has them.
func sourceOf(v pcore.Value, permissions bool) pcore.Value {
	switch v := v.(type) {
	case *pcore.Array:
		elems := make([]pcore.Value, v.Len())
		for i, e := range v.All() {
			elems[i] = sourceOf(e, permissions)
		}
		return pcore.NewArray(elems...)
	case *pcore.Hash:
		kind, _ := v.GetString("type")
		b := pcore.NewHashBuilder(v.Len())
		for k, e := range v.All() {
			switch k {
			case pcore.String("content_uri"), pcore.String("source"), pcore.String("path"):
				continue
			case pcore.String("owner"), pcore.String("group"), pcore.String("mode"):
				if !permissions {
					continue
				}
			case pcore.String("checksum"):
				if kind == pcore.String("directory") {
					continue
				}
			}
			b.Set(k, sourceOf(e, permissions))
		}
		return b.Hash()
	default:
		return v
	}
}
