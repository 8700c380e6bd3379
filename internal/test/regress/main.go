package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	base     string
	n        int
	seed     uint64
	labelled string
	out      string
	expected string
	jobs     int
	large    int
	short    bool
	only     string
	baseBin  string
	nowBin   string
}

var (
	errDifferent = errors.New("there are unexpected differences")
	errUsage     = errors.New("usage: regress -base REVISION [FLAG...]; -help lists the flags")
)

func main() {
	switch err := run(os.Args[1:], os.Stdout, os.Stderr); {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errDifferent):
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "regress:", err)
		os.Exit(2)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	var o options
	flags := flag.NewFlagSet("regress", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.base, "base", "", "the `REVISION` to compare with")
	flags.IntVar(&o.n, "n", 20000, "compare `N` random catalogs")
	flags.Uint64Var(&o.seed, "seed", 1, "`SEED` of the random catalogs and of the choice of modes")
	flags.StringVar(&o.labelled, "labelled", "", "also compare the catalogs in `DIR`, including archives (.tar.gz)")
	flags.StringVar(&o.out, "out", "", "keep samples and binaries in `DIR`, which must not exist (default a temporary one)")
	flags.StringVar(&o.expected, "expected", "", "read intended differences from `FILE` instead of internal/test/regress/testdata/expected.txt")
	flags.IntVar(&o.jobs, "j", runtime.NumCPU(), "run `N` processes at a time")
	flags.IntVar(&o.large, "large", 2, "compare `N` catalogs of more than 20 MB")
	flags.BoolVar(&o.short, "short", false, "run a sample of all cases, in less than a minute")
	flags.StringVar(&o.only, "only", "", "run only commands and modes that contain `TEXT`, such as \"redact --mode drop\"")
	flags.StringVar(&o.baseBin, "base-binary", "", "use `FILE` instead of building the base")
	flags.StringVar(&o.nowBin, "now-binary", "", "use `FILE` instead of building the current tree")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || o.base == "" && o.baseBin == "" {
		return errUsage
	}
	if o.short {
		set := map[string]bool{}
		flags.Visit(func(f *flag.Flag) { set[f.Name] = true })
		if !set["n"] {
			o.n = 160
		}
		if !set["large"] {
			o.large = 1
		}
	}
	return compare(o, stdout, stderr)
}

func compare(o options, stdout, stderr io.Writer) (err error) {
	top, err := output(".", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	root := strings.TrimSpace(string(top))
	if o.expected == "" {
		o.expected = reasonsFile(root)
	}
	list, err := os.ReadFile(o.expected)
	if err != nil {
		return err
	}
	reasons, err := parseReasons(bytes.NewReader(list))
	if err != nil {
		return fmt.Errorf("%s: %w", o.expected, err)
	}

	if o.out == "" {
		if o.out, err = os.MkdirTemp("", "regress-"); err != nil {
			return err
		}
		dir := o.out
		defer func() {
			if !errors.Is(err, errDifferent) {
				err = errors.Join(err, os.RemoveAll(dir))
			}
		}()
	} else if err := os.MkdirAll(filepath.Dir(o.out), 0o755); err != nil {
		return err
	} else if err := os.Mkdir(o.out, 0o755); err != nil {
		return err
	}
	if o.out, err = filepath.Abs(o.out); err != nil {
		return err
	}

	began := time.Now()
	binaries := [2]string{filepath.Join(o.out, "base", "pcat"), filepath.Join(o.out, "now", "pcat")}
	if o.baseBin != "" {
		binaries[0], err = filepath.Abs(o.baseBin)
	} else {
		err = buildRevision(root, o.base, filepath.Join(o.out, "source"), binaries[0])
	}
	if err != nil {
		return err
	}
	if o.nowBin != "" {
		binaries[1], err = filepath.Abs(o.nowBin)
	} else {
		err = build(root, binaries[1])
	}
	if err != nil {
		return err
	}
	if err := layAids(root, filepath.Join(o.out, "aid")); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(o.out, "tmp"), 0o700); err != nil {
		return err
	}
	progress := log.New(stderr, "", 0)
	progress.Printf("built in %v", time.Since(began).Round(time.Second))

	began = time.Now()
	s := &session{
		options: o, root: root, reasons: reasons,
		base: runner{binaries[0], o.out}, now: runner{binaries[1], o.out},
		found: &Collector{samples: filepath.Join(o.out, "samples"), binaries: binaries},
		log:   progress,
	}
	if err := s.all(); err != nil {
		return err
	}
	// The inputs are removed; samples have copies, and their scripts use the folder.
	inputs := filepath.Join(o.out, "b")
	if err := errors.Join(os.RemoveAll(inputs), os.Mkdir(inputs, 0o755)); err != nil {
		return err
	}
	text, groups, err := s.found.Report()
	if err != nil {
		return err
	}
	if unused := reasons.Unused(); len(unused) > 0 {
		text += "unused: " + strings.Join(unused, "\nunused: ") + "\n"
	}
	text += fmt.Sprintf("%s\n%d comparisons of two processes, on %d inputs, in %v: %d expected differences, %d groups of others\n",
		s.coverage(), s.cases.Load(), s.inputs.Load(), time.Since(began).Round(time.Second), s.found.Expected, groups)
	if _, err := io.WriteString(stdout, text); err != nil {
		return err
	}
	if groups > 0 {
		return errDifferent
	}
	return nil
}
