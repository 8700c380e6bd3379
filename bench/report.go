package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// result is a job with its measurements.
type result struct {
	Job        string     `json:"job"`
	Input      string     `json:"input"`
	Bytes      int        `json:"bytes,omitempty"`
	Operations int        `json:"operations,omitempty"`
	Candidates []*outcome `json:"candidates"`
}

// newResult compares the candidates with the fastest one whose name begins with
// pcat.
func newResult(j *job, all []*outcome) *result {
	var ours time.Duration
	for _, o := range all {
		if strings.HasPrefix(o.Name, "pcat") && o.CPU > 0 && (ours == 0 || o.CPU < ours) {
			ours = o.CPU
		}
	}
	for _, o := range all {
		if ours > 0 {
			o.Times = float64(o.CPU) / float64(ours)
		}
	}
	return &result{j.name, j.input, j.bytes, j.operations, all}
}

// print writes the result as a table with the CPU time and its ratio to pcat's
// fastest. Of commands, it also has the wall-clock time.
func (r *result) print(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "\n%s, %s\n", r.Job, r.Input); err != nil {
		return err
	}
	const row = "%7s %10s %9s %14s %9s %9s %6s  %-32s %s\n"
	if _, err := fmt.Fprintf(w, row, "times", "CPU", "clock", "rate", "allocs", "memory", "spread", "", ""); err != nil {
		return err
	}
	for _, o := range r.Candidates {
		line := []any{"-", "", "", "", "", "", "", o.Name, o.Failed}
		if o.Failed == "" {
			line = []any{
				fmt.Sprintf("%.2f", o.Times), round(o.CPU), clock(o.Clock), r.rate(o.CPU), number(o.Allocs), memory(o.Peak),
				fmt.Sprintf("%.0f %%", 100*o.Spread), o.Name, strings.Join(without("", string(o.Output), o.Note, goal(r.Job, o)), "; "),
			}
		}
		if _, err := fmt.Fprintf(w, row, line...); err != nil {
			return err
		}
	}
	return nil
}

func without(what string, from ...string) []string {
	var all []string
	for _, s := range from {
		if s != what {
			all = append(all, s)
		}
	}
	return all
}

// round formats a duration with about three digits.
func round(d time.Duration) string {
	unit := time.Nanosecond
	for unit < d/100 {
		unit *= 10
	}
	return d.Round(unit / 10).String()
}

func clock(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return round(d)
}

func (r *result) rate(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case r.Bytes > 0:
		return fmt.Sprintf("%.1f MB/s", float64(r.Bytes)/1e6/d.Seconds())
	case r.Operations > 0:
		return fmt.Sprintf("%.0f ns each", float64(d)/float64(r.Operations))
	}
	return ""
}

func number(n uint64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatUint(n, 10)
}

func memory(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// report is the JSON file.
type report struct {
	Time    time.Time `json:"time"`
	Go      string    `json:"go"`
	Machine string    `json:"machine"`
	Cores   int       `json:"cores"`
	Load    [2]string `json:"load"` // at the begin and at the end
	Peers   []string  `json:"peers"`
	Rounds  int       `json:"rounds"`
	Results []*result `json:"results"`
}

func newReport(rounds int) *report {
	return &report{
		Time: time.Now().UTC(), Go: runtime.Version(), Machine: machine(), Cores: runtime.NumCPU(), Load: [2]string{load()},
		Peers: peerVersions(), Rounds: rounds,
	}
}

// machine returns the name of the processor.
func machine() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value) + ", " + runtime.GOOS + "/" + runtime.GOARCH
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}

func (r *report) write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
