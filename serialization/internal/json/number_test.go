package json_test

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/json"
)

// A number with a fraction is the nearest float, for any number of digits and
// at any end.
func TestFloat(t *testing.T) {
	text := rapid.StringMatching(`-?(0|[1-9][0-9]{0,17})\.[0-9]{1,18}([eE][+-]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		text := text.Draw(t, "text")
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		v, err := json.Decode([]byte("["+text+"]"), serialization.DecodeOptions{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got, ok := v.(*pcore.Array).At(0).(pcore.Float)
		if !ok || math.Float64bits(float64(got)) != math.Float64bits(want) {
			t.Fatalf("%s is %v, want %v", text, v, want)
		}
		if _, err := json.Decode([]byte("["+text), serialization.DecodeOptions{}); err == nil {
			t.Fatalf("an array that ends behind %s is taken", text)
		}
	})
}
