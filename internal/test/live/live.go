// Package live starts the systems that pcat talks to, for tests: PuppetDB with
// PostgreSQL, and Puppet Server. They are the packages of Debian, listen on
// loopback only, keep everything in one directory, and end with the test.
//
//	Start   starts both, with certificates of one [CA]
//	StartVault starts Vault, which asks for [VaultVariable]
//	StartAlertmanager starts Alertmanager, which takes a second
//	Breaking is a server that ends in the middle of an answer
//	CA      signs certificates as Puppet's CA does
//
// Starting both takes one to three minutes, so that tests ask for it with
// [Variable], and skip themselves where a package is not installed.
//
// Starting and stopping other systems belongs here; the tests with them lie beside the
// code that they test.
package live

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Variable is the environment variable that asks for these tests.
const Variable = "PCAT_LIVE"

// Systems are the systems of a test.
type Systems struct {
	Dir string
	CA  *CA
	// Client is the certificate of "pcat", which may compile for every node.
	Client Files
	// CRL is the revocation list of the CA.
	CRL string
	// PuppetDB has the host and port of PuppetDB with TLS, PuppetDBPlain without.
	PuppetDB, PuppetDBPlain string
	// Server has the host and port of Puppet Server.
	Server string
	// Environments is the directory of the environments.
	Environments string
	// Ruby is an empty directory in the load path of Puppet Server.
	Ruby string

	puppetdb *process
}

// process is a server.
type process struct {
	cmd   *exec.Cmd
	log   string
	ended chan struct{} // closed when it has ended
}

// The files of the packages.
const (
	puppetdbJar     = "/usr/share/puppetdb/puppetdb.jar"
	puppetserverJar = "/usr/share/puppetserver/puppetserver.jar"
	terminus        = "/usr/lib/ruby/vendor_ruby/puppet/indirector/catalog/puppetdb.rb"
	startTime       = 5 * time.Minute
)

// Start starts PuppetDB and Puppet Server, which stores facts and catalogs
// there. It skips the test unless it is asked for and possible.
func Start(t *testing.T) *Systems {
	t.Helper()
	if os.Getenv(Variable) == "" {
		t.Skipf("starts PuppetDB and Puppet Server: set %s=1 to run it", Variable)
	}
	if os.Geteuid() != 0 {
		t.Skip("PostgreSQL and Puppet Server are started as other users: run it as root")
	}
	for _, file := range []string{puppetdbJar, puppetserverJar, terminus} {
		if _, err := os.Stat(file); err != nil {
			t.Skipf("the packages puppetdb, puppetserver and puppet-terminus-puppetdb are not installed: %v", err)
		}
	}
	dir, err := os.MkdirTemp("", "pcat-live-") //nolint:usetesting // user postgres must be able to enter it
	check(t, err)
	t.Cleanup(func() { check(t, os.RemoveAll(dir)) })
	check(t, os.Chmod(dir, 0o711)) //nolint:gosec // likewise
	s := &Systems{Dir: dir, Environments: filepath.Join(dir, "code", "environments"), Ruby: filepath.Join(dir, "ruby")}
	ssl := filepath.Join(dir, "ssl")
	check(t, os.MkdirAll(ssl, 0o700))
	s.CA = NewCA(t, ssl)
	soon := time.Now().AddDate(0, 0, 7)
	server := s.CA.Issue(t, "localhost", soon, "localhost", "127.0.0.1")
	s.Client = s.CA.Issue(t, "pcat", soon)
	s.CRL = s.CA.Revoke(t, "crl.pem", soon)
	ports := freePorts(t, 4)
	s.PuppetDB, s.PuppetDBPlain, s.Server = "localhost:"+ports[0], "localhost:"+ports[1], "localhost:"+ports[2]
	values := map[string]string{
		"Dir": dir, "TLSPort": ports[0], "PlainPort": ports[1], "ServerPort": ports[2], "PostgresPort": ports[3],
		"CA": s.CA.File, "Certificate": server.Certificate, "Key": server.Key, "CRL": s.CRL,
	}
	for _, d := range []string{"pdb/conf.d", "pdb/var", "ps/conf.d", "ps/services.d", "ps/puppet", "ps/var", "ps/run", "ps/log", "code/environments/production/manifests", "ruby"} {
		check(t, os.MkdirAll(filepath.Join(dir, d), 0o700))
	}
	for name, text := range configuration {
		write(t, filepath.Join(dir, name), text, values)
	}
	var both sync.WaitGroup
	both.Go(func() { s.startPuppetServer(t) })
	s.startPostgres(t, ports[3])
	s.startPuppetDB(t)
	both.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return s
}

// Settings returns the settings of puppet.conf with which pcat reaches the
// systems.
func (s *Systems) Settings() map[string]string {
	return map[string]string{
		"confdir": filepath.Join(s.Dir, "none"), "certname": "pcat", "server": s.Server, "puppetdb": "https://" + s.PuppetDB,
		"localcacert": s.CA.File, "hostcert": s.Client.Certificate, "hostprivkey": s.Client.Key, "hostcrl": s.CRL,
	}
}

// startPostgres starts PostgreSQL with an empty database, without regard to crashes.
func (s *Systems) startPostgres(t *testing.T, port string) {
	t.Helper()
	dir := filepath.Join(s.Dir, "pg")
	check(t, os.Mkdir(dir, 0o700))
	run(t, "chown", "postgres", dir)
	bin, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(bin) == 0 {
		t.Skip("PostgreSQL is not installed")
	}
	program := func(name string) string { return filepath.Join(bin[len(bin)-1], name) }
	as := []string{"--reuid=postgres", "--regid=postgres", "--clear-groups"}
	data := filepath.Join(dir, "data")
	run(t, "setpriv", append(as, program("initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")...)
	options := "-h 127.0.0.1 -p " + port + " -k " + dir + " -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
	run(t, "setpriv", append(as, program("pg_ctl"), "-w", "-D", data, "-l", filepath.Join(dir, "log"), "-o", options, "start")...)
	t.Cleanup(func() {
		run(t, "setpriv", append(as, program("pg_ctl"), "-w", "-m", "immediate", "-D", data, "stop")...)
	})
	sql := []string{"-q", "-h", "127.0.0.1", "-p", port, "-U", "postgres"}
	run(t, program("psql"), append(sql, "-c", "create role puppetdb login password 'puppetdb'", "-c", "create database puppetdb owner puppetdb")...)
	run(t, program("psql"), append(sql, "-d", "puppetdb", "-c", "create extension pg_trgm")...)
}

// startPuppetDB starts PuppetDB.
func (s *Systems) startPuppetDB(t *testing.T) {
	t.Helper()
	s.puppetdb = start(t, filepath.Join(s.Dir, "pdb/log.txt"), "-Xmx512m", "-XX:TieredStopAtLevel=1", "-Djava.security.egd=/dev/urandom", "-cp", puppetdbJar,
		"clojure.main", "-m", "puppetlabs.puppetdb.core", "services", "--config", filepath.Join(s.Dir, "pdb/conf.d"), "--bootstrap-config", "/etc/puppetdb/bootstrap.cfg")
	s.puppetdb.await(t, "PuppetDB", func() bool {
		return strings.Contains(get("http://"+s.PuppetDBPlain+"/status/v1/services/puppetdb-status"), `"state":"running"`)
	})
}

func (s *Systems) startPuppetServer(t *testing.T) {
	t.Helper()
	p := start(t, filepath.Join(s.Dir, "ps/log.txt"), "-Xms512m", "-Xmx1g", "-Djruby.logger.class=com.puppetlabs.jruby_utils.jruby.Slf4jLogger",
		"-Djruby.lib=/usr/share/jruby/lib", "-Djava.security.egd=/dev/urandom", "-jar", puppetserverJar,
		"--config", filepath.Join(s.Dir, "ps/conf.d"), "--bootstrap-config", filepath.Join(s.Dir, "ps/services.d"))
	p.await(t, "Puppet Server", func() bool { return get("https://"+s.Server+"/status/v1/simple") == "running" })
}

// start starts Java in a process group of its own, which ends with the test. log is the
// file of its messages.
func start(t *testing.T, log string, args ...string) *process {
	t.Helper()
	p := &process{exec.Command("java", args...), log, make(chan struct{})} //nolint:gosec // of this package
	p.cmd.Dir = "/"
	separate(p.cmd)
	if err := p.cmd.Start(); err != nil {
		t.Error(err)
		return nil
	}
	go func() {
		_ = p.cmd.Wait() // it is killed
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends a process at once.
func (p *process) kill() {
	killGroup(p.cmd)
	<-p.ended
}

// await waits until ready reports true.
func (p *process) await(t *testing.T, name string, ready func() bool) {
	t.Helper()
	if p == nil {
		return
	}
	begin := time.Now()
	for !ready() {
		select {
		case <-p.ended:
			t.Errorf("%s ended:\n%s", name, end(p.log))
			return
		case <-time.After(300 * time.Millisecond):
		}
		if time.Since(begin) > startTime {
			t.Errorf("%s did not start within %v:\n%s", name, startTime, end(p.log))
			return
		}
	}
	t.Logf("%s started in %v", name, time.Since(begin).Round(time.Second))
}

// end returns the last lines of a file.
func end(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-3000):])
}

// get returns the answer to a request, or nothing.
func get(url string) string {
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec // it asks whether the server runs
	answer, err := client.Get(url)
	if err != nil {
		return ""
	}
	defer func() { _ = answer.Body.Close() }()
	var text strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := answer.Body.Read(buf)
		text.Write(buf[:n])
		if err != nil {
			return text.String()
		}
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // of this package
	cmd.Dir = "/"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// freePorts returns ports of loopback that are free now.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	var ports []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		check(t, err)
		defer func() { check(t, l.Close()) }()
		ports = append(ports, strconv.Itoa(l.Addr().(*net.TCPAddr).Port)) //nolint:forcetypeassert // of this network
	}
	return ports
}

// write writes a file, with the values of the variables in its text.
func write(t *testing.T, file, text string, values map[string]string) {
	t.Helper()
	for name, value := range values {
		text = strings.ReplaceAll(text, "{{."+name+"}}", value)
	}
	check(t, os.WriteFile(file, []byte(text), 0o600))
}
