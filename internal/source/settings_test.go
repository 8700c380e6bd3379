package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// write writes files below a new directory, and returns its name.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The values of the same puppet.conf that Puppet 7.23 prints with `puppet config print --section agent`.
func TestReadSettings(t *testing.T) {
	home := write(t, nil)
	t.Setenv("HOME", home)
	dir := write(t, map[string]string{
		"puppet.conf": `# a comment
  certname = web01.example.com
[main]
  server = puppet.example.com
ssldir = $confdir/tls
http_proxy_host = proxy
vardir = /var/p {owner = root, mode = 750}
certificate_revocation = leaf
http_read_timeout = 10m

[server]
server = other
[agent]
server = agentserver
environment = feature
unknown = $unknown
`,
		"puppetdb.conf": "[main]\nserver_urls = https://pdb1:8081,https://pdb2/\nsoft_write_failure = true\n",
	})
	s, err := ReadSettings(map[string]string{"confdir": dir})
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]string{
		"certname":               {s.Certname, "web01.example.com"},
		"environment":            {s.Environment, "feature"},
		"server":                 {s.Server, "agentserver:8140"},
		"localcacert":            {s.CA, dir + "/tls/certs/ca.pem"},
		"hostcert":               {s.Certificate, dir + "/tls/certs/web01.example.com.pem"},
		"hostprivkey":            {s.Key, dir + "/tls/private_keys/web01.example.com.pem"},
		"hostcrl":                {s.CRL, dir + "/tls/crl.pem"},
		"certificate_revocation": {s.Revocation, "leaf"},
		"client_datadir":         {s.CatalogCache, "/var/p/client_data/catalog"},
		"http_proxy":             {s.Proxy.String(), "http://proxy:3128"},
		"http_read_timeout":      {s.ReadTimeout.String(), (10 * time.Minute).String()},
		"server_urls":            {strings.Join(s.PuppetDB, " "), "https://pdb1:8081 https://pdb2:8081"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: got %q, want %q", name, pair[0], pair[1])
		}
	}
}

func TestOverriddenSettings(t *testing.T) {
	t.Setenv("HOME", write(t, map[string]string{
		".puppetlabs/client-tools/puppetdb.conf": `{"puppetdb": {"server_urls": ["https://tools:8081"], "cacert": "/ca", "cert": "/c", "key": "/k"}}`,
		".puppetlabs/token":                      "t0ken",
	}))
	dir := write(t, map[string]string{"puppet.conf": "server = a\nserverport = 1\n", "puppetdb.conf": "[main]\nserver_urls = https://pdb1:8081\n"})
	s, err := ReadSettings(map[string]string{"confdir": dir, "server": "b", "ssldir": "/s", "certname": "n"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Server != "b:1" || s.Key != "/s/private_keys/n.pem" {
		t.Errorf("got %s, %s", s.Server, s.Key)
	}
	if got := strings.Join(s.PuppetDB, " "); got != "https://tools:8081" || s.PuppetDBFiles != (Files{"/ca", "/c", "/k"}) || !strings.HasSuffix(s.TokenFile, "/.puppetlabs/token") {
		t.Errorf("got %s, %v, %s: want those of the client tools", got, s.PuppetDBFiles, s.TokenFile)
	}
	s, err = ReadSettings(map[string]string{"confdir": dir, "puppetdb": "http://x, https://y:9", "token_file": "/t"})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.PuppetDB, " "); got != "http://x:8080 https://y:9" || s.TokenFile != "/t" || s.PuppetDBFiles != (Files{}) {
		t.Errorf("got %s, %s, %v: want those given", got, s.TokenFile, s.PuppetDBFiles)
	}
}

// Without a certname, the name of the certificate that the agent has is used.
func TestOwnName(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host = strings.ToLower(host)
	dir := write(t, map[string]string{"certs/ca.pem": "", "certs/" + host + ".example.com.pem": "", "certs/other.example.com.pem": ""})
	s, err := ReadSettings(map[string]string{"confdir": dir, "ssldir": dir})
	if err != nil {
		t.Fatal(err)
	}
	if want := host + ".example.com"; s.Certname != want {
		t.Errorf("got %s, want %s", s.Certname, want)
	}
}

func TestInvalidSettings(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, tt := range []struct {
		conf     string
		override map[string]string
		want     string
	}{
		{"[main]\nserver = a\nbad line\n", nil, "puppet.conf: line 3 is neither a section nor a setting"},
		{"", map[string]string{"servr": "x"}, `unknown setting "servr"; did you mean server?`},
		{"ssldir = $ssldir/x\n", nil, "setting ssldir: refers to itself"},
		{"ssldir = $libdir/x\n", nil, "setting ssldir: $libdir is not known here"},
		{"http_read_timeout = soon\n", nil, `setting http_read_timeout: "soon" is not a duration`},
		{"certificate_revocation = maybe\n", nil, "setting certificate_revocation: use chain, leaf or false"},
		{"", map[string]string{"puppetdb": "ftp://x"}, `"ftp://x" is not a URL`},
		{"", map[string]string{"puppetdb": "https://u:secret@x"}, "cannot contain a user or a password"},
	} {
		override := map[string]string{"confdir": write(t, map[string]string{"puppet.conf": tt.conf})}
		for name, value := range tt.override {
			override[name] = value
		}
		_, err := ReadSettings(override)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q %v: got %v, want %q", tt.conf, tt.override, err, tt.want)
		}
	}
}

// A password in a URL is not repeated, however wrong the URL is.
func TestPasswordInURL(t *testing.T) {
	for _, text := range []string{
		"https://u:s3cret@host:8081", "htps://u:s3cret@host:8081", "u:s3cret@host:8081", "https://u:s3cret%@host", "https://u:s3/cret@host",
	} {
		_, err := ReadSettings(map[string]string{"puppetdb": text, "confdir": t.TempDir()})
		if err == nil || strings.Contains(err.Error(), "s3") || !strings.Contains(err.Error(), "token_file") {
			t.Errorf("%s: got %v", text, err)
		}
		if _, host, ok := strings.Cut(text, "//"); ok {
			if _, err := ParseAddress("puppetdb://" + host); err == nil || strings.Contains(err.Error(), "s3") {
				t.Errorf("the address of %s: got %v", text, err)
			}
		}
	}
}
