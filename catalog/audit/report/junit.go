package report

import (
	"bytes"
	"encoding/xml"

	"github.com/pcatdev/pcat/catalog/audit"
)

// The XML that servers of continuous integration read as the result of tests: a
// suite for each catalog, a case for each finding, which failed.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int64         `xml:"line,attr,omitempty"`
		Failure *junitProblem `xml:"failure,omitempty"`
		Error   *junitProblem `xml:"error,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

func appendJUnit(b *bytes.Buffer, r *audit.Report, _ Options) error {
	all := junitSuites{Name: "pcat audit"}
	for i := range r.Findings {
		f := &r.Findings[i]
		s := all.suite(f.Catalog)
		s.Tests++
		s.Failures++
		s.Cases = append(s.Cases, junitCase{
			Name: oneLine(f.Rule + " at " + site(f)), Class: f.Rule, File: oneLine(f.File), Line: f.Line,
			Failure: &junitProblem{oneLine(f.Message), f.Severity.String(), oneLine(f.Masked) + "\n" + oneLine(f.Pointer) + "\n" + f.Fingerprint},
		})
	}
	for _, f := range r.Failures {
		s := all.suite(f.Name)
		s.Tests++
		s.Errors++
		s.Cases = append(s.Cases, junitCase{Name: "read", Class: "pcat", Error: &junitProblem{Message: oneLine(f.Err.Error()), Type: "unreadable"}})
	}
	if len(all.Suites) == 0 { // some servers take no tests for a failure
		s := all.suite("pcat audit")
		s.Tests = 1
		s.Cases = []junitCase{{Name: summary(r), Class: "pcat"}}
	}
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	b.WriteString(xml.Header)
	e := xml.NewEncoder(b)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	b.WriteByte('\n')
	return nil
}

// suite returns the suite of a catalog, which is the last one, or a new one.
func (j *junitSuites) suite(name string) *junitSuite {
	if n := len(j.Suites); n == 0 || j.Suites[n-1].Name != name {
		j.Suites = append(j.Suites, junitSuite{Name: name})
	}
	return &j.Suites[len(j.Suites)-1]
}
