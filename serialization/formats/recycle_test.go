package formats_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Recycle returns the same values as Decode, also after an invalid document and
// with repeated texts.
func TestRecycle(t *testing.T) {
	scalar := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) pcore.Value { return pcore.Integer(rapid.Int64().Draw(t, "i")) }),
		rapid.Custom(func(t *rapid.T) pcore.Value { return pcore.Float(rapid.Float64Range(-9, 9).Draw(t, "f")) }),
		rapid.Custom(func(t *rapid.T) pcore.Value {
			return pcore.String(rapid.StringMatching(`([a-c]{1,3}|[a-zé"\n]{0,300})`).Draw(t, "s"))
		}),
		rapid.Custom(func(t *rapid.T) pcore.Value {
			return pcore.NewSensitive(pcore.String(rapid.StringMatching(`[a-c]{1,3}`).Draw(t, "secret")))
		}),
	)
	for _, name := range []string{"rich-json", "rich-msgpack", "yaml", "tabulated-json", "tabulated-msgpack"} {
		f, err := formats.Default().ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				share := rapid.Bool().Draw(t, "share")
				o := serialization.DecodeOptions{ShareInput: share}
				d, ok := f.NewDecoder(new(bytes.Buffer), o).(serialization.Recycler)
				if !ok {
					t.Fatal("the decoder recycles nothing")
				}
				for range rapid.IntRange(1, 30).Draw(t, "documents") {
					h := pcore.NewHashBuilder(0)
					for range rapid.IntRange(0, 40).Draw(t, "members") {
						list := make([]pcore.Value, rapid.IntRange(0, 12).Draw(t, "elements"))
						for i := range list {
							list[i] = scalar.Draw(t, "element")
						}
						h.SetString(rapid.StringMatching(`[a-z]{1,20}`).Draw(t, "key"), pcore.NewArray(list...))
					}
					data, err := f.Append(nil, h.Hash(), serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
					if err != nil {
						t.Fatal(err)
					}
					if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
						data = data[:len(data)/2]
					}
					want, wantErr := f.Decode(data, o)
					got, gotErr := d.Recycle(data)
					if (wantErr == nil) != (gotErr == nil) || wantErr != nil && wantErr.Error() != gotErr.Error() {
						t.Fatalf("error %v, want %v", gotErr, wantErr)
					}
					if wantErr == nil && !pcore.Identical(got, want) {
						t.Fatalf("got %v, want %v", got, want)
					}
				}
			})
		})
	}
}
