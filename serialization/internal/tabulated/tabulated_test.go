package tabulated_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/tabulated"
)

func flavours() []tabulated.Flavour {
	return []tabulated.Flavour{tabulated.JSON, tabulated.MessagePack}
}

var lenient = serialization.DecodeOptions{AllowUnknownTypes: true}

// An encoded value is decoded to the same value, which has the same encoding.
func TestRoundTrip(t *testing.T) {
	for _, f := range flavours() {
		t.Run(f.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v := anyvalue.Draw(t)
				if rapid.Bool().Draw(t, "shared") {
					v = pcore.NewArray(v, pcore.NewTimestamp(1, 2), v, pcore.NewArray(v, anyvalue.Draw(t)), v)
				}
				o := inClear
				o.EmbedTypes = rapid.Bool().Draw(t, "embedded")
				if rapid.Bool().Draw(t, "indented") {
					o.Indent = "  "
				}
				doc, err := f.Append([]byte("before"), v, o)
				if err != nil {
					t.Fatal(err)
				}
				doc = doc[len("before"):]
				back, err := f.Decode(doc, lenient)
				if err != nil {
					t.Fatalf("%v in %q", err, doc)
				}
				if !pcore.Identical(v, back) {
					t.Fatalf("want %s, got %s by %q", v, back, doc)
				}
				if again, err := f.Append(nil, back, o); err != nil || !bytes.Equal(doc, again) {
					t.Fatalf("want %q, got %q, %v", doc, again, err)
				}
			})
		})
	}
}

// In MessagePack, an extension is an extension type whose payload is packed
// values.
func TestMessagePack(t *testing.T) {
	s := pcore.NewArray(pcore.String("a"))
	for _, c := range []struct {
		v    pcore.Value
		want string
	}{
		{pcore.Undef{}, "c0"},
		{pcore.Integer(-1), "ff"},
		{pcore.Integer(1 << 40), "cf0000010000000000"},
		{pcore.Integer(-1 << 40), "d3ffffff0000000000"},
		{pcore.Float(1), "cb3ff0000000000000"},
		{pcore.String("a"), "a161"},
		{pcore.Default{}, "c70020"},
		{pcore.NewArray(s, s, pcore.String("a")), "d41003" + "d41001" + "a161" + "d40101" + "d40000"},
		{pcore.NewHash(pcore.Entry{Key: pcore.Integer(1), Value: pcore.Boolean(true)}), "d41101" + "01c3"},
		{pcore.NewSensitive(pcore.String("a")), "c70014" + "a161"},
		{pcore.NewRegexp("ab"), "c70330" + "a26162"},
		{pcore.Symbol("ab"), "c70332" + "a26162"},
		{pcore.NewTimestamp(1, 2), "d533" + "0102"},
		{pcore.NewTimespan(-1, 5), "d534" + "ff05"},
		{pcore.NewBinary([]byte{0xff}), "c70337" + "c401ff"},
		{pcore.NewDeferred("f", nil), "c70b12" + "01a8" + hex.EncodeToString([]byte("Deferred")) + "01" + "a166"},
		{pcore.String(strings.Repeat("x", 40)), "d928" + strings.Repeat("78", 40)},
	} {
		got, err := tabulated.MessagePack.Append(nil, c.v, inClear)
		if err != nil || hex.EncodeToString(got) != c.want {
			t.Errorf("%s: want %s, got %x, %v", c.v, c.want, got, err)
		}
	}
}

// Documents that this package does not write but others may.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		in, want string
	}{
		{` [ [16, 2, "a", [0, 0]] ] `, "['a', 'a']"},
		{`[[33,"a comment"],1]`, "1"},
		{`[[16,2,[33,"x"],"a",[33,"y"],[0,1]]]`, "['a', 'a']"},
		{`[[55,"abc"]]`, "Binary(\"YWJj\")"},
		{`[[16,2],1,2]`, "[1, 2]"}, // the arrays mean nothing
		{`[[18,1,"Deferred",2],"f",[16,0]]`, "Deferred({'name' => 'f', 'arguments' => []})"},
		{`[[18,2,"Pcore","CallableType",0]]`, "Callable"},
		{`[[17,2,"a",[51,0,0],"b",[16,2,[16,0],[1,3]]]]`, "{'a' => Timestamp('1970-01-01T00:00:00.000000000 UTC'), 'b' => [[], []]}"}, // a time counts
	} {
		v, err := tabulated.JSON.Decode([]byte(c.in), serialization.DecodeOptions{})
		if err != nil || v.String() != c.want {
			t.Errorf("%s: want %s, got %v, %v", c.in, c.want, v, err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		in   string
		kind error
		path string
	}{
		{`{}`, serialization.ErrSyntax, "$"},
		{`[]`, serialization.ErrTruncated, "$"},
		{``, serialization.ErrTruncated, "$"},
		{`[1,2]`, serialization.ErrTrailing, "$"},
		{`[1] 2`, serialization.ErrTrailing, "$"},
		{`[{}]`, serialization.ErrSyntax, "$"},
		{`[[]]`, serialization.ErrSyntax, "$"},
		{`[["a"]]`, serialization.ErrSyntax, "$"},
		{`[[16]]`, serialization.ErrSyntax, "$"},
		{`[[16,-1]]`, serialization.ErrRange, "$"},
		{`[[16,1.5]]`, serialization.ErrSyntax, "$"},
		{`[[16,9223372036854775808]]`, serialization.ErrSyntax, "$"},
		{`[[48,"a","b"]]`, serialization.ErrSyntax, "$"},
		{`[[48,"("]]`, serialization.ErrValue, "$"},
		{`[[56,"*"]]`, serialization.ErrValue, "$"},
		{`[[2,0]]`, serialization.ErrUnsupported, "$"},
		{`[[21]]`, serialization.ErrUnsupported, "$"},
		{`[[127]]`, serialization.ErrUnsupported, "$"},
		{`[[128]]`, serialization.ErrSyntax, "$"},
		{`[[0,0]]`, serialization.ErrReference, "$"},
		{`[[1,0]]`, serialization.ErrReference, "$"},
		{`[[16,1,[1,0]]]`, serialization.ErrReference, "$[0]"}, // contains itself
		{`[[16,2,1]]`, serialization.ErrTruncated, "$[1]"},
		{`[[17,1,"a"]]`, serialization.ErrTruncated, "$['a']"},
		{`[[17,2,"a",1,[0,0],2]]`, serialization.ErrDuplicateKey, "$"},
		{`[[17,1,"a",[16,1,[49]]]]`, serialization.ErrSyntax, "$['a'][0]"},
		{`[[20],[17,1,"a",[48,"("]]]`, serialization.ErrValue, "$"},
		{`[[51,0]]`, serialization.ErrSyntax, "$"},
		{`[[51,9223372036854775807,9223372036854775807]]`, serialization.ErrRange, "$"},
		{`[[18,2,"My","Type",0]]`, serialization.ErrUnknownType, "$"},
		{`[[18,2,"Pcore","NoType",0]]`, serialization.ErrUnknownType, "$"},
		{`[[18,1,"Integer",1,1]]`, serialization.ErrValue, "$"},
		{`[[18,2,"Pcore","IntegerType",3,1,2,3]]`, serialization.ErrValue, "$"},
		{`[[18,2,"Pcore","IntegerType",1,"a"]]`, serialization.ErrValue, "$"},
		{`[[18,2,0,"IntegerType",0]]`, serialization.ErrReference, "$"},
		{`[[18,1,"Deferred",1,1]]`, serialization.ErrValue, "$"},
		{`[[18,2,"Pcore","TypeAliasType",3,"A",null,[1,0]]]`, serialization.ErrValue, "$"},
		{`[[19,0]]`, serialization.ErrSyntax, "$"},
		{`[[19,2,1,2]]`, serialization.ErrValue, "$"},
		{`[[19,2,[49,"My::Type"],[17,0]]]`, serialization.ErrUnknownType, "$"},
		{`["\ud800"]`, serialization.ErrUTF8, "$"},
	} {
		_, err := tabulated.JSON.Decode([]byte(c.in), serialization.DecodeOptions{})
		var e *serialization.Error
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || e.Path.String() != c.path || e.Format != "tabulated-json" {
			t.Errorf("%s: want %v at %s, got %v", c.in, c.kind, c.path, err)
		}
	}
}

// False lengths in headers, excessive nesting and excessive tabulation are
// rejected with little memory.
func TestHostile(t *testing.T) {
	double := func(f tabulated.Flavour) string { // lists with two references to the previous list
		v := pcore.NewArray(pcore.Integer(1))
		for range 60 {
			v = pcore.NewArray(v, v)
		}
		doc, err := f.Append(nil, v, serialization.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return string(doc)
	}
	for _, c := range []struct {
		name    string
		flavour tabulated.Flavour
		in      string
		kind    error
	}{
		{"array", tabulated.MessagePack, "\xc7\x09\x10\xcf\x7f\xff\xff\xff\xff\xff\xff\xff", serialization.ErrTruncated},
		{"map", tabulated.MessagePack, "\xc7\x09\x11\xcf\x7f\xff\xff\xff\xff\xff\xff\xff", serialization.ErrTruncated},
		{"name", tabulated.MessagePack, "\xc7\x09\x12\xcf\x7f\xff\xff\xff\xff\xff\xff\xff", serialization.ErrSyntax},
		{"string of 4 GiB", tabulated.MessagePack, "\xdb\xff\xff\xff\xff", serialization.ErrTooLarge},
		{"string of 200 MiB", tabulated.MessagePack, "\xdb\x0c\x80\x00\x00abc", serialization.ErrTruncated},
		{"extension of 4 GiB", tabulated.MessagePack, "\xc9\xff\xff\xff\xff\x10", serialization.ErrTooLarge},
		{"extension of 200 MiB", tabulated.MessagePack, "\xc9\x0c\x80\x00\x00\x10\x01", serialization.ErrTruncated},
		{"string beyond its extension", tabulated.MessagePack, "\xd5\x30\xa9abcdefghijkl", serialization.ErrTruncated},
		{"extension within an extension", tabulated.MessagePack, "\xc7\x03\x30\xd4\x00\x00", serialization.ErrSyntax},
		{"payload too long", tabulated.MessagePack, "\xd5\x10\x00\x00", serialization.ErrSyntax},
		{"array of MessagePack", tabulated.MessagePack, "\xdd\xff\xff\xff\xff", serialization.ErrSyntax},
		{"map of MessagePack", tabulated.MessagePack, "\x81\x01\x01", serialization.ErrSyntax},
		{"0xc1", tabulated.MessagePack, "\xc1", serialization.ErrSyntax},
		{"half an extension", tabulated.MessagePack, "\xd4", serialization.ErrTruncated},
		{"time of MessagePack", tabulated.MessagePack, "\xd6\xff\x00\x00\x00\x00", serialization.ErrUnsupported},
		{"NaN", tabulated.MessagePack, "\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00", serialization.ErrRange},
		{"not UTF-8", tabulated.MessagePack, "\xa1\xff", serialization.ErrUTF8},
		{"nesting", tabulated.MessagePack, strings.Repeat("\xd4\x10\x01", 100000), serialization.ErrDepth},
		{"secrets", tabulated.MessagePack, strings.Repeat("\xc7\x00\x14", 100000), serialization.ErrDepth},
		{"objects", tabulated.MessagePack, strings.Repeat("\xd4\x13\x02", 100000), serialization.ErrDepth},
		{"doubling", tabulated.MessagePack, double(tabulated.MessagePack), serialization.ErrTooLarge},
		{"array", tabulated.JSON, `[[16,9223372036854775807`, serialization.ErrTruncated},
		{"array", tabulated.JSON, `[[16,9223372036854775807]]`, serialization.ErrTruncated},
		{"nesting", tabulated.JSON, "[" + strings.Repeat("[16,1,", 100000), serialization.ErrDepth},
		{"flat nesting", tabulated.JSON, "[" + strings.Repeat("[16,1],", 100000), serialization.ErrDepth},
		{"secrets", tabulated.JSON, "[" + strings.Repeat("[20],", 100000), serialization.ErrDepth},
		{"doubling", tabulated.JSON, double(tabulated.JSON), serialization.ErrTooLarge},
	} {
		for how, read := range map[string]func() error{
			"whole": func() error {
				_, err := c.flavour.Decode([]byte(c.in), serialization.DecodeOptions{})
				return err
			},
			"streamed": func() error {
				_, err := c.flavour.NewDecoder(onlyReader{strings.NewReader(c.in)}, serialization.DecodeOptions{}).Decode()
				return err
			},
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read()
			runtime.ReadMemStats(&after)
			if !errors.Is(err, c.kind) {
				t.Errorf("%s, %s, %s: want %v, got %v", c.flavour, c.name, how, c.kind, err)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
				t.Errorf("%s, %s, %s: %d bytes were allocated", c.flavour, c.name, how, n)
			}
		}
	}
	for _, f := range flavours() {
		_, err := f.NewDecoder(onlyReader{strings.NewReader(strings.Repeat("1", 100))}, serialization.DecodeOptions{MaxBytes: 10}).Decode()
		if !errors.Is(err, serialization.ErrTooLarge) && f == tabulated.MessagePack {
			t.Errorf("%s: want ErrTooLarge, got %v", f, err)
		}
	}
}

// onlyReader hides the methods that give access to the whole input.
type onlyReader struct{ io.Reader }

// Several values in one document share tables.
func TestStream(t *testing.T) {
	shared := pcore.NewArray(pcore.String("x"))
	for _, f := range flavours() {
		var b bytes.Buffer
		e := f.NewEncoder(&b, serialization.EncodeOptions{})
		for _, v := range []pcore.Value{shared, pcore.String("x"), shared} {
			if err := e.Encode(v); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if f == tabulated.JSON && b.String() != `[[16,1,"x"],[0,0],[1,0]]` {
			t.Errorf("got %s", &b)
		}
		d := f.NewDecoder(&b, serialization.DecodeOptions{})
		for _, want := range []string{"['x']", "x", "['x']"} {
			if v, err := d.Decode(); err != nil || v.String() != want && v.String() != "'"+want+"'" {
				t.Errorf("%s: want %s, got %v, %v", f, want, v, err)
			}
		}
		for range 2 {
			if _, err := d.Decode(); !errors.Is(err, io.EOF) {
				t.Errorf("%s: want the end, got %v", f, err)
			}
		}
		if err := e.Encode(shared); err == nil {
			t.Errorf("%s: a closed document takes values", f)
		}
	}
}

// Values without rich data can be copied, too.
func TestReaderOfWhatHasNoRichData(t *testing.T) {
	const tree = `[[16,2,[18,2,"Pcore","TypeAliasType",3,"Tree",null,[18,2,0,"ArrayType",1,[1,1]]],1]]`
	r := tabulated.JSON.NewReader(strings.NewReader(tree), serialization.DecodeOptions{})
	if _, err := r.Enter(); err != nil {
		t.Fatal(err)
	}
	if token, err := r.Token(); err != nil || token != serialization.TokenString {
		t.Errorf("%d, %v", token, err)
	}
	raw, err := r.Raw()
	if want := `[[18,2,"Pcore","TypeAliasType",3,"Tree",null,[18,2,0,"ArrayType",1,[1,0]]]]`; err != nil || string(raw.Bytes) != want {
		t.Errorf("want %s, got %s, %v", want, raw.Bytes, err)
	}
	if _, err := r.Enter(); !errors.Is(err, serialization.ErrValue) {
		t.Errorf("1 was entered: %v", err)
	}
}

func TestSecrets(t *testing.T) {
	v := pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: pcore.NewSensitive(pcore.NewHash(
		pcore.Entry{Key: pcore.String("key"), Value: pcore.String("hunter2")},
	))})
	for _, f := range flavours() {
		var out bytes.Buffer
		e := f.NewEncoder(&out, serialization.EncodeOptions{})
		err := e.Encode(v)
		if !errors.Is(err, serialization.ErrSecret) || out.Len() > 0 || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, %q", f, err, &out)
		}
		doc, err := f.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.RedactSecrets})
		if err != nil || bytes.Contains(doc, []byte("hunter2")) || !bytes.Contains(doc, []byte(pcore.RedactedText)) {
			t.Errorf("%s: %q, %v", f, doc, err)
		}
		bad := pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: pcore.NewSensitive(pcore.NewHash(
			pcore.Entry{Key: pcore.String("hunter2"), Value: pcore.String("\xff")},
		))})
		if _, err := f.Append(nil, bad, inClear); !errors.Is(err, serialization.ErrUTF8) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", f, err)
		}
	}
	for _, in := range []string{`[[20],[17,1,"hunter2",[48,"hunter2("]]]`, `[[20],[18,1,"hunter2",0]]`, `[[20],[17,2,"hunter2",1,"hunter2",2]]`} {
		if _, err := tabulated.JSON.Decode([]byte(in), serialization.DecodeOptions{}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, c := range []struct {
		v    pcore.Value
		kind error
	}{
		{pcore.String("\xff"), serialization.ErrUTF8},
		{pcore.Symbol("\xff"), serialization.ErrUTF8},
		{pcore.NewIterator(pcore.AnyType{}, func(func(pcore.Value) bool) {}), serialization.ErrUnsupported},
		{&pcore.TypeSetType{}, serialization.ErrUnsupported},
	} {
		for _, f := range flavours() {
			dst := []byte("before")
			got, err := f.Append(dst, pcore.NewArray(c.v), inClear)
			var e *serialization.Error
			if !errors.As(err, &e) || !errors.Is(err, c.kind) || e.Path.String() != "$[0]" || string(got) != "before" {
				t.Errorf("%s, %s: want %v, got %v", f, c.v, c.kind, err)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range puppetCases(f) {
		f.Add([]byte(c.Text), false)
		if v, err := tabulated.JSON.Decode([]byte(c.Text), lenient); err == nil {
			if doc, err := tabulated.MessagePack.Append(nil, v, inClear); err == nil {
				f.Add(doc, true)
			}
		}
	}
	f.Add([]byte("\xd4\x10\x02\xc7\v9\xaaA000://@//0"), true)
	f.Fuzz(func(t *testing.T, data []byte, packed bool) {
		flavour := tabulated.JSON
		if packed {
			flavour = tabulated.MessagePack
		} else {
			compareWays(t, string(data), lenient)
		}
		v, err := flavour.Decode(data, lenient)
		if err != nil {
			var e *serialization.Error
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if !anyvalue.ReadsBack(v) {
			return // as in Puppet
		}
		// The types of the document are needed, too.
		o := inClear
		o.EmbedTypes = true
		for _, flavour := range flavours() {
			doc, err := flavour.Append(nil, v, o)
			if err != nil {
				if errors.Is(err, serialization.ErrRange) || errors.Is(err, serialization.ErrUnsupported) {
					return // BigInteger in MessagePack
				}
				t.Fatal(err)
			}
			back, err := flavour.Decode(doc, lenient)
			if err != nil {
				t.Fatalf("%v in %q", err, doc)
			}
			if again, err := flavour.Append(nil, back, o); err != nil || !bytes.Equal(doc, again) {
				t.Fatalf("want %q, got %q, %v", doc, again, err)
			}
			if !pcore.Identical(v, back) {
				t.Fatalf("%q is another value", doc)
			}
		}
	})
}

func ExampleFlavour() {
	admin := pcore.NewHash(
		pcore.Entry{Key: pcore.String("name"), Value: pcore.String("root")},
		pcore.Entry{Key: pcore.String("since"), Value: pcore.NewTimestamp(0, 0)},
	)
	doc, err := tabulated.JSON.Append(nil, pcore.NewArray(admin, admin, pcore.String("root")), serialization.EncodeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(doc))
	v, err := tabulated.JSON.Decode(doc, serialization.DecodeOptions{})
	fmt.Println(v, err)
	// Output:
	// [[16,3,[17,2,"name","root","since",[51,0,0]],[1,1],[0,1]]]
	// [{'name' => 'root', 'since' => Timestamp('1970-01-01T00:00:00.000000000 UTC')}, {'name' => 'root', 'since' => Timestamp('1970-01-01T00:00:00.000000000 UTC')}, 'root'] <nil>
}

// TestWays checks that a document in memory and a stream are read in the same
// way, valid or not.
func TestWays(t *testing.T) {
	o := known(t)
	o.AllowUnknownTypes = true
	compare := func(text string) {
		t.Helper()
		compareWays(t, text, o)
	}
	signs := []string{"", "[", "]", ",", "0", "-", "1.5", `"`, "\\", " ", "{", "null", "\xff", "é", "\n", "99999999999999999999"}
	for _, c := range puppetCases(t) {
		compare(c.Text)
		compare(" \n" + strings.NewReplacer("[", "[ ", "]", " ]\t", ",", " , ").Replace(c.Text) + "\n")
		for i := 0; i < len(c.Text); i += 5 {
			compare(c.Text[:i] + signs[i%len(signs)] + c.Text[i+1:])
			compare(c.Text[:i] + signs[(i+len(c.Text))%len(signs)] + c.Text[i:])
		}
	}
}

// compareWays reads a document from memory and from a stream.
func compareWays(t *testing.T, text string, o serialization.DecodeOptions) {
	t.Helper()
	d := tabulated.JSON.NewDecoder(onlyReader{strings.NewReader(text)}, o)
	want, wantErr := d.Decode()
	if wantErr == nil {
		if _, wantErr = d.Decode(); wantErr == nil {
			wantErr = serialization.ErrTrailing
		} else if errors.Is(wantErr, io.EOF) {
			wantErr = nil
		}
	}
	got, err := tabulated.JSON.Decode([]byte(text), o)
	switch {
	case errors.Is(wantErr, io.EOF) || errors.Is(wantErr, serialization.ErrTrailing):
		if err == nil {
			t.Errorf("%s: want error %v", text, wantErr)
		}
	case fmt.Sprint(err) != fmt.Sprint(wantErr):
		t.Errorf("%s: want error %v, got %v", text, wantErr, err)
	case err == nil && !same(want, got):
		t.Errorf("%s: want %v, got %v", text, want, got)
	}
}

// same reports whether two values have the same encoding.
func same(a, b pcore.Value) bool {
	x, xErr := tabulated.JSON.Append(nil, a, inClear)
	y, yErr := tabulated.JSON.Append(nil, b, inClear)
	return string(x) == string(y) && (xErr == nil) == (yErr == nil)
}
