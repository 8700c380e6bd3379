package sensitive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/sensitive"
)

// manyParameters returns a resource with so many secret parameters that quadratic time is
// noticeable, and one that is not secret.
func manyParameters(value func(i int) string) (resource string, list []string) {
	const many = 8_000
	parameters := make([]string, 0, many+1)
	list = make([]string, 0, many)
	for i := range many {
		list = append(list, fmt.Sprintf(`"p%d"`, i))
		parameters = append(parameters, list[i]+":"+value(i))
	}
	parameters = append(parameters, `"mode":"0644"`)
	return `{"type":"File","title":"/a","parameters":{` + strings.Join(parameters, ",") + `}`, list
}

func TestManySecretsOfOneResource(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	secret := func(i int) string { return fmt.Sprintf(`"S3cret-%dx"`, i) }
	wrapped := func(i int) string { return `{"__ptype":"Sensitive","__pvalue":` + secret(i) + `}` }
	open, names := manyParameters(secret)
	rich, _ := manyParameters(wrapped)
	listed := in(open + `,"sensitive_parameters":[` + strings.Join(names, ",") + `]}`)
	for name, document := range map[string]string{"listed": listed, "Sensitive": in(rich + "}")} {
		t.Run(name, func(t *testing.T) {
			out, report, err := redact(t, []byte(document), "rich-json", "rich-json", sensitive.NewMask())
			if err != nil {
				t.Fatal(err)
			}
			if want := len(names); report.Locations != want || strings.Count(string(out), "-by-pcat") != want {
				t.Errorf("%d secrets, %d markers, want %d", report.Locations, strings.Count(string(out), "-by-pcat"), want)
			}
			want := in(`{"type":"File","title":"/a","parameters":{"mode":"0644"}}`)
			if left := mustRedact(t, []byte(document), "rich-json", sensitive.NewDrop()); string(left) != want {
				t.Errorf("%d bytes are left: %.300s", len(left), left)
			}
		})
	}
}

func TestManySecretsBesideParameters(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	const many = 8_000
	members := make([]string, many)
	for i := range members {
		members[i] = fmt.Sprintf(`"m%d":{"__ptype":"Sensitive","__pvalue":"S3cret-%dx"}`, i, i)
	}
	document := []byte(in(`{"type":"File","title":"/a","parameters":{"mode":"0644"},` + strings.Join(members, ",") + `}`))
	for name, masker := range maskers(t) {
		want := many
		if name == "drop" {
			want = 0
		}
		out := string(mustRedact(t, document, "rich-json", masker()))
		if strings.Count(out, "-by-pcat") != want || strings.Contains(out, "S3cret") {
			t.Errorf("%s: %d markers, %d bytes", name, strings.Count(out, "-by-pcat"), len(out))
		}
	}
}

// The title is a secret if a listed parameter is one that Puppet omits, however often it
// is listed.
func TestTitlesThatAreListed(t *testing.T) {
	names := strings.Repeat(`"name",`, 20) + `"mode"`
	for parameters, want := range map[string]string{
		`{"mode":0}`:                      "redacted-1-by-pcat",
		`{"name":"S3cret-Name","mode":0}`: "S3cret-Title",
	} {
		document := in(`{"type":"File","title":"S3cret-Title","parameters":` + parameters + `,"sensitive_parameters":[` + names + `]}`)
		if out := string(mustRedact(t, []byte(document), "rich-json", sensitive.NewMask())); !strings.Contains(out, `"title":"`+want) {
			t.Error(out)
		}
	}
}
