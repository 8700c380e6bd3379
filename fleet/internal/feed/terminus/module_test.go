package terminus_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modules is the folder of the Puppet module.
const modules = "../../../../packaging/puppet"

// puppets are the commands of the Puppets that are here.
func puppets() map[string][]string {
	all := map[string][]string{"puppet": {"puppet"}}
	const openvox = "/opt/puppets/openvox-8.28.1"
	if _, err := os.Stat(openvox); err == nil {
		all["openvox"] = []string{"env", "RUBYLIB=" + filepath.Join(openvox, "lib"), "ruby", "-rset", filepath.Join(openvox, "bin", "puppet")}
	}
	return all
}

// apply applies a program, with further options. It returns the messages and the exit status: 2 if
// something changed.
func apply(t *testing.T, puppet []string, program string, options ...string) (text string, status int) {
	t.Helper()
	dir := t.TempDir()
	path, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	args := append(slices.Clone(puppet[1:]), "apply", "--modulepath", path, "--color", "false", "--strict", "error", "--detailed-exitcodes", "-e", program)
	for _, setting := range []string{"conf", "var", "log", "run", "public", "code"} {
		args = append(args, "--"+setting+"dir", filepath.Join(dir, setting))
	}
	cmd := exec.Command(puppet[0], append(args, options...)...)
	out, _ := cmd.CombinedOutput() // the exit status has it
	return string(out), cmd.ProcessState.ExitCode()
}

// The classes of the module.
const (
	serviceClass = `class { 'pcatd':
  options     => { 'terminus' => ':8082', 'terminus-client' => ['a.example.com', 'b.example.com'], 'puppetdb' => true, 'replicas' => 3 },
  groups      => ['catalogs'],
  credentials => { 'key.pem' => '/etc/puppetlabs/puppet/ssl/private_keys/a.pem' },
}
`
	serverClass = `class { 'pcatd::terminus': url => 'https://pcatd.example.com:8082', max_bytes => 1000000 }
`
	packageClass = `class { 'pcatd::package': source => '/root/pcatd.deb' }
`
)

// changes returns the resources that would change, sorted.
func changes(text string) (list []string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, "/ensure: ") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	slices.Sort(list)
	return list
}

// TestModule compiles the Puppet module, and applies it in noop mode.
func TestModule(t *testing.T) {
	newEndpoint(t, "") // or skips the test
	for name, puppet := range puppets() {
		t.Run(name, func(t *testing.T) {
			text, status := apply(t, puppet, serviceClass+serverClass, "--noop")
			if status != 0 && status != 2 || strings.Contains(text, "Warning:") {
				t.Errorf("status %d\n%s", status, text)
			}
			for _, want := range []string{
				"Package[pcatd]/ensure", "File[/etc/default/pcatd]/ensure", "File[/etc/systemd/system/pcatd.service.d/puppet.conf]/ensure", "Service[pcatd]/ensure",
				"pcatd.rb]/ensure", "pcatd.json]/ensure", "routes.yaml]/ensure", "Would have triggered 'refresh'",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("%s is missing:\n%s", want, text)
				}
			}
			if name != "puppet" {
				return // one is enough for the rest
			}
			want := changes(text)
			for _, program := range []string{serverClass + serviceClass, packageClass + serverClass + serviceClass} {
				if text, status := apply(t, puppet, program, "--noop"); status != 0 && status != 2 || !slices.Equal(changes(text), want) {
					t.Errorf("another order of the classes: status %d\n%s\nwant\n%s", status, text, strings.Join(want, "\n"))
				}
			}
			text, status = apply(t, puppet, serverClass, "--noop")
			if status != 0 && status != 2 || !strings.Contains(text, "Package[pcatd]/ensure") || strings.Contains(text, "Service[pcatd]") {
				t.Errorf("the terminus alone: status %d\n%s", status, text)
			}
			text, status = apply(t, puppet, `class { 'pcatd': options => { 'folder' => '/srv/my catalogs' } }`, "--noop")
			if status == 0 || status == 2 || !strings.Contains(text, "options") {
				t.Errorf("an option that systemd would split: status %d\n%s", status, text)
			}
		})
	}
}

// TestModuleTerminus applies the class for Puppet Server, with files in a folder. The route is written
// only while the terminus works.
func TestModuleTerminus(t *testing.T) {
	e := newEndpoint(t, "")
	share, err := filepath.Abs(filepath.Join(library, ".."))
	if err != nil {
		t.Fatal(err)
	}
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		t.Fatal(err)
	}
	vendor := filepath.Join(e.dir, "vendor_ruby")
	if err := os.MkdirAll(filepath.Join(vendor, "puppet", "indirector", "catalog"), 0o700); err != nil {
		t.Fatal(err)
	}
	e.write(t, "puppetserver.conf", "jruby-puppet: {\n  ruby-load-path: [\""+vendor+"\", /usr/lib]\n}\n")
	reloads := filepath.Join(e.dir, "reloads")
	program := fmt.Sprintf(`class { 'pcatd::terminus':
  url => 'https://localhost%s', connect_timeout => 2.5, confdir => '%s', server_conf => '%[2]s/puppetserver.conf', ruby_dir => '%s', ruby => '%s',
  share => '%s', manage_package => false, reload => "/bin/sh -c 'echo reload >> %s'",
}
`, e.address[strings.LastIndex(e.address, ":"):], e.dir, vendor, ruby, share, reloads)
	routes := filepath.Join(e.dir, "routes.yaml")
	e.write(t, "pcatd.json", "{}")
	_ = e.server.Close()
	puppet := []string{"puppet"}
	if text, status := apply(t, puppet, program); status != 6 || !strings.Contains(text, "FAIL  connection") {
		t.Errorf("without pcatd: status %d\n%s", status, text)
	}
	if _, err := os.Stat(routes); err == nil {
		t.Error("there is a route to a terminus that does not work")
	}
	e.start(t)
	if text, status := apply(t, puppet, program); status != 2 {
		t.Errorf("with pcatd: status %d\n%s", status, text)
	}
	for name, want := range map[string]string{
		routes:                             "  catalog: {terminus: compiler, cache: pcatd}\n  facts: {terminus: puppetdb, cache: json}\n",
		filepath.Join(e.dir, "pcatd.json"): `"connect_timeout": 2.5`,
		reloads:                            "reload\n",
	} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	if text, status := apply(t, puppet, program); status != 0 {
		t.Errorf("again: status %d\n%s", status, text)
	}
	out, err := exec.Command(ruby, filepath.Join(share, "check.rb"), filepath.Join(e.dir, "puppetserver.conf"), "--confdir", e.dir).CombinedOutput()
	if err != nil || strings.Count(string(out), "ok ") != 5 {
		t.Errorf("the check: %v\n%s", err, out)
	}
}

// TestModuleOptions renders the files of the service.
func TestModuleOptions(t *testing.T) {
	newEndpoint(t, "") // or skips the test
	for template, test := range map[string]struct{ values, want string }{
		"default.epp": {
			`{ options => { 'terminus' => ':8082', 'terminus-client' => ['a', 'b'], 'puppetdb' => true, 'verbose' => false, 'replicas' => 3 } }`,
			"# Options of pcatd serve. This file is written by Puppet.\nPCATD_OPTIONS=\"--terminus=:8082 --terminus-client=a --terminus-client=b --puppetdb --verbose=false --replicas=3\"\n",
		},
		"service.epp": {
			`{ groups => ['catalogs'], credentials => { 'key.pem' => '/k' } }`,
			"# This file is written by Puppet.\n[Service]\nSupplementaryGroups=catalogs\nLoadCredential=key.pem:/k\n",
		},
	} {
		out, err := exec.Command("puppet", "epp", "render", filepath.Join(modules, "pcatd", "templates", template), "--values", test.values).Output()
		if err != nil || strings.TrimSpace(string(out)) != strings.TrimSpace(test.want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", template, err, out, test.want)
		}
	}
}
