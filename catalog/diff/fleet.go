package diff

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// Fleet compares the catalogs of many nodes and groups equal changes. It keeps each
// change once, and no catalog. Use NewFleet to create one. [Fleet.Compare] is safe for
// concurrent use; the other methods are not.
type Fleet struct {
	// A closure hides the secrets from reflection.
	state func() *fleet
}

// NewFleet returns a Fleet without nodes. The report is masked with the given secrets.
func NewFleet(secrets Secrets, o Options) *Fleet {
	f := &fleet{options: o, uses: o.uses(), key: sensitive.NewKey(), known: make(map[digest]*entry), ignored: make(map[Ignored]int), on: make(map[Profile]bool),
		locations: make(map[string]bool), secrets: secrets}
	return &Fleet{func() *fleet { return f }}
}

// Pair is the result of the comparison of two catalogs of one node. It has no
// content that can be printed; a [Fleet] makes the [Report]. It is immutable.
type Pair struct {
	state func() *pair
}

// Equal reports whether the catalogs do not differ in anything that counts.
func (p *Pair) Equal() bool { return len(p.state().changes) == 0 }

type digest = [sha256.Size]byte

type pair struct {
	node    string
	changes []change
	exact   []digest // for each change
	folded  []digest // with the name of the node replaced
	fold    func(string) string
	noise   *noise

	uses      []RuleUse // of Options.Only, Ranks and Ignore
	filtered  int
	resources int // in either catalog

	oldFormat, newFormat string
	environments         [2]string
}

// entry is a change of one or several nodes.
type entry struct {
	change
	exact  digest
	varies bool // the nodes differ in their own names
	nodes  []int
	seen   map[string]bool // the effects, with the name of the node replaced
}

type fleet struct {
	options   Options
	key       []byte
	nodes     []string
	unchanged []string
	onlyOld   []string
	onlyNew   []string
	failed    []Failed
	warnings  []Warning
	entries   []*entry
	known     map[digest]*entry
	ignored   map[Ignored]int
	uses      []RuleUse // of Options.Only, Ranks and Ignore
	filtered  int
	stats     []Node
	on        map[Profile]bool
	locations map[string]bool
	lost      []catalog.Location
	secrets   Secrets
}

// errNoSecrets reports a Fleet whose report could not be masked.
var errNoSecrets = errors.New("diff: the secrets of a comparison must not be nil")

// Compare compares two catalogs of one node. Add the result. The error is an
// *[catalog.Error] about a value that cannot be decoded, or that of ctx or of the secrets.
// An unknown profile or kind is an error.
func (f *Fleet) Compare(ctx context.Context, old, new Side) (*Pair, error) {
	s := f.state()
	if s.secrets == nil {
		return nil, errNoSecrets
	}
	if err := s.options.checkWords(); err != nil {
		return nil, err
	}
	c, err := compare(ctx, old.Catalog, new.Catalog, s.options)
	if err != nil {
		return nil, err
	}
	node := cmp.Or(new.Catalog.Name(), old.Catalog.Name())
	p := &pair{node: strings.Clone(cmp.Or(new.Name, old.Name, node, "(no name)")), noise: c.noise}
	p.environments = [2]string{strings.Clone(c.environments[0]), strings.Clone(c.environments[1])}
	p.resources = len(c.matches) + len(c.removed) + len(c.added)
	p.oldFormat, p.newFormat = c.old.form(old.Format), c.new.form(new.Format)
	var parts func(string) []string
	if c.hasDigests() {
		parts = digests
	}
	var secretsErr error
	var both sync.WaitGroup
	collect := func() {
		if len(c.changes)+len(c.noise.incomparable) > 0 {
			secretsErr = learn(ctx, s.secrets, parts, old, new)
		}
	}
	if len(s.uses) == 0 {
		both.Go(collect)
	}
	err = c.rate()
	both.Wait()
	p.uses, p.filtered = c.judge(ctx, cmp.Or(node, p.node), &s.options)
	if len(s.uses) > 0 {
		collect() // rules often leave nothing to mask
	}
	p.changes = c.changes
	if err = cmp.Or(secretsErr, err); err != nil {
		return nil, err
	}
	p.fold = nodeFolder(cmp.Or(node, p.node))
	for i := range p.changes {
		p.exact = append(p.exact, s.digest(&p.changes[i], func(t string) string { return t }))
		p.folded = append(p.folded, s.digest(&p.changes[i], p.fold))
	}
	return &Pair{func() *pair { return p }}, nil
}

// digest returns the keyed digest of a change: of everything but its location in a
// manifest.
func (f *fleet) digest(c *change, fold func(string) string) digest {
	var b strings.Builder
	for _, text := range []string{string(c.op), string(c.kind), c.ref.String(), c.from.String(), c.path.Pointer()} {
		text = fold(text)
		b.WriteString(lengthOf(text))
		b.WriteString(text)
	}
	canonical(&b, c.old, fold)
	canonical(&b, c.new, fold)
	b.WriteString(strconv.FormatBool(c.oldSecret) + strconv.FormatBool(c.newSecret))
	mac := hmac.New(sha256.New, f.key)
	mac.Write([]byte(b.String()))
	return digest(mac.Sum(nil))
}

func lengthOf(s string) string { return strconv.Itoa(len(s)) + ":" }

// nodeFolder returns a function that replaces the name of a node, and its host
// name, in texts.
func nodeFolder(node string) func(string) string {
	host, _, _ := strings.Cut(node, ".")
	if len(node) < 3 {
		return func(s string) string { return s }
	}
	return func(s string) string {
		s = replaceWord(s, node, "\x00node")
		if len(host) >= 3 && host != node {
			s = replaceWord(s, host, "\x00host")
		}
		return s
	}
}

// replaceWord replaces word where no letter or digit precedes or follows it.
func replaceWord(s, word, by string) string {
	if !strings.Contains(s, word) {
		return s
	}
	var b strings.Builder
	done := 0
	for i := 0; ; {
		at := strings.Index(s[i:], word)
		if at < 0 {
			break
		}
		at += i
		end := at + len(word)
		if at > 0 && isWordByte(s[at-1]) || end < len(s) && isWordByte(s[end]) {
			i = at + 1
			continue
		}
		b.WriteString(s[done:at])
		b.WriteString(by)
		done, i = end, end
	}
	b.WriteString(s[done:])
	return b.String()
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// Add adds the result of Compare. The order of the calls determines the order of the
// nodes.
func (f *Fleet) Add(p *Pair) {
	s, added := f.state(), p.state()
	for what, n := range added.noise.ignored {
		s.ignored[what] += n
	}
	for profile := range added.noise.on {
		s.on[profile] = true
	}
	for i, u := range added.uses {
		s.uses[i].add(u)
	}
	s.filtered += added.filtered
	s.stats = append(s.stats, added.stat())
	for _, at := range added.noise.incomparable {
		s.lose(at)
	}
	if len(added.changes) == 0 {
		s.unchanged = append(s.unchanged, added.node)
		return
	}
	node := len(s.nodes)
	s.nodes = append(s.nodes, added.node)
	for i := range added.changes {
		e := s.known[added.folded[i]]
		if e == nil {
			e = &entry{change: added.changes[i].clone(), exact: added.exact[i], seen: make(map[string]bool)}
			s.known[added.folded[i]] = e
			s.entries = append(s.entries, e)
		}
		e.include(&added.changes[i], added.fold)
		e.varies = e.varies || e.exact != added.exact[i]
		if len(e.nodes) == 0 || e.nodes[len(e.nodes)-1] != node {
			e.nodes = append(e.nodes, node)
		}
	}
}

// include adds the effects that the change has on one node, unless it has them on
// another one: the same change can refresh a service on some of the nodes only. Rules can
// give it different ranks, of which the highest counts.
func (e *entry) include(c *change, fold func(string) string) {
	if e.given != nil || c.given != nil {
		top := max(e.rank(), c.rank())
		e.given = &top
	}
	for _, one := range c.effects {
		key := fold(strings.Join([]string{one.effect, one.ref.String(), one.via.String(), one.rank.String(), one.detail}, "\x00"))
		if !e.seen[key] {
			e.seen[key] = true
			e.effects = append(e.effects, one.clone())
		}
	}
}

// lose records a location that cannot be compared, once.
func (f *fleet) lose(at catalog.Location) {
	location := at.String()
	if f.locations[location] {
		return
	}
	f.locations[location] = true
	at.Ref, at.Path = cloneRef(at.Ref), clonePath(at.Path)
	f.lost = append(f.lost, at)
}

// clone returns a copy without effects that does not keep the catalog in memory.
func (c *change) clone() change {
	d := *c
	d.ref, d.from, d.oldRef, d.container = cloneRef(c.ref), cloneRef(c.from), cloneRef(c.oldRef), cloneRef(c.container)
	d.effects, d.events, d.ends = nil, nil, nil
	if c.old != nil {
		d.old = pcore.Clone(c.old)
	}
	if c.new != nil {
		d.new = pcore.Clone(c.new)
	}
	d.path = clonePath(c.path)
	if c.at != nil {
		d.file, d.line = c.declaration()
		d.file = strings.Clone(d.file)
		d.at = nil
	}
	return d
}

func (e effect) clone() effect {
	e.ref, e.via, e.detail = cloneRef(e.ref), cloneRef(e.via), strings.Clone(e.detail)
	if e.old != nil {
		e.old, e.new = pcore.Clone(e.old), pcore.Clone(e.new)
	}
	return e
}

func clonePath(p pcore.Path) pcore.Path {
	p = slices.Clone(p)
	for i := range p {
		if p[i].Key != nil {
			p[i].Key = pcore.Clone(p[i].Key)
		}
	}
	return p
}

func cloneRef(r catalog.Ref) catalog.Ref {
	return catalog.Ref{Type: strings.Clone(r.Type), Title: strings.Clone(r.Title)}
}

// Unchanged adds a node whose catalogs are known to be equal, and were not compared.
func (f *Fleet) Unchanged(node string) { s := f.state(); s.unchanged = append(s.unchanged, node) }

// OnlyOld adds a node that has only an old catalog.
func (f *Fleet) OnlyOld(node string) { s := f.state(); s.onlyOld = append(s.onlyOld, node) }

// OnlyNew adds a node that has only a new catalog.
func (f *Fleet) OnlyNew(node string) { s := f.state(); s.onlyNew = append(s.onlyNew, node) }

// Failed adds a node that does not compile: of one or both sides, the failure is not nil.
func (f *Fleet) Failed(node string, old, new *Failure) {
	s := f.state()
	s.failed = append(s.failed, Failed{node, old, new})
}

// Warn adds a warning of the compilation of the new catalog of a node.
func (f *Fleet) Warn(node, text string) {
	s := f.state()
	for i := range s.warnings {
		if w := &s.warnings[i]; w.Text == text {
			w.Nodes = append(w.Nodes, node)
			return
		}
	}
	s.warnings = append(s.warnings, Warning{text, []string{node}})
}

// learned returns the secrets of all nodes. Without any, nothing was compared.
func (f *fleet) learned() *sensitive.Secrets {
	if f.secrets == nil {
		return &sensitive.Secrets{}
	}
	return f.secrets.Secrets()
}

// Report returns the report of all nodes so far.
func (f *Fleet) Report() *Report {
	s := f.state()
	m := newMasks(s.learned(), s.options.Digest)
	r := &Report{
		OnlyOld: m.texts(s.onlyOld), OnlyNew: m.texts(s.onlyNew), Unchanged: m.texts(s.unchanged), Changed: m.texts(s.nodes),
		Filtered: s.filtered, guard: m.guard, showsFound: m.redactor.ShowsFound,
	}
	for _, n := range s.stats {
		n.Name, n.OldEnvironment, n.NewEnvironment = m.text(n.Name), m.text(n.OldEnvironment), m.text(n.NewEnvironment)
		r.Nodes = append(r.Nodes, n)
	}
	for _, one := range s.failed {
		r.Failed = append(r.Failed, Failed{m.text(one.Name), m.failure(one.Old), m.failure(one.New)})
	}
	slices.SortFunc(r.Failed, func(a, b Failed) int { return cmp.Compare(a.Name, b.Name) })
	for _, w := range s.warnings {
		slices.Sort(w.Nodes)
		r.NewWarnings = append(r.NewWarnings, Warning{m.text(w.Text), m.texts(w.Nodes)})
	}
	slices.SortFunc(r.NewWarnings, func(a, b Warning) int { return cmp.Compare(a.Text, b.Text) })
	for _, p := range Profiles() {
		if s.on[p] {
			r.Profiles = append(r.Profiles, p)
		}
	}
	for what, n := range s.ignored {
		what.Count = n
		r.Ignored = append(r.Ignored, what)
	}
	for i, u := range s.uses {
		u.Rule = m.text(u.Rule)
		r.Rules = append(r.Rules, u)
		if i >= len(s.uses)-len(s.options.Ignore) && u.Count > 0 {
			r.Ignored = append(r.Ignored, Ignored{Rule: u.Rule, Count: u.Count})
		}
	}
	slices.SortFunc(r.Ignored, func(a, b Ignored) int {
		return cmp.Or(cmp.Compare(a.Profile, b.Profile), cmp.Compare(a.What, b.What), cmp.Compare(a.Rule, b.Rule))
	})
	for _, at := range s.lost {
		r.NotComparable = append(r.NotComparable, m.location(at))
	}
	s.sets(r, m)
	return r
}

// sets groups the changes by their nodes, the gravest ones first.
func (f *fleet) sets(r *Report, m *masks) {
	groups := make(map[string][]*entry)
	for _, e := range f.entries {
		key := nodesKey(e.nodes)
		groups[key] = append(groups[key], e)
	}
	all := slices.Collect(maps.Values(groups))
	for _, group := range all {
		sortEntries(group)
	}
	rank := func(group []*entry) Rank {
		top := RankInfo
		for _, e := range group {
			top = max(top, e.rank())
		}
		return top
	}
	slices.SortFunc(all, func(a, b []*entry) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(len(b[0].nodes), len(a[0].nodes)), slices.Compare(a[0].nodes, b[0].nodes))
	})
	for _, group := range all {
		set := Set{Rank: rank(group)}
		for _, n := range group[0].nodes {
			set.Nodes = append(set.Nodes, m.text(f.nodes[n]))
		}
		for _, e := range group {
			id := "c" + strconv.Itoa(len(r.Changes)+1)
			r.Changes = append(r.Changes, m.change(id, e))
			set.Changes = append(set.Changes, id)
			set.Normalized = set.Normalized || e.varies
		}
		r.Sets = append(r.Sets, set)
	}
}

// sortEntries sorts the changes of a set: the resources with the gravest ones first, classes and
// defines after the resources of the node itself.
func sortEntries(group []*entry) {
	gravest := make(map[catalog.Ref]Rank)
	for _, e := range group {
		gravest[e.ref] = max(gravest[e.ref], e.rank())
	}
	last := func(e *entry) int {
		switch {
		case e.ref.IsZero():
			return 2 //nolint:mnd // the catalog
		case e.contains:
			return 1
		default:
			return 0
		}
	}
	slices.SortStableFunc(group, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(gravest[b.ref], gravest[a.ref]), cmp.Compare(last(a), last(b)), compareChanges(&a.change, &b.change))
	})
}

func nodesKey(nodes []int) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(lengthOf(strconv.Itoa(n)))
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// compareChanges sorts changes by resource, the ones of whole resources first.
func compareChanges(a, b *change) int {
	return cmp.Or(
		cmp.Compare(a.ref.Type, b.ref.Type), cmp.Compare(a.ref.Title, b.ref.Title),
		cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.path.Pointer(), b.path.Pointer()))
}
