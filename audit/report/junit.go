package report

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/page"
	"github.com/pcatdev/pcat/internal/terminal"
)

// JUnit XML, which continuous integration servers read as test results: a suite for each file of
// a manifest, or catalog, and a failed case for each rule at a line of it.
type (
	junitSuite struct {
		Name                    string
		Tests, Failures, Errors int
		Cases                   []junitCase
	}
	junitCase struct {
		Name, Class string
		File        string // empty if unknown
		Line        int64  // 0 if unknown
		Failure     *junitProblem
		Error       *junitProblem
	}
	junitProblem struct{ Message, Type, Text string }
)

type junitWriter struct{ page.Markup }

func writeJUnit(b output, r *audit.Report, o Options) error {
	all := junitSuite{Name: "pcat audit"}
	for s := range suites(r, o) {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	m := junitWriter{page.NewMarkup(b.Writer)}
	m.Print(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	m.junitCounts("testsuites", &all)
	for s := range suites(r, o) {
		m.Print("\n  ")
		m.junitCounts("testsuite", s)
		for i := range s.Cases {
			m.junitCase(&s.Cases[i])
		}
		m.Print("\n  </testsuite>")
	}
	m.Print("\n</testsuites>\n")
	return nil
}

// junitCounts opens the element of one suite or of all.
func (m junitWriter) junitCounts(element string, s *junitSuite) {
	m.Writef(`<%s name="%s" tests="%s" failures="%s" errors="%s">`,
		element, s.Name, strconv.Itoa(s.Tests), strconv.Itoa(s.Failures), strconv.Itoa(s.Errors))
}

func (m junitWriter) junitCase(c *junitCase) {
	m.Writef("\n    "+`<testcase name="%s" classname="%s"`, c.Name, c.Class)
	if c.File != "" {
		m.Writef(` file="%s"`, c.File)
	}
	if c.Line != 0 {
		m.Writef(` line="%s"`, strconv.FormatInt(c.Line, 10))
	}
	m.Print(">")
	m.junitProblem("failure", c.Failure)
	m.junitProblem("error", c.Error)
	if c.Failure != nil || c.Error != nil {
		m.Print("\n    ")
	}
	m.Print("</testcase>")
}

func (m junitWriter) junitProblem(element string, p *junitProblem) {
	if p != nil {
		m.Writef("\n      "+`<%s message="%s" type="%s">%s</%s>`, element, p.Message, p.Type, p.Text, element)
	}
}

// suiteCase is a case with the name of its suite.
type suiteCase struct {
	junitCase
	suite string
}

// cases returns the cases of a report, by suite.
func cases(r *audit.Report, o Options) []suiteCase {
	var all []suiteCase
	for _, p := range repairsOf(r, o).list {
		for _, of := range p.rules {
			f := of.first
			path := o.Locator.Path(f.File)
			text := []string{terminal.Line(f.Masked())}
			for _, one := range of.findings {
				text = append(text, terminal.Line(one.Catalog+"#"+one.Pointer)+" "+one.Fingerprint)
			}
			all = append(all, suiteCase{junitCase{
				Name: terminal.Line(f.Rule + " at " + o.site(f)), Class: f.Rule, File: terminal.Line(path), Line: f.Line,
				Failure: &junitProblem{terminal.Line(o.annotation(of)), f.Severity.String(), strings.TrimPrefix(strings.Join(text, "\n"), "\n")},
			}, terminal.Line(cmp.Or(path, f.Catalog))})
		}
	}
	slices.SortStableFunc(all, func(a, b suiteCase) int { return strings.Compare(a.suite, b.suite) })
	return all
}

// suites returns an iterator over the suites, one for each catalog at a time.
func suites(r *audit.Report, o Options) iter.Seq[*junitSuite] {
	return func(yield func(*junitSuite) bool) {
		s := &junitSuite{}
		// of makes s the suite with the given name, and yields the previous
		// one.
		of := func(name string) bool {
			if s.Name == name {
				return true
			}
			last := s
			s = &junitSuite{Name: name}
			return last.Tests == 0 || yield(last)
		}
		for _, c := range cases(r, o) {
			if !of(c.suite) {
				return
			}
			s.Tests++
			s.Failures++
			s.Cases = append(s.Cases, c.junitCase)
		}
		for _, f := range r.Failures {
			if !of(f.Name) {
				return
			}
			s.Tests++
			s.Errors++
			s.Cases = append(s.Cases, junitCase{Name: "read", Class: "pcat", Error: &junitProblem{Message: terminal.Line(f.Err.Error()), Type: "unreadable"}})
		}
		if s.Tests == 0 { // some servers treat an empty result as a failure
			s = &junitSuite{Name: "pcat audit", Tests: 1, Cases: []junitCase{{Name: summary(r), Class: "pcat"}}}
		}
		yield(s)
	}
}
