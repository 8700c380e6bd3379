// Package query evaluates an expression of the Puppet language for each resource
// of a catalog:
//
//	$type == 'File' and $parameters['mode'] =~ /[2367]$/
//
// The expression can use the variables that [Variables] returns.
//
//	Query    one expression
//	Source   the resources of a document, with their nodes and relations
//	Columns  a list of expressions, the columns of a table
//	Search   a query and several with names
//
// What an expression sees of a resource belongs here; flags, files and output belong to the commands.
package query

import (
	"context"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Variables returns the names, without `$`, of the variables that describe a
// resource to an expression, in the order of the help text. [Query.Resource] and
// [Query.Subject] set those up to `sensitive`; a [Source] sets all.
func Variables() []string {
	return []string{
		"type", "title", "parameters", "tags", "file", "line", "exported", "sensitive",
		"certname", "environment", "container", "containers", "requires", "required_by", "notifies", "notified_by",
	}
}

// Query is a parsed expression. It is safe for concurrent use if its evaluator
// is.
type Query struct {
	evaluator *eval.Evaluator
	program   *eval.Program
	used      []string // the variables that a Source sets
}

// New parses a query. name identifies the text in errors. The error
// matches [eval.ErrSyntax].
func New(e *eval.Evaluator, name, text string) (*Query, error) {
	p, err := eval.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return &Query{e, p, usedIn(text)}, nil
}

// usedIn returns the variables that the text of an expression may use: it contains the name,
// or calls getvar, whose argument can be computed.
func usedIn(text string) []string {
	computed := strings.Contains(text, "getvar")
	return slices.DeleteFunc(append(Variables(), presetVariable), func(name string) bool {
		return !computed && !strings.Contains(text, name)
	})
}

// uses reports whether the expression may use one of the variables.
func (q *Query) uses(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(q.used, name) })
}

// Resource returns the value of the expression for a resource. The error is an
// [eval.Error], or a [catalog.Error] about a parameter that cannot be decoded.
//
// A parameter that the resource lists as sensitive is a Sensitive, although the
// catalog contains its plain value. Unknown properties of a resource are undef.
func (q *Query) Resource(ctx context.Context, r *catalog.Resource) (pcore.Value, error) {
	parameters, err := r.Parameters()
	if err != nil {
		return nil, err
	}
	return q.ask(ctx, values{
		pcore.String(r.Type()), pcore.String(r.Title()), parameters, texts(r.Tags()),
		textOrUndef(r.File()), lineOrUndef(r.Line()), pcore.Boolean(r.Exported()), texts(r.SensitiveParameters()),
	})
}

// values are the values of the first variables, in the order of [Variables].
type values [8]pcore.Value

func (q *Query) ask(ctx context.Context, about values) (pcore.Value, error) {
	s := q.evaluator.Scope(ctx)
	for i, name := range Variables()[:len(about)] {
		if err := s.Set(name, about[i]); err != nil {
			return nil, err
		}
	}
	return q.evaluator.Program(s, q.program)
}

// Subject describes a resource that is not a [catalog.Resource].
type Subject struct {
	Type, Title string
	// Parameters must not be nil. Values named in Sensitive can be
	// unwrapped.
	Parameters *pcore.Hash
	Sensitive  []string
	Tags       []string
	File       string
	Line       int64
	Exported   bool
}

// Subject returns the value of the expression for about, evaluated by e instead
// of the query's evaluator. The error is an [eval.Error].
func (q *Query) Subject(ctx context.Context, e *eval.Evaluator, about *Subject) (pcore.Value, error) {
	return (&Query{evaluator: e, program: q.program}).ask(ctx, values{
		pcore.String(about.Type), pcore.String(about.Title), wrapped(about.Parameters, about.Sensitive), texts(about.Tags),
		textOrUndef(about.File), lineOrUndef(about.Line), pcore.Boolean(about.Exported), texts(about.Sensitive),
	})
}

// wrapped returns the parameters with the named ones wrapped in a Sensitive.
func wrapped(all *pcore.Hash, names []string) *pcore.Hash {
	listed := make(map[string]bool)
	for _, name := range names {
		listed[name] = true
	}
	if len(listed) == 0 {
		return all
	}
	b := pcore.NewHashBuilder(all.Len())
	for k, v := range all.All() {
		name, _ := k.(pcore.String)
		if _, secret := v.(*pcore.Sensitive); listed[string(name)] && !secret {
			v = pcore.NewSensitive(v)
		}
		b.Set(k, v)
	}
	return b.Hash()
}

// Selects interprets the value of an expression: true selects the resource, and any
// value other than true, false and undef is a message about it.
func Selects(v pcore.Value) (selected, message bool) {
	switch v := v.(type) {
	case pcore.Boolean:
		return bool(v), false
	case pcore.Undef:
		return false, false
	default:
		return false, true
	}
}

func texts(all []string) *pcore.Array {
	elems := make([]pcore.Value, len(all))
	for i, text := range all {
		elems[i] = pcore.String(text)
	}
	return pcore.NewArray(elems...)
}

// textOrUndef returns a text, or undef for an empty one.
func textOrUndef(text string) pcore.Value {
	if text == "" {
		return pcore.Undef{}
	}
	return pcore.String(text)
}

// lineOrUndef returns the number of a line, or undef for 0, which is none.
func lineOrUndef(n int64) pcore.Value {
	if n == 0 {
		return pcore.Undef{}
	}
	return pcore.Integer(n)
}
