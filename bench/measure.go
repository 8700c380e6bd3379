package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// settings determine how long to measure.
type settings struct {
	rounds  int
	atLeast time.Duration // minimum CPU time of one turn
}

// outcome is the measurement of a candidate.
type outcome struct {
	Name   string        `json:"name"`
	Note   string        `json:"note,omitempty"`
	Output exact         `json:"output,omitempty"`
	Failed string        `json:"failed,omitempty"`
	CPU    time.Duration `json:"cpu_ns,omitempty"`   // median of one run
	Spread float64       `json:"spread,omitempty"`   // interquartile range, as a fraction of the median
	Clock  time.Duration `json:"clock_ns,omitempty"` // median of one run of a command
	Allocs uint64        `json:"allocs,omitempty"`
	Peak   int64         `json:"peak_bytes,omitempty"`
	// Times is the ratio to the CPU time of pcat's fastest candidate.
	Times float64 `json:"times,omitempty"`

	turns   int
	samples []time.Duration
	clocks  []time.Duration
}

// measure checks all candidates of a job and runs the correct ones in turns.
func measure(j *job, s settings, progress io.Writer) []*outcome {
	all := make([]*outcome, len(j.candidates))
	for i, c := range j.candidates {
		o := &outcome{Name: c.name, Note: c.note}
		all[i] = o
		say(progress, "%s, %s: checking %s", j.name, j.input, c.name)
		same, err := c.check()
		if err == nil {
			o.Output = same
			o.turns, err = turns(c, s)
		}
		if err != nil {
			o.Failed = err.Error()
		}
	}
	for round := range s.rounds {
		for i := range all {
			// Rounds begin with different candidates, to vary their
			// order.
			i = (i + round) % len(all)
			c, o := j.candidates[i], all[i]
			if o.Failed != "" {
				continue
			}
			say(progress, "%s, %s: round %d of %d, %s", j.name, j.input, round+1, s.rounds, c.name)
			runtime.GC()
			u, err := c.run(o.turns)
			if err != nil {
				o.Failed = err.Error()
				continue
			}
			o.samples = append(o.samples, u.cpu/time.Duration(o.turns))
			o.clocks = append(o.clocks, u.clock/time.Duration(o.turns))
			o.Allocs = u.allocs / uint64(o.turns)
			o.Peak = max(o.Peak, u.peak)
		}
	}
	say(progress, "")
	for _, o := range all {
		o.sum()
	}
	return all
}

// say replaces the progress line. It ignores errors.
func say(progress io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(progress, "\r\033[K"+format, args...)
}

// turns returns the number of runs needed to measure a candidate.
func turns(c *candidate, s settings) (int, error) {
	n := 1
	for {
		u, err := c.run(n)
		if err != nil || u.cpu >= s.atLeast || n >= 1<<20 {
			return n, err
		}
		n = max(n+1, min(n*100, int(float64(n)*1.2*float64(s.atLeast)/float64(max(u.cpu, time.Microsecond)))))
	}
}

// sum sets the median and spread of the samples.
func (o *outcome) sum() {
	if o.Failed != "" || len(o.samples) == 0 {
		return
	}
	slices.Sort(o.samples)
	slices.Sort(o.clocks)
	n := len(o.samples)
	o.Clock = o.clocks[n/2]
	o.CPU = o.samples[n/2]
	o.Spread = float64(o.samples[n*3/4]-o.samples[n/4]) / float64(o.CPU)
}

// inProcess returns a candidate that is a function of this program.
func inProcess(name, note string, check func() (exact, error), once func() error) *candidate {
	return &candidate{name: name, note: note, check: check, run: func(n int) (usage, error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := cpuTime()
		for range n {
			if err := once(); err != nil {
				return usage{}, err
			}
		}
		spent := cpuTime() - start
		runtime.ReadMemStats(&after)
		return usage{cpu: spent, allocs: after.Mallocs - before.Mallocs}, nil
	}}
}

// cpuTime returns the CPU time of this process.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
