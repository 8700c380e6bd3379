package redact_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/redact"
)

// A secret in bytes is replaced, and the other bytes stay.
func TestBytes(t *testing.T) {
	const secret, marker = "Zx9-qKw4vTz", "redacted-1-by-pcat"
	random := string(bytes.Repeat([]byte("\x8f\x03\xe1\x17\xc2\x0b\x99\x01"), 400))
	for name, content := range map[string]string{
		"ISO-8859-1":             "# f\xfcr M\xfcller\npassword=" + secret + "\n",
		"in the line itself":     "M\xfcller password=" + secret + " \xe4\xe4\n",
		"windows-1251":           "# \xef\xe0\xf0\xee\xeb\xfc\npassword=" + secret + "\n",
		"UTF-8 and ISO-8859-1":   "# f\u00fcr f\xfcr \u20ac\npassword=" + secret + "\n",
		"a zero":                 "user=app\x00password=" + secret + "\x00port=1\x00",
		"a script and its data":  "#!/bin/sh\npassword=" + secret + "\nexit\n" + random,
		"a key in data":          random + "key glpat-" + strings.Repeat("a8Kd03jfLq", 2) + " " + random,
		"the copy of a password": random + "hunter2-horse" + random,
	} {
		found := secret
		switch name {
		case "a key in data":
			found = "glpat-" + strings.Repeat("a8Kd03jfLq", 2)
		case "the copy of a password":
			found = "hunter2-horse"
		}
		d := &document{text: in(declared + "," + binaryFile("/etc/app.conf", content))}
		if _, err := redact.Run(context.Background(), inputs(t, []*document{d}), redact.Options{Audit: auditor(t)}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := strings.ReplaceAll(content, found, marker)
		if found != "hunter2-horse" {
			want = strings.ReplaceAll(content, found, "redacted-2-by-pcat")
		}
		if !strings.Contains(d.out.String(), base64.StdEncoding.EncodeToString([]byte(want))) {
			t.Errorf("%s: %s", name, d.out.String())
		}
	}
}

// A key that consists of bytes is replaced as a whole.
func TestKeyBytes(t *testing.T) {
	key := "\x9c\x01\xee\x7f\x02\xb4\x55\xc8\x90\x1a\xd3\x66\xfa\x03\x8b\xe7\x21\xbd\x48\x0f\x99\xc2\x5d\xa6\x14\xf0\x37\x6e\xb9\x82\x0c\xdb"
	d := &document{text: in(binaryFile("/etc/corosync/authkey", key) + "," + binaryFile("/srv/copy", "head\x00"+key+"\x00tail"))}
	if _, err := redact.Run(context.Background(), inputs(t, []*document{d}), redact.Options{Audit: auditor(t)}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"redacted-1-by-pcat", "head\x00redacted-1-by-pcat\x00tail"} {
		if !strings.Contains(d.out.String(), `"`+base64.StdEncoding.EncodeToString([]byte(want))+`"`) {
			t.Errorf("%q is missing: %s", want, d.out.String())
		}
	}
}

func binaryFile(title, content string) string {
	return fmt.Sprintf(`{"type":"File","title":%q,"parameters":{"content":{"__ptype":"Binary","__pvalue":%q}}}`, title, base64.StdEncoding.EncodeToString([]byte(content)))
}
