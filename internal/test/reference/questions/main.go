package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/pcatdev/pcat/internal/test/conformance"
	"github.com/pcatdev/pcat/pcore"
)

var errUsage = errors.New("usage: questions -puppet DIR [FLAG...]; -help lists the flags")

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		_, _ = fmt.Fprintln(os.Stderr, "questions:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	puppet, release, like, modulepath, root, out, only string
	n                                                  int
	seed                                               uint64
	noVectors, save, sections                          bool
}

func run(args []string, stdout, stderr io.Writer) error {
	var o options
	flags := flag.NewFlagSet("questions", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.puppet, "puppet", "", "ask the Puppet or OpenVox in `DIR`, a checkout or a folder of libraries")
	flags.StringVar(&o.release, "release", "", "`NAME` of the release (default Puppet or OpenVox, and its version)")
	flags.StringVar(&o.like, "like", "", "answer like `REFERENCE` (default the one nearest to the release)")
	flags.StringVar(&o.modulepath, "modulepath", "", "also ask functions of puppetlabs-stdlib, which is in `DIR`")
	flags.StringVar(&o.root, "root", ".", "`DIR` of the repository")
	flags.StringVar(&o.out, "out", "", "write each difference to `FILE`")
	flags.StringVar(&o.only, "only", "", "only generate questions of one `KIND`")
	flags.IntVar(&o.n, "n", 200_000, "generate `N` questions")
	flags.Uint64Var(&o.seed, "seed", 1, "`SEED` of the generated questions")
	flags.BoolVar(&o.noVectors, "no-vectors", false, "do not ask the vectors")
	flags.BoolVar(&o.save, "record", false, "record the result, and write the table of docs/puppet-versions.md")
	flags.BoolVar(&o.sections, "sections", false, "only compare the programs of docs/specification.md, and write the table of this page")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.puppet == "" || flags.NArg() > 0 {
		return errUsage
	}
	if o.sections {
		return compareSections(o, stdout)
	}
	began := time.Now()
	r, err := compare(o, stderr)
	if err != nil {
		return err
	}
	page := filepath.Join(o.root, "internal", "test", "reference", "questions", "testdata", "releases.json")
	all, err := recorded(page)
	if err != nil {
		return err
	}
	report(stdout, r, all)
	if _, err := fmt.Fprintf(stdout, "%s\n", time.Since(began).Round(time.Second)); err != nil {
		return err
	}
	if !o.save {
		return nil
	}
	if all, err = record(page, all, r); err != nil {
		return err
	}
	return writeTable(o.root, all)
}

// compare asks a release and pcat.
func compare(o options, log io.Writer) (_ *result, err error) {
	name, like, err := release(o.puppet)
	if err != nil {
		return nil, err
	}
	if o.release != "" {
		name = o.release
	}
	if o.like != "" {
		if like, err = pcore.ParseReference(o.like); err != nil {
			return nil, err
		}
	}
	folder := conformance.Folder(filepath.Join(o.root, "testdata", "vectors"))
	runners, err := conformance.Families(folder, like)
	if err != nil {
		return nil, err
	}
	typeOf, err := conformance.TypeOf(folder, like)
	if err != nil {
		return nil, err
	}
	all, err := kinds(like, o.modulepath != "")
	if err != nil {
		return nil, err
	}
	if o.only != "" {
		all = slices.DeleteFunc(all, func(k kind) bool { return k.name != o.only })
	}
	named, err := namings(filepath.Join(o.root, "internal", "test", "reference", "questions", "testdata", "named.txt"))
	if err != nil {
		return nil, err
	}
	c := &comparison{runners: runners, typeOf: typeOf, clusters: clusters{named: named, all: map[[3]string]*cluster{}}, result: result{Release: name, Like: like.String()}, out: io.Discard}
	if o.out != "" {
		file, err := os.Create(o.out)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		c.out = file
	}
	p, err := start(o.root, o.puppet, o.modulepath)
	if err != nil {
		return nil, err
	}
	ask := func(qs []question) error {
		began := time.Now()
		err := p.ask(qs, c.answer)
		if err == nil {
			err = c.settle(p)
		}
		_, _ = fmt.Fprintf(log, "%s: %d questions in %s\n", qs[0].kind.name, len(qs), time.Since(began).Round(time.Millisecond))
		return err
	}
	if !o.noVectors {
		if err := vectors(folder, func(qs []question) error {
			if len(qs) > 0 && qs[0].kind.runner == "stdlib" && o.modulepath == "" {
				return nil
			}
			c.Vectors += len(qs)
			return ask(qs)
		}); err != nil {
			return nil, err
		}
	}
	if err := questions(all, o.n, o.seed, 10*slice, func(qs []question) error {
		c.Questions += len(qs)
		return ask(qs)
	}); err != nil {
		return nil, err
	}
	c.Clusters = c.clusters.sorted()
	return &c.result, p.end()
}

// comparison compares answers.
type comparison struct {
	result
	runners  map[string]conformance.Runner
	typeOf   func(text string) (pcore.Type, error)
	clusters clusters
	doubts   []doubt
	out      io.Writer
}

// answer compares Puppet's answer to a question with the answer of pcat.
func (c *comparison) answer(q question, line []byte) error {
	var answered conformance.Case
	if err := json.Unmarshal(line, &answered); err != nil {
		return fmt.Errorf("%w: %s", err, line)
	}
	err := attempt(&answered, c.runners[q.kind.runner])
	switch {
	case err == nil:
		c.Same++
	case answered.AnythingGoes() || crashed(line):
		c.Crashed++
	default:
		name := c.clusters.name(q.kind.name, asked(line), err.Error())
		d := doubt{question: q, answered: slices.Clone(line), difference: err.Error()}
		if d, ok := d.further(name, c.typeOf, line); ok {
			c.doubts = append(c.doubts, d)
			return nil
		}
		if needsRestatement(name) {
			name = "" // there is nothing to restate
		}
		return c.different(q, line, name, err.Error())
	}
	return nil
}

// different adds a difference, with a name or without one.
func (c *comparison) different(q question, line []byte, name, difference string) error {
	question := asked(line)
	c.clusters.add(q.kind.name, name, question, difference)
	_, err := fmt.Fprintf(c.out, "%s\t%s\t%q\t%q\n", q.kind.name, name, question, difference)
	return err
}

// attempt runs a case, and converts a panic to a difference.
func attempt(c *conformance.Case, run conformance.Runner) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return run(c)
}

// report prints the clusters; one that no other release has is new.
func report(w io.Writer, r *result, recorded []*result) {
	known := func(c *cluster) bool {
		return slices.ContainsFunc(recorded, func(o *result) bool {
			return o.Release != r.Release && slices.ContainsFunc(o.Clusters, func(x *cluster) bool {
				return x.Named == c.Named && (c.Named != "" || x.Kind == c.Kind && x.Cause == c.Cause)
			})
		})
	}
	named, unnamed := r.different()
	_, _ = fmt.Fprintf(w, "%s, like %s: %d vectors, %d generated questions: %d same, %d where Ruby fails, %d named, %d other differences\n", r.Release, r.Like, r.Vectors, r.Questions, r.Same, r.Crashed, named, unnamed)
	for _, c := range r.Clusters {
		state := "new"
		if known(c) {
			state = "known"
		}
		_, _ = fmt.Fprintf(w, "%6d %s %s: %s%s\n         %s\n", c.Count, state, c.Kind, c.Named, c.Cause, c.Example)
	}
}
