package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/bench/gen"
)

// comparison is a pair of catalogs, or of folders of them.
type comparison struct {
	name     string // "one pair of 257 resources"
	old, new string
	nodes    bool     // they are folders
	edits    []string // the resources that differ; a candidate must name each of them
	bytes    int
}

// The sizes of the inputs of diffJobs.
const (
	fewResources  = 257
	nodeResources = 170 // 160 KB
	manyResources = 3903
	roles         = 5 // nodes of a role have the same catalog but for their name
)

// comparisons generates the inputs of diffJobs.
func (b *bench) comparisons() ([]*comparison, error) {
	var all []*comparison
	for _, size := range b.sizes {
		resources, ok := map[string]int{"small": fewResources, "medium": manyResources}[size.name]
		if !ok {
			continue
		}
		c := &comparison{
			name: fmt.Sprintf("one pair of %d resources", resources),
			old:  filepath.Join(b.folder, fmt.Sprintf("old-%d.json", resources)), new: filepath.Join(b.folder, fmt.Sprintf("new-%d.json", resources)),
		}
		all = append(all, c)
		if err := c.generate(c.old, c.new, gen.Options{Seed: b.seed, Resources: resources}); err != nil {
			return nil, err
		}
	}
	fleet := &comparison{name: fmt.Sprintf("%d nodes of %d resources", b.nodes, nodeResources), old: filepath.Join(b.folder, "old"), new: filepath.Join(b.folder, "new"), nodes: true}
	if err := errors.Join(os.Mkdir(fleet.old, 0o700), os.Mkdir(fleet.new, 0o700)); err != nil {
		return nil, err
	}
	for i := range b.nodes {
		o := gen.Options{Seed: b.seed + uint64(i%roles), Resources: nodeResources, Name: fmt.Sprintf("web%03d.example.com", i+1)}
		file := o.Name + ".json"
		if err := fleet.generate(filepath.Join(fleet.old, file), filepath.Join(fleet.new, file), o); err != nil {
			return nil, err
		}
	}
	all = append(all, fleet)
	if b.pair != "" {
		given := &comparison{name: b.pair, old: filepath.Join(b.pair, "old.json"), new: filepath.Join(b.pair, "new.json")}
		for _, file := range []string{given.old, given.new} {
			info, err := os.Stat(file)
			if err != nil {
				return nil, err
			}
			given.bytes += int(info.Size())
		}
		all = append(all, given)
	}
	return all, nil
}

// generate writes two catalogs of a node.
func (c *comparison) generate(old, new string, o gen.Options) error {
	for _, ref := range gen.Edits(o) {
		if !slices.Contains(c.edits, ref) {
			c.edits = append(c.edits, ref)
		}
	}
	for _, file := range []string{old, new} {
		var text bytes.Buffer
		if err := gen.Catalog(&text, o); err != nil {
			return err
		}
		c.bytes += text.Len()
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			return err
		}
		o.Edited = true
	}
	return nil
}

// jqLines prints a line for each parameter of a catalog, sorted.
const jqLines = `[.resources[] | "\(.type)[\(.title)]" as $ref | .parameters // {} | to_entries[]
 | "\($ref) \(.key) \(.value | tojson)"] | sort[]`

// jqDiff compares the lines of two catalogs.
const jqDiff = `jq -r "$3" "$1" > "$4/1" && jq -r "$3" "$2" > "$4/2" && diff "$4/1" "$4/2"`

// differ is a command that compares two catalogs.
type differ struct {
	name, note string
	source     string // how to get it
	found      int    // its exit code if the catalogs differ
	command    func(old, new string) []string
}

func (b *bench) differs() []differ {
	return []differ{
		{
			"octocatalog-diff", "parameters of resources", "apt-get install octocatalog-diff, or `bin` of github/octocatalog-diff", 2,
			func(old, new string) []string {
				return []string{"octocatalog-diff", "--from-catalog", old, "--to-catalog", new, "--no-color", "--quiet"}
			},
		},
		{
			"dyff", "all members, by position", "go install github.com/homeport/dyff/cmd/dyff@v1.12.0", 1,
			func(old, new string) []string {
				return []string{"dyff", "between", "--omit-header", "--set-exit-code", old, new}
			},
		},
		{
			"jq, diff", "parameters of resources, as lines", "apt-get install jq", 1,
			func(old, new string) []string {
				return []string{"sh", "-c", jqDiff, "sh", old, new, jqLines, b.folder}
			},
		},
	}
}

// diffJobs returns the jobs of comparing catalogs with whole commands.
func (b *bench) diffJobs() ([]*job, error) {
	all, err := b.comparisons()
	if err != nil {
		return nil, err
	}
	var jobs []*job
	for _, c := range all {
		ours := differ{name: "pcat diff", note: "with effects", found: 1, command: func(old, new string) []string {
			return []string{b.command, "diff", "--no-config", "--max-lines", "0", old, new}
		}}
		candidates := []*candidate{b.launcher.differ(ours, c, ours.command(c.old, c.new))}
		for _, d := range b.differs() {
			command := d.command(c.old, c.new)
			if c.nodes {
				command = eachFile(d, c)
			}
			candidates = append(candidates, b.launcher.differ(d, c, command))
		}
		jobs = append(jobs, &job{name: "command: diff", input: c.name, bytes: c.bytes, candidates: candidates})
	}
	return jobs, nil
}

// eachFile returns a command that compares the files of two folders one by one.
func eachFile(d differ, c *comparison) []string {
	command := d.command("$old", "$new")
	for i, word := range command {
		if strings.HasPrefix(word, "$") {
			command[i] = `"` + word + `"`
		} else {
			command[i] = `'` + strings.ReplaceAll(word, `'`, `'\''`) + `'`
		}
	}
	loop := fmt.Sprintf(`for old in "$1"/*; do new="$2/${old##*/}"; %s; [ $? = %d ] || exit 9; done; exit %[2]d`, strings.Join(command, " "), d.found)
	return []string{"sh", "-c", loop, "sh", c.old, c.new}
}

// differ returns a candidate that runs a command. Its output must name all edits.
func (l *launcher) differ(d differ, c *comparison, command []string) *candidate {
	made := l.candidate(d.name, d.note, question{Command: command, Code: d.found})
	made.check = func() (exact, error) {
		if program, _, _ := strings.Cut(d.name, ","); d.source != "" {
			if _, err := exec.LookPath(program); err != nil {
				return "", fmt.Errorf("%w: %s", errNotHere, d.source)
			}
		}
		output, err := exec.Command(command[0], command[1:]...).Output()
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != d.found) {
			return "", err
		}
		for _, ref := range c.edits {
			_, title, _ := strings.Cut(strings.TrimSuffix(ref, "]"), "[")
			if !bytes.Contains(output, []byte(title)) {
				return "", fmt.Errorf("the output lacks %s", ref)
			}
		}
		return "", nil
	}
	return made
}
