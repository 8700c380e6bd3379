// Command bench measures pcat against its peers, in one run on the same inputs.
//
//	go run .                        the small and the medium input, every job
//	go run . -sizes large -jobs command
//	go run . -write FILE -sizes large
//
// For each job, what each candidate gives is checked first: one that gives something else is named and
// not timed. Then all candidates run in turns, each long enough to be measured, for a number of rounds;
// the median counts. CPU time is measured, that of the garbage collector included, with Go on one
// core, but for the job of two cores; what a ratio of CPU times says holds on a noisy machine, what a
// number says does not.
//
//   - codec.go, peers_go.go: JSON to MessagePack and back, decoding, redacting
//   - types.go: parsing types, assignability, instances
//   - command.go: whole commands, with their peak memory
//   - audit.go: looking for secrets, beside gitleaks
//   - resolve.go: making the Deferred calls of a catalog
//   - peer.go, peers/: candidates that are programs of their own: Ruby, real Puppet, and any other that
//     speaks the same protocol (-peer NAME=COMMAND)
//   - measure.go, report.go: turns, medians, the table and the JSON file
//   - gen: the inputs
package main
