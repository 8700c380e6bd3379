// Command bench measures pcat against its peers, in one run on the same inputs.
//
//	go run .                        the small and the medium input, every job
//	go run . -sizes large -jobs command
//	go run . -page ../docs/performance.md    also write the table of the page: make bench
//	go run . -write FILE -sizes large
//	go run . -fleet FOLDER -nodes 5000      write catalogs for BenchmarkCost of fleet/internal/coordinate
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
//   - Go structs to values and back, and to JSON and back, compared with encoding/json
//     and gocty of go-cty
//   - whole commands, with their peak memory and their time on the clock
//   - comparing catalogs with whole commands, compared with octocatalog-diff, dyff and
//     jq: two pairs and the catalogs of many nodes
//   - auditing and redacting reports, compared with a catalog of the same length
//   - searching for secrets, compared with gitleaks
//   - making the Deferred calls of a catalog
//
// Some candidates are separate programs: Ruby, Puppet, and any other that
// implements the same protocol (-peer NAME=COMMAND). Package gen generates the
// inputs.
//
// The programs that compare catalogs are searched for in PATH. A program that is
// not there is named, but not measured:
//
//	apt-get install jq octocatalog-diff
//	go install github.com/homeport/dyff/cmd/dyff@v1.12.0
//
// Debian has octocatalog-diff 2.1. For 2.3, clone github/octocatalog-diff, install
// ruby-diffy, ruby-hashdiff, ruby-httparty, ruby-parallel and ruby-rugged, and add its
// folder bin to PATH. Of 200 nodes, one run of it takes minutes:
//
//	go run . -jobs diff -rounds 3 -nodes 50
//	go run . -jobs diff -pair FOLDER    also compare FOLDER/old.json and FOLDER/new.json
package main
