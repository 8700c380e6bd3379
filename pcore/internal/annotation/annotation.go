// Package annotation keeps the annotations of values: objects that the function annotate has
// associated with them. They belong to one evaluation, whose context holds them, because the
// values themselves are immutable and may be shared by evaluations.
package annotation

import (
	"context"
	"reflect"
	"sync"

	"github.com/pcatdev/pcat/pcore"
)

// maxSize is the maximum size of the annotations of an evaluation and of the values that have them,
// in bytes as an estimate.
const maxSize = 64 << 20

// Annotations holds the annotations of an evaluation. Nil holds none. It is safe for concurrent use.
type Annotations struct {
	mu   sync.Mutex
	of   map[key]*pcore.Object
	size int64
}

// key is a value, by its identity, and the name of the type of the annotation.
type key struct {
	value pcore.Value
	name  string
}

type contextKey struct{}

// With returns a context with empty Annotations.
func With(ctx context.Context) context.Context {
	return context.WithValue(ctx, contextKey{}, new(Annotations))
}

// In returns the Annotations of a context, or nil if it has none.
func In(ctx context.Context) *Annotations {
	a, _ := ctx.Value(contextKey{}).(*Annotations)
	return a
}

// CanHave reports whether a value can have annotations. It must have an identity: a number or a
// text is the same as any other with its content.
func CanHave(v pcore.Value) bool {
	switch v.(type) {
	case pcore.Type:
		return reflect.TypeOf(v).Comparable()
	case *pcore.SemVer, *pcore.SemVerRange: // frozen in the reference
		return false
	default:
		return reflect.TypeOf(v).Kind() == reflect.Pointer
	}
}

// Get returns the annotation of v by the name of its type.
func (a *Annotations) Get(v pcore.Value, name string) (*pcore.Object, bool) {
	if a == nil || !CanHave(v) {
		return nil, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	o, ok := a.of[key{v, name}]
	return o, ok
}

// Set replaces the annotation of v, which must be able to have one. size is that of o, and of v if
// it has no annotation of this name. It returns false, and changes nothing, if there is no room.
func (a *Annotations) Set(v pcore.Value, name string, o *pcore.Object, size int64) bool {
	if a == nil {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.size+size > maxSize { // a replaced or cleared annotation still counts: work is limited, too
		return false
	}
	if a.of == nil {
		a.of = make(map[key]*pcore.Object)
	}
	a.size += size
	a.of[key{v, name}] = o
	return true
}

// Clear removes the annotation of v, and returns it.
func (a *Annotations) Clear(v pcore.Value, name string) (*pcore.Object, bool) {
	o, ok := a.Get(v, name)
	if ok {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.of, key{v, name})
	}
	return o, ok
}
