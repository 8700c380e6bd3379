package redact_test

import (
	"encoding/base64"
	"testing"

	"github.com/pcatdev/pcat/redact"
)

// Only the text of a secret changes: nothing around it, and no other text that is equal by
// chance.
func TestNothingElseChanges(t *testing.T) {
	b64 := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	file := func(title, content string) string {
		return `{"type":"File","title":"` + title + `","parameters":{"content":` + content + `}}`
	}
	const weak = `{"type":"Package","title":"icingaweb2","tags":["icingaweb2"],"parameters":{}},` +
		`{"type":"File","title":"/etc/icingaweb2","parameters":{"path":"/etc/icingaweb2"}},`
	for name, c := range map[string]struct{ in, out string }{
		"text": {
			file("/a", `"user = app\npassword = Zx9-qKw4vTz\n"`),
			file("/a", `"user = app\npassword = redacted-1-by-pcat\n"`),
		},
		"Binary": {
			file("/a", `{"__ptype":"Binary","__pvalue":"`+b64("user=app\npassword=Zx9-qKw4vTz\n")+`"}`),
			file("/a", `{"__ptype":"Binary","__pvalue":"`+b64("user=app\npassword=redacted-1-by-pcat\n")+`"}`),
		},
		"name of a package": {
			weak + file("/etc/icingaweb2/a.ini", `"user = icingaweb2\npassword = icingaweb2\n"`),
			weak + file("/etc/icingaweb2/a.ini", `"user = icingaweb2\npassword = redacted-1-by-pcat\n"`),
		},
		"the same word several times": {
			file("/a", `"user = a1B2c\n[a]\npassword = a1B2c\n[b]\npassword = a1B2c\n"`),
			file("/a", `"user = a1B2c\n[a]\npassword = redacted-1-by-pcat\n[b]\npassword = redacted-1-by-pcat\n"`),
		},
		"declared": {
			weak + `{"type":"User","title":"u","parameters":{"password":"icingaweb2"},"sensitive_parameters":["password"]}`,
			weak + `{"type":"User","title":"u","parameters":{"password":"redacted-1-by-pcat"},"sensitive_parameters":["password"]}`,
		},
		"text that Puppet redacted": {
			file("/a", `"password = Sensitive [value redacted]\n"`) + "," + file("/b", `"x Sensitive [value redacted]\n"`),
			file("/a", `"password = Sensitive [value redacted]\n"`) + "," + file("/b", `"x Sensitive [value redacted]\n"`),
		},
		"name that several resources have": {
			`{"type":"Db","title":"keycloak","parameters":{"password":"keycloak","owner":"keycloak"},"sensitive_parameters":["password"]},{"type":"Role","title":"keycloak","parameters":{}}`,
			`{"type":"Db","title":"keycloak","parameters":{"password":"redacted-1-by-pcat","owner":"keycloak"},"sensitive_parameters":["password"]},{"type":"Role","title":"keycloak","parameters":{}}`,
		},
		"beginning of the name of a class": {
			`{"type":"Class","title":"App::Monitoring","parameters":{}},{"type":"User","title":"u","parameters":{"password":"monitor"},"sensitive_parameters":["password"]},` + file("/a", `"monitoring"`),
			`{"type":"Class","title":"App::Monitoring","parameters":{}},{"type":"User","title":"u","parameters":{"password":"redacted-1-by-pcat"},"sensitive_parameters":["password"]},` + file("/a", `"monitoring"`),
		},
		"name of an account": {
			`{"type":"Class","title":"Corosync","parameters":{"hacluster_password":"hacluster"},"sensitive_parameters":["hacluster_password"]},{"type":"User","title":"hacluster","tags":["hacluster"],"parameters":{}}`,
			`{"type":"Class","title":"Corosync","parameters":{"hacluster_password":"redacted-1-by-pcat"},"sensitive_parameters":["hacluster_password"]},{"type":"User","title":"hacluster","tags":["hacluster"],"parameters":{}}`,
		},
		"word of the name of its parameter": {
			`{"type":"Class","title":"Proxy","parameters":{"monitor_username":"monitor","monitor_password":"monitor"},"sensitive_parameters":["monitor_password"]},` + file("/a", `"monitor_username = monitor\n"`),
			`{"type":"Class","title":"Proxy","parameters":{"monitor_username":"monitor","monitor_password":"redacted-1-by-pcat"},"sensitive_parameters":["monitor_password"]},` + file("/a", `"monitor_username = monitor\n"`),
		},
		"weak password equal to its user": {
			`{"type":"Db","title":"/a","parameters":{"read_username":"sunflower-read","read_password":"sunflower-read"},"sensitive_parameters":["read_password"]},` + file("/a", `"user = sunflower-read"`),
			`{"type":"Db","title":"/a","parameters":{"read_username":"sunflower-read","read_password":"redacted-1-by-pcat"},"sensitive_parameters":["read_password"]},` + file("/a", `"user = sunflower-read"`),
		},
		"weak password equal to its user in a Hash": {
			`{"type":"Db","title":"/a","parameters":{"db":{"user":"sunflower","password":{"__ptype":"Sensitive","__pvalue":"sunflower"}}}},` + file("/a", `"user = sunflower"`),
			`{"type":"Db","title":"/a","parameters":{"db":{"user":"sunflower","password":{"__ptype":"Sensitive","__pvalue":"redacted-1-by-pcat"}}}},` + file("/a", `"user = sunflower"`),
		},
		"password equal to its user": {
			`{"type":"Archive","title":"/a","parameters":{"username":"Kq7-xv2Lm9p","password":"Kq7-xv2Lm9p"},"sensitive_parameters":["password"]}`,
			`{"type":"Archive","title":"/a","parameters":{"username":"redacted-1-by-pcat","password":"redacted-1-by-pcat"},"sensitive_parameters":["password"]}`,
		},
		"header of a file": {
			`{"type":"File","title":"/a","parameters":{"content":"# This file is managed by Puppet.\n"},"sensitive_parameters":["content"]},` + file("/b", `"# This file is managed by Puppet.\na = 1\n"`),
			`{"type":"File","title":"/a","parameters":{"content":"redacted-1-by-pcat"},"sensitive_parameters":["content"]},` + file("/b", `"# This file is managed by Puppet.\na = 1\n"`),
		},
		"configuration that is also a parameter": {
			`{"type":"File","title":"/c.json","parameters":{"content":"{\"data_dir\":\"/opt/consul\",\"encrypt\":\"pUqJrVyVRj5jsiYEkM/tFQ==\"}"},"sensitive_parameters":["content"]},` +
				`{"type":"Class","title":"Consul","parameters":{"config_hash":{"data_dir":"/opt/consul","encrypt":"pUqJrVyVRj5jsiYEkM/tFQ=="}}}`,
			`{"type":"File","title":"/c.json","parameters":{"content":"redacted-1-by-pcat"},"sensitive_parameters":["content"]},` +
				`{"type":"Class","title":"Consul","parameters":{"config_hash":{"data_dir":"/opt/consul","encrypt":"redacted-2-by-pcat"}}}`,
		},
		"configuration beside a finding": {
			`{"type":"File","title":"/c.json","parameters":{"content":"{\"data_dir\":\"/opt/consul\"}"},"sensitive_parameters":["content"]},` +
				`{"type":"Class","title":"Consul","parameters":{"token":"b1gs33cr3t-1234-5678","config_hash":{"data_dir":"/opt/consul"}}}`,
			`{"type":"File","title":"/c.json","parameters":{"content":"redacted-1-by-pcat"},"sensitive_parameters":["content"]},` +
				`{"type":"Class","title":"Consul","parameters":{"token":"redacted-2-by-pcat","config_hash":{"data_dir":"/opt/consul"}}}`,
		},
		"no secret": {file("/a", `"a = 1\n"`), file("/a", `"a = 1\n"`)},
	} {
		t.Run(name, func(t *testing.T) {
			documents := []*document{{text: in(c.in)}}
			result, err := redact.Run(t.Context(), inputs(t, documents), redact.Options{Audit: auditor(t)})
			if err != nil || result.Failures[0] != nil {
				t.Fatal(err, result.Failures)
			}
			if got := documents[0].out.String(); got != in(c.out) {
				t.Errorf("got  %s\nwant %s", got, in(c.out))
			}
		})
	}
}
