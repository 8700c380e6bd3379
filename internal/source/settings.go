package source

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/nearest"
)

// Settings say where the systems are, and which certificate is used. Read them
// with [ReadSettings]. They contain no secret, only the names of files with
// secrets.
type Settings struct {
	// Certname is the name of this node.
	Certname string
	// Environment is the environment of this node.
	Environment string

	// Server is the host and the port of Puppet Server.
	Server string
	// PuppetDB are URLs of PuppetDB. They are tried in order until one accepts
	// a connection.
	PuppetDB []string

	// CA is the file with the certificates of Puppet's CA.
	CA string
	// CRL is the file with its revocation lists.
	CRL string
	// Revocation is how much of a server's chain is looked up in CRL: "chain",
	// "leaf" or "false".
	Revocation string
	// Certificate and Key are the files of the client certificate.
	Certificate, Key string
	// PuppetDBFiles, where its members are not empty, replaces the files for
	// requests to PuppetDB, as puppetdb.conf of the client tools does.
	PuppetDBFiles Files
	// TokenFile is a file with a token of Puppet Enterprise, which is sent to
	// PuppetDB. Empty sends none.
	TokenFile string

	// Proxy is the HTTP proxy. Nil uses the variables HTTPS_PROXY, HTTP_PROXY
	// and NO_PROXY.
	Proxy *url.URL

	// ConnectTimeout is the maximum time for a connection.
	ConnectTimeout time.Duration
	// ReadTimeout is the maximum time without a byte from a server.
	ReadTimeout time.Duration

	// CatalogCache is the directory with the catalogs that the agent cached.
	CatalogCache string
	// LastReport is the file with the last report of the agent, and FactCaches are the directories
	// with facts that the agent or a server has cached.
	LastReport string
	FactCaches []string

	puppetDBAssumed bool // nothing says where PuppetDB is
}

// Files are the files of a TLS client.
type Files struct{ CA, Certificate, Key string }

// Names of settings that puppet.conf does not have.
const (
	confdirSetting  = "confdir"
	puppetdbSetting = "puppetdb"
	tokenSetting    = "token_file"
)

// defaults returns the default of each setting, in Puppet's notation.
func defaults(home string, root bool) map[string]string {
	d := map[string]string{
		confdirSetting: "/etc/puppetlabs/puppet", "vardir": "/opt/puppetlabs/puppet/cache", "ssldir": "$confdir/ssl",
		"certdir": "$ssldir/certs", "privatekeydir": "$ssldir/private_keys",
		"localcacert": "$certdir/ca.pem", "hostcert": "$certdir/$certname.pem", "hostprivkey": "$privatekeydir/$certname.pem",
		"hostcrl": "$ssldir/crl.pem", "certificate_revocation": "chain",
		"client_datadir": "$vardir/client_data", "lastrunreport": "$vardir/state/last_run_report.yaml",
		"certname": "", "environment": "production", "server": "puppet", "serverport": "8140", "masterport": "",
		"http_proxy_host": "none", "http_proxy_port": "3128",
		"http_connect_timeout": "30s", "http_read_timeout": "2m",
		puppetdbSetting: "", tokenSetting: "",
	}
	debian := !isDir(d[confdirSetting]) && isDir("/etc/puppet")
	switch {
	case root && debian:
		d[confdirSetting], d["vardir"], d["ssldir"] = "/etc/puppet", "/var/cache/puppet", "/var/lib/puppet/ssl"
	case !root && debian:
		d[confdirSetting], d["vardir"] = filepath.Join(home, ".puppet/etc"), filepath.Join(home, ".puppet/cache")
	case !root:
		d[confdirSetting], d["vardir"] = filepath.Join(home, ".puppetlabs/etc/puppet"), filepath.Join(home, ".puppetlabs/opt/puppet/cache")
	}
	return d
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// SettingNames returns the names that the override of [ReadSettings] can have.
func SettingNames() []string { return slices.Sorted(maps.Keys(defaults("", true))) }

// ReadSettings reads the settings as an agent does: from puppet.conf in the
// configuration directory of this user, sections main and agent; the URLs of
// PuppetDB are in puppetdb.conf of the client tools or, without that, of the
// terminus. Files that do not exist are as good as empty ones.
//
// override replaces settings by name: settings of puppet.conf that [SettingNames]
// lists, with variables such as $ssldir, and besides
//
//	confdir     the directory of puppet.conf and puppetdb.conf
//	puppetdb    URLs of PuppetDB, with commas between them
//	token_file  a file with a token for PuppetDB
func ReadSettings(override map[string]string) (*Settings, error) {
	home, _ := os.UserHomeDir() // without one, its files do not exist
	values := defaults(home, os.Geteuid() == 0)
	for name := range override {
		if _, ok := values[name]; !ok {
			return nil, fmt.Errorf("unknown setting %q%s", name, nearest.DidYouMean(name, maps.Keys(values)))
		}
	}
	if dir := override[confdirSetting]; dir != "" {
		values[confdirSetting] = dir
	}
	read, err := readPuppetConf(filepath.Join(values[confdirSetting], "puppet.conf"))
	if err != nil {
		return nil, err
	}
	for name, value := range read {
		if _, ok := values[name]; ok && name != puppetdbSetting && name != tokenSetting {
			values[name] = value
		}
	}
	maps.Copy(values, override)
	if values["certname"] == "" {
		x := expander{values: values, active: map[string]bool{}}
		values["certname"] = ownName(x.value("certdir"))
	}
	return settingsOf(values, home)
}

// settingsOf returns the settings for values in Puppet's notation.
func settingsOf(values map[string]string, home string) (*Settings, error) {
	x := expander{values: values, active: map[string]bool{}}
	s := &Settings{
		Certname: x.value("certname"), Environment: x.value("environment"),
		CA: x.value("localcacert"), CRL: x.value("hostcrl"), Revocation: x.value("certificate_revocation"),
		Certificate: x.value("hostcert"), Key: x.value("hostprivkey"),
		ConnectTimeout: x.duration("http_connect_timeout"), ReadTimeout: x.duration("http_read_timeout"),
		CatalogCache: filepath.Join(x.value("client_datadir"), "catalog"),
		LastReport:   x.value("lastrunreport"),
		FactCaches: []string{
			filepath.Join(x.value("client_datadir"), "facts"), filepath.Join(x.value("vardir"), "client_yaml", "facts"),
			filepath.Join(x.value("vardir"), "yaml", "facts"),
		},
	}
	port := x.value("serverport")
	if old := x.value("masterport"); old != "" && port == "8140" {
		port = old
	}
	s.Server = withPort(x.value("server"), port)
	if host := x.value("http_proxy_host"); host != "none" && host != "" {
		s.Proxy = &url.URL{Scheme: "http", Host: withPort(host, x.value("http_proxy_port"))}
	}
	switch s.Revocation {
	case "true":
		s.Revocation = "chain"
	case "chain", "leaf", "false":
	default:
		x.fail("certificate_revocation", errors.New("use chain, leaf or false"))
	}
	if x.err != nil {
		return nil, x.err
	}
	err := s.findPuppetDB(x.value(confdirSetting), x.value(puppetdbSetting), home)
	if token := x.value(tokenSetting); token != "" {
		s.TokenFile = token
	}
	return s, errors.Join(x.err, err)
}

// expander replaces variables in the values of settings. The first error is kept.
type expander struct {
	values map[string]string
	active map[string]bool
	err    error
}

// variable is a reference to another setting.
var variable = lazyregexp.New(`\$(\w+)|\$\{(\w+)\}`)

func (x *expander) value(name string) string {
	if x.active[name] {
		x.fail(name, errors.New("refers to itself"))
		return ""
	}
	x.active[name] = true
	defer delete(x.active, name)
	return variable.Get().ReplaceAllStringFunc(x.values[name], func(text string) string {
		other := strings.Trim(text, "${}")
		if _, ok := x.values[other]; !ok {
			x.fail(name, fmt.Errorf("%s is not known here; use its value", text))
			return ""
		}
		return x.value(other)
	})
}

// durationUnits are the units of Puppet's durations.
var durationUnits = map[string]time.Duration{
	"": time.Second, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "y": 365 * 24 * time.Hour,
}

func (x *expander) duration(name string) time.Duration {
	text := x.value(name)
	digits := strings.TrimRight(text, "smhdy")
	n, err := strconv.Atoi(digits)
	unit, ok := durationUnits[text[len(digits):]]
	if err != nil || !ok || n <= 0 {
		x.fail(name, fmt.Errorf("%q is not a duration, such as 30s, 2m or 1h", text))
		return 0
	}
	return time.Duration(n) * unit
}

func (x *expander) fail(name string, err error) {
	if x.err == nil {
		x.err = fmt.Errorf("setting %s: %w", name, err)
	}
}

// withPort adds a port to a host that has none.
func withPort(host, port string) string {
	if strings.Contains(strings.TrimSuffix(host, "]"), ":") && !strings.HasSuffix(host, "]") {
		return host
	}
	return host + ":" + port
}

// ownName returns the name that Puppet gives this node by default: that of the machine with
// its domain. The domain is that of the only certificate in a directory for a machine of
// this name, if there is one.
func ownName(certificates string) string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	name = strings.ToLower(name)
	found, err := filepath.Glob(filepath.Join(certificates, name+".*.pem"))
	if err == nil && len(found) == 1 && !isFile(filepath.Join(certificates, name+".pem")) {
		return strings.TrimSuffix(filepath.Base(found[0]), ".pem")
	}
	return name
}

// The lines of puppet.conf.
var (
	sectionLine = lazyregexp.New(`^\s*\[(\w+)\]\s*$`)
	settingLine = lazyregexp.New(`^\s*(\w+)\s*=\s*(.*?)\s*$`)
	otherLine   = lazyregexp.New(`^\s*(#.*)?$`)
	fileOptions = lazyregexp.New(`\s*\{\s*\w+\s*=[^}]*\}`)
)

// readPuppetConf returns the settings for an agent in a puppet.conf.
func readPuppetConf(file string) (map[string]string, error) {
	return readINI(file, "main", "agent")
}

// readINI returns the settings in sections of a file, of which later ones take precedence.
// A file that does not exist has none.
func readINI(file string, sections ...string) (map[string]string, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	found := make([]map[string]string, len(sections))
	section := slices.Index(sections, "main") // of the lines before the first section
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		if m := sectionLine.Get().FindStringSubmatch(line); m != nil {
			section = slices.Index(sections, m[1])
		} else if m := settingLine.Get().FindStringSubmatch(line); m != nil {
			if section >= 0 {
				if found[section] == nil {
					found[section] = map[string]string{}
				}
				found[section][m[1]] = fileOptions.Get().ReplaceAllString(m[2], "")
			}
		} else if !otherLine.Get().MatchString(line) {
			return nil, fmt.Errorf("%s: line %d is neither a section nor a setting", file, number)
		}
	}
	all := map[string]string{}
	for _, settings := range found {
		maps.Copy(all, settings)
	}
	return all, lines.Err()
}

// findPuppetDB finds the URLs of PuppetDB: given ones, or the URLs of the client tools, or
// of the terminus.
func (s *Settings) findPuppetDB(confdir, given, home string) error {
	for _, file := range []string{filepath.Join(home, ".puppetlabs/client-tools/puppetdb.conf"), "/etc/puppetlabs/client-tools/puppetdb.conf"} {
		if given != "" {
			break
		}
		found, err := s.readClientTools(file, home)
		if found || err != nil {
			return err
		}
	}
	if given == "" {
		file := filepath.Join(confdir, "puppetdb.conf")
		read, err := readINI(file, "main")
		if err != nil {
			return err
		}
		given = read["server_urls"]
		if server := read["server"]; given == "" && server != "" { // before PuppetDB 3
			given = "https://" + withPort(server, orElse(read["port"], "8081"))
		}
	}
	if given == "" {
		given, s.puppetDBAssumed = "http://127.0.0.1:8080", true
	}
	for text := range strings.SplitSeq(given, ",") {
		if err := s.addPuppetDB(strings.TrimSpace(text)); err != nil {
			return err
		}
	}
	return nil
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// addPuppetDB adds a URL of PuppetDB.
func (s *Settings) addPuppetDB(text string) error {
	u, err := url.Parse(text)
	switch {
	case strings.Contains(text, "@"): // first: other messages repeat the text
		return errors.New("PuppetDB: a URL cannot contain a user or a password; use a client certificate, or token_file")
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("PuppetDB: %q is not a URL such as https://puppetdb.example.com:8081", text)
	}
	if u.Port() == "" {
		u.Host = withPort(u.Host, map[string]string{"http": "8080", "https": "8081"}[u.Scheme])
	}
	s.PuppetDB = append(s.PuppetDB, u.Scheme+"://"+u.Host+strings.TrimSuffix(u.Path, "/"))
	return nil
}

// readClientTools reads a puppetdb.conf of the client tools, if there is one.
func (s *Settings) readClientTools(file, home string) (found bool, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var conf struct {
		PuppetDB struct {
			URLs       any    `json:"server_urls"`
			CACert     string `json:"cacert"`
			Cert       string `json:"cert"`
			PrivateKey string `json:"key"`
			TokenFile  string `json:"token-file"`
		} `json:"puppetdb"`
	}
	if err := json.Unmarshal(text, &conf); err != nil {
		return false, fmt.Errorf("%s: %w", file, err)
	}
	var urls []string
	switch u := conf.PuppetDB.URLs.(type) {
	case string:
		urls = strings.Split(u, ",")
	case []any:
		for _, one := range u {
			if text, ok := one.(string); ok {
				urls = append(urls, text)
			}
		}
	}
	for _, u := range urls {
		if err := s.addPuppetDB(strings.TrimSpace(u)); err != nil {
			return false, fmt.Errorf("%s: %w", file, err)
		}
	}
	s.PuppetDBFiles = Files{conf.PuppetDB.CACert, conf.PuppetDB.Cert, conf.PuppetDB.PrivateKey}
	s.TokenFile = conf.PuppetDB.TokenFile
	if token := filepath.Join(home, ".puppetlabs/token"); s.TokenFile == "" && isFile(token) {
		s.TokenFile = token
	}
	return len(urls) > 0, nil
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
