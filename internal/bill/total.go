package bill

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/tally"
	"github.com/pcatdev/pcat/pcore/function"
)

// Totals counts equal calls of many nodes. Calls are equal if an [Entry] describes
// them alike, and they are at the same location, or are made by the same line of a manifest
// for the same parameter. The result does not depend on the order of the calls of Add.
// It is safe for concurrent use. The zero value is empty.
type Totals struct {
	calls  tally.Tally[call]
	mu     sync.Mutex
	titles map[call]map[string]bool
}

// Total is a number of equal calls.
type Total struct {
	Function        string
	Arguments       []string
	Position        Position
	Sensitive       bool
	SecretArguments bool
	// ClearCredentials is the number of arguments with a plain-text credential.
	ClearCredentials int
	Provider         string
	Effects          function.Effects
	Late             Late
	Violations       []string
	File             string
	Line             int64

	// Location is the location, with `…` for the title if there are several. Titles is
	// their number.
	Location string
	Ref      catalog.Ref
	Path     string // [catalog.Location.Pointer]
	Titles   int
	// Nodes is the number of nodes, and Examples the first three by name.
	Count, Nodes int
	Examples     []string
}

// String returns the call with the types of its arguments.
func (t *Total) String() string { return callText(t.Function, t.Arguments) }

// call is what equal calls have in common.
type call struct {
	function, arguments string // joined by line breaks
	position            Position
	sensitive, secret   bool
	credentials         int
	provider            string
	effects             function.Effects
	late                Late
	violations          string // joined by line breaks
	file                string
	line                int64
	typ, title          string // the title only without a file
	path, pointer       string
}

// compare orders calls by all that distinguishes them.
func (c *call) compare(other *call) int {
	return cmp.Or(
		cmp.Compare(c.function, other.function), cmp.Compare(c.arguments, other.arguments),
		cmp.Compare(c.file, other.file), cmp.Compare(c.line, other.line), cmp.Compare(c.provider, other.provider),
		cmp.Compare(c.violations, other.violations), cmp.Compare(c.position, other.position),
		cmp.Compare(c.credentials, other.credentials), compareBool(c.secret, other.secret), compareBool(c.sensitive, other.sensitive),
		cmp.Compare(c.effects, other.effects), cmp.Compare(c.late.Reason, other.late.Reason),
		compareBool(c.late.Breaks, other.late.Breaks), compareBool(c.late.Always, other.late.Always), compareBool(c.late.Loses, other.late.Loses),
		compareBool(c.late.NeedsModules, other.late.NeedsModules),
		cmp.Compare(c.typ, other.typ), cmp.Compare(c.title, other.title), cmp.Compare(c.path, other.path), cmp.Compare(c.pointer, other.pointer),
	)
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// Add adds a call of a node. The location, which may be masked, replaces that of e; see
// [Entry.Masked] for the other texts.
func (t *Totals) Add(node string, e *Entry, at catalog.Location, violations []string) {
	c := call{
		function: e.Function, arguments: strings.Join(e.Arguments, "\n"), position: e.Position,
		sensitive: e.Sensitive, secret: e.SecretArguments, credentials: len(e.ClearCredentials),
		provider: e.Provider, effects: e.Effects, late: e.Late, violations: strings.Join(violations, "\n"),
		file: e.File, line: e.Line, typ: at.Ref.Type, title: at.Ref.Title,
		path: strings.TrimPrefix(at.String(), at.Ref.String()), pointer: at.Pointer(),
	}
	if e.File != "" && e.Line > 0 {
		c.title = ""
	}
	t.calls.Add(node, c, 1)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.titles == nil {
		t.titles = make(map[call]map[string]bool)
	}
	if t.titles[c] == nil {
		t.titles[c] = make(map[string]bool)
	}
	t.titles[c][at.Ref.Title] = true
}

// Nodes returns the number of nodes with calls.
func (t *Totals) Nodes() int { return t.calls.Nodes() }

// Count returns the number of calls.
func (t *Totals) Count() int { return t.calls.Count() }

// All returns the totals, most frequent first, and equally frequent ones by location.
func (t *Totals) All() []Total {
	const examples = 3
	t.mu.Lock()
	defer t.mu.Unlock()
	all := []Total{}
	for _, g := range t.calls.Groups(examples, func(a, b call) int { return a.compare(&b) }) {
		c := g.Key
		total := Total{
			Function: c.function, Arguments: lines(c.arguments), Position: c.position, Sensitive: c.sensitive, SecretArguments: c.secret,
			ClearCredentials: c.credentials, Provider: c.provider, Effects: c.effects, Late: c.late, Violations: lines(c.violations),
			File: c.file, Line: c.line, Titles: len(t.titles[c]), Count: g.Count, Nodes: g.Nodes, Examples: g.Examples,
		}
		title := "…"
		if total.Titles == 1 {
			title = slices.Collect(maps.Keys(t.titles[c]))[0]
		}
		total.Ref, total.Path = catalog.Ref{Type: c.typ, Title: title}, c.pointer
		total.Location = total.Ref.String() + c.path
		all = append(all, total)
	}
	slices.SortStableFunc(all, func(a, b Total) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Location, b.Location))
	})
	return all
}

// lines is the inverse of a join by line breaks.
func lines(text string) []string {
	if text == "" {
		return []string{}
	}
	return strings.Split(text, "\n")
}
