package convert

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// TestWaysHaveTypes checks that the ways of a constructor match the parameter
// types of package pcore.
func TestWaysHaveTypes(t *testing.T) {
	for _, text := range []string{
		"Numeric", "Integer", "Float", "Boolean", "String", "Array", "Tuple", "Hash", "Struct", "Timespan", "Timestamp",
		"SemVer", "SemVerRange", "Binary", "URI", "Regexp", "Sensitive", "Type", "NotUndef", "NotUndef[Integer]",
		"Optional[Integer]", "Init[Integer]", "Deferred", "Error",
		"Object[{name => 'X', attributes => {a => Integer, b => {type => String, value => ''}}}]",
	} {
		typ, err := typeexpr.Parse(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		accepts, err := pcore.ConstructorParameters(typ)
		if err != nil {
			t.Fatal(err)
		}
		k := constructorFor(typ)
		if len(k.ways) != len(accepts) {
			t.Errorf("%s has %d constructors and types for %d", text, len(k.ways), len(accepts))
			continue
		}
		for i, w := range k.ways {
			if types := accepts[i].Types(); len(w.params) != len(types) {
				t.Errorf("%s: %s, constructor %d, has the parameters %v of the types %v", text, k.name, i+1, w.params, types)
			}
		}
	}
}
