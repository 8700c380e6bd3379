package native_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/native"
)

func hash(key string, v pcore.Value) *pcore.Hash {
	return pcore.NewHash(pcore.Entry{Key: pcore.String(key), Value: v})
}

// Every row is the text of an error, which says where and why.
func TestUnmarshalErrors(t *testing.T) {
	type inner struct {
		Port int8 `pcore:"port"`
	}
	type outer struct {
		Backup inner            `pcore:"backup"`
		List   []inner          `pcore:"list"`
		ByName map[string]inner `pcore:"by_name"`
		Pass   string           `pcore:"pass"`
		Secret native.Secret[int8]
		Deep   native.Secret[inner]
		Level  level
		Codes  map[int]string
		Pair   [2]int
		Span   time.Duration
		Rate   float32
		Expr   *regexp.Regexp
		Any    map[any]int
	}
	port := hash("port", pcore.Integer(5432))
	secret := func(v pcore.Value) pcore.Value { return pcore.NewSensitive(v) }
	for _, c := range []struct {
		in   pcore.Value
		want string
	}{
		{hash("backup", port), "backup.port: 5432 does not fit int8"},
		{hash("list", pcore.NewArray(hash("port", pcore.Integer(1)), port)), "list[1].port: 5432 does not fit int8"},
		{hash("by_name", hash("a b", port)), "by_name['a b'].port: 5432 does not fit int8"},
		{hash("backup", hash("port", pcore.String("5432"))), "backup.port: a String does not fit int8"},
		{hash("backup", hash("port", pcore.Float(1))), "backup.port: a Float does not fit int8"},
		{hash("backup", hash("port", pcore.NewBigInteger(new(big.Int).Lsh(big.NewInt(1), 64)))), "backup.port: 18446744073709551616 does not fit int8"},
		{hash("backup", pcore.Undef{}), "backup: undef does not fit native_test.inner; use a pointer"},
		{hash("pass", secret(pcore.String("hunter2"))), "pass: a Sensitive does not fit string; use native.Secret[string]"},
		{hash("pass", pcore.NewDeferred("f", nil)), "pass: a Deferred does not fit string; resolve it first"},
		{hash("pass", pcore.NewObject(pcore.NewTypeReferenceType("My::T"), nil)), "pass: a My::T does not fit string; see native.Options.Objects"},
		{hash("secret", secret(pcore.Integer(5432))), "secret: the content does not fit native.Secret[int8]"},
		{hash("secret", pcore.String("hunter2")), "secret: the content does not fit native.Secret[int8]"},
		{hash("deep", secret(port)), "deep: the content does not fit native.Secret[github.com/pcatdev/pcat/pcore/native_test.inner·1]"},
		{hash("level", pcore.String("x")), "level: neither low nor high"},
		{hash("codes", hash("x", pcore.String("y"))), "codes.x: the key: a String does not fit int"},
		{hash("codes", pcore.NewHash(pcore.Entry{Key: secret(pcore.Integer(1)), Value: pcore.String("")})), "codes[Sensitive [value redacted]]: the key: a Sensitive does not fit int; use native.Secret[int]"},
		{hash("pair", pcore.NewArray()), "pair: a length of 0 does not fit [2]int"},
		{hash("span", pcore.NewTimespan(1<<40, 0)), "span: Timespan('12725829-00:36:16.0') does not fit time.Duration"},
		{hash("rate", pcore.Float(1e300)), "rate: 1.0e+300 does not fit float32"},
		{hash("rate", pcore.Integer(1<<24+1)), "rate: 16777217 does not fit float32"},
		{hash("expr", pcore.NewRegexp("(?<=a)b")), "expr: not a regular expression of Go; use *pcore.Regexp: error parsing regexp: invalid named capture: `(?<=a)b`"},
		{hash("any", pcore.NewHash(pcore.Entry{Key: pcore.NewArray(), Value: pcore.Integer(1)})), "any[[]]: the key does not fit a map of Go; use *pcore.Hash"},
		{pcore.String("x"), "a String does not fit native_test.outer"},
		{pcore.Integer(1), "an Integer does not fit native_test.outer"},
	} {
		var dst outer
		err := native.Unmarshal(c.in, &dst)
		if err == nil || strings.ReplaceAll(err.Error(), "·2", "·1") != c.want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.in, err, c.want)
		}
	}
	for want, dst := range map[string]any{
		"cannot unmarshal into <nil>; pass a pointer": nil,
		"cannot unmarshal into int; pass a pointer":   5,
		"cannot unmarshal into *int; pass a pointer":  (*int)(nil),
	} {
		if err := native.Unmarshal(pcore.Integer(1), dst); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

type broken struct{ pass string }

func (b broken) MarshalPcore() (pcore.Value, error) { return nil, fmt.Errorf("cannot use %q", b.pass) }

type renamed native.Secret[string]

func TestMarshalErrors(t *testing.T) {
	type list struct{ Next *list }
	endless := &list{}
	endless.Next = endless
	type collision struct {
		A int `pcore:"x"`
		B int `pcore:"x"`
	}
	for want, in := range map[string]any{
		"f: there is no Puppet type for func(); exclude it with the tag `pcore:\"-\"`":       struct{ F func() }{},
		"there is no Puppet type for complex128; exclude it with the tag `pcore:\"-\"`":      1i,
		"there is no Puppet type for pcore.Hash; use *pcore.Hash":                            pcore.Hash{},
		"there is no Puppet type for native_test.renamed; use the type on which it is based": renamed{},
		"[1]: the text is not valid UTF-8; use []byte":                                       []string{"a", "\xff"},
		"a key: the text is not valid UTF-8; use []byte":                                     map[string]int{"\xff": 1},
		"[0]: cannot use \"x\"": []broken{{"x"}},
		"the content of the native.Secret[github.com/pcatdev/pcat/pcore/native_test.broken] cannot be converted": native.NewSecret(broken{"x"}),
		"two fields of native_test.collision have the name \"x\": A and B":                                       collision{},
		"struct { native.Secret[string] } embeds a secret; give the field a name":                                struct{ native.Secret[string] }{},
		"[1]: two keys of the map[interface {}]int are the same in Puppet":                                       map[any]int{int8(1): 1, int16(1): 2},
	} {
		_, err := native.Marshal(in)
		if err == nil || err.Error() != want {
			t.Errorf("%T:\ngot  %v\nwant %s", in, err, want)
		}
	}
	if _, err := native.Marshal(endless); err == nil || !strings.HasSuffix(err.Error(), "the value contains itself, or is nested too deeply") || len(err.Error()) > 200 {
		t.Errorf("endless: %.100v", err)
	}
	if _, err := native.Marshal(struct {
		A int `pcore:"a,omitemtpy"`
	}{}); err == nil || !strings.Contains(err.Error(), `unknown option "omitemtpy"`) {
		t.Error(err)
	}
}

const canary = "canary-7Qx9-secret"

func TestSecret(t *testing.T) {
	type login struct {
		User string
		Pass native.Secret[string]
		all  native.Secret[[]string]
	}
	s := native.NewSecret(canary)
	for name, v := range map[string]any{
		"itself": s, "pointer": &s, "list": []any{s}, "map": map[string]native.Secret[string]{"k": s},
		"struct":     login{"me", s, native.NewSecret([]string{canary})},
		"unexported": struct{ v any }{s}, "bytes": native.NewSecret([]byte(canary)), "nested": native.NewSecret(s),
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X", "%t", "%p", "%T", "%U"} {
			noLeak(t, name+" by "+verb, fmt.Sprintf(verb, v))
		}
		text, err := json.Marshal(v)
		noLeak(t, name+" by json", string(text)+fmt.Sprint(err))
		var log bytes.Buffer
		for _, h := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
			slog.New(h).Info("value", "v", v)
		}
		noLeak(t, name+" by slog", log.String())
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		if got := fmt.Sprintf(verb, s); got != pcore.RedactedText {
			t.Errorf("%s gives %q", verb, got)
		}
	}
	var zero native.Secret[string]
	if zero.Reveal() != "" || !zero.IsZero() || s.IsZero() || !zero.Equal(native.NewSecret("")) || s.Equal(zero) || s.Reveal() != canary {
		t.Error("the zero value is not the secret empty text")
	}
	v, err := native.Marshal(login{Pass: s})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.String(); got != "{'user' => '', 'pass' => Sensitive [value redacted]}" {
		t.Error(got)
	}
	var back login
	if err := native.Unmarshal(v, &back); err != nil || !back.Pass.Equal(s) {
		t.Errorf("%v, %v", back, err)
	}
	if err := native.Unmarshal(hash("pass", pcore.String(canary)), &back); err != nil || !back.Pass.Equal(s) {
		t.Errorf("a plain text for a Secret: %v, %v", back, err)
	}
	var natural any
	if err := native.Unmarshal(v, &natural); err != nil {
		t.Fatal(err)
	}
	noLeak(t, "natural", fmt.Sprintf("%#v", natural))
}

func noLeak(t *testing.T, where, text string) {
	t.Helper()
	for _, form := range []string{canary, fmt.Sprintf("%x", canary), fmt.Sprintf("%X", canary), fmt.Sprintf("%d", []byte(canary))} {
		if strings.Contains(text, form) {
			t.Errorf("%s: the secret is printed: %s", where, text)
		}
	}
}

type vehicle struct{ Wheels int }

type car struct {
	vehicle
	Plate string
	Owner *string
	Key   native.Secret[string]
}

func TestObjects(t *testing.T) {
	typ := func(t pcore.Type) pcore.Value { return t }
	attributes := pcore.NewHash(
		pcore.Entry{Key: pcore.String("plate"), Value: typ(&pcore.StringType{})},
		pcore.Entry{Key: pcore.String("key"), Value: typ(pcore.NewSensitiveType(nil))},
		pcore.Entry{Key: pcore.String("owner"), Value: typ(pcore.NewOptionalType(&pcore.StringType{}))},
		pcore.Entry{Key: pcore.String("wheels"), Value: pcore.NewHash(
			pcore.Entry{Key: pcore.String("type"), Value: typ(&pcore.IntegerType{})},
			pcore.Entry{Key: pcore.String("value"), Value: pcore.Integer(4)})},
	)
	carType, err := pcore.NewObjectType(pcore.NewHash(
		pcore.Entry{Key: pcore.String("name"), Value: pcore.String("My::Car")},
		pcore.Entry{Key: pcore.String("attributes"), Value: attributes}))
	if err != nil {
		t.Fatal(err)
	}
	codec, err := native.NewCodec(native.Options{Objects: map[reflect.Type]*pcore.ObjectType{reflect.TypeFor[car](): carType}, DisallowUnknownFields: true})
	if err != nil {
		t.Fatal(err)
	}
	want := car{vehicle{3}, "B-42", nil, native.NewSecret(canary)}
	v, err := codec.Marshal([]car{want})
	if err != nil {
		t.Fatal(err)
	}
	o, ok := v.(*pcore.Array).At(0).(*pcore.Object)
	if !ok || !pcore.Contains(carType, o) {
		t.Fatalf("got %s", v)
	}
	check := func(how string, got car, err error) {
		if err != nil || got.Plate != want.Plate || got.Wheels != 3 || !got.Key.Equal(want.Key) {
			t.Errorf("%s: %v, %v", how, got, err)
		}
	}
	var cars []car
	err = codec.Unmarshal(v, &cars)
	check("a slice", cars[0], err)
	var natural any
	err = codec.Unmarshal(o, &natural)
	check("an interface", natural.(car), err)
	unknown := pcore.NewObject(pcore.NewTypeReferenceType("My::Car"), o.Attributes())
	var one *car
	err = codec.Unmarshal(unknown, &one)
	check("an object whose type is not known", *one, err)
	if described, err := codec.TypeOf(reflect.TypeFor[[]car]()); err != nil || described.String() != "Array[My::Car]" {
		t.Errorf("%v, %v", described, err)
	}
	if err := native.Unmarshal(o, &one); err == nil {
		t.Error("without options, an object fits a struct")
	}
	if err := codec.Unmarshal(hash("x", pcore.Undef{}), &struct{}{}); err == nil || err.Error() != "x: struct {} has no such field" {
		t.Error(err)
	}
	for want, bad := range map[string]any{
		"no_such: My::Car has no such attribute":                     struct{ NoSuch int }{},
		"plate: struct {} has no field for the attribute of My::Car": struct{}{},
		"int is not a struct, and cannot be My::Car":                 0,
	} {
		_, err := native.NewCodec(native.Options{Objects: map[reflect.Type]*pcore.ObjectType{reflect.TypeOf(bad): carType}})
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestNames(t *testing.T) {
	type names struct {
		ID, URL, HTTPPort, BaseURLs, ServerID2, X2Y, A, Été int
	}
	v, err := native.Marshal(names{})
	if err != nil {
		t.Fatal(err)
	}
	want := "{'id' => 0, 'url' => 0, 'http_port' => 0, 'base_urls' => 0, 'server_id2' => 0, 'x2_y' => 0, 'a' => 0, 'été' => 0}"
	if got := v.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
