package main

import (
	"errors"
	"time"
)

// job is one thing to do, for which there are several candidates. Those of pcat come first; the
// fastest of them is what others are compared with.
type job struct {
	name  string
	input string // what it is done with: "4 MB", "10,000 pairs"
	// bytes or operations of one run, for rates; zero when neither tells anything.
	bytes      int
	operations int
	candidates []*candidate
}

// candidate is one way to do a job.
type candidate struct {
	name string
	note string
	// check runs it once and says whether what it gives is right. It returns errNotHere when the
	// candidate cannot run on this machine.
	check func() (exact, error)
	// run does the job n times.
	run func(n int) (usage, error)
}

// exact tells how near an output is to that of pcat.
type exact string

const (
	sameBytes exact = "same bytes"
	sameData  exact = "same data" // numbers as floats, the order of keys lost
	unordered exact = ""          // nothing was compared byte by byte
)

var errNotHere = errors.New("not on this machine")

// usage is what some runs cost together.
type usage struct {
	cpu    time.Duration
	allocs uint64 // 0 when it is not known
	peak   int64  // bytes of memory at most; 0 when it is not known
}
