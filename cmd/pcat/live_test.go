package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pcatdev/pcat/internal/test/live"
)

// TestLive runs testdata/live/*.txtar against PuppetDB and Puppet Server. The settings to
// reach them are in $WORK/puppet, $PUPPETDB and $SERVER are their hosts and ports, $SSL
// contains the files of certificates, $ENVIRONMENTS the environments of the server, and $MODULE
// the module.
// Each script uses nodes and environments of its own.
func TestLive(t *testing.T) {
	systems := live.Start(t)
	var proxies sync.Map // of breaking, by address
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "live"),
		UpdateScripts:       updating(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			module, err := filepath.Abs(filepath.Join("..", ".."))
			if err != nil {
				return err
			}
			env.Setenv("MODULE", module)
			env.Setenv("PUPPETDB", systems.PuppetDBPlain)
			env.Setenv("SERVER", systems.Server)
			env.Setenv("SSL", systems.CA.Dir)
			env.Setenv("ENVIRONMENTS", systems.Environments)
			env.Setenv(raceEnv, raceOptions)
			return writeSettings(filepath.Join(env.WorkDir, "puppet"), systems)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":       exits,
			"facts":       facts,
			"payload":     payload,
			"stored":      stored,
			"rows":        rows,
			"certificate": func(ts *testscript.TestScript, _ bool, args []string) { certificate(ts, t, systems, args) },
			"authority":   func(ts *testscript.TestScript, _ bool, args []string) { live.NewCA(t, mkdir(ts, args[0])) },
			"nodes":       nodes,
			"breaking":    func(ts *testscript.TestScript, _ bool, args []string) { breaking(ts, &proxies, args) },
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

// facts stores facts of nodes in PuppetDB: "facts ENVIRONMENT NODE...".
func facts(ts *testscript.TestScript, _ bool, args []string) {
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	for _, node := range args[1:] {
		body, err := json.Marshal(map[string]any{
			"certname": node, "environment": args[0], "producer": "test", "producer_timestamp": now,
			"values": map[string]any{"kernel": "Linux", "fqdn": node, "trusted": map[string]any{"certname": node}},
		})
		ts.Check(err)
		send(ts, "replace_facts", "5", node, body)
	}
}

// payload sends a file to PuppetDB as the payload of a command: "payload NAME VERSION NODE FILE".
func payload(ts *testscript.TestScript, _ bool, args []string) {
	send(ts, args[0], args[1], args[2], []byte(ts.ReadFile(args[3])))
}

// send sends a command to PuppetDB, and waits until it is processed.
func send(ts *testscript.TestScript, name, version, node string, body []byte) {
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	query := url.Values{"command": {name}, "version": {version}, "certname": {node}, "producer-timestamp": {now}, "secondsToWaitForCompletion": {"60"}}
	answer, err := http.Post("http://"+ts.Getenv("PUPPETDB")+"/pdb/cmd/v1?"+query.Encode(), "application/json", bytes.NewReader(body))
	ts.Check(err)
	var result struct {
		Processed bool
		Exception string
	}
	if answer.StatusCode == http.StatusOK {
		ts.Check(json.NewDecoder(answer.Body).Decode(&result))
	}
	ts.Check(answer.Body.Close())
	if answer.StatusCode != http.StatusOK || !result.Processed || result.Exception != "" {
		ts.Fatalf("%s of %s: status %d, processed %v %s", name, node, answer.StatusCode, result.Processed, result.Exception)
	}
}

// rows writes the answer of PuppetDB to a query to a file: "rows FILE ENDPOINT QUERY".
func rows(ts *testscript.TestScript, _ bool, args []string) {
	answer, err := http.Get("http://" + ts.Getenv("PUPPETDB") + "/pdb/query/v4/" + args[1] + "?" + url.Values{"query": {args[2]}}.Encode())
	ts.Check(err)
	data, err := io.ReadAll(answer.Body)
	ts.Check(err)
	ts.Check(answer.Body.Close())
	if answer.StatusCode != http.StatusOK {
		ts.Fatalf("%s: status %d: %s", args[1], answer.StatusCode, data)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o600))
}

// stored writes the catalogs of nodes in PuppetDB to a file: "stored FILE NODE...".
func stored(ts *testscript.TestScript, _ bool, args []string) {
	var all bytes.Buffer
	for _, node := range args[1:] {
		answer, err := http.Get("http://" + ts.Getenv("PUPPETDB") + "/pdb/query/v4/catalogs/" + node)
		ts.Check(err)
		_, err = all.ReadFrom(answer.Body)
		ts.Check(err)
		ts.Check(answer.Body.Close())
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), all.Bytes(), 0o600))
}

// certificate signs a certificate for a node: NAME.pem and NAME.key in $SSL.
func certificate(ts *testscript.TestScript, t *testing.T, systems *live.Systems, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: certificate NAME")
	}
	systems.CA.Issue(t, args[0], time.Now().Add(24*time.Hour))
}

// mkdir makes a directory of the script.
func mkdir(ts *testscript.TestScript, name string) string {
	dir := ts.MkAbs(name)
	ts.Check(os.MkdirAll(dir, 0o700))
	return dir
}

// nodes copies a catalog for many nodes: "nodes COUNT FILE DIR" replaces NODE in the file
// by node001 and so on.
func nodes(ts *testscript.TestScript, _ bool, args []string) {
	var count int
	_, err := fmt.Sscan(args[0], &count)
	ts.Check(err)
	text := []byte(ts.ReadFile(args[1]))
	dir := mkdir(ts, args[2])
	for i := range count {
		name := fmt.Sprintf("node%03d.example", i+1)
		ts.Check(os.WriteFile(filepath.Join(dir, name+".json"), bytes.ReplaceAll(text, []byte("NODE"), []byte(name)), 0o600))
	}
}

// breaking puts a proxy in front of PuppetDB, in $BREAKING, that ends after some answers,
// in the middle of one: "breaking COUNT". Another call repairs it, for as many answers.
func breaking(ts *testscript.TestScript, proxies *sync.Map, args []string) {
	count, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	if proxy, ok := proxies.Load(ts.Getenv("BREAKING")); ok {
		proxy.(*live.Breaking).Repair(count) //nolint:forcetypeassert // only these are stored
		return
	}
	target := ts.Getenv("PUPPETDB")
	proxy := live.NewBreaking(count, func(path string) (io.ReadCloser, int, error) {
		answer, err := http.Get("http://" + target + path)
		if err != nil {
			return nil, 0, err
		}
		return answer.Body, answer.StatusCode, nil
	})
	ts.Defer(proxy.Close)
	address := proxy.Listener.Addr().String()
	proxies.Store(address, proxy)
	ts.Setenv("BREAKING", address)
}
