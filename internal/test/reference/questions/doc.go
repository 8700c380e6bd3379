// Command questions compares pcat with a release of Puppet or OpenVox: it asks both the vectors
// and many generated questions, and groups the differences by their cause.
//
//	make reference PUPPET=/opt/puppets/openvox-9.0.0
//	go run ./internal/test/reference/questions -puppet DIR -n 200000 -modulepath DIR
//
// One process of Ruby answers all of them (testdata/generate/oracle.rb). pcat answers like the
// reference in -like, or the one nearest to the release. The same seed gives the same questions.
//
//   - words.go, programs.go, data.go, calls.go: the generated questions
//   - ask.go: the process of Ruby
//   - cluster.go: the causes of differences, and the ones with a name in testdata/named.txt
//   - record.go: the result of each release, testdata/releases.json, and the table of
//     docs/puppet-versions.md
//   - restate.go, replace.go: questions without the part to which Puppet has no answer
//   - sections.go: the programs of docs/specification.md, with -sections
//
// Comparisons with a Puppet that runs belong here; ones with recorded answers are in package conformance.
package main
