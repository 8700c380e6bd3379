package compile

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// installation is a Puppet that can compile.
type installation struct {
	ruby string // the command
	lib  string // a folder with puppet.rb for Ruby; empty if Ruby finds it
}

// versionScript prints the name and the version of a Puppet. Puppet itself has no name for its implementation.
const versionScript = `require 'puppet/version'
name = Puppet.respond_to?(:implementation) ? Puppet.implementation : 'puppet'
print({ 'openvox' => 'OpenVox', 'puppet' => 'Puppet' }.fetch(name, name), ' ', Puppet.version)`

// versionTimeout bounds the time in which Ruby prints a version.
const versionTimeout = 30 * time.Second

// printedVersion returns the name and the version that Ruby prints, such as "OpenVox 8.28.1". It starts Ruby, but not
// Puppet.
func (i installation) printedVersion(ctx context.Context, env []string) (string, error) {
	bounded, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(bounded, i.ruby, "-e", versionScript) //nolint:gosec // the Ruby that was found, or that the user named
	cmd.Env = env
	cmd.WaitDelay = time.Second
	asGroup(cmd)
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if failed, ok := errors.AsType[*exec.ExitError](err); ok && bounded.Err() == nil {
		first, _, _ := strings.Cut(string(failed.Stderr), "\n")
		return "", fmt.Errorf("puppet: %s cannot load Puppet: %s", i.ruby, first)
	}
	if err != nil {
		return "", fmt.Errorf("puppet: %s does not print the version: %w", i.ruby, cmp.Or(bounded.Err(), err))
	}
	return string(out), nil
}

// constant matches the constants with the version and the name in puppet/version.rb.
var constant = lazyregexp.New(`(?m)^\s*(PUPPETVERSION|IMPLEMENTATION)\s*=\s*['"]([^'"]*)['"]`)

// writtenVersion returns the name and the version in puppet/version.rb of a checkout without running its
// code: it can be an unreviewed branch.
func (i installation) writtenVersion() (string, error) {
	file := filepath.Join(i.lib, "puppet", "version.rb")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("puppet: %w", err)
	}
	name, version := "Puppet", ""
	for _, m := range constant.Get().FindAllSubmatch(text, -1) {
		switch value := string(m[2]); {
		case string(m[1]) == "PUPPETVERSION":
			version = value
		case value == "openvox":
			name = "OpenVox"
		}
	}
	if version == "" {
		return "", fmt.Errorf("puppet: no version in %s", file)
	}
	return name + " " + version, nil
}

// aio is where the packages of Puppet and OpenVox have their Ruby.
const aio = "/opt/puppetlabs/puppet/bin/ruby"

// findPuppet returns the installation that is named: a checkout or an unpacked gem, the
// prefix of a package, or the puppet command. Empty means the one of this machine.
func findPuppet(named string) (installation, error) {
	if named != "" {
		return namedPuppet(named)
	}
	command, err := exec.LookPath("puppet")
	if err == nil {
		if ruby := rubyOf(command); ruby != "" {
			return installation{ruby: ruby}, nil
		}
	}
	if isFile(aio) {
		return installation{ruby: aio}, nil
	}
	if err == nil {
		ruby, err := findRuby()
		return installation{ruby: ruby}, err
	}
	return installation{}, errors.New("no Puppet was found, which compiles the catalogs: neither puppet in PATH nor " + aio +
		"; install puppet-agent or openvox-agent, or name one with --puppet DIR")
}

func namedPuppet(named string) (installation, error) {
	named, err := filepath.Abs(named)
	if err != nil {
		return installation{}, err
	}
	info, err := os.Stat(named)
	if err != nil {
		return installation{}, fmt.Errorf("puppet: %w", err)
	}
	if !info.IsDir() {
		if ruby := rubyOf(named); ruby != "" {
			return installation{ruby: ruby}, nil
		}
		return installation{}, fmt.Errorf("puppet: %s is not the puppet command, which begins with the name of its Ruby", named)
	}
	for _, ruby := range []string{"bin/ruby", "puppet/bin/ruby"} {
		if path := filepath.Join(named, ruby); isFile(path) {
			return installation{ruby: path}, nil
		}
	}
	for _, lib := range []string{"lib", "."} {
		if dir := filepath.Join(named, lib); isFile(filepath.Join(dir, "puppet.rb")) {
			ruby, err := findRuby()
			return installation{ruby, dir}, err
		}
	}
	return installation{}, fmt.Errorf("puppet: %s has neither lib/puppet.rb, as a checkout has, nor bin/ruby", named)
}

func findRuby() (string, error) {
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		return "", errors.New("no ruby was found in PATH, which runs Puppet; install it, or name a package of Puppet with --puppet DIR")
	}
	return ruby, nil
}

// rubyOf returns the Ruby of a puppet command, or "" if it is another program.
func rubyOf(command string) string {
	if beside := filepath.Join(filepath.Dir(command), "ruby"); isFile(aio) && strings.HasPrefix(command, "/opt/puppetlabs/") {
		return aio
	} else if target, err := filepath.EvalSymlinks(command); err == nil && strings.HasPrefix(target, "/opt/puppetlabs/") && isFile(beside) {
		return beside
	}
	f, err := os.Open(command)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it was only read
	line, _ := bufio.NewReaderSize(f, 256).ReadString('\n')
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if !strings.HasPrefix(line, "#!") || len(words) == 0 {
		return ""
	}
	ruby := words[0]
	if filepath.Base(ruby) == "env" && len(words) > 1 {
		ruby, _ = exec.LookPath(words[len(words)-1])
	}
	if !strings.HasPrefix(filepath.Base(ruby), "ruby") {
		return ""
	}
	return ruby
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
