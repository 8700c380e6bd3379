package anyvalue_test

import (
	"testing"

	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Cases found by fuzzing.
func TestOracle(t *testing.T) {
	o := serialization.DecodeOptions{Types: anyvalue.Types{}}
	for text, reads := range map[string]bool{
		`{"__ptype":"TimestAmp"}`:                 true,
		`{"__ptype":"Optional[Timestamp]"}`:       true,
		`{"__ptype":"URI","__pvalue":"//h:1/p"}`:  true,
		`[{"__ptype":"URI","__pvalue":"//"}]`:     false,
		`{"__ptype":"URI","__pvalue":"ftp://u@"}`: true,
		`{"__ptype":"URI","__pvalue":"////"}`:     false,
	} {
		v, err := formats.RichJSON().Decode([]byte(text), o)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if again, err := formats.RichJSON().Decode([]byte(text), o); err != nil || !pcore.Identical(v, again) {
			t.Errorf("%s: read as %s, then as %s, %v", text, v, again, err)
		}
		if got := anyvalue.ReadsBack(v); got != reads {
			t.Errorf("%s: reads back: %v", text, got)
		}
	}
}
