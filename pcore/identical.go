package pcore

import (
	"encoding/binary"
	"hash/maphash"
	"math"
)

// Identical reports whether a and b are the same key of a [Hash]: the same kind
// and the same content. Unlike with [Equal], 1 and 1.0 differ, and so do 'a'
// and 'A'. Two Sensitives are identical if their secrets are.
//
// Real Puppet compares a Timestamp or Timespan key by object identity and so
// never finds it again; this package finds it.
func Identical(a, b Value) bool {
	switch a := a.(type) {
	case String:
		b, ok := b.(String)
		return ok && a == b
	case BigInteger:
		b, ok := b.(BigInteger)
		return ok && a.Text() == b.Text()
	case *Regexp:
		b, ok := b.(*Regexp)
		return ok && a.source == b.source
	case *SemVer:
		b, ok := b.(*SemVer)
		return ok && a.String() == b.String()
	case *SemVerRange:
		b, ok := b.(*SemVerRange)
		return ok && a.equal(b)
	case *URI:
		b, ok := b.(*URI)
		return ok && a.Text() == b.Text()
	case *Array:
		b, ok := b.(*Array)
		return ok && identicalArrays(a, b)
	case *Hash:
		b, ok := b.(*Hash)
		return ok && identicalHashes(a, b)
	case *Sensitive:
		b, ok := b.(*Sensitive)
		return ok && Identical(a.Reveal(), b.Reveal()) //nolint:forbidigo // compared, never shown
	case *Deferred:
		b, ok := b.(*Deferred)
		return ok && a.name == b.name && (a.args == nil) == (b.args == nil) && identicalArrays(a.args, b.args)
	case *Object:
		b, ok := b.(*Object)
		return ok && equalObjects(a, b)
	case Type:
		b, ok := b.(Type)
		return ok && EqualTypes(a, b)
	default:
		return a == b
	}
}

func identicalArrays(a, b *Array) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i, e := range a.All() {
		if !Identical(e, b.At(i)) {
			return false
		}
	}
	return true
}

func identicalHashes(a, b *Hash) bool {
	if a.Len() != b.Len() {
		return false
	}
	for k, e := range a.All() {
		other, ok := b.Get(k)
		if !ok || !Identical(e, other) {
			return false
		}
	}
	return true
}

// writeIdentity writes v to h so that identical values have the same hash.
func writeIdentity(h *maphash.Hash, v Value) {
	_ = h.WriteByte(byte(v.kind()))
	switch v := v.(type) {
	case Undef, Default:
	case Boolean:
		if v {
			_ = h.WriteByte(1)
		}
	case Integer:
		writeUint64(h, uint64(v))
	case BigInteger:
		writeText(h, v.Text())
	case Float:
		writeUint64(h, math.Float64bits(float64(v)+0)) // -0.0 == 0.0
	case String:
		writeText(h, string(v))
	case Symbol:
		writeText(h, string(v))
	case *Regexp:
		writeText(h, v.source)
	case Binary:
		writeText(h, v.b)
	case Timestamp:
		writeUint64(h, uint64(v.Unix()))
		writeUint64(h, uint64(v.Nanosecond()))
	case Timespan:
		writeUint64(h, uint64(v.Seconds()))
		writeUint64(h, uint64(v.Nanosecond()))
	case *SemVer:
		writeText(h, v.String())
	case *SemVerRange:
		// Equal ranges can have different texts.
	case *URI:
		writeText(h, v.Text())
	case *Array:
		for _, e := range v.All() {
			writeIdentity(h, e)
		}
	case *Hash:
		writeUint64(h, hashSum(v))
	case *Sensitive:
		writeIdentity(h, v.Reveal()) //nolint:forbidigo // goes into a keyed sum, never shown
	case *Deferred:
		writeText(h, v.name)
		writeUint64(h, uint64(v.args.Len()))
	case *Object:
		name, values := v.identityOfObject()
		writeText(h, name)
		for _, got := range values {
			writeIdentity(h, got)
		}
	case *Iterator:
	case Type:
		writeTypeIdentity(h, v)
	default: // there are no other values
	}
}

// hashSum returns a hash that does not depend on the order of the entries.
func hashSum(v *Hash) uint64 {
	var sum uint64
	for k, e := range v.All() {
		var h maphash.Hash
		h.SetSeed(seed)
		writeIdentity(&h, k)
		writeIdentity(&h, e)
		sum += h.Sum64()
	}
	return sum
}

func writeText(h *maphash.Hash, s string) {
	writeUint64(h, uint64(len(s)))
	_, _ = h.WriteString(s)
}

func writeUint64(h *maphash.Hash, n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	_, _ = h.Write(b[:])
}
