package main

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pcatdev/pcat/internal/test/regress/gen"
)

// session is one comparison of two binaries.
type session struct {
	options
	root      string
	reasons   *Reasons
	base, now runner
	found     *Collector
	log       *log.Logger

	cases, inputs, folders atomic.Int64
	mu                     sync.Mutex
	pairs                  map[[2]string]int // the number of inputs for each pair of form and mode
	possible               int               // pairs
}

// batch is the number of random catalogs for one process.
const batch = 20

// all creates the jobs and runs them.
func (s *session) all() error {
	s.pairs = map[[2]string]int{}
	jobs := make(chan func() error)
	failed := make(chan error, s.jobs)
	var workers sync.WaitGroup
	for range max(1, s.jobs) {
		workers.Go(func() {
			for job := range jobs {
				if err := job(); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	done := s.progress()
	err := s.produce(func(job func() error) error {
		select {
		case jobs <- job:
			return nil
		case err := <-failed:
			return err
		}
	})
	close(jobs)
	workers.Wait()
	done()
	if err != nil {
		return err
	}
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// progress reports every ten seconds, until it is ended.
func (s *session) progress() (end func()) {
	ticker := time.NewTicker(10 * time.Second)
	stop := make(chan struct{})
	began := time.Now()
	go func() {
		for {
			select {
			case <-ticker.C:
				s.log.Printf("%v: %d comparisons", time.Since(began).Round(time.Second), s.cases.Load())
			case <-stop:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(stop)
	}
}

// produce passes all jobs to do. In a short run, it omits most jobs of each part, evenly.
func (s *session) produce(do func(func() error) error) error {
	if err := s.largeCatalogs(do); err != nil { // first: these take longest
		return err
	}
	vectors, err := readVectors(s.root)
	if err != nil {
		return err
	}
	definitions, err := os.ReadFile(filepath.Join(s.root, "testdata", "vectors", "env", "std.pp"))
	if err != nil {
		return err
	}
	asked, documents := vectorCases(vectors, string(definitions))
	cases := plainCases()
	cases = append(cases, every(asked, s.part(8))...)
	for chunk := range slices.Chunk(cases, 16) {
		if err := do(func() error { return s.compareAll("", chunk) }); err != nil {
			return err
		}
	}
	catalogs, err := s.catalogs()
	if err != nil {
		return err
	}
	if err := s.files(do, "testdata", catalogs); err != nil {
		return err
	}
	if err := s.files(do, "vectors", documents); err != nil {
		return err
	}
	if s.labelled != "" {
		files, err := filesOf(s.labelled)
		if err != nil {
			return err
		}
		if err := s.files(do, "labelled", files); err != nil {
			return err
		}
	}
	return s.random(do)
}

// part returns n in a short run, and 1 in a full run: one of that many cases is run.
func (s *session) part(n int) int {
	if s.short {
		return n
	}
	return 1
}

func every[T any](all []T, n int) []T {
	var some []T
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// catalogs returns the catalogs of the repository, in all formats.
func (s *session) catalogs() ([]Input, error) {
	var all []Input
	for _, name := range []string{"catalogs", "deferred", "pages"} {
		files, err := filesOf(filepath.Join(s.root, "testdata", name))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if strings.HasPrefix(f.Name, "modules-") {
				continue
			}
			switch filepath.Ext(f.Name) {
			case ".json", ".msgpack", ".yaml":
				all = append(all, f)
			}
		}
	}
	return all, nil
}

// files runs every mode on files; modes for single inputs run on some of the files.
func (s *session) files(do func(func() error) error, name string, files []Input) error {
	if len(files) == 0 {
		return fmt.Errorf("%s: no files", name)
	}
	if s.short {
		files = every(files, 4)
	}
	share := s.share(files)
	for i, m := range append(modes(name), modes("puppetdb")[:len(fromPuppetDB)]...) {
		some := files
		if m.alone {
			some = every(files[i%3%len(files):], s.part(12)*max(1, len(files)/20))
		}
		err := do(func() error {
			folder, err := share.folder()
			if err != nil {
				return err
			}
			return s.compareAll(folder, m.cases(name, some))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// share is a folder with inputs for several cases, created on demand.
type share struct {
	path string
	make func() error
}

func (s *session) share(files []Input) *share {
	path := s.newFolder()
	return &share{path, sync.OnceValue(func() error { return put(path, files) })}
}

func (h *share) folder() (string, error) { return h.path, h.make() }

// newFolder returns the name of a new folder, two levels below the work folder.
func (s *session) newFolder() string {
	return filepath.Join(s.out, "b", fmt.Sprintf("%06d", s.folders.Add(1)))
}

// turns returns modes in a random order, all with the same frequency.
type turns struct {
	modes []Mode
	next  int
}

func newTurns(all []Mode, r *rand.Rand) *turns {
	all = slices.Clone(all)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return &turns{modes: all}
}

func (t *turns) take(n int) []Mode {
	var all []Mode
	for range min(n, len(t.modes)) {
		all = append(all, t.modes[t.next%len(t.modes)])
		t.next++
	}
	return all
}

// The number of modes for each batch of random catalogs.
const (
	formsPerBatch  = 3
	modesPerForm   = 4 // on all inputs at once
	alonePerForm   = 1 // on two of the inputs each
	brokenPerBatch = 3
	brokenAlone    = 1
)

// plan describes the runs for a batch of random catalogs.
type plan struct {
	number int
	forms  []planned
}

type planned struct {
	form          form
	broken        bool
	modes, single []Mode
}

func (s *session) random(do func(func() error) error) error {
	r := rand.New(rand.NewPCG(s.seed, 0x706c_616e))
	var whole, alone, brokenWhole, brokenSingle []*turns
	for _, f := range forms {
		var a, b []Mode
		for _, m := range modes(f.name) {
			if !s.selected(m.Command, m.Name) {
				continue
			}
			if m.alone {
				b = append(b, m)
			} else {
				a = append(a, m)
			}
		}
		s.possible += 2 * (len(a) + len(b))
		whole, alone = append(whole, newTurns(a, r)), append(alone, newTurns(b, r))
		brokenWhole, brokenSingle = append(brokenWhole, newTurns(a, r)), append(brokenSingle, newTurns(b, r))
	}
	for number := 0; number*batch < s.n; number++ {
		p := plan{number: number}
		for i := range formsPerBatch {
			f := (number*formsPerBatch + i) % len(forms)
			p.forms = append(p.forms, planned{forms[f], false, whole[f].take(modesPerForm), alone[f].take(alonePerForm)})
		}
		f := number % len(forms)
		p.forms = append(p.forms, planned{forms[f], true, brokenWhole[f].take(brokenPerBatch), brokenSingle[f].take(brokenAlone)})
		if err := do(func() error { return s.batch(p) }); err != nil {
			return err
		}
	}
	return nil
}

// batch generates catalogs and runs the modes of a plan on them.
func (s *session) batch(p plan) error {
	var trees []gen.Object
	var rich []Input
	for i := range min(batch, s.n-p.number*batch) {
		seed := s.seed<<32 + uint64(p.number*batch+i)
		tree := gen.Catalog(gen.Options{Seed: seed, Fleet: s.seed<<16 + uint64(p.number)})
		trees = append(trees, tree)
		manner := uint64(0)
		if i%3 == 2 {
			manner = seed
		}
		rich = append(rich, Input{fmt.Sprintf("c%06d.json", p.number*batch+i), gen.JSON(tree, manner)})
	}
	for _, todo := range p.forms {
		inputs, err := todo.form.made(s.base, s.newFolder(), rich)
		if err != nil {
			return err
		}
		if todo.form.name == agentYAML {
			for i, t := range trees {
				inputs[i].Data = gen.AgentYAML(t)
			}
		}
		name := todo.form.name
		if todo.broken {
			name = "broken " + name
			for i := range inputs {
				inputs[i].Data = gen.Break(inputs[i].Data, s.seed<<32+uint64(p.number*batch+i))
			}
		}
		folder := s.newFolder()
		if err := put(folder, inputs); err != nil {
			return err
		}
		for _, m := range todo.modes {
			if err := s.compareAll(folder, m.cases(name, inputs)); err != nil {
				return err
			}
		}
		for i, m := range todo.single {
			n := (p.number + i) % len(inputs)
			two := append(slices.Clone(inputs[n:]), inputs[:n]...)[:min(2, len(inputs))]
			if err := s.compareAll(folder, m.cases(name, two)); err != nil {
				return err
			}
		}
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	return nil
}

// The forms and modes of large catalogs. A short run uses the first modes.
var (
	largeForms = []string{"rich-json", "rich-msgpack", "gzip"}
	largeModes = []string{"convert -t rich-msgpack -o out", "resolve --keep-unresolved --facts AID/facts.json -o out", "redact -o out.json", "validate --modulepath AID/modules",
		"convert -t rich-json", "convert -t json --ledger ledger.jsonl -o out", "redact --mode digest --key-file AID/key -t rich-msgpack -o out",
		"redact", "audit --no-config --key-file AID/key --format json", "inspect --json", "query -r -e '$title'",
		"get @ resources.#.title", "deferred --json", "verify --json", "convert -t yaml"}
)

// largeSize is above the size that pcat keeps in memory.
const largeSize = 20 << 20

// largeCatalogs compares catalogs of largeSize, whole and with a fault, on each mode in one
// of the forms.
func (s *session) largeCatalogs(do func(func() error) error) error {
	for number := range s.large {
		tree := gen.Catalog(gen.Options{Seed: s.seed<<32 + 1<<31 + uint64(number), Size: largeSize, Valid: true})
		rich := []Input{{fmt.Sprintf("large%d.json", number), gen.JSON(tree, 0)}}
		for k, name := range largeForms {
			f := forms[slices.IndexFunc(forms, func(f form) bool { return f.name == name })]
			inputs, err := f.made(s.base, s.newFolder(), rich)
			if err != nil {
				return err
			}
			broken := []Input{{"broken" + inputs[0].Name, slices.Clone(inputs[0].Data)}}
			broken[0].Data[len(broken[0].Data)*9/10] ^= 0x20
			share := s.share(append(broken, inputs...))
			for j, text := range largeModes {
				m := newMode(text, "")
				if !s.selected(m.Command, m.Name) || (j+number)%len(largeForms) != k || s.short && j >= len(largeForms) {
					continue
				}
				m.alone = true
				cases := m.cases("large "+name, inputs)
				if j < len(largeForms) {
					cases = append(cases, m.cases("broken large "+name, broken)...)
				}
				err := do(func() error {
					folder, err := share.folder()
					if err != nil {
						return err
					}
					return s.compareAll(folder, cases)
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// selected reports whether a mode is to be run.
func (s *session) selected(command, mode string) bool {
	return s.only == "" || strings.Contains(command+" "+mode, s.only)
}

// compareAll compares cases. Their inputs are in folder, except for cases that write files.
func (s *session) compareAll(folder string, cases []*Case) error {
	for _, c := range cases {
		if !s.selected(c.Command, c.Mode) {
			continue
		}
		if err := s.compare(folder, c); err != nil {
			return fmt.Errorf("%s %s: %w", c.Command, c.Mode, err)
		}
	}
	return nil
}

func (s *session) compare(folder string, c *Case) error {
	base, now, err := s.both(folder, c)
	if err != nil {
		return err
	}
	s.cases.Add(1)
	s.inputs.Add(int64(len(c.Inputs)))
	s.mu.Lock()
	s.pairs[[2]string{c.Form, c.Command + " " + c.Mode}] += len(c.Inputs)
	s.mu.Unlock()
	different, expected := Compare(c, base, now, s.reasons)
	if expected > 0 {
		s.mu.Lock()
		s.found.Expected += expected
		s.mu.Unlock()
	}
	smaller := false
	for _, d := range different {
		smaller = s.found.add(d, base, now) || smaller
	}
	if smaller && len(c.Inputs) > 1 && slices.Contains(c.Args, filesHere) {
		return s.single(c)
	}
	return nil
}

// single runs a case with each of its inputs alone.
func (s *session) single(c *Case) error {
	for i := range c.Inputs {
		one := *c
		one.Inputs = c.Inputs[i : i+1]
		folder := s.newFolder()
		if err := put(folder, one.Inputs); err != nil {
			return err
		}
		base, now, err := s.both(folder, &one)
		if err != nil {
			return err
		}
		different, _ := Compare(&one, base, now, s.reasons)
		for _, d := range different {
			s.found.offer(d, base, now)
		}
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	return nil
}

// both runs both binaries on a case.
func (s *session) both(folder string, c *Case) (base, now *Result, err error) {
	if c.Writes || folder == "" {
		folder = s.newFolder()
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	}
	names := c.names()
	if base, err = s.base.run(c, folder, names); err != nil {
		return nil, nil, err
	}
	now, err = s.now.run(c, folder, names)
	return base, now, err
}

// coverage describes the share of pairs of form and mode that the random catalogs covered.
func (s *session) coverage() string {
	met, least := 0, 0
	for pair, n := range s.pairs {
		if s.isRandom(pair[0]) {
			met++
			if least == 0 || n < least {
				least = n
			}
		}
	}
	return fmt.Sprintf("random catalogs: %d of %d pairs of form and mode, each with %d inputs or more", met, s.possible, least)
}

// isRandom reports whether a form is one of random catalogs.
func (s *session) isRandom(name string) bool {
	name = strings.TrimPrefix(name, "broken ")
	return slices.ContainsFunc(forms, func(f form) bool { return f.name == name })
}
