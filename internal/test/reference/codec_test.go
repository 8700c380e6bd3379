package reference

import (
	"encoding/hex"
	"math"
	"math/big"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestRubyAgrees checks that Ruby's JSON and MessagePack write the same bytes
// as pcat for any value, and read pcat's.
func TestRubyAgrees(t *testing.T) {
	requireRuby(t)
	ruby := serve(t, filepath.Join("testdata", "codec.rb"))
	rapid.Check(t, func(t *rapid.T) {
		for range 50 {
			agree(t, ruby, value(t, 3))
		}
	})
}

func agree(t *rapid.T, ruby *server, v pcore.Value) {
	inClear := serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
	text, err := formats.RichJSON().Append(nil, v, inClear)
	if err != nil {
		t.Fatal(err)
	}
	packed, refused := formats.RichMessagePack().Append(nil, v, inClear)
	question := map[string]string{"json": string(text)}
	if refused == nil {
		question["msgpack"] = hex.EncodeToString(packed)
	}
	var answer struct {
		JSON, Unpacked, Error string
		MsgPack               struct{ Hex, Error string }
	}
	if err := ruby.ask(question, &answer); err != nil {
		t.Fatal(err)
	}
	switch {
	case answer.Error != "":
		t.Fatalf("Ruby: %s", answer.Error)
	case answer.JSON != string(text):
		t.Fatalf("JSON: Ruby writes %s, pcat %s", answer.JSON, text)
	case (answer.MsgPack.Error != "") != (refused != nil):
		t.Fatalf("MessagePack: Ruby says %q, pcat %v", answer.MsgPack.Error, refused)
	case answer.MsgPack.Hex != question["msgpack"]:
		t.Fatalf("MessagePack: Ruby writes %s, pcat %x", answer.MsgPack.Hex, packed)
	case refused == nil && answer.Unpacked != string(text):
		t.Fatalf("MessagePack: Ruby reads %s, pcat wrote %s", answer.Unpacked, text)
	}
}

// value draws a value of any kind that rich data can represent.
func value(t *rapid.T, depth int) pcore.Value {
	scalars := []func() pcore.Value{
		func() pcore.Value { return pcore.Undef{} },
		func() pcore.Value { return pcore.Default{} },
		func() pcore.Value { return pcore.Boolean(rapid.Bool().Draw(t, "boolean")) },
		func() pcore.Value { return integer(t) },
		func() pcore.Value { return float(t) },
		func() pcore.Value { return pcore.String(text(t)) },
		func() pcore.Value { return pcore.NewBinary(rapid.SliceOf(rapid.Byte()).Draw(t, "binary")) },
		func() pcore.Value { return pcore.NewRegexp(rapid.StringMatching(`[a-zé/.]*`).Draw(t, "regexp")) },
		func() pcore.Value {
			sec, nsec := rapid.Int64Range(-1<<32, 1<<34).Draw(t, "sec"), rapid.Int64Range(0, 1e9-1).Draw(t, "nsec")
			if rapid.Bool().Draw(t, "span") {
				return pcore.NewTimespan(sec, nsec)
			}
			return pcore.NewTimestamp(sec, nsec)
		},
	}
	if depth == 0 {
		return rapid.SampledFrom(scalars).Draw(t, "scalar")()
	}
	inner := func() pcore.Value { return value(t, depth-1) }
	return rapid.SampledFrom(append(scalars,
		func() pcore.Value { return pcore.NewSensitive(inner()) },
		func() pcore.Value { return pcore.NewDeferred("f", array(t, inner)) },
		func() pcore.Value { return array(t, inner) },
		func() pcore.Value { return hash(t, inner, inner) },
		func() pcore.Value { return hash(t, func() pcore.Value { return pcore.String(text(t)) }, inner) },
	)).Draw(t, "value")()
}

// integer draws an integer, often near a limit of a MessagePack header, and
// sometimes beyond all of them.
func integer(t *rapid.T) pcore.Value {
	edge := new(big.Int).Lsh(big.NewInt(1), rapid.SampledFrom([]uint{5, 7, 8, 15, 16, 31, 32, 53, 63, 64, 80}).Draw(t, "bits"))
	if rapid.Bool().Draw(t, "negative") {
		edge.Neg(edge)
	}
	return pcore.NewBigInteger(edge.Add(edge, big.NewInt(rapid.Int64Range(-2, 2).Draw(t, "beside"))))
}

// float draws a float, often one near a change of its notation.
func float(t *rapid.T) pcore.Value {
	if rapid.Bool().Draw(t, "any") {
		return pcore.Float(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "float"))
	}
	return pcore.Float(math.Pow10(rapid.IntRange(-20, 20).Draw(t, "exponent")) * rapid.Float64Range(0.5, 2).Draw(t, "factor"))
}

// text draws a text with all characters that one of the formats escapes,
// sometimes longer than the limit of a short header.
func text(t *rapid.T) string {
	s := rapid.StringOf(rapid.OneOf(
		rapid.Rune(),
		rapid.RuneFrom([]rune("\x00\x08\t\n\f\r\x1b\x1f\x7f\"\\/<>&'\u0085\u2028\u2029\ufeff\ufffd\U0001F600")),
	)).Draw(t, "text")
	for range rapid.IntRange(0, 3).Draw(t, "doubled") {
		s += s
	}
	return s
}

func array(t *rapid.T, inner func() pcore.Value) *pcore.Array {
	elems := make([]pcore.Value, rapid.IntRange(0, 20).Draw(t, "length"))
	for i := range elems {
		elems[i] = inner()
	}
	return pcore.NewArray(elems...)
}

func hash(t *rapid.T, key, inner func() pcore.Value) *pcore.Hash {
	n := rapid.IntRange(0, 20).Draw(t, "size")
	b := pcore.NewHashBuilder(n)
	for range n {
		b.Set(key(), inner())
	}
	return b.Hash()
}
