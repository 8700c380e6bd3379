package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pcatdev/pcat/internal/live"
)

// TestLive runs testdata/live/*.txtar against PuppetDB and Puppet Server. The settings to reach them are in
// $WORK/puppet, $PUPPETDB is the host and port of PuppetDB without TLS, and $ENVIRONMENTS contains the environments of
// the server, which has one for each script.
func TestLive(t *testing.T) {
	systems := live.Start(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "live"),
		UpdateScripts:       updating(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PUPPETDB", systems.PuppetDBPlain)
			env.Setenv("ENVIRONMENTS", systems.Environments)
			env.Setenv(raceEnv, raceOptions)
			return writeSettings(filepath.Join(env.WorkDir, "puppet"), systems)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
	})
}

// writeSettings writes the files of an agent with the settings for the systems.
func writeSettings(dir string, systems *live.Systems) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	conf := "[main]\n"
	for name, value := range systems.Settings() {
		switch name {
		case "confdir":
		case "puppetdb":
			if err := os.WriteFile(filepath.Join(dir, "puppetdb.conf"), []byte("[main]\nserver_urls = "+value+"\n"), 0o600); err != nil {
				return err
			}
		default:
			conf += fmt.Sprintf("%s = %s\n", name, value)
		}
	}
	return os.WriteFile(filepath.Join(dir, "puppet.conf"), []byte(conf), 0o600)
}

var _ = strings.TrimSpace
