package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
)

// The measurements on a page are between these lines.
const (
	pageBegin = "<!-- bench: written by make bench -->\n"
	pageEnd   = "<!-- end of bench -->\n"
)

// goals are the goals of the project, which the terminal shows and the page does
// not: how many times as long as pcat a peer takes at least, by job and candidate.
var goals = map[[2]string]float64{
	{"JSON to MessagePack", "encoding/json any + msgpack/v5"}:                8,
	{"JSON to MessagePack", "sonic any + msgp"}:                              3,
	{"JSON to MessagePack", "simdjson-go tape + msgp"}:                       1.6,
	{"JSON to MessagePack", "Ruby json, msgpack"}:                            6,
	{"agent: JSON to MessagePack", "real Puppet"}:                            70,
	{"MessagePack to JSON", "msgpack/v5 any + encoding/json"}:                7,
	{"MessagePack to JSON", "msgp.UnmarshalAsJSON"}:                          1.8,
	{"agent: MessagePack to JSON", "real Puppet"}:                            70,
	{"decode JSON", "encoding/json any"}:                                     4,
	{"decode JSON", lyra}:                                                    20,
	{"redact JSON", "encoding/json any, walk, marshal"}:                      8,
	{"parse types", lyra}:                                                    3,
	{"assignability", lyra}:                                                  3,
	{"instances", lyra}:                                                      3,
	{"resolve", "real Puppet, the start included"}:                           20,
	{"audit", "gitleaks detect, leaf by leaf"}:                               10,
	{"command: start", "jq -n"}:                                              4,
	{"command: diff", "octocatalog-diff"}:                                    15,
	{"command: two cores against one on many catalogs", "pcat convert -j 1"}: 1.8,
}

// writePage replaces the measurements on a page.
func (r *report) writePage(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), pageBegin)
	_, after, closed := strings.Cut(rest, pageEnd)
	if !ok || !closed {
		return fmt.Errorf("%s: there are no lines %q and %q", path, strings.TrimSpace(pageBegin), strings.TrimSpace(pageEnd))
	}
	return os.WriteFile(path, []byte(before+pageBegin+"\n"+r.markdown()+"\n"+pageEnd+after), 0o644)
}

// markdown returns the measurements as text and a table.
func (r *report) markdown() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, in one run: %s, %d cores, %s. Medians of %d rounds; *spread* is the distance between the quartiles, as a share of the\n",
		r.Time.Format("2 January 2006"), r.Machine, r.Cores, r.Go, r.Rounds)
	fmt.Fprintf(&b, "median. The load was %s when the run began, and %s when it ended. *Memory* is the peak of a command.\n", r.Load[0], r.Load[1])
	b.WriteString("It is never below about 21 MB, which is the memory of the program that starts the command.\n\n")
	fmt.Fprintf(&b, "Peers: %s.\n\n", strings.Join(r.Peers, ", "))
	b.WriteString("| task, input | candidate | CPU | rate | times pcat | spread | memory |\n|---|---|---|---|---|---|---|\n")
	missing := map[string]string{}
	for _, job := range r.Results {
		task := job.Job + ", " + job.Input
		for _, c := range job.Candidates {
			if c.Failed != "" {
				missing[c.Name] = c.Failed
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %.2f | %.0f %% | %s |\n",
				cell(task), cell(c.title()), round(c.CPU), job.rate(c.CPU), c.Times, 100*c.Spread, memory(c.Peak))
			task = "…"
		}
	}
	if len(missing) > 0 {
		b.WriteString("\nNot measured:\n\n")
		for _, name := range slices.Sorted(maps.Keys(missing)) {
			fmt.Fprintf(&b, "- %s: %s\n", name, missing[name])
		}
	}
	return b.String()
}

// goal returns the goal for a candidate, if there is one, and whether it is missed.
func goal(job string, c *outcome) string {
	want, ok := goals[[2]string{job, c.Name}]
	if !ok {
		want, ok = goals[[2]string{job, c.title()}]
	}
	switch {
	case !ok:
		return ""
	case c.Times < want:
		return fmt.Sprintf("goal %g, missed", want)
	default:
		return fmt.Sprintf("goal %g", want)
	}
}

// title returns the name of the candidate, with its note.
func (o *outcome) title() string { return strings.Join(without("", o.Name, o.Note), ", ") }

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// load returns the average load of the machine over the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// peerVersions returns the versions of the peers that are on this machine: of
// libraries, from this program, and of commands.
func peerVersions() []string {
	var all []string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, name := range []string{
			"github.com/bytedance/sonic", "github.com/minio/simdjson-go", "github.com/tinylib/msgp", "github.com/vmihailenco/msgpack/v5",
			"github.com/tidwall/gjson", "github.com/zclconf/go-cty", "github.com/zricethezav/gitleaks/v8",
		} {
			for _, dep := range info.Deps {
				if dep.Path == name {
					all = append(all, strings.TrimPrefix(name, "github.com/")+" "+strings.TrimPrefix(dep.Version, "v"))
				}
			}
		}
	}
	for _, c := range [][]string{{"jq", "--version"}, {"ruby", "--version"}, {"puppet", "--version"}, {"octocatalog-diff", "--version"}, {"dyff", "version"}} {
		out, err := exec.Command(c[0], c[1:]...).Output()
		if err != nil {
			continue
		}
		version, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		for _, word := range strings.FieldsFunc(version, func(c rune) bool { return c == ' ' || c == '-' }) {
			if word[0] >= '0' && word[0] <= '9' {
				all = append(all, c[0]+" "+word)
				break
			}
		}
	}
	return all
}
