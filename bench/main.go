package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/bench/gen"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == launched {
		if err := launch(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// size is a size of input.
type size struct {
	name  string
	title string
	bytes int
}

var sizes = []size{
	{"small", "140 KB", 140 << 10},
	{"medium", "4 MB", 4 << 20},
	{"large", "145 MB", 145 << 20},
}

type options struct {
	settings
	sizes   []size
	jobs    *regexp.Regexp
	vectors string
	// catalogs is the folder of catalogs compiled by Puppet.
	catalogs string
	json     string
	page     string
	write    string
	fleet    string
	// kilobytes is the size of the catalogs of a fleet.
	kilobytes int
	seed      uint64
	peers     []string
	nodes     int
	// pair is a folder with another pair of catalogs to compare, or empty.
	pair string
}

func parse(args []string, stderr io.Writer) (*options, error) {
	var o options
	var chosen, jobs string
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&chosen, "sizes", "small,medium", "`SIZES` of the inputs: small, medium, large")
	f.StringVar(&jobs, "jobs", "", "only jobs whose name matches the `PATTERN`")
	f.IntVar(&o.rounds, "rounds", 9, "how often each candidate is measured")
	f.DurationVar(&o.atLeast, "turn", 100*time.Millisecond, "how much CPU time one turn of a candidate takes at least")
	f.StringVar(&o.json, "json", "bench.json", "`FILE` for the results")
	f.StringVar(&o.page, "page", "", "also write the results of all jobs into `PAGE`, a Markdown file, between two lines that page.go describes")
	f.StringVar(&o.vectors, "vectors", "../testdata/vectors", "`FOLDER` of the vectors")
	f.StringVar(&o.catalogs, "catalogs", "../testdata/catalogs", "`FOLDER` of catalogs of real Puppet, each in a folder as rich.json")
	f.StringVar(&o.write, "write", "", "write the input of the first size to `FILE` and do nothing else")
	f.StringVar(&o.fleet, "fleet", "", "write a catalog for each of -nodes nodes to `FOLDER` and do nothing else")
	f.IntVar(&o.kilobytes, "kilobytes", 100, "the `SIZE` in KB of the catalogs that -fleet writes")
	f.Uint64Var(&o.seed, "seed", 1, "`SEED` of the generated catalogs")
	f.IntVar(&o.nodes, "nodes", 200, "`NUMBER` of nodes whose catalogs are compared, or written by -fleet")
	f.StringVar(&o.pair, "pair", "", "also compare old.json and new.json in `FOLDER`")
	f.Func("peer", "one more peer, `NAME=COMMAND`; peer.go describes how it is talked to", func(s string) error {
		o.peers = append(o.peers, s)
		return nil
	})
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(chosen, ",") {
		i := slices.IndexFunc(sizes, func(s size) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-sizes %s: want small, medium or large", name)
		}
		o.sizes = append(o.sizes, sizes[i])
	}
	var err error
	o.jobs, err = regexp.Compile(jobs)
	return &o, err
}

func run(args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.write != "" {
		return writeCatalog(o.write, gen.Options{Seed: o.seed, Size: o.sizes[0].bytes})
	}
	if o.fleet != "" {
		return writeFleet(o)
	}
	folder, err := os.MkdirTemp("", "pcat-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	b := &bench{options: o, folder: folder, stdout: stdout, progress: onTerminal(stderr), report: newReport(o.rounds)}
	if err := b.prepare(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.stop()) }()
	// Go's garbage collector would use another core, distorting the CPU
	// time.
	runtime.GOMAXPROCS(1)
	if err := b.all(); err != nil {
		return err
	}
	b.report.Load[1] = load()
	switch err := b.report.write(o.json); {
	case err != nil || o.page == "":
		return err
	case o.jobs.String() != "":
		_, err := fmt.Fprintf(stdout, "\n%s stays as it is: only a run of all jobs is written there\n", o.page)
		return err
	}
	return b.report.writePage(o.page)
}

// onTerminal returns w if it is a terminal, and otherwise io.Discard: the
// progress line overwrites itself, which does not work in a file.
func onTerminal(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return w
		}
	}
	return io.Discard
}

// bench is one run of this program.
type bench struct {
	*options
	folder           string
	stdout, progress io.Writer
	report           *report

	pcat     *pcat
	command  string // path of pcat
	launcher *launcher
	ruby     *peer
	puppet   *peer
	others   []*peer
}

func (b *bench) prepare() (err error) {
	b.pcat = newPcat()
	if b.command, err = buildPcat(b.folder); err != nil {
		return err
	}
	if b.launcher, err = newLauncher(); err != nil {
		return err
	}
	ours, err := ourPeers(b.folder)
	if err != nil {
		return err
	}
	b.ruby, b.puppet = ours[0], ours[1]
	for _, argument := range b.peers {
		p, err := otherPeer(argument, b.folder)
		if err != nil {
			return err
		}
		b.others = append(b.others, p)
	}
	if !slices.ContainsFunc(b.others, func(p *peer) bool { return p.name == lyra }) {
		b.others = append(b.others, &peer{name: lyra, failed: fmt.Errorf("%w: -peer %s=COMMAND", errNotHere, lyra)})
	}
	return nil
}

// lyra is a peer that is no longer maintained, and is not included.
const lyra = "lyraproj/pcore"

func (b *bench) stop() error {
	var failures []error
	for _, p := range append([]*peer{b.launcher.peer, b.ruby, b.puppet}, b.others...) {
		failures = append(failures, p.stop())
	}
	return errors.Join(failures...)
}

// all runs the jobs, size by size.
func (b *bench) all() error {
	types, err := typeJobs(b.vectors, b.folder, b.pcat, append([]*peer{b.puppet}, b.others...))
	if err != nil {
		return err
	}
	resolve, err := b.launcher.resolveJob(b.command, b.folder, b.puppet)
	if err != nil {
		return err
	}
	documents, err := compiled(b.catalogs)
	if err != nil {
		return err
	}
	audit, err := auditJob("catalogs of real Puppet", b.pcat, documents...)
	if err != nil {
		return err
	}
	diff, err := b.diffJobs()
	if err != nil {
		return err
	}
	structs, err := nativeJobs(b.pcat)
	if err != nil {
		return err
	}
	if err := b.do(slices.Concat(types, structs, []*job{b.launcher.startJob(b.command), resolve, audit}, diff)...); err != nil {
		return err
	}
	for _, s := range b.sizes {
		in, err := b.input(s, false)
		if err != nil {
			return err
		}
		jobs := append(codecJobs(in, b.pcat, append([]*peer{b.ruby}, b.others...)), b.launcher.jobs(in, b.pcat, b.command)...)
		kinds, err := b.kindJobs(s.title, s.bytes)
		if err != nil {
			return err
		}
		reports, err := b.reportJobs(s)
		if err != nil {
			return err
		}
		jobs = slices.Concat(jobs, kinds, reports)
		if s.name != "large" { // takes hours for Puppet and gitleaks
			audit, err := auditJob(s.title, b.pcat, in.json)
			if err != nil {
				return err
			}
			cores, err := b.launcher.coresJob(in, b.command)
			if err != nil {
				return err
			}
			jobs = append(jobs, audit, cores)
			core, err := b.input(s, true)
			if err != nil {
				return err
			}
			jobs = append(jobs, puppetJobs(core, b.pcat, b.puppet)...)
		}
		if err := b.do(jobs...); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) do(jobs ...*job) error {
	for _, j := range jobs {
		if !b.jobs.MatchString(j.name) {
			continue
		}
		r := newResult(j, measure(j, b.settings, b.progress))
		b.report.Results = append(b.report.Results, r)
		if err := r.print(b.stdout); err != nil {
			return err
		}
	}
	return nil
}

// files are the paths of the inputs, for programs.
type files struct{ json, msgpack string }

// input generates a catalog. pcat converts it to MessagePack, which is checked
// to contain the same data.
func (b *bench) input(s size, core bool) (*input, error) {
	name := s.name
	if core {
		name += "-core"
	}
	in := &input{name: s.title, files: files{
		json:    filepath.Join(b.folder, name+".json"),
		msgpack: filepath.Join(b.folder, name+".msgpack"),
	}}
	var text bytes.Buffer
	if err := gen.Catalog(&text, gen.Options{Seed: b.seed, Size: s.bytes, CoreTypes: core}); err != nil {
		return nil, err
	}
	in.json = text.Bytes()
	var err error
	if in.msgpack, err = b.pcat.values(b.pcat.json, b.pcat.msgpack)(nil, in.json); err != nil {
		return nil, err
	}
	if s.name != "large" {
		want, err := readJSON(in.json)
		if err != nil {
			return nil, err
		}
		got, err := readMsgPack(in.msgpack)
		if err != nil {
			return nil, err
		}
		if err := compareData(want, got); err != nil {
			return nil, fmt.Errorf("the input in MessagePack: %w", err)
		}
	}
	return in, errors.Join(os.WriteFile(in.files.json, in.json, 0o600), os.WriteFile(in.files.msgpack, in.msgpack, 0o600))
}

func writeCatalog(path string, o gen.Options) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(gen.Catalog(f, o), f.Close())
}

// writeFleet writes the catalogs of a fleet, in which each node has secrets of its own.
func writeFleet(o *options) error {
	if err := os.MkdirAll(o.fleet, 0o700); err != nil {
		return err
	}
	for i := range o.nodes {
		name := fmt.Sprintf("node%06d.example.com", i)
		if err := writeCatalog(filepath.Join(o.fleet, name+".json"), gen.Options{Seed: o.seed + uint64(i), Size: o.kilobytes << 10, Name: name}); err != nil {
			return err
		}
	}
	return nil
}
