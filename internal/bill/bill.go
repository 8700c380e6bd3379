// Package bill lists the Deferred values of a catalog: the calls that it leaves
// to the agent, like a bill of materials.
//
//	Entry   one call: its location, its function, the types of its arguments
//	Late    the effect of late resolution on a call
//	Policy  the rules for calls that may be deferred
//	Totals  equal calls of many nodes
//
// An [Entry] contains types instead of arguments, so it can be published.
//
// The description of calls belongs here; package deferred answers them.
package bill

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Position is the kind of location of a Deferred in its parameter.
type Position string

// The positions.
const (
	Scalar    Position = "scalar"    // the value of the parameter, or the content of its Sensitive
	Nested    Position = "nested"    // in an Array or in a value of a Hash
	Argument  Position = "argument"  // in the arguments of another Deferred
	Key       Position = "key"       // in a key of a Hash, where no agent resolves it
	Attribute Position = "attribute" // in an Object, where no agent resolves it
)

// Values of [Entry.Provider] for calls without a function.
const (
	Variable = "variable" // the name is the name of a variable
	Unknown  = "unknown"  // no provider has the function
)

// Entry is one Deferred of a catalog.
type Entry struct {
	// At is the location of the Deferred. In a parameter that is listed as
	// sensitive, it is the location of the parameter. Hash keys other than
	// texts, numbers and Booleans are replaced by their kind.
	At       catalog.Location
	Function string
	// Arguments are the types of the arguments, or the names of calls.
	Arguments []string
	Position  Position
	// Sensitive reports that the result is kept secret: the parameter is
	// listed as sensitive, or the call is inside a Sensitive or a
	// new(Sensitive, …).
	Sensitive bool
	// SecretArguments reports that the arguments contain a Sensitive.
	SecretArguments bool
	// ClearCredentials are the locations of plain-text credentials in the
	// arguments, as reported by [Options.Credential].
	ClearCredentials []catalog.Location
	// Provider is the source of the function that would be called: "table",
	// "puppet" or a file; or it is [Variable] or [Unknown].
	Provider string
	// Effects are the effects of the function, none if it is unknown.
	Effects function.Effects
	Late    Late
	// File and Line are the location of the resource in its manifest, as far as
	// the catalog contains them.
	File string
	Line int64

	call *pcore.Deferred
}

// Call returns the Deferred itself. Its arguments may contain secrets that are
// not declared Sensitive.
func (e *Entry) Call() *pcore.Deferred { return e.call }

// String returns the call with the types of its arguments: `join(Array, String)`.
func (e *Entry) String() string { return callText(e.Function, e.Arguments) }

func callText(function string, arguments []string) string {
	return function + "(" + strings.Join(arguments, ", ") + ")"
}

// Masked returns a copy of e for display, with each text as mask returns it. A [Policy]
// needs the original. The location and the Deferred itself are not masked.
func (e *Entry) Masked(mask func(text string) string) *Entry {
	m := *e
	m.Function, m.File = mask(e.Function), mask(e.File)
	m.Arguments = make([]string, len(e.Arguments))
	for i, text := range e.Arguments {
		m.Arguments[i] = mask(text)
	}
	return &m
}

// Options provide the functions and detect credentials. All fields are optional.
type Options struct {
	// Reference selects the agent that [Late] is about.
	Reference pcore.Reference
	// Files provides the templates of modules, whose parameters can be
	// impossible to set.
	Files function.Files
	// Types resolves the types of these parameters.
	Types typeexpr.Resolver
	// Functions looks up the functions that would be called.
	Functions function.Finder
	// Credential reports whether the value at a location in the arguments of
	// a call is a plain-text credential.
	Credential func(catalog.Location) bool
}

// Read returns an iterator over the Deferred values of all catalogs in src, in
// their order. A call precedes the calls in its arguments. The iteration ends
// with the first error, a *[catalog.Error].
func Read(src *catalog.Reader, o Options) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		for r, err := range src.Resources() {
			if err != nil {
				yield(nil, err)
				return
			}
			entries, err := ofResource(r, o)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// ofResource returns the Deferred values of one resource.
func ofResource(r *catalog.Resource, o Options) ([]*Entry, error) {
	parameters, err := r.RevealParameters() //nolint:forbidigo // only calls are listed, and secrets among their arguments masked
	if err != nil {
		return nil, err
	}
	listed := catalog.NamesOf(r.SensitiveParameters())
	var all []*Entry
	for k, v := range parameters.All() {
		name, _ := k.(pcore.String)
		entries, err := Parameter(r, string(name), v, listed.Has(string(name)), o)
		if err != nil {
			return nil, err
		}
		all = append(all, entries...)
	}
	return all, nil
}

// Parameter returns the Deferred values of one parameter of a resource. v is its
// value, and listed reports that it is listed as sensitive.
func Parameter(r *catalog.Resource, name string, v pcore.Value, listed bool, o Options) ([]*Entry, error) {
	l := lister{options: o, resource: r, parameter: name, value: v, listed: listed}
	if err := pcore.Walk(v, l.visit); err != nil {
		return nil, err
	}
	l.lose()
	return l.entries, nil
}

// lister traverses one parameter.
type lister struct {
	options   Options
	resource  *catalog.Resource
	parameter string
	value     pcore.Value
	listed    bool
	entries   []*Entry
	// around holds the entries that enclose the cursor, outermost first.
	around []enclosing
}

type enclosing struct {
	entry *Entry
	depth int // of its Deferred
}

func (l *lister) visit(c *pcore.Cursor) error {
	for n := len(l.around); n > 0 && l.around[n-1].depth >= c.Depth(); n-- {
		l.around = l.around[:n-1]
	}
	switch v := c.Value().(type) {
	case *pcore.Deferred:
		e := l.entry(v, c)
		l.entries = append(l.entries, e)
		l.around = append(l.around, enclosing{e, c.Depth()})
	case *pcore.Sensitive:
		for _, a := range l.around {
			a.entry.SecretArguments = true
		}
	default:
		l.credential(c)
	}
	return nil
}

func (l *lister) entry(d *pcore.Deferred, c *pcore.Cursor) *Entry {
	path := c.Path()
	at := l.at(withoutRichKeys(path))
	if l.listed {
		at = l.at(nil) // keys inside are secret, too
	}
	e := &Entry{
		At:        at,
		Function:  d.Name(),
		Arguments: typesOf(d.Arguments()),
		Position:  positionOf(path),
		Sensitive: l.listed || c.Secret() || makesSecret(d),
		File:      l.resource.File(),
		Line:      l.resource.Line(),
		call:      d,
	}
	for _, a := range l.around {
		e.Sensitive = e.Sensitive || makesSecret(a.entry.call)
	}
	e.Provider, e.Effects = l.options.provider(d.Name())
	e.Late = l.options.lateness(l.resource, l.parameter, l.value, e)
	if n := len(l.around); n > 0 && l.around[n-1].entry.Late.Breaks {
		e.Late = l.around[n-1].entry.Late
	}
	return e
}

func (l *lister) at(path pcore.Path) catalog.Location {
	return l.resource.Ref().Parameter(l.parameter).Join(path)
}

// credential adds a credential at the cursor to the innermost enclosing call.
func (l *lister) credential(c *pcore.Cursor) {
	if len(l.around) == 0 || c.Secret() || l.options.Credential == nil {
		return
	}
	if at := l.at(c.Path()); l.options.Credential(at) {
		e := l.around[len(l.around)-1].entry
		e.ClearCredentials = append(e.ClearCredentials, at)
	}
}

func (o *Options) provider(name string) (string, function.Effects) {
	if strings.HasPrefix(name, "$") {
		return Variable, function.ReadsVariables
	}
	if f := o.function(name); f != nil {
		return f.Source, f.Effects
	}
	return Unknown, 0
}

// function returns the function that would be called, or nil if it is unknown.
func (o *Options) function(name string) *function.Function {
	if o.Functions == nil {
		return nil
	}
	f, ok := o.Functions.Function(function.CanonicalName(name))
	if !ok {
		return nil
	}
	return f
}

// withoutRichKeys replaces keys that may contain values, such as calls or
// arrays, by their kinds.
func withoutRichKeys(path pcore.Path) pcore.Path {
	shown := slices.Clone(path)
	for i, s := range shown {
		switch s.Key.(type) {
		case nil, pcore.String, pcore.Integer, pcore.Float, pcore.Boolean:
		default:
			shown[i].Key = pcore.String(pcore.KindOf(s.Key).String())
		}
	}
	return shown
}

// positionOf derives the position from the path to a Deferred. Steps that
// prevent resolution take precedence.
func positionOf(path pcore.Path) Position {
	has := func(kinds ...pcore.StepKind) bool {
		return slices.ContainsFunc(path, func(s pcore.Step) bool { return slices.Contains(kinds, s.Kind) })
	}
	switch {
	case has(pcore.StepAttribute):
		return Attribute
	case has(pcore.StepKey):
		return Key
	case has(pcore.StepArgument):
		return Argument
	case has(pcore.StepIndex, pcore.StepEntry):
		return Nested
	default:
		return Scalar
	}
}

// makesSecret reports whether a call wraps its argument: new(Sensitive, …).
func makesSecret(d *pcore.Deferred) bool {
	if function.CanonicalName(d.Name()) != "new" || d.Arguments().Len() == 0 {
		return false
	}
	_, ok := d.Arguments().At(0).(*pcore.SensitiveType)
	return ok
}

// typesOf returns the kinds of the arguments, or the names of calls, and no
// content.
func typesOf(args *pcore.Array) []string {
	types := make([]string, 0, args.Len())
	for v := range args.Values() {
		switch v := v.(type) {
		case *pcore.Deferred:
			types = append(types, v.Name()+"(…)")
		case *pcore.Object:
			types = append(types, v.TypeName())
		default:
			types = append(types, pcore.KindOf(v).String())
		}
	}
	return types
}
