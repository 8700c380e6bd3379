package pcore_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

func TestValidateParameters(t *testing.T) {
	params, err := pcore.NewStructType(
		pcore.NewStructElement("mode", false, pcore.NewHashType(&pcore.StringType{}, &pcore.IntegerType{}, nil)),
		pcore.NewStructElement("owner", true, &pcore.StringType{}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		given     *pcore.Hash
		missingOK bool
		want      string
	}{
		{hash("mode", hash("a", pcore.Integer(1))), false, ""},
		{hash("mode", hash("a", pcore.String("x"))), false, "Class[A]: parameter 'mode' entry 'a' expects an Integer value, got String"},
		{hash(), true, ""},
		{hash(), false, "Class[A]: expects a value for parameter 'mode'"},
		{hash("mode", hash(), "group", pcore.String("x"), "owner", pcore.Integer(1)), false,
			"Class[A]:\n  has no parameter named 'group'\n  parameter 'owner' expects a String value, got Integer"},
	} {
		got := ""
		if err := pcore.ValidateParameters("Class[A]", params, c.given, c.missingOK); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.given, got, c.want)
		}
	}
}

func TestDescribeSignatures(t *testing.T) {
	callable := func(block pcore.Type, types ...pcore.Type) *pcore.CallableType {
		return pcore.NewCallableType(pcore.NewTupleType(types, nil), block, nil)
	}
	text, number := &pcore.StringType{}, &pcore.IntegerType{}
	block := callable(nil, number)
	args := func(types ...pcore.Type) pcore.Type { return pcore.NewTupleType(types, nil) }
	one := []pcore.NamedCallable{{Type: callable(nil, text, number), Params: []string{"s", "n"}}}
	for _, c := range []struct {
		name       string
		signatures []pcore.NamedCallable
		args       pcore.Type
		want       string
	}{
		{"f", one, args(text), "'f' expects 2 arguments, got 1"},
		{"f", one, args(text, text), "'f' parameter 'n' expects an Integer value, got String"},
		{"lambda", one, args(text), "block expects 2 arguments, got 1"},
		{"f", one, args(text, number, block), "'f' does not expect a block"},
		{"f", []pcore.NamedCallable{{Type: callable(block, text), Params: []string{"s"}, Block: "b"}}, args(text), "'f' expects a block"},
		{"f", []pcore.NamedCallable{
			{Type: callable(nil, text), Params: []string{"s"}},
			{Type: callable(nil, number), Params: []string{"n"}},
		}, args(&pcore.BooleanType{}), "The function 'f' was called with arguments it does not accept. It expects one of:\n" +
			"  (String s)\n    rejected: parameter 's' expects a String value, got Boolean\n" +
			"  (Integer n)\n    rejected: parameter 'n' expects an Integer value, got Boolean"},
		{"f", []pcore.NamedCallable{
			{Type: callable(nil, text), Params: []string{"v"}},
			{Type: callable(nil, number), Params: []string{"v"}},
		}, args(&pcore.BooleanType{}), "'f' parameter 'v' expects a value of type String or Integer, got Boolean"},
	} {
		if got := pcore.DescribeSignatures(c.name, c.signatures, c.args); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}
