package gen

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func made(t *testing.T, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Catalog(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWireForm checks that generated catalogs equal pcat's, and so Puppet's,
// output for the same data, byte for byte.
func TestWireForm(t *testing.T) {
	rich := formats.RichJSON()
	for _, core := range []bool{false, true} {
		data := made(t, Options{Seed: 7, Size: 1 << 20, CoreTypes: core})
		if n := len(data); n < 1<<20*9/10 || n > 1<<20*11/10 {
			t.Errorf("%d bytes instead of a mebibyte", n)
		}
		v, err := rich.Decode(data, serialization.DecodeOptions{AllowUnknownTypes: true})
		if err != nil {
			t.Fatal(err)
		}
		again, err := rich.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, again) {
			t.Error("it is written otherwise")
		}
		if core && bytes.Contains(data, []byte(`"__ptype":"Profile::`)) {
			t.Error("a type of a module")
		}
	}
}

// TestShareOfRichValues checks that 3 of 100 values are rich.
func TestShareOfRichValues(t *testing.T) {
	rich := formats.RichJSON()
	r := catalog.NewReaderBytes(made(t, Options{Seed: 1, Size: 4 << 20}), rich, serialization.DecodeOptions{})
	var all, richOnes int
	for res, err := range r.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		parameters, err := res.RevealParameters()
		if err != nil {
			t.Fatal(err)
		}
		err = pcore.Walk(parameters, func(c *pcore.Cursor) error {
			switch c.Value().(type) {
			case *pcore.Array, *pcore.Hash:
				return nil
			case pcore.Undef, pcore.Boolean, pcore.Integer, pcore.Float, pcore.String:
				all++
				return nil
			default:
				all++
				richOnes++
				return pcore.SkipChildren
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if share := float64(richOnes) / float64(all); share < 0.02 || share > 0.04 {
		t.Errorf("%.1f %% of %d values are rich", 100*share, all)
	}
}

func TestSeeds(t *testing.T) {
	one, same, other := Options{Seed: 1, Size: 1 << 16}, Options{Seed: 1, Size: 1 << 16}, Options{Seed: 2, Size: 1 << 16}
	if !bytes.Equal(made(t, one), made(t, same)) {
		t.Error("the same seed gives another catalog")
	}
	if bytes.Equal(made(t, one), made(t, other)) {
		t.Error("another seed gives the same catalog")
	}
}

// TestEdited checks that an edited catalog differs from the other one in the reported
// resources only.
func TestEdited(t *testing.T) {
	o := Options{Seed: 4, Resources: 257, Name: "db1.example.com"}
	old := resources(t, o)
	edits := Edits(o)
	o.Edited = true
	edited := resources(t, o)
	if len(old) != o.Resources || len(edits) < 4 || len(edited) >= len(old) {
		t.Fatalf("%d resources, %d after %d edits", len(old), len(edited), len(edits))
	}
	for ref, text := range old {
		if differs := text != edited[ref]; differs != slices.Contains(edits, ref) {
			t.Errorf("%s differs: %v", ref, differs)
		}
	}
	if !bytes.Contains(made(t, o), []byte(o.Name)) {
		t.Error("the name is missing")
	}
}

// resources returns the resources of a catalog as text, by reference.
func resources(t *testing.T, o Options) map[string]string {
	t.Helper()
	all := map[string]string{}
	for res, err := range catalog.NewReaderBytes(made(t, o), formats.RichJSON(), serialization.DecodeOptions{}).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		all[res.Ref().String()] = string(res.Bytes())
	}
	return all
}

func TestTitlesAreUnique(t *testing.T) {
	rich := formats.RichJSON()
	seen := map[catalog.Ref]bool{}
	for res, err := range catalog.NewReaderBytes(made(t, Options{Seed: 3, Size: 1 << 20}), rich, serialization.DecodeOptions{}).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if seen[res.Ref()] {
			t.Errorf("%v is there twice", res.Ref())
		}
		seen[res.Ref()] = true
	}
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestErrorOfWriter(t *testing.T) {
	err := Catalog(full{}, Options{Size: 1 << 20})
	if !errors.Is(err, errFull) || !strings.Contains(err.Error(), "full") {
		t.Errorf("got %v", err)
	}
}

// TestReport checks that a report has its size, in JSON as Ruby writes it, and is a report for pcat
// that shows some secrets.
func TestReport(t *testing.T) {
	var one, two bytes.Buffer
	for _, b := range []*bytes.Buffer{&one, &two} {
		if err := Report(b, Options{Seed: 7, Size: 1 << 20}); err != nil {
			t.Fatal(err)
		}
	}
	if n := one.Len(); !bytes.Equal(one.Bytes(), two.Bytes()) || n < 1<<20 || n > 1<<20*11/10 {
		t.Errorf("%d and %d bytes", n, two.Len())
	}
	rich := formats.RichJSON()
	v, err := rich.Decode(one.Bytes(), serialization.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := rich.Append(nil, v, serialization.EncodeOptions{}); err != nil || !bytes.Equal(one.Bytes(), again) {
		t.Errorf("it is written otherwise, %v", err)
	}
	f, err := catalog.OpenBytes("report.json", one.Bytes())
	if err != nil || f.Kind() != "report" {
		t.Fatalf("it is no report, %v", err)
	}
	if n := bytes.Count(one.Bytes(), []byte(`\n+password = `)); n < 5 || n > 30 {
		t.Errorf("%d secrets", n)
	}
}
