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
// them alike, and they are at the same place, or are made by the same line of a manifest
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

	// Place is the location, with `…` for the title if there are several. Titles is
	// their number.
	Place  string
	Titles int
	// Nodes is the number of nodes, and Examples the first three by name.
	Count, Nodes int
	Examples     []string
}

// String returns the call with the types of its arguments.
func (t *Total) String() string { return t.Function + "(" + strings.Join(t.Arguments, ", ") + ")" }

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
	typ, title, path    string // the title only without a file
}

// Add adds a call of a node. The location and the file, which may be masked, replace
// those of e.
func (t *Totals) Add(node string, e *Entry, at catalog.Location, file string, violations []string) {
	c := call{
		function: e.Function, arguments: strings.Join(e.Arguments, "\n"), position: e.Position,
		sensitive: e.Sensitive, secret: e.SecretArguments, credentials: len(e.ClearCredentials),
		provider: e.Provider, effects: e.Effects, late: e.Late, violations: strings.Join(violations, "\n"),
		file: file, line: e.Line, typ: at.Ref.Type, title: at.Ref.Title,
		path: strings.TrimPrefix(at.String(), at.Ref.String()),
	}
	if file != "" && e.Line > 0 {
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

// All returns the totals, most frequent first.
func (t *Totals) All() []Total {
	const examples = 3
	t.mu.Lock()
	defer t.mu.Unlock()
	all := []Total{}
	for _, g := range t.calls.Groups(examples, func(call, call) int { return 0 }) {
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
		total.Place = catalog.Ref{Type: c.typ, Title: title}.String() + c.path
		all = append(all, total)
	}
	slices.SortFunc(all, func(a, b Total) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Place, b.Place), cmp.Compare(a.String(), b.String()),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Provider, b.Provider),
			slices.Compare(a.Violations, b.Violations), slices.Compare(a.Examples, b.Examples), cmp.Compare(secrecy(a), secrecy(b)))
	})
	return all
}

// secrecy orders totals that differ only in secrecy.
func secrecy(t Total) int {
	n := t.ClearCredentials * 4
	if t.Sensitive {
		n++
	}
	if t.SecretArguments {
		n += 2
	}
	return n
}

// lines is the inverse of a join by line breaks.
func lines(text string) []string {
	if text == "" {
		return []string{}
	}
	return strings.Split(text, "\n")
}
