// Command bench measures pcat against its peers, in one run on the same inputs.
//
//	go run .                        the small and the medium input, every job
//	go run . -sizes large -jobs command
//	go run . -write FILE -sizes large
//
// The program first checks the output of each candidate for a job. It names a
// candidate with wrong output but does not time it. Then all candidates run in
// turns, each long enough to be measured, for a number of rounds, and the median
// counts. It measures CPU time including garbage collection, with Go on one core
// except in the job on two cores. Ratios of CPU times are valid on a noisy
// machine; absolute numbers are not.
//
// The jobs are:
//
//   - JSON to MessagePack and back, decoding, redacting
//   - parsing types, assignability, instances
//   - whole commands, with their peak memory
//   - searching for secrets, compared with gitleaks
//   - making the Deferred calls of a catalog
//
// Some candidates are separate programs: Ruby, Puppet, and any other that
// implements the same protocol (-peer NAME=COMMAND). Package gen generates the
// inputs.
package main
