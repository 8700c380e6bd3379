package compile

import "testing"

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]Address{
		"compile:":                    {},
		"compile:web01":               {Node: "web01"},
		"compile:web01?ref=feature/x": {Node: "web01", Ref: "feature/x"},
		"compile:?ref=main&dir=environments/test":            {Ref: "main", Dir: "environments/test"},
		"compile:?ref=.&repo=../cr&facts=f&environment=test": {Ref: ".", Repo: "../cr", Facts: "f", Environment: "test"},
	} {
		got, err := ParseAddress(text)
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
		if again, err := ParseAddress(got.String()); err != nil || again != got {
			t.Errorf("%s: %s is another address: %+v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"web01", "compile:Web01", "compile:a/b", "compile:?reff=x", "compile:?ref=", "compile:?ref=a&ref=b", "compile:?environment=a-b"} {
		if got, err := ParseAddress(text); err == nil {
			t.Errorf("%s: got %+v, want an error", text, got)
		}
	}
}

func TestSplitLocation(t *testing.T) {
	for text, want := range map[string]string{
		"Boom (file: /a/b.pp, line: 3, column: 5) on node web01": "Boom",
		"Boom on node web01": "Boom",
		"no parameter named 'x' (file: /a/b.pp, line: 3) on Thing[y] (file: /a/b.pp, line: 3) on node web01": "no parameter named 'x' (file: /a/b.pp, line: 3) on Thing[y]",
		"plain": "plain",
	} {
		if got, _, _, _ := splitLocation(text, "web01"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestParseFacts(t *testing.T) {
	for name, text := range map[string]string{
		"facter":    `{"os":{"family":"Debian"}}`,
		"puppet":    `{"name":"web01","values":{"os":{"family":"Debian"}}}`,
		"agent":     "--- !ruby/object:Puppet::Node::Facts\nname: web01\nvalues:\n  os:\n    family: Debian\n",
		"factset":   `{"certname":"web01","facts":{"data":[{"name":"os","value":{"family":"Debian"}}]}}`,
		"inventory": `{"certname":"web01","facts":{"os":{"family":"Debian"}},"trusted":{"extensions":{}}}`,
	} {
		_, facts, err := parseFacts([]byte(text))
		if err != nil || facts.Values.String() != "{'os' => {'family' => 'Debian'}}" {
			t.Errorf("%s: got %v, %v", name, facts, err)
		}
	}
	for _, text := range []string{"{}", "[]", "", `{"values":{}}`, "{"} {
		if _, facts, err := parseFacts([]byte(text)); err == nil {
			t.Errorf("%q: got %v, want an error", text, facts)
		}
	}
}
