package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/secret"
)

func TestExplain(t *testing.T) {
	const pw = "pw!Zk7pQ32vX9mTb4#"
	in64 := base64.StdEncoding.EncodeToString([]byte(pw))
	numbers := hex.EncodeToString([]byte(pw))
	var list []string
	for _, c := range []byte(pw) {
		list = append(list, "0x"+hex.EncodeToString([]byte{c}))
	}
	set := secret.CompileTexts([]string{"another-S3cret-9182", pw})
	for _, tt := range []struct{ text, spelled, layers string }{
		{"x=" + pw, pw, ""},
		{"tag " + strings.ToLower(pw), strings.ToLower(pw), "lower case"},
		{"b: " + in64, "", "base64"},
		{"h: " + numbers, numbers, "hexadecimal"},
		{"b: " + in64[:10] + "\n " + in64[10:], "", "line breaks, base64"},
		{"u: pw%21Zk7pQ32vX9mTb4%23", "pw%21Zk7pQ32vX9mTb4%23", "percent"},
		{`j: pw!Zk7p\u005132vX9mTb4#`, `pw!Zk7p\u005132vX9mTb4#`, "backslashes"},
		{"n: [" + strings.Join(list, ", ") + "]", strings.Join(list, ", "), "bytes as numbers"},
		{`p: "pw!Zk7" + "pQ32vX9mTb4#"`, "", "quoted pieces"},
		{"bb: " + base64.StdEncoding.EncodeToString([]byte("key: "+in64+" and more")), "", "base64, base64"},
		{"nb: " + base64.StdEncoding.EncodeToString([]byte("key: pw%21Zk7pQ32vX9mTb4%23 and more")), "", "base64, percent"},
	} {
		all := set.Explain([]byte(tt.text))
		if len(all) != 1 {
			t.Errorf("%q: %d spellings", tt.text, len(all))
			continue
		}
		got := all[0]
		if got.Pattern != 1 {
			t.Errorf("%q: pattern %d", tt.text, got.Pattern)
		}
		if layers := strings.Join(got.Layers, ", "); layers != tt.layers {
			t.Errorf("%q is spelled in %q, want %q", tt.text, layers, tt.layers)
		}
		if spelled := tt.text[got.Start:got.End]; tt.spelled != "" && spelled != tt.spelled {
			t.Errorf("%q: spelled %q, want %q", tt.text, spelled, tt.spelled)
		}
	}
	if all := set.Explain([]byte("no copy")); len(all) > 0 {
		t.Errorf("%d spellings in a text without a copy", len(all))
	}
}
