package sensitive_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/sensitive"
)

// A number is followed by its value where a number is the whole value, and by its usual
// texts inside of text.
func TestCopiesOfNumbers(t *testing.T) {
	for hidden, copies := range map[string][]string{
		`8123456789`: {
			`8123456789`, `8123456789.0`, `8.123456789e9`, `8.123456789E+09`, `"8123456789"`, `"psql -p 8123456789 x"`, `"8123456789.0"`,
			`"0x1e4321d15"`, `"1E4321D15"`, `"8.123456789e+09"`, `{"8123456789":1}`,
		},
		`8123456789.0`:   {`8123456789`, `8123456789.0`, `8.123456789e9`, `"8123456789.0"`, `"8123456789"`},
		`3.14159265`:     {`3.14159265`, `3.141592650`, `"pi 3.14159265"`, `[[3.14159265]]`, `{"__ptype":"Deferred","name":"f","arguments":[3.14159265]}`},
		`"3.14159265"`:   {`3.14159265`, `"3.14159265"`},
		`"8123456789"`:   {`8123456789.0`, `8123456789`},
		`1.23456789e-20`: {`1.23456789e-20`, `"1.23456789e-20"`},
		`12345678901234567890123`: {
			`12345678901234567890123`, `"12345678901234567890123"`, `"29D42B64E76714244CB"`,
		},
	} {
		for _, copied := range copies {
			for _, own := range []string{
				`"pin":` + hidden + `},"sensitive_parameters":["pin"]`,
				`"pin":{"__ptype":"Sensitive","__pvalue":[` + hidden + `]}}`,
			} {
				doc := in(`{"type":"T","title":"a","parameters":{`+own+`}`, `{"type":"T","title":"b","parameters":{"p":`+copied+`}}`)
				for form, data := range inForms(t, doc) {
					if len(hidden) > 20 && form != "rich-json" {
						continue // inForms rounds it
					}
					out, _, err := redact(t, data, form, form, sensitive.NewMask())
					if err != nil {
						t.Fatalf("%s of %s, %s: %v", copied, hidden, form, err)
					}
					text := strings.ToUpper(string(convert(t, out, form, "rich-json")))
					for _, digits := range []string{"8123456789", "8.123456789", "1E4321D15", "3.14159265", "1.23456789", "123456789", "29D42B64E"} {
						if strings.Contains(text, digits) {
							t.Errorf("%s of %s, %s: %s", copied, hidden, form, text)
						}
					}
				}
			}
		}
	}
}

// Short numbers are counted but not followed; 12345.678 has two texts, and is counted once. Booleans and undef
// are neither.
func TestShortNumbers(t *testing.T) {
	doc := in(`{"type":"T","title":"a","parameters":{"p":[3.5,1234.56,42,12345.678,0.1,1500.0,true,null,{"__ptype":"Default"}]},"sensitive_parameters":["p"]}`,
		`{"type":"T","title":"b","parameters":{"p":[3.5,1234.56,42,0.1,1500.0,true],"q":"1234.56 and 1500"}}`)
	out, report, err := redact(t, []byte(doc), "rich-json", "rich-json", sensitive.NewMask())
	if err != nil || !strings.Contains(string(out), `"p":[3.5,1234.56,42,0.1,1500.0,true],"q":"1234.56 and 1500"`) {
		t.Errorf("%s, %v", out, err)
	}
	if report.Secrets != 1 || len(report.NotFollowed) != 5 {
		t.Errorf("%d secrets, not followed: %v", report.Secrets, report.NotFollowed)
	}
}

// A text that is a secret of its own is counted, whether a number with this spelling comes before or after it.
func TestCountOfSpellings(t *testing.T) {
	for _, parameters := range []string{`"a":12345.678,"b":"1.2345678e4"`, `"a":"1.2345678e4","b":12345.678`} {
		doc := in(`{"type":"T","title":"a","parameters":{` + parameters + `},"sensitive_parameters":["a","b"]}`)
		if _, report, err := redact(t, []byte(doc), "rich-json", "rich-json", sensitive.NewMask()); err != nil || report.Secrets != 2 {
			t.Errorf("%s: %d secrets, %v", parameters, report.Secrets, err)
		}
	}
}

// A text of digits and marks that is no number is followed like any other.
func TestAlmostNumbers(t *testing.T) {
	for _, hidden := range []string{"55183.47-", "12-345.6", "5518-3747"} {
		doc := in(`{"type":"T","title":"a","parameters":{"p":"`+hidden+`"},"sensitive_parameters":["p"]}`, `{"type":"T","title":"b","parameters":{"q":"is `+hidden+` so"}}`)
		if out := string(mustRedact(t, []byte(doc), "rich-json", sensitive.NewMask())); strings.Contains(out, hidden) {
			t.Errorf("%s: %s", hidden, out)
		}
	}
}

// A key of a secret Hash is followed if it is a secret itself.
func TestKeysThatAreSecrets(t *testing.T) {
	for key, followed := range map[string]bool{
		"Zx9-qKw4vTz":                          true,
		"3f2504e0-4f89-11d3-9a0c-0305e82c3301": true,
		"ghp_16C7e42F292c6912E7710c838347Ae17": true,
		"password":                             false,
		"database_password_of_app1":            false,
		"SPRING_DATASOURCE_PASSWORD":           false,
		"maxConnectionsPerHost":                false,
		"X-Vault-Token-2":                      false,
		"user@example.com":                     false,
		"10.0.0.1:5432":                        false,
	} {
		doc := in(`{"type":"T","title":"a","parameters":{"p":{`+quoted(key)+`:"S3cret-Value"}},"sensitive_parameters":["p"]}`,
			`{"type":"T","title":"b","parameters":{"p":`+quoted("x "+key+" y")+`}}`)
		modes := maskers(t)
		modes["encrypt"] = func() sensitive.Masker { return sensitive.NewEncrypt("open", &unlucky{}) }
		for form, data := range inForms(t, doc) {
			for mode, masker := range modes {
				out, report, err := redact(t, data, form, form, masker())
				if err != nil || strings.Contains(string(out), key) == followed {
					t.Errorf("%s, %s, %s: %s, %v", key, form, mode, out, err)
				}
				left := report.NotFollowed
				if !followed && (len(left) != 1 || left[0].Reason != string(secret.KeyOnly)) {
					t.Errorf("%s: not followed: %v", key, left)
				}
			}
		}
	}
}
