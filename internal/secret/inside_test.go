package secret

import (
	"strings"
	"testing"
)

func TestInside(t *testing.T) {
	for text, want := range map[string]string{
		"db_password: hunter2\n":                        "hunter2",
		"[client]\nuser=root\npassword = \"a b\\\"c\"":  `a b"c`,
		`{"pw": "shop-pass", "user": "x"}`:              "shop-pass",
		"export API_KEY='k-1'; other":                   "k-1",
		"mysql --password=abc -u x":                     "abc",
		"password\thunter2":                             "hunter2",
		"x --token abc":                                 "abc",
		"postgres://app:p%40ss@db/app":                  "p%40ss p@ss",
		"password_file: /etc/x\nhost = db":              "",
		"password = %{lookup('x')}\ntoken = ${TOKEN}":   "",
		"machine h login l password p4ss\n":             "p4ss",
		"secret-key-base => abc\nrequirepass foobar123": "foobar123",
		"just a text of several words":                  "",
		`"Zk7pQ32"`:                                     "Zk7pQ32",
		`half"`:                                         "half",
		`"a","b"`:                                       "",
		"a (using the \"requirepass\" configuration\n":  "",
		"it needs a password otherwise it will fail":    "",
		"# requirepass foobared\nrequirepass n0tIt\n":   "n0tIt",
	} {
		seen := map[string]bool{}
		var got []string
		for _, part := range Inside(text) {
			if !seen[part] {
				seen[part] = true
				got = append(got, part)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
