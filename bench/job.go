package main

import (
	"errors"
	"time"
)

// job is a task with several candidates. The candidates of pcat come first; the
// fastest of them is the reference for the others.
type job struct {
	name  string
	input string // the input: "4 MB", "10,000 pairs"
	// bytes and operations of one run, for rates; zero if not meaningful
	bytes      int
	operations int
	candidates []*candidate
}

// candidate is an implementation of a job.
type candidate struct {
	name string
	note string
	// check runs it once and checks the output. It returns errNotHere if the
	// candidate is not available on this machine.
	check func() (exact, error)
	// run does the job n times.
	run func(n int) (usage, error)
}

// exact is the degree to which an output equals the output of pcat.
type exact string

const (
	sameBytes exact = "same bytes"
	sameData  exact = "same data" // numbers as floats, keys unordered
	unordered exact = ""          // not compared byte by byte
)

var errNotHere = errors.New("not on this machine")

// usage is the total cost of some runs.
type usage struct {
	cpu    time.Duration
	clock  time.Duration // 0 if unknown
	allocs uint64        // 0 if unknown
	peak   int64         // peak memory in bytes; 0 if unknown
}
