// Package query asks an expression of the Puppet language about each resource of
// a catalog:
//
//	$type == 'File' and $parameters['mode'] =~ /[2367]$/
//
// The expression sees the variables that [Variables] lists.
package query

import (
	"context"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/syntax"
)

// Variables returns the names of the variables that an expression sees of a
// resource, without `$`, in the order in which help lists them.
func Variables() []string {
	return []string{"type", "title", "parameters", "tags", "file", "line", "exported", "sensitive"}
}

// Query is an expression that was parsed. It may be used by several goroutines
// when its evaluator may.
type Query struct {
	evaluator *eval.Evaluator
	program   *syntax.Program
}

// New returns a query. name is what errors call the text; an error is a
// [syntax.ErrorList].
func New(e *eval.Evaluator, name, text string) (*Query, error) {
	p, err := syntax.Config{}.ParseProgram(name, text)
	if err != nil {
		return nil, err
	}
	return &Query{e, p}, nil
}

// Resource returns the value of the expression for a resource. The error is an
// [eval.Error], or a [catalog.Error] about a parameter that cannot be decoded.
//
// A parameter that the resource lists as sensitive is a Sensitive here, though
// the catalog has it in clear. What is not known of a resource is undef.
func (q *Query) Resource(ctx context.Context, r *catalog.Resource) (pcore.Value, error) {
	parameters, err := r.Parameters()
	if err != nil {
		return nil, err
	}
	return q.ask(ctx, values{
		pcore.String(r.Type()), pcore.String(r.Title()), parameters, texts(r.Tags()),
		file(r.File()), line(r.Line()), pcore.Boolean(r.Exported()), texts(r.SensitiveParameters()),
	})
}

// values are those of the variables, in the order of [Variables].
type values [8]pcore.Value

func (q *Query) ask(ctx context.Context, about values) (pcore.Value, error) {
	s := q.evaluator.Scope(ctx)
	for i, name := range Variables() {
		if err := s.Set(name, about[i]); err != nil {
			return nil, err
		}
	}
	return q.evaluator.Program(s, q.program)
}

// Subject is what an expression sees of a resource that is no [catalog.Resource].
type Subject struct {
	Type, Title string
	// Parameters are not nil. Those that Sensitive names may be in clear.
	Parameters *pcore.Hash
	Sensitive  []string
	Tags       []string
	File       string
	Line       int64
	Exported   bool
}

// Subject returns the value of the expression for what e evaluates, which takes
// the place of the evaluator of the query. The errors are those of
// [Query.Resource].
func (q *Query) Subject(ctx context.Context, e *eval.Evaluator, about *Subject) (pcore.Value, error) {
	return (&Query{e, q.program}).ask(ctx, values{
		pcore.String(about.Type), pcore.String(about.Title), wrapped(about.Parameters, about.Sensitive), texts(about.Tags),
		file(about.File), line(about.Line), pcore.Boolean(about.Exported), texts(about.Sensitive),
	})
}

// wrapped returns parameters, those of the names as Sensitive values.
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

// Selects reports whether the value of an expression picks the resource, or is
// something to be told about it. True picks; false and undef are nothing.
func Selects(v pcore.Value) (picked, told bool) {
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

func file(name string) pcore.Value {
	if name == "" {
		return pcore.Undef{}
	}
	return pcore.String(name)
}

func line(n int64) pcore.Value {
	if n == 0 {
		return pcore.Undef{}
	}
	return pcore.Integer(n)
}
