package conformance_test

import (
	"context"
	"testing"

	"github.com/pcatdev/pcat/internal/test/conformance"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestConversions evaluates the random expressions in testdata/conversions, calls of
// constructors and formats for values, and compares the results with Puppet's.
func TestConversions(t *testing.T) {
	folder := conformance.Folder("testdata/conversions")
	families, err := folder.Families()
	if err != nil {
		t.Fatal(err)
	}
	l := newLanguage(t, "../../../testdata/vectors") // its types are those of the vectors
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			cases, err := folder.Cases(family)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				text := source(c)
				v, err := l.evaluate(text)
				if err := c.Expect.Check(err, func() error { return sameRich(c.Expect, v) }); err != nil {
					t.Errorf("%s %s\n\t%v", c.ID, text, err)
				}
			}
		})
	}
}

// source returns the text to evaluate in a case: an expression, or a format of
// it.
func source(c *conformance.Case) string {
	expr, _ := c.Text("expr")
	if c.Op != "format" {
		return expr
	}
	if format, ok := c.Text("format"); ok {
		expr += ", " + format
	}
	return "String(" + expr + ")"
}

func sameRich(want conformance.Answer, v pcore.Value) error {
	if want.SerializeError != "" {
		return nil
	}
	got, err := formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	if err != nil {
		return err
	}
	return conformance.SameJSON(want.Value, got)
}

// language evaluates texts that may refer to the types of a folder.
type language struct{ evaluator *eval.Evaluator }

func newLanguage(t *testing.T, folder conformance.Folder) *language {
	t.Helper()
	text, err := folder.Definitions()
	if err != nil {
		t.Fatal(err)
	}
	types, err := typeexpr.Define("std.pp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	return &language{eval.New(function.Env{Functions: functions}, types, eval.Mode{})}
}

func (l *language) evaluate(text string) (pcore.Value, error) {
	return l.evaluator.Text(l.evaluator.Scope(context.Background()), "", text)
}
