package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/test/walkthrough"
)

// TestTutorials follows the tutorials from an empty directory. With -update, the test writes the output of
// their commands into the pages. The tutorial of pcatd is tried in the module fleet.
func TestTutorials(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles catalogs with Puppet")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		reader walkthrough.Reader
	}{
		{"review", walkthrough.Reader{Needs: []string{"git", "puppet"}}},
		{"leaks", walkthrough.Reader{Needs: []string{"puppet"}}},
		{"share", walkthrough.Reader{Needs: []string{"puppet"}}},
		{"resolve", walkthrough.Reader{Needs: []string{"puppet"}}},
		{"values", walkthrough.Reader{
			Needs: []string{"go"},
			Env:   []string{"GOWORK=off", "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local"},
			Replace: func(command string) string { // the release that the reader gets is this repository
				if !strings.HasPrefix(command, "go get ") {
					return command
				}
				command = strings.TrimSuffix(command, "@latest") + " 2>/dev/null" // it prints the modules
				return "go mod edit -require github.com/pcatdev/pcat@v0.0.0 -replace github.com/pcatdev/pcat=" + root + " && " + command
			},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.reader.Update, tt.reader.Normalize = updating(t), withoutVariation
			if tt.name == "values" {
				for name, value := range goCaches(t) {
					tt.reader.Env = append(tt.reader.Env, name+"="+value)
				}
			}
			tt.reader.Try(t, filepath.Join(root, "docs", "tutorials", tt.name+".md"))
		})
	}
}

// logTime is the time in a line of the package log.
var logTime = regexp.MustCompile(`(?m)^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d `)

// age is the age of an answer of an earlier run.
var age = regexp.MustCompile(`, [0-9.]+m?s old:`)

// pseudonym is a marker that depends on a new key.
var pseudonym = regexp.MustCompile(`pseudonym-[a-z-]+-by-pcat`)

// withoutVariation returns an output without the parts that differ between runs.
func withoutVariation(output string) string {
	output = age.ReplaceAllString(logTime.ReplaceAllString(output, ""), ", (age) old:")
	return pseudonym.ReplaceAllString(output, "(pseudonym)")
}
