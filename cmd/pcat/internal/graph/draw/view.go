package draw

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/puppet"
)

// What is the kind of arrows in a view.
type What string

// The kinds of arrows.
const (
	Relations   What = "relations"   // the order of resources
	Containment What = "containment" // the resources of each container
	Refreshes   What = "refresh"     // the arrows along which a change refreshes
	Both        What = "both"        // relations, and all resources in their containers
)

// Collapse is the kind of containers that are drawn as one node.
type Collapse string

// The containers that can be drawn as one node.
const (
	CollapseNone   Collapse = "none"
	CollapseClass  Collapse = "class"  // one node for each class
	CollapseDefine Collapse = "define" // one node for each class and each instance of a defined type
)

// Options select the part of a graph. The zero value selects all resources with
// relations.
type Options struct {
	What     What // Relations if empty
	Of       int  // a node; only if Around is set
	Around   bool // only nodes near Of
	Depth    int  // the distance from Of; 0 for any
	Up, Down bool // only the nodes that lead to Of, or follow it; both if neither is set
	Collapse Collapse
	Cycles   bool // only the nodes of cycles
	Internal bool // also Class[Settings] and stages without relations
	// States are the states of the resources of a comparison, which appear also
	// without relations; see [Compare].
	States map[catalog.Ref]State
	// Renamed are the new references of the renamed resources of a comparison by their old
	// ones, and Ranks the ranks of the changes of resources by the new reference.
	Renamed map[catalog.Ref]catalog.Ref
	Ranks   map[catalog.Ref]string
	// Locator determines the paths of manifests and the links to them.
	Locator manifest.Locator
}

// View is a part of a graph.
type View struct {
	Name    string // of the catalog, masked; [Select] leaves it empty
	Version string // of pcat, for JSON; [Select] leaves it empty
	Nodes   []Node
	Arrows  []Arrow
	Cycles  [][]int // the nodes on the shortest way round each cycle that is in the view
	// Compared is set for a view of [Compare].
	Compared bool

	of []int // the nodes of the graph
}

// Node is a node of a view.
type Node struct {
	Ref       catalog.Ref // masked
	Container bool
	Parent    int    // the index of the container in Nodes, or -1
	Manifest  string // masked, as the locator shows it
	Line      int64
	Link      string // to the line, or ""
	Cycle     int    // the number of its cycle, from 1; or 0
	State     State
	Was       catalog.Ref // masked; the old reference of a renamed resource
	Rank      string      // of its changes
	Changed   int         // the number of resources with changes that [Options.Collapse] put into it

	full bool // it contains resources, also if the view does not
}

// label returns the reference, with the old one of a renamed resource and the number of
// changed resources in it.
func (n *Node) label() string {
	text := n.Ref.String()
	if !n.Was.IsZero() {
		text += ", was " + n.Was.String()
	}
	if n.Changed > 0 {
		text += fmt.Sprintf(", %d changed inside", n.Changed)
	}
	return text
}

// declared returns the line of the manifest, or "" if it is unknown.
func (n *Node) declared() string {
	if n.Manifest == "" || n.Line == 0 {
		return n.Manifest
	}
	return n.Manifest + ":" + strconv.FormatInt(n.Line, 10)
}

// Arrow is an arrow of a view.
type Arrow struct {
	From, To int // indexes in Nodes
	Kind     graph.Kind
	Refresh  bool
	Count    int // the number of arrows that Collapse made one
	State    State
}

// Select returns a part of a graph. Class[Settings] and stages appear only if a
// relation leads to them, or if Internal is set. mask masks the references and manifests.
func Select(g *graph.Graph, mask catalog.Mask, o Options) *View { return selectAlso(g, mask, o, nil) }

// selectAlso is Select with more nodes.
func selectAlso(g *graph.Graph, mask catalog.Mask, o Options, also map[int]bool) *View {
	s := &selection{Graph: g, mask: mask, o: o, parent: parents(g), cycle: make(map[int]int)}
	cycles := g.Cycles()
	for i, c := range cycles {
		for _, m := range c.Members {
			s.cycle[m] = i + 1
		}
	}
	arrows := s.arrows()
	keep := s.near(arrows)
	for node := range also {
		keep[node] = true
	}
	if !o.Cycles {
		switch o.What {
		case Refreshes:
			s.contents(keep)
		case Both:
			s.contents(keep)
			s.containers(keep)
		default:
		}
	}
	if o.Collapse == CollapseClass || o.Collapse == CollapseDefine {
		arrows = s.collapsed(arrows, keep)
	}
	return s.view(arrows, keep, cycles)
}

type selection struct {
	*graph.Graph
	mask   catalog.Mask
	o      Options
	parent []int
	cycle  map[int]int

	changed map[int]int // the resources with changes that are in a collapsed container
}

// parents returns the first container of each node, or -1. Containers that
// contain each other have none.
func parents(g *graph.Graph) []int {
	list := make([]int, g.Len())
	for i := range list {
		list[i] = -1
	}
	for a := range g.Containment() {
		if list[a.To] < 0 {
			list[a.To] = a.From
		}
	}
	done := make([]bool, g.Len())
	for i := range list {
		path := make(map[int]bool)
		for n := i; n >= 0 && !done[n]; n = list[n] {
			path[n] = true
			if p := list[n]; p >= 0 && path[p] {
				list[n] = -1
			}
		}
		for n := range path {
			done[n] = true
		}
	}
	return list
}

// arrows returns the arrows of the wanted kind.
func (s *selection) arrows() []Arrow {
	var list []Arrow
	add := func(a graph.Arrow) {
		list = append(list, Arrow{From: a.From, To: a.To, Kind: a.Kind, Refresh: a.Refresh, Count: 1})
	}
	if s.o.What == Containment || s.o.Cycles {
		for a := range s.Containment() {
			add(a)
		}
	}
	if s.o.What != Containment {
		for a := range s.Relations() {
			if s.o.What != Refreshes || a.Refresh {
				add(a)
			}
		}
	}
	if s.o.Cycles {
		list = slices.DeleteFunc(list, func(a Arrow) bool { return s.cycle[a.From] == 0 || s.cycle[a.From] != s.cycle[a.To] })
	}
	return list
}

// contents adds the resources inside the containers of a view: a refresh
// reaches them, or begins there.
func (s *selection) contents(keep []bool) {
	outer := slices.Clone(keep)
	for i := range keep {
		for p := s.parent[i]; p >= 0 && !keep[i]; p = s.parent[p] {
			keep[i] = outer[p]
		}
	}
}

// containers adds the containers of the nodes of a view.
func (s *selection) containers(keep []bool) {
	for i := range keep {
		for p := s.parent[i]; keep[i] && p >= 0; p = s.parent[p] {
			keep[p] = true
		}
	}
}

// near reports which nodes are in the view. Around a node, a container leads to
// its own relations.
func (s *selection) near(arrows []Arrow) []bool {
	keep := make([]bool, s.Len())
	if !s.o.Around {
		for _, a := range arrows {
			keep[a.From], keep[a.To] = true, true
		}
		for i := range keep {
			keep[i] = keep[i] || !s.o.Cycles && (s.o.What == Both || s.o.States[puppet.Canonical(s.Node(i).Ref)] != Same)
		}
		return keep
	}
	keep[s.o.Of] = true
	both := s.o.Up == s.o.Down
	if s.o.Up || both {
		s.walk(keep, arrows, func(a Arrow) (from, to int) { return a.To, a.From })
	}
	if s.o.Down || both {
		s.walk(keep, arrows, func(a Arrow) (from, to int) { return a.From, a.To })
	}
	return keep
}

func (s *selection) walk(keep []bool, arrows []Arrow, ends func(Arrow) (from, to int)) {
	next := make(map[int][]int)
	for _, a := range arrows {
		from, to := ends(a)
		next[from] = append(next[from], to)
	}
	seen := map[int]bool{s.o.Of: true}
	level := []int{s.o.Of}
	for depth := 1; len(level) > 0 && (s.o.Depth == 0 || depth <= s.o.Depth); depth++ {
		var more []int
		visit := func(n int) {
			if !seen[n] {
				seen[n] = true
				more = append(more, n)
			}
		}
		for _, n := range level {
			for p := n; p >= 0; p = s.parent[p] { // the relations of its containers are its own, too
				for _, to := range next[p] {
					keep[p] = true
					visit(to)
				}
				if s.o.What == Containment {
					break
				}
			}
		}
		for _, n := range more {
			keep[n] = true
		}
		level = more
	}
}

// collapsed moves the ends of arrows to the container that is drawn for them.
func (s *selection) collapsed(arrows []Arrow, keep []bool) []Arrow {
	drawn := func(n int) int {
		for p := n; p >= 0; p = s.parent[p] {
			typ := puppet.Canonical(s.Node(p).Ref).Type
			if typ == "Class" || s.o.Collapse == CollapseDefine && s.Node(p).Container && typ != "Stage" {
				return p
			}
		}
		return n
	}
	type key struct{ from, to int }
	index := make(map[key]int)
	var list []Arrow
	was := slices.Clone(keep)
	clear(keep)
	for n, kept := range was {
		keep[drawn(n)] = keep[drawn(n)] || kept
	}
	s.collapseStates(drawn)
	for _, a := range arrows {
		if !was[a.From] || !was[a.To] {
			continue
		}
		k := key{drawn(a.From), drawn(a.To)}
		if k.from == k.to {
			continue
		}
		i, ok := index[k]
		if !ok {
			index[k] = len(list)
			list = append(list, Arrow{From: k.from, To: k.to, Kind: a.Kind, Refresh: a.Refresh, Count: 1})
			continue
		}
		list[i].Count++
		list[i].Refresh = list[i].Refresh || a.Refresh
	}
	return list
}

// collapseStates marks a container as changed if a resource inside it differs.
func (s *selection) collapseStates(drawn func(int) int) {
	if len(s.o.States) == 0 {
		return
	}
	states := make(map[catalog.Ref]State, len(s.o.States))
	s.changed = make(map[int]int)
	for i := range s.Len() {
		ref := puppet.Canonical(s.Node(i).Ref)
		state := s.o.States[ref]
		if d := drawn(i); state != Same && d != i {
			s.changed[d]++
			if outer := puppet.Canonical(s.Node(d).Ref); s.o.States[outer] == Same {
				states[outer] = Changed
			}
		}
		if state != Same {
			states[ref] = state
		}
	}
	s.o.States = states
}

// view returns the kept nodes and the arrows between them.
func (s *selection) view(arrows []Arrow, keep []bool, cycles []graph.Cycle) *View {
	v := &View{Nodes: []Node{}, Arrows: []Arrow{}}
	used := make([]bool, s.Len())
	for _, a := range arrows {
		used[a.From], used[a.To] = true, true
	}
	was := make(map[catalog.Ref]catalog.Ref, len(s.o.Renamed))
	for old, new := range s.o.Renamed {
		was[new] = old
	}
	full := make([]bool, s.Len())
	for _, p := range s.parent {
		if p >= 0 {
			full[p] = true
		}
	}
	index := make([]int, s.Len())
	for i := range index {
		index[i] = -1
		n := s.Node(i)
		ref := puppet.Canonical(n.Ref)
		internal := !s.o.Internal && (ref.Type == "Stage" || ref == catalog.Ref{Type: "Class", Title: "Settings"})
		if !keep[i] || internal && (!used[i] || s.o.What == Containment) && !(s.o.Around && s.o.Of == i) {
			continue
		}
		index[i] = len(v.Nodes)
		node := Node{
			Ref: ref, Container: n.Container, Parent: -1, Line: n.Resource.Line(), Cycle: s.cycle[i],
			State: s.o.States[ref], Was: was[ref], Rank: s.o.Ranks[ref], Changed: s.changed[i], full: full[i],
		}
		if !node.Was.IsZero() {
			node.Was = s.mask.Location(catalog.Location{Ref: node.Was}).Ref
		}
		node.Ref = s.mask.Location(catalog.Location{Ref: ref}).Ref
		file := s.mask.Text(n.Resource.File())
		node.Manifest, node.Link = s.o.Locator.Path(file), s.o.Locator.URL(file, node.Line)
		v.Nodes = append(v.Nodes, node)
		v.of = append(v.of, i)
	}
	for i, k := range index {
		for p := s.parent[i]; k >= 0 && p >= 0; p = s.parent[p] {
			if index[p] >= 0 {
				v.Nodes[k].Parent = index[p]
				break
			}
		}
	}
	for _, a := range arrows {
		if index[a.From] >= 0 && index[a.To] >= 0 {
			a.From, a.To = index[a.From], index[a.To]
			v.Arrows = append(v.Arrows, a)
		}
	}
	v.rounds(cycles, index)
	return v
}

// rounds adds the ways round the cycles of which all nodes are in the view.
func (v *View) rounds(cycles []graph.Cycle, index []int) {
	for _, c := range cycles {
		var round []int
		for _, step := range c.Path {
			if k := index[step.From.Node]; len(round) == 0 || round[len(round)-1] != k {
				round = append(round, k)
			}
		}
		if !slices.Contains(round, -1) {
			v.Cycles = append(v.Cycles, round)
		}
	}
}
