package faults

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/intern"
	"github.com/pcatdev/pcat/internal/puppet"
)

// Options control a check. The zero value is valid.
type Options struct {
	// HasType reports whether a module has a resource type. Nil means that the
	// modules are unknown; then only types that no well-known module has are
	// unknown types, with a warning.
	HasType func(name string) bool
	// NoHints omits the findings of severity Hint.
	NoHints bool
	// AllHints finds the optional hints, too: see [Rule].
	AllHints bool
	// Locator determines the paths of manifests in messages. The fields of a [Finding], and the
	// messages of Puppet, have the paths of the catalog.
	Locator manifest.Locator
}

// errNoMask reports findings that could not be masked.
var errNoMask = errors.New("faults: the mask must not be nil")

// check returns the findings. The contents must not be used afterwards.
func (c *contents) check(mask catalog.Mask, o Options) []Finding {
	k := &checker{Graph: c.graph.Graph(), resources: c.resources, files: c.files, table: &c.table, mask: mask, o: o}
	k.cycles()
	k.dangling()
	k.duplicates()
	k.types()
	k.containers()
	if !o.NoHints {
		k.hints()
	}
	slices.SortStableFunc(k.findings, func(a, b Finding) int { return int(b.Severity) - int(a.Severity) })
	return k.findings
}

// checker is the check of one catalog.
type checker struct {
	*graph.Graph
	resources []resource // by node
	files     []string
	table     *intern.Table // of traits
	mask      catalog.Mask
	o         Options
	findings  []Finding
	duples    map[int]bool
	compared  int                     // missing resources with existing ones
	related   map[[2]int]bool         // ends of relations
	reach     map[bool]map[int][]bool // by direction and node
	parents   [][]int                 // containers, by node
}

// read returns a node and its resource.
func (k *checker) read(i int) node { return node{k.Node(i), traits{k.table.At(k.resources[i].traits)}} }

func (k *checker) add(f Finding) {
	f.Message, f.Fix = k.text(f.Message), k.text(f.Fix)
	for i := range f.Puppet {
		f.Puppet[i] = k.text(f.Puppet[i])
	}
	k.findings = append(k.findings, f)
}

func (k *checker) text(s string) string {
	if s == "" {
		return s
	}
	return k.mask.Text(s)
}

func (k *checker) masked(ref catalog.Ref) catalog.Ref {
	if ref.IsZero() {
		return ref
	}
	return k.mask.Location(catalog.Location{Ref: ref}).Ref
}

// ref returns the reference of a node, masked, as Puppet spells it.
func (k *checker) ref(node int) catalog.Ref { return k.masked(puppet.Canonical(k.Node(node).Ref)) }

// spelled masks a reference that may be none.
func (k *checker) spelled(text string) string {
	if ref, ok := catalog.ParseRef(text); ok {
		return k.masked(puppet.Canonical(ref)).String()
	}
	return k.text(text)
}

// at returns where a node is declared.
func (k *checker) at(node int) (manifest string, line int64) {
	r := &k.resources[node]
	return k.text(k.files[r.file]), r.line
}

// location returns the end of messages of Puppet: ` (file: F, line: N)`.
func (k *checker) location(node int) string {
	manifest, line := k.at(node)
	switch {
	case manifest == "":
		return ""
	case line == 0:
		return " (file: " + manifest + ")"
	default:
		return fmt.Sprintf(" (file: %s, line: %d)", manifest, line)
	}
}

func (k *checker) dangling() {
	parameters := make(map[graph.Dangling][]string) // of each missing resource that a resource names
	key := func(d graph.Dangling) graph.Dangling {
		if d.Kind <= graph.Notify {
			d.Kind = graph.Require
		}
		return d
	}
	for _, d := range k.Dangling() {
		if list := parameters[key(d)]; !slices.Contains(list, d.Kind.String()) {
			parameters[key(d)] = append(list, d.Kind.String())
		}
	}
	for _, d := range k.Dangling() {
		in := parameters[key(d)]
		if in == nil {
			continue
		}
		parameters[key(d)] = nil
		kinds := strings.Join(in, " and ")
		target := k.spelled(d.Target)
		if d.Kind == graph.Contains || d.Kind == graph.Edge {
			k.danglingEdge(d, target)
			continue
		}
		f := Finding{Kind: Dangling, Severity: Error, Ref: k.ref(d.From), Target: target}
		f.Manifest, f.Line = k.at(d.From)
		role := "dependent"
		if d.Kind == graph.Require || d.Kind == graph.Subscribe {
			role = "dependency"
		}
		location := k.location(d.From)
		if _, ok := catalog.ParseRef(d.Target); !ok {
			f.Message = fmt.Sprintf("%s has the %s %q, which is not a reference", f.Ref, kinds, target)
			f.Fix = "write it as Type['title']"
			f.Puppet = []string{fmt.Sprintf("No title provided and %q is not a valid resource reference%s", target, location)}
			k.add(f)
			continue
		}
		f.Message = fmt.Sprintf("%s has the %s %s, which is not in the catalog", f.Ref, kinds, target)
		f.Fix = k.declare(target, d)
		f.Puppet = []string{
			fmt.Sprintf("Could not find resource '%s' in parameter '%s'%s", target, d.Kind, location),
			fmt.Sprintf("Could not find %s %s for %s%s", role, target, f.Ref, location),
			fmt.Sprintf("Could not retrieve dependency '%s' of %s", target, f.Ref),
		}
		k.add(f)
	}
}

// declare returns the remedy for a missing resource.
func (k *checker) declare(target string, d graph.Dangling) string {
	ref, _ := catalog.ParseRef(d.Target)
	ref = puppet.Canonical(ref)
	if ref.Type == "Class" {
		return fmt.Sprintf("include %s, or remove the %s", strings.ToLower(k.masked(ref).Title), d.Kind)
	}
	const most = 100 // each looks at all resources
	if k.compared++; k.compared > most {
		return fmt.Sprintf("declare %s, or remove the %s", target, d.Kind)
	}
	if i, ok := k.packageNamed(ref); ok {
		return fmt.Sprintf("use %s: an agent does not find a package by its name", k.ref(i))
	}
	if near, ok := k.similar(ref); ok && near != d.From {
		return fmt.Sprintf("declare %s, or use %s, which is in the catalog", target, k.ref(near))
	}
	return fmt.Sprintf("declare %s, or remove the %s", target, d.Kind)
}

// packageNamed returns the Package with a name that is not its title.
func (k *checker) packageNamed(ref catalog.Ref) (int, bool) {
	if ref.Type != "Package" {
		return 0, false
	}
	for i := range k.Len() {
		n := k.read(i)
		if puppet.Canonical(n.Ref).Type == ref.Type && n.text(paramName) == ref.Title {
			return i, true
		}
	}
	return 0, false
}

// similar returns a resource of the same type whose title differs only in case,
// blanks or slashes.
func (k *checker) similar(ref catalog.Ref) (int, bool) {
	simple := func(title string) string {
		return strings.ToLower(strings.Join(strings.FieldsFunc(title, func(r rune) bool { return r == '/' || r == ' ' || r == '_' || r == '-' }), "/"))
	}
	want := simple(ref.Title)
	for i := range k.Len() {
		if r := puppet.Canonical(k.Node(i).Ref); r.Type == ref.Type && simple(r.Title) == want {
			return i, true
		}
	}
	return 0, false
}

func (k *checker) danglingEdge(d graph.Dangling, target string) {
	f := Finding{Kind: DanglingEdge, Severity: Error, Target: target, Ref: k.masked(puppet.Canonical(d.Other))}
	if d.From >= 0 {
		f.Manifest, f.Line = k.at(d.From)
	}
	end, other := "target", "from"
	if d.Source {
		end, other = "source", "to"
	}
	switch {
	case target == "":
		f.Message = fmt.Sprintf("an edge %s %s has no %s", other, f.Ref, end)
	case d.Source:
		f.Message = fmt.Sprintf("an edge leads from %s, which is not in the catalog, to %s", target, f.Ref)
	default:
		f.Message = fmt.Sprintf("an edge leads from %s to %s, which is not in the catalog", f.Ref, target)
	}
	f.Fix = "compile the catalog again, or remove the edge"
	f.Puppet = []string{fmt.Sprintf("Could not intern from data: Could not find relationship %s %q for %s", end, target, f.Ref)}
	k.add(f)
}

func (k *checker) duplicates() {
	k.duples = make(map[int]bool)
	for _, d := range k.Duplicates() {
		k.duples[d.Node] = k.duples[d.Node] || d.By == "title"
		f := Finding{Kind: Duplicate, Severity: Error, Ref: k.ref(d.Node), Other: k.ref(d.Of)}
		f.Manifest, f.Line = k.at(d.Node)
		switch location := k.location(d.Of); {
		case d.By != "title":
			f.Puppet = []string{k.cannotAlias(d, f.Ref)}
		case location == "":
			f.Puppet = []string{fmt.Sprintf("Duplicate declaration: %s is already declared; cannot redeclare", f.Ref)}
		default:
			f.Puppet = []string{fmt.Sprintf("Duplicate declaration: %s is already declared at%s; cannot redeclare%s", f.Ref, location, k.location(d.Node))}
		}
		f.Message, f.Fix = k.twice(d, f)
		k.add(f)
	}
}

// twice returns the message about a duplicate and its remedy.
func (k *checker) twice(d graph.Duplicate, f Finding) (message, fix string) {
	first := f.Other.String() + k.declared(d.Of)
	switch {
	case d.By == "title" && f.Ref == f.Other:
		return first + " is declared twice", "keep one of the declarations"
	case d.By == "title":
		return fmt.Sprintf("the title of %s is also a name of %s", f.Ref, first), "give one of them another name"
	case d.By == "alias":
		return fmt.Sprintf("%s has the alias %q, which belongs to %s", f.Ref, k.masked(d.Name).Title, first),
			"give one of them another alias"
	}
	key := slices.DeleteFunc(slices.Clone(d.Key), func(s string) bool { return s == "" })
	return fmt.Sprintf("%s has the %s %q, as %s", f.Ref, d.By, k.text(strings.Join(key, " ")), first),
		"merge the two resources, or change one " + d.By
}

// declared returns ` (file:line)` of a node, or "".
func (k *checker) declared(node int) string {
	if at := k.o.Locator.Line(k.at(node)); at != "" {
		return " (" + at + ")"
	}
	return ""
}

// cannotAlias returns the message of Puppet about a name that is taken.
func (k *checker) cannotAlias(d graph.Duplicate, ref catalog.Ref) string {
	key := strconv.Quote(k.masked(d.Name).Title)
	full := key
	if d.By != "alias" {
		parts := make([]string, len(d.Key))
		for i, part := range d.Key {
			if parts[i] = strconv.Quote(part); part == "" && len(d.Key) > 1 {
				parts[i] = "nil"
			}
		}
		full = strings.Join(parts, ", ")
		key = "[" + full + "]"
	}
	at := ""
	if location := k.location(d.Node); location != "" {
		at = " at" + location
	}
	return fmt.Sprintf("Cannot alias %s to %s%s; resource [%q, %s] already declared%s", ref, key, at, ref.Type, full, k.location(d.Of))
}

func (k *checker) types() {
	severity := Hint
	if k.o.HasType != nil {
		severity = Error
	}
	nodes := make(map[string][]int)
	var names []string
	for i := range k.Len() {
		n := k.read(i)
		typ := puppet.Canonical(n.Ref).Type
		if n.Container || puppet.IsCore(typ) || n.kind() != "compilable_type" {
			continue
		}
		if k.o.HasType != nil && k.o.HasType(typ) || k.o.HasType == nil && puppet.IsWellKnown(typ) {
			continue
		}
		if nodes[typ] == nil {
			names = append(names, typ)
		}
		nodes[typ] = append(nodes[typ], i)
	}
	for _, typ := range names {
		f := Finding{
			Kind: UnknownType, Severity: severity, Ref: k.ref(nodes[typ][0]),
			Puppet: []string{fmt.Sprintf("Resource type '%s' was not found", typ)},
		}
		f.Manifest, f.Line = k.at(nodes[typ][0])
		subject, verb := k.several(&f, nodes[typ]), " is"
		if len(f.Members) > 0 {
			verb = " are"
		}
		if severity == Error {
			f.Message = subject + verb + " of a type that no module has"
			f.Fix = "add the module to --modulepath, or correct the type"
		} else {
			f.Message = subject + verb + " of a type that neither Puppet nor a well-known module has"
			f.Fix = "name the modules with --modulepath, or correct the type"
		}
		k.add(f)
	}
}

// several returns a name for nodes, and makes them the members of a finding if there are several.
func (k *checker) several(f *Finding, nodes []int) string {
	first := k.ref(nodes[0]).String()
	if len(nodes) == 1 {
		return first
	}
	f.Members = k.refs(nodes)
	return fmt.Sprintf("%s and %d more", first, len(nodes)-1)
}

func (k *checker) refs(nodes []int) []catalog.Ref {
	list := make([]catalog.Ref, len(nodes))
	for i, n := range nodes {
		list[i] = k.ref(n)
	}
	return list
}

// containers finds resources without a container. A catalog without any
// containment is a part of one.
func (k *checker) containers() {
	inside := make([]bool, k.Len())
	some := false
	for a := range k.Containment() {
		inside[a.To], some = true, true
	}
	if !some {
		return
	}
	misses := make(map[catalog.Ref]bool) // an edge contains it, in a missing resource: that is a finding already
	for _, d := range k.Dangling() {
		if d.Source {
			misses[puppet.Canonical(d.Other)] = true
		}
	}
	for i := range k.Len() {
		ref := puppet.Canonical(k.Node(i).Ref)
		if inside[i] || k.duples[i] || ref.Type == "Stage" || misses[ref] || puppet.IsDefault(ref) {
			continue
		}
		f := Finding{Kind: Uncontained, Severity: Warning, Ref: k.ref(i), Fix: "compile the catalog again, or add the edge from its class"}
		f.Manifest, f.Line = k.at(i)
		f.Message = fmt.Sprintf("no class, defined type or stage contains %s: it is applied in no order with its class", f.Ref)
		k.add(f)
	}
}
