package report

import (
	"iter"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/page"
	"github.com/pcatdev/pcat/internal/terminal"
)

// JUnit XML, which continuous integration servers read as test results: a suite
// for each catalog and a failed case for each finding.
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
		for i := range r.Findings {
			f := &r.Findings[i]
			if !of(f.Catalog) {
				return
			}
			s.Tests++
			s.Failures++
			path, _ := o.path(f.File)
			s.Cases = append(s.Cases, junitCase{
				Name: terminal.Line(f.Rule + " at " + o.site(f)), Class: f.Rule, File: terminal.Line(path), Line: f.Line,
				Failure: &junitProblem{terminal.Line(f.Message), f.Severity.String(), strings.TrimPrefix(terminal.Line(f.Masked())+"\n"+terminal.Line(f.Pointer)+"\n"+f.Fingerprint, "\n")},
			})
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
