package puppet

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// likeness is how much two values mean the same to Puppet.
type likeness uint8

const (
	different likeness = iota
	probable           // the same unless the node is unusual
	refused            // Puppet cannot make them the same
	same
)

// sameIf returns same or different.
func sameIf(ok bool) likeness {
	if ok {
		return same
	}
	return different
}

// bare returns a value without the Sensitive around it.
func bare(v pcore.Value) pcore.Value {
	for {
		s, ok := v.(*pcore.Sensitive)
		if !ok {
			return v
		}
		v = s.Reveal() //nolint:forbidigo // it is compared, never printed
	}
}

// text returns a scalar as text, or "". It can be a secret.
func text(v pcore.Value) string {
	s, _ := scalar(v)
	return s
}

// scalar is text, and reports false for a value that is no scalar.
func scalar(v pcore.Value) (string, bool) {
	switch v := bare(v).(type) {
	case pcore.String:
		return string(v), true
	case pcore.Symbol:
		return string(v), true
	case pcore.Binary:
		return v.Raw(), true
	case pcore.Integer, pcore.Float, pcore.Boolean, pcore.BigInteger:
		return v.String(), true
	default:
		return "", false
	}
}

// scalars returns the elements of a list of scalars, or a scalar as a list of one. It reports
// false for any other value.
func scalars(v pcore.Value) ([]string, bool) {
	list, ok := bare(v).(*pcore.Array)
	if !ok {
		s, ok := scalar(v)
		return []string{s}, ok
	}
	var all []string
	for e := range list.Values() {
		inner, ok := scalars(e)
		if !ok {
			return nil, false
		}
		all = append(all, inner...)
	}
	return all, true
}

// isTrue reports whether a text is a spelling of true.
func isTrue(s string) bool { return s == "true" || s == "yes" }

// compare reports whether two values of a property mean the same. of returns the other
// parameters of the resource with the new value.
func (p *property) compare(old, new pcore.Value, of Values) likeness {
	if pcore.Identical(bare(old), bare(new)) {
		return same
	}
	a, plain := scalars(old)
	b, also := scalars(new)
	if p.reading.kind == "pairs" {
		a, plain = pairs(old)
		b, also = pairs(new)
	}
	if !plain || !also {
		return different
	}
	for _, list := range [][]string{a, b} {
		for i, s := range list {
			list[i] = p.reading.munge(s)
		}
	}
	switch p.reading.kind {
	case "set", "pairs":
		return compareSets(a, b, isInclusive(of.text(p.reading.args[0])))
	case "ordered":
		if !isInclusive(of.text(p.reading.args[0])) {
			b = append(b, slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })...)
		}
	case "all":
		slices.Sort(a)
		slices.Sort(b)
	case "words":
		a, b = words(a), words(b)
	case "owner":
		return compareOwners(a, b)
	case "links":
		if !slices.Equal(a, b) {
			return probable
		}
	case "content":
		return sameIf(len(a) == 1 && len(b) == 1 && (a[0] == b[0] || isChecksum(b[0], a[0])))
	}
	if !p.whole && len(a) == 1 && slices.Contains(b, a[0]) {
		return same // one of several is enough
	}
	return sameIf(slices.Equal(a, b))
}

// words returns the words of texts, sorted.
func words(texts []string) []string {
	return slices.Sorted(strings.FieldsSeq(strings.Join(texts, " ")))
}

// isChecksum reports whether a text is the checksum of another one, as content of a File can be.
func isChecksum(s, of string) bool {
	sum := sha256.Sum256([]byte(of))
	return s == "{sha256}"+hex.EncodeToString(sum[:])
}

// isInclusive reports whether a list is all that the node may have, by the parameter that says so.
func isInclusive(membership string) bool { return membership == "inclusive" || isTrue(membership) }

// munge returns one value as Puppet reads it.
func (r *reading) munge(s string) string {
	switch r.kind {
	case "word":
		for _, alias := range r.args {
			if from, to, _ := strings.Cut(alias, "="); from == s {
				return to
			}
		}
	case "boolean":
		return strconv.FormatBool(isTrue(s))
	case "mode":
		return octal(s)
	case "strip":
		return strings.TrimSpace(s)
	case "source":
		return strings.TrimPrefix(s, "file://")
	case "groups":
		return strings.Join(words([]string{s}), " ")
	case "time":
		return timeOf(s, r.args)
	case "version":
		if s == "installed" {
			return present
		}
	}
	return s
}

// timeOf returns a field of cron as Puppet reads it: a name as its number.
func timeOf(s string, names []string) string {
	if s == "*" {
		return absent
	}
	lower := strings.ToLower(s)
	for i, name := range names {
		if lower == name || len(lower) == 3 && strings.HasPrefix(name, lower) {
			return strconv.Itoa(i)
		}
	}
	return s
}

// compareOwners compares users or groups, of which one of several is enough: root has the number
// 0 on almost all nodes.
func compareOwners(a, b []string) likeness {
	isRoot := func(s string) bool { return s == "root" || s == "0" }
	switch {
	case len(a) > 0 && slices.Contains(b, a[0]):
		return same
	case len(a) > 0 && isRoot(a[0]) && slices.ContainsFunc(b, isRoot):
		return probable
	default:
		return different
	}
}

// compareSets compares lists without order. The node has the elements of the old one, and
// perhaps more, which count if the list is inclusive.
func compareSets(old, new []string, inclusive bool) likeness {
	missing := slices.ContainsFunc(new, func(s string) bool { return !slices.Contains(old, s) })
	if inclusive {
		slices.Sort(old)
		slices.Sort(new)
		return sameIf(slices.Equal(slices.Compact(old), new))
	}
	return sameIf(!missing)
}

// pairs returns the pairs of a hash, or of a list of KEY=VALUE.
func pairs(v pcore.Value) ([]string, bool) {
	h, ok := bare(v).(*pcore.Hash)
	if !ok {
		return scalars(v)
	}
	all := make([]string, 0, h.Len())
	for k, e := range h.All() {
		key, ok := scalar(k)
		value, also := scalar(e)
		if !ok || !also {
			return nil, false
		}
		all = append(all, key+"="+value)
	}
	return all, true
}
