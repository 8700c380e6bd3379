package sensitive_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/sensitive"
)

// A secret that is, or is part of, a word of the format is replaced in its own location and
// reported.
func TestWordsOfTheFormat(t *testing.T) {
	others := `"b":{"__ptype":"Sensitive","__pvalue":"S3cret-Value"},"c":{"__ptype":"Deferred","name":"f","arguments":[]},"d":{"__ptype":"Binary","__pvalue":"AAAA"}`
	for _, word := range []string{
		"sensitive_parameters", "parameters", "resources", "recursive_metadata", "compilable_type", "Compilable", "__ptype", "__pvalue",
		"Deferred", "Binary", "arguments", "redacted", "-by-pcat", "digest", "pseudonym",
	} {
		document := `{"name":"web01","recursive_metadata":{},"resources":[{"type":"File","title":"/a","kind":"compilable_type","parameters":{"a":"` +
			word + `",` + others + `},"sensitive_parameters":["a"]}],"edges":[]}`
		for name, masker := range maskers(t) {
			out, report, err := redact(t, []byte(document), "rich-json", "rich-json", masker())
			if err != nil {
				t.Errorf("%s, %s: %v", word, name, err)
				continue
			}
			if strings.Contains(string(out), `"a":"`+word+`"`) {
				t.Errorf("%s, %s: %s", word, name, out)
			}
			if !slices.ContainsFunc(report.NotFollowed, func(n sensitive.NotFollowed) bool { return n.Reason == string(secret.TooCommon) }) {
				t.Errorf("%s, %s: %v", word, name, report.NotFollowed)
			}
		}
	}
}

// A secret that contains one or several of the words is followed.
func TestWordsOfTheFormatInSecrets(t *testing.T) {
	for _, secret := range []string{"my_resources", `resources\nsensitive`, "__ptypes"} {
		document := in(`{"type":"File","title":"/a","parameters":{"a":"` + secret + `","b":"x ` + secret + `"},"sensitive_parameters":["a"]}`)
		if out := string(mustRedact(t, []byte(document), "rich-json", sensitive.NewMask())); strings.Count(out, "-by-pcat") != 2 {
			t.Error(out)
		}
	}
}
