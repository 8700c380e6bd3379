package leaf

import (
	"bytes"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// source is the part of the document that a leaf was decoded from.
type source struct {
	form   serialization.Format
	bytes  []byte
	offset int64 // of bytes in the document
	above  int   // number of path steps that lead to it
}

// Offset returns the position in the document at which the leaf begins, or -1 if it is
// unknown. Reports use it where a pointer contains a secret and cannot be shown.
func (l *Leaf) Offset() int64 {
	if l.source.bytes == nil {
		return -1
	}
	r := l.source.form.NewReader(bytes.NewReader(l.source.bytes), serialization.DecodeOptions{AllowDuplicates: true, AllowUnknownTypes: true})
	f := finder{Reader: r}
	for _, s := range l.path[l.source.above:] {
		if !f.step(s) {
			return -1
		}
		if s.Kind == pcore.StepKey && !s.Listed {
			return l.source.offset + f.key
		}
	}
	if _, err := r.Token(); err != nil {
		return -1
	}
	return l.source.offset + r.Offset()
}

// finder moves a cursor along a path.
type finder struct {
	serialization.Reader
	key int64 // offset of the key that was read last
}

// step moves to the target of s; for a key, to its value.
func (f *finder) step(s pcore.Step) bool {
	switch s.Kind {
	case pcore.StepIndex:
		return f.index(s.Index)
	case pcore.StepArgument:
		return f.member("arguments") && f.index(s.Index)
	case pcore.StepSecret:
		return f.member("__pvalue")
	case pcore.StepEntry, pcore.StepAttribute, pcore.StepKey:
		if !s.Listed {
			return f.member(stepText(s))
		}
		at := 2 * s.Index
		if s.Kind == pcore.StepEntry {
			at++
		}
		return f.member("__pvalue") && f.index(at)
	}
	return false
}

// member moves to the value of a key of the next map.
func (f *finder) member(name string) bool {
	if t, err := f.Token(); err != nil || t != serialization.TokenMap {
		return false
	}
	if _, err := f.Enter(); err != nil {
		return false
	}
	for {
		if t, err := f.Token(); err != nil || t != serialization.TokenKey {
			return false
		}
		f.key = f.Offset()
		if key, err := f.Key(); err != nil {
			return false
		} else if key == name {
			return true
		}
		if f.Skip() != nil {
			return false
		}
	}
}

func (f *finder) index(i int) bool {
	if t, err := f.Token(); err != nil || t != serialization.TokenArray {
		return false
	}
	if _, err := f.Enter(); err != nil {
		return false
	}
	for range i {
		if t, err := f.Token(); err != nil || t == serialization.TokenEnd || f.Skip() != nil {
			return false
		}
	}
	return true
}
