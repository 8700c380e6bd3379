package redact_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/redact"
)

// Whatever the names of parameters mean to the audit, and whichever of their values are
// equal, redacting ends.
func TestNamesAndEqualValues(t *testing.T) {
	names := rapid.SampledFrom([]string{
		"user", "username", "name", "login", "password", "db_password", "token", "secret", "path", "content", "command", "environment", "url",
		"value", "setting", "key", "port", "private_key", "ensure", "api_key", "community", "auth_pass", "auth", "line", "owner", "password_hash",
	})
	secrets := rapid.SampledFrom([]string{"sunflower", "Kq7-xv2Lm9p", "changeme", "x", "admin", "1234", "hunter2", "icinga2", "Sommer2024!", "castle-camel-hammer", "*6C8989366EAF75BB670AD8EA7A7FC1176A95CEF4"})
	around := rapid.SampledFrom([]string{"%s", "%s", "%s", "postgres://app:%s@db/app", "user=%[1]s\npassword=%[1]s\n", "--password %s", "PGPASSWORD=%s", "alice:%s", `"root:%s"`, `'%s'`, "echo hash(%q);", "/etc/%s"})
	types := rapid.SampledFrom([]string{"User", "File", "Exec", "Db", "Ini_setting", "Class"})
	finder := auditor(t)
	rapid.Check(t, func(r *rapid.T) {
		pool := rapid.SliceOfN(secrets, 1, 2).Draw(r, "secrets")
		text := func() string {
			return fmt.Sprintf(around.Draw(r, "around"), rapid.SampledFrom(pool).Draw(r, "secret"))
		}
		var resources []string
		for i := range rapid.IntRange(1, 3).Draw(r, "resources") {
			parameters := map[string]any{}
			listed := []string{}
			for _, name := range rapid.SliceOfNDistinct(names, 1, 5, rapid.ID).Draw(r, "names") {
				switch rapid.IntRange(0, 5).Draw(r, "shape") {
				case 0:
					parameters[name] = map[string]any{"__ptype": "Sensitive", "__pvalue": text()}
				case 1:
					parameters[name] = map[string]any{"user": text(), "password": text()}
				case 2:
					parameters[name] = []any{text(), text()}
				default:
					parameters[name] = text()
				}
				if rapid.IntRange(0, 2).Draw(r, "listed") == 0 {
					listed = append(listed, name)
				}
			}
			resource, err := json.Marshal(map[string]any{
				"type": types.Draw(r, "type"), "title": fmt.Sprint(text(), i), "parameters": parameters, "sensitive_parameters": listed,
			})
			if err != nil {
				r.Fatal(err)
			}
			resources = append(resources, string(resource))
		}
		result, err := redact.Run(t.Context(), inputs(t, []*document{{text: in(strings.Join(resources, ","))}}), redact.Options{Audit: finder})
		if err != nil || result.Failures[0] != nil {
			r.Fatal(err, result.Failures)
		}
	})
}

// A password ends before the quote that is around it and its account: otherwise a value that is the
// password alone looks like it at the end of a string.
func TestQuotedAccount(t *testing.T) {
	for _, text := range []string{`\"root:Kq7-xv2Lm9p\"`, `'root:Kq7-xv2Lm9p'`} {
		catalog := in(`{"type":"User","title":"a","parameters":{"user":{"user":"` + text + `"}}},{"type":"Db","title":"b","parameters":{"x":"Kq7-xv2Lm9p"}}`)
		result, err := redact.Run(t.Context(), inputs(t, []*document{{text: catalog}}), redact.Options{Audit: auditor(t)})
		if err != nil || result.Failures[0] != nil {
			t.Errorf("%s: %v %v", text, err, result.Failures)
		}
	}
}
