// Package bill lists what a catalog leaves for the agent to call: a bill of
// materials of its Deferred values, and what a [Policy] says of them.
//
//	bill.go    Entry: one call, where it stands, who would answer it
//	late.go    what becomes of a call when an agent resolves late
//	policy.go  which calls may be deferred, and how
//
// An [Entry] tells types in place of arguments, so that it can be shown to
// anybody.
package bill

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Position tells where in its parameter a Deferred stands.
type Position string

// The positions.
const (
	Scalar    Position = "scalar"    // it is the value of the parameter, or all that is in its Sensitive
	Nested    Position = "nested"    // in an Array or the values of a Hash
	Argument  Position = "argument"  // among the arguments of another Deferred
	Key       Position = "key"       // in the key of a Hash, where no agent looks
	Attribute Position = "attribute" // in an Object, where no agent looks
)

// The providers that are no sources of functions.
const (
	Variable = "variable" // the name is that of a variable
	Unknown  = "unknown"  // nobody answers the call
)

// Entry is one Deferred of a catalog.
type Entry struct {
	// At is where the Deferred stands. The key of a hash that is no text, number
	// or Boolean is there by its kind.
	At       catalog.Location
	Function string
	// Arguments are the types of the arguments, calls by their names.
	Arguments []string
	Position  Position
	// Sensitive tells that the result is kept a secret: the parameter is listed
	// as sensitive, or a Sensitive or a call of new(Sensitive, …) is around it.
	Sensitive bool
	// SecretArguments tells that a Sensitive stands among the arguments.
	SecretArguments bool
	// ClearCredentials are the arguments that hold a credential in clear, as
	// [Options.Credential] tells, by their places.
	ClearCredentials []catalog.Location
	// Provider is the source of the function that would be called: "table",
	// "puppet", a file; or [Variable], or [Unknown].
	Provider string
	// Effects are those of the function, none when it is unknown.
	Effects function.Effects
	Late    Late

	call *pcore.Deferred
}

// Call returns the Deferred itself. Its arguments may hold what nobody declared
// to be a secret.
func (e *Entry) Call() *pcore.Deferred { return e.call }

// String returns the call with the types of its arguments: `join(Array, String)`.
func (e *Entry) String() string { return e.Function + "(" + strings.Join(e.Arguments, ", ") + ")" }

// Options tell who answers calls, and what counts as a credential. The zero
// value knows neither.
type Options struct {
	// Functions finds the functions that would be called; nil finds none.
	Functions function.Finder
	// Credential reports whether a credential stands in clear at a place among
	// the arguments of a call. Nil finds none.
	Credential func(catalog.Location) bool
}

// Read returns an iterator over the Deferred values of all catalogs that src
// reads, in their order, a call before those among its arguments. It ends with
// the first error, a *[catalog.Error].
func Read(src *catalog.Reader, o Options) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		for r, err := range src.Resources() {
			if err != nil {
				yield(nil, err)
				return
			}
			entries, err := Resource(r, o)
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

// Resource returns the Deferred values of one resource.
func Resource(r *catalog.Resource, o Options) ([]*Entry, error) {
	parameters, err := r.RevealParameters() //nolint:forbidigo // only calls are listed, and secrets among their arguments masked
	if err != nil {
		return nil, err
	}
	listed := catalog.NamesOf(r.SensitiveParameters())
	var all []*Entry
	for k, v := range parameters.All() {
		name, _ := k.(pcore.String)
		l := lister{options: o, resource: r, parameter: string(name), listed: listed.Has(string(name))}
		if err := pcore.Walk(v, l.visit); err != nil {
			return nil, err
		}
		all = append(all, l.entries...)
	}
	return all, nil
}

// lister goes through one parameter.
type lister struct {
	options   Options
	resource  *catalog.Resource
	parameter string
	listed    bool
	entries   []*Entry
	// around are the entries that stand around the cursor, the outermost first.
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
		call:      d,
	}
	for _, a := range l.around {
		e.Sensitive = e.Sensitive || makesSecret(a.entry.call)
	}
	e.Provider, e.Effects = l.options.provider(d.Name())
	e.Late = lateness(l.resource, l.parameter, e)
	if n := len(l.around); n > 0 && l.around[n-1].entry.Late.Breaks {
		e.Late = l.around[n-1].entry.Late
	}
	return e
}

func (l *lister) at(path pcore.Path) catalog.Location {
	return l.resource.Ref().Parameter(l.parameter).Join(path)
}

// credential tells the innermost call around the cursor of a credential there.
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
	if o.Functions != nil {
		if f, ok := o.Functions.Function(function.CanonicalName(name)); ok {
			return f.Source, f.Effects
		}
	}
	return Unknown, 0
}

// withoutRichKeys returns a path that names the kinds of keys that could tell
// what stands in them: those of a hash that has a call, or a list, for a key.
func withoutRichKeys(path pcore.Path) pcore.Path {
	shown := slices.Clone(path)
	for i, s := range shown {
		switch s.Key.(type) {
		case nil, pcore.String, pcore.Integer, pcore.Float, pcore.Boolean:
		default:
			shown[i].Key = pcore.String(s.Key.Kind().String())
		}
	}
	return shown
}

// positionOf tells by the steps that lead to a Deferred. What keeps it from
// being resolved counts first.
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

// typesOf tells of each argument the kind of value it is, of a call its name,
// and nothing of what it holds.
func typesOf(args *pcore.Array) []string {
	types := make([]string, 0, args.Len())
	for v := range args.Values() {
		switch v := v.(type) {
		case *pcore.Deferred:
			types = append(types, v.Name()+"(…)")
		case *pcore.Object:
			types = append(types, v.TypeName())
		default:
			types = append(types, v.Kind().String())
		}
	}
	return types
}
