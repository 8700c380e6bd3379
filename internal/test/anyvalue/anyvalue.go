// Package anyvalue generates values of every kind for property tests of the
// wire formats.
//
// Random values belong here; random catalogs are in package gen.
package anyvalue

import (
	"math"
	"math/big"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
)

// Draw returns a value that every wire format can represent and that is equal
// after a round trip as rich data.
func Draw(t *rapid.T) pcore.Value { return value(t, 4) }

func value(t *rapid.T, depth int) pcore.Value {
	kinds := 14
	if depth > 0 {
		kinds = 20
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return pcore.Undef{}
	case 1:
		return pcore.Default{}
	case 2:
		return pcore.Boolean(rapid.Bool().Draw(t, "boolean"))
	case 3:
		return pcore.Integer(rapid.Int64().Draw(t, "integer"))
	case 4:
		return pcore.NewBigInteger(new(big.Int).SetUint64(rapid.Uint64Min(1<<63).Draw(t, "big")))
	case 5:
		return pcore.Float(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "float"))
	case 6, 7, 8:
		return pcore.String(Text(t))
	case 9:
		return pcore.Symbol("s" + Text(t))
	case 10:
		return pcore.NewRegexp(rapid.StringMatching(`[a-z/.é]{0,4}`).Draw(t, "regexp"))
	case 11:
		return pcore.NewBinary(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "binary"))
	case 12:
		return pcore.NewTimestamp(rapid.Int64Range(-1<<32, 1<<34).Draw(t, "sec"), rapid.Int64Range(0, 1e9-1).Draw(t, "nsec"))
	case 13:
		return pcore.NewTimespan(rapid.Int64Range(-1<<32, 1<<34).Draw(t, "sec"), rapid.Int64Range(0, 1e9-1).Draw(t, "nsec"))
	case 14, 15:
		return array(t, depth)
	case 16:
		return hash(t, depth, func() pcore.Value { return pcore.String(Text(t)) })
	case 17:
		return hash(t, depth, func() pcore.Value { return value(t, depth-1) })
	case 18:
		return pcore.NewSensitive(value(t, depth-1))
	default:
		return call(t, depth)
	}
}

func array(t *rapid.T, depth int) *pcore.Array {
	elems := make([]pcore.Value, rapid.IntRange(0, 6).Draw(t, "length"))
	for i := range elems {
		elems[i] = value(t, depth-1)
	}
	return pcore.NewArray(elems...)
}

func hash(t *rapid.T, depth int, key func() pcore.Value) *pcore.Hash {
	b := pcore.NewHashBuilder(0)
	for range rapid.IntRange(0, 12).Draw(t, "size") {
		b.Set(key(), value(t, depth-1))
	}
	return b.Hash()
}

func call(t *rapid.T, depth int) pcore.Value {
	if rapid.Bool().Draw(t, "object") {
		attributes := hash(t, depth, func() pcore.Value { return pcore.String(rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "attribute")) })
		return pcore.NewObject(pcore.NewTypeReferenceType("My::Unknown"), attributes)
	}
	if rapid.Bool().Draw(t, "arguments") {
		return pcore.NewDeferred("f", array(t, depth))
	}
	return pcore.NewDeferred("$facts", nil)
}

// Text returns a text, often one that needs special care in some wire format.
func Text(t *rapid.T) string {
	if rapid.IntRange(0, 3).Draw(t, "odd") > 0 {
		return rapid.StringN(0, 60, 200).Draw(t, "text")
	}
	return rapid.SampledFrom([]string{
		"", " ", "a b", " a", "a ", "\n", "\n\n", "a\n", "a\nb", "a\nb\n\n", " a\nb", "a\n b\n", "a\n \nb", "a\n\tb", "\ta\nb", "a\r\nb",
		"yes", "No", "null", "~", "true", "1", "1.5", "1e3", "0x1f", "0o7", "1_000", "12:30:45", "2016-01-01", ".inf", ".nan", "<<", "=",
		"a: b", "a:", ":a", "a #b", "#a", "- a", "-", "--- a", "---", "...", "? a", "[a]", "{a", "a,b", "*a", "&a", "!a", "%a", "@a", "`a", "|", ">",
		"'", `"`, `\`, `\u0000`, "\x00", "\x1b", "\x7f", "\u0085", "\u00a0", "\u2028", "\u2029", "\ufeff", "\ufffd", "\ufffe", "\U0001F600", "é", "e\u0301",
		"__ptype", "__pvalue", "Sensitive", "</script>",
	}).Draw(t, "special")
}
