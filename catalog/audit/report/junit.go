package report

import (
	"bytes"
	"encoding/xml"
	"iter"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit"
	"github.com/pcatdev/pcat/internal/terminal"
)

// The XML that servers of continuous integration read as the result of tests: a
// suite for each catalog, a case for each finding, which failed.
type (
	junitSuites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
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

func writeJUnit(b output, r *audit.Report, _ Options) error {
	all := junitSuites{Name: "pcat audit"}
	for s := range suites(r) {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	head, err := xml.Marshal(all)
	if err != nil {
		return err
	}
	const end = "</testsuites>"
	b.print(xml.Header)
	_, _ = b.Write(bytes.TrimSuffix(head, []byte(end)))
	for s := range suites(r) {
		b.print("\n")
		e := xml.NewEncoder(b)
		e.Indent("  ", "  ")
		if err := e.EncodeElement(s, xml.StartElement{Name: xml.Name{Local: "testsuite"}}); err != nil {
			return err
		}
	}
	b.print("\n" + end + "\n")
	return nil
}

// suites returns an iterator over the suites, one for each catalog at a time.
func suites(r *audit.Report) iter.Seq[*junitSuite] {
	return func(yield func(*junitSuite) bool) {
		s := &junitSuite{}
		// of returns the suite of a catalog, which is the last one, or a new one.
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
			s.Cases = append(s.Cases, junitCase{
				Name: terminal.Line(f.Rule + " at " + site(f)), Class: f.Rule, File: terminal.Line(f.File), Line: f.Line,
				Failure: &junitProblem{terminal.Line(f.Message), f.Severity.String(), strings.TrimPrefix(terminal.Line(f.Masked)+"\n"+terminal.Line(f.Pointer)+"\n"+f.Fingerprint, "\n")},
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
		if s.Tests == 0 { // some servers take no tests for a failure
			s = &junitSuite{Name: "pcat audit", Tests: 1, Cases: []junitCase{{Name: summary(r), Class: "pcat"}}}
		}
		yield(s)
	}
}
