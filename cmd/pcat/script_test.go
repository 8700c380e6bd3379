package main

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pcatdev/pcat/cmd/pcat/internal/root"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts and pages; refused when CI is set")

// The race detector waits for a second at the end of each process, for reports that
// goroutines may still write. These end before.
const (
	raceEnv     = "GORACE"
	raceOptions = "atexit_sleep_ms=0"
)

func TestMain(m *testing.M) {
	if err := os.Setenv(raceEnv, raceOptions); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"pcat": func() { os.Exit(validated(os.Args[1:], root.Main)) },
	})
}

// TestScripts runs testdata/script/*.txtar. Each describes one behaviour of one command as
// a shell session: pcat runs as a separate process, $CATALOGS contains the catalogs of the
// repository, $SHOP the files of the cookbook, and $MODULE the module. The scripts for_*.txtar follow one
// person through a task with several commands.
func TestScripts(t *testing.T) {
	catalogs, err := filepath.Abs(filepath.Join("..", "..", "testdata", "catalogs"))
	if err != nil {
		t.Fatal(err)
	}
	shop, err := filepath.Abs(filepath.Join("..", "..", "testdata", "pages", "shop"))
	if err != nil {
		t.Fatal(err)
	}
	module, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	caches := goCaches(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       updating(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CATALOGS", catalogs)
			env.Setenv("SHOP", shop)
			env.Setenv("MODULE", module)
			env.Setenv(validEnv, "1")
			for name, value := range caches {
				env.Setenv(name, value)
			}
			env.Setenv(raceEnv, raceOptions)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
	})
}

// goCaches returns the variables of the go command with which a script builds a program, with the flags by which it
// finds compiled packages. There are none without a go command.
func goCaches(t *testing.T) map[string]string {
	t.Helper()
	caches := map[string]string{}
	out, err := exec.CommandContext(t.Context(), "go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOFLAGS").Output()
	if err != nil {
		return caches
	}
	if err := json.Unmarshal(out, &caches); err != nil {
		t.Fatal(err)
	}
	return caches
}

// exits runs a command and checks the status it ends with: "exits 2 pcat convert -t nothing".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s did not run: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s ended with status %d, want %d", args[1], got, want)
	}
}
