package native_test

import (
	"math/big"
	"net/netip"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/test/anystruct"
	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/native"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// sameGo compares Go values, secrets by their content.
var sameGo = cmp.Options{
	cmp.Comparer(func(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }),
	cmp.Comparer(func(a, b *pcore.SemVer) bool { return a == b || a != nil && b != nil && pcore.Identical(a, b) }),
	cmpopts.EquateComparable(netip.Addr{}, pcore.Timespan{}, pcore.Binary{}),
}

// TestRoundTrip checks for random types and values that the value comes back
// the same, directly and through the wire formats, and that the type accepts
// it, also when it is read from its text.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		goType := anystruct.Type(t, 3)
		want := anystruct.Value(t, goType).Interface()
		v, err := native.Marshal(want)
		if err != nil {
			t.Fatalf("%s: %v", goType, err)
		}
		typ, err := new(native.Codec).TypeOf(goType)
		if err != nil {
			t.Fatalf("%s: %v", goType, err)
		}
		if m := pcore.Mismatch("it", typ, v); m != nil {
			t.Fatalf("%s: %v", goType, m)
		}
		parsed, err := typeexpr.Parse(typ.String(), nil)
		if err != nil || !pcore.EqualTypes(parsed, typ) {
			t.Fatalf("%s is read as %v, %v", typ, parsed, err)
		}
		back := func(how string, v pcore.Value) {
			got := reflect.New(goType)
			if err := native.Unmarshal(v, got.Interface()); err != nil {
				t.Fatalf("%s: %s: %v", how, goType, err)
			}
			if diff := cmp.Diff(want, got.Elem().Interface(), sameGo); diff != "" {
				t.Fatalf("%s: %s: %s", how, goType, diff)
			}
		}
		back("directly", v)
		for _, f := range []serialization.Format{formats.RichJSON(), formats.RichMessagePack()} {
			data, err := f.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
			if err != nil {
				continue // an integer that MessagePack does not have
			}
			read, err := f.Decode(data, serialization.DecodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			back(f.Name, read)
		}
	})
}

// TestAnyValue checks that a random value fits an interface, that a random type
// takes it or refuses it without a panic, and that what was taken is kept.
func TestAnyValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyvalue.Draw(t)
		var natural any
		if err := native.Unmarshal(v, &natural); err != nil {
			t.Fatal(err)
		}
		back, err := native.Marshal(natural)
		if err != nil || !pcore.Equal(v, back) && !pcore.Identical(v, back) && !pcore.Is[*pcore.Hash](v) && !pcore.Is[*pcore.Array](v) {
			t.Fatalf("%s came back as %v, %v", v, back, err)
		}
		var kept pcore.Value
		if err := native.Unmarshal(v, &kept); err != nil || !pcore.Identical(v, kept) {
			t.Fatalf("%s came back as %v, %v", v, kept, err)
		}
		dst := reflect.New(anystruct.Type(t, 2))
		if err := native.Unmarshal(v, dst.Interface()); err != nil {
			return
		}
		if _, err := native.Marshal(dst.Interface()); err != nil {
			t.Fatal(err)
		}
	})
}
