// Package query asks an expression of the Puppet language about each resource of
// a catalog:
//
//	$type == 'File' and $parameters['mode'] =~ /[2367]$/
//
// The expression sees the variables that [Variables] lists.
package query

import (
	"context"
	"fmt"

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
	s := q.evaluator.Scope(ctx)
	parameters, err := Parameters(r)
	if err != nil {
		return nil, err
	}
	for i, v := range []pcore.Value{
		pcore.String(r.Type()), pcore.String(r.Title()), parameters, texts(r.Tags()),
		file(r), line(r), pcore.Boolean(r.Exported()), texts(r.SensitiveParameters()),
	} {
		if err := s.Set(Variables()[i], v); err != nil {
			return nil, fmt.Errorf("%v: %w", r.Ref(), err)
		}
	}
	return q.evaluator.Program(s, q.program)
}

// Parameters returns the parameters of a resource, those that are listed as
// sensitive as Sensitive values.
func Parameters(r *catalog.Resource) (*pcore.Hash, error) {
	all, err := r.Parameters()
	if err != nil {
		return nil, err
	}
	listed := make(map[string]bool)
	for _, name := range r.SensitiveParameters() {
		listed[name] = true
	}
	if len(listed) == 0 {
		return all, nil
	}
	b := pcore.NewHashBuilder(all.Len())
	for k, v := range all.All() {
		name, _ := k.(pcore.String)
		if _, secret := v.(*pcore.Sensitive); listed[string(name)] && !secret {
			v = pcore.NewSensitive(v)
		}
		b.Set(k, v)
	}
	return b.Hash(), nil
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

func file(r *catalog.Resource) pcore.Value {
	if r.File() == "" {
		return pcore.Undef{}
	}
	return pcore.String(r.File())
}

func line(r *catalog.Resource) pcore.Value {
	if r.Line() == 0 {
		return pcore.Undef{}
	}
	return pcore.Integer(r.Line())
}
