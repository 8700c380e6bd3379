package compile_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
)

// The version of a checkout is read; its code does not run.
func TestVersionOfCheckout(t *testing.T) {
	dir := repository(t)
	t.Setenv("API_TOKEN", "t0ken-of-the-caller")
	for version, want := range map[string]string{
		"module Puppet\n  PUPPETVERSION = '8.28.1'\n  IMPLEMENTATION = 'openvox'\n":                         "OpenVox 8.28.1, ",
		"module Puppet\n  PUPPETVERSION = '7.23.0'\n  def self.version\n    ENV['API_TOKEN']\n  end\nend\n": "Puppet 7.23.0, ",
		"module Puppet\n  PUPPETVERSION = '8.1.0'\nend\nprint ENV['API_TOKEN']\nwarn ENV['API_TOKEN']\n":    "Puppet 8.1.0, ",
	} {
		checkout := t.TempDir()
		write(t, filepath.Join(checkout, "lib", "puppet.rb"), "")
		write(t, filepath.Join(checkout, "lib", "puppet", "version.rb"), version)
		c := compiler(t, dir, "main", func(o *compile.Options) { o.Puppet = checkout })
		if got, err := c.Puppet(t.Context()); err != nil || !strings.HasPrefix(got, want) || !strings.HasSuffix(got, filepath.Join(checkout, "lib")) {
			t.Errorf("%q: got %q, %v, want %q", version, got, err, want)
		}
	}
}

// The environment of the caller does not decide on the Puppet.
func TestVersionOfInstallation(t *testing.T) {
	dir := repository(t)
	c := compiler(t, dir, "main", nil)
	want, err := c.Puppet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	write(t, filepath.Join(other, "puppet", "version.rb"), "module Puppet\n  def self.version = ENV.fetch('API_TOKEN', 'none')\nend\n")
	t.Setenv("RUBYLIB", other)
	t.Setenv("API_TOKEN", "t0ken-of-the-caller")
	if got, err := c.Puppet(t.Context()); err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
