// Package conformance compares pcat with real Puppet: it runs vectors whose
// answers were printed by Puppet.
//
//	go test ./internal/test/conformance -run TestVectors -v
//
// runs all implemented families, and prints "vectors FAMILY passed N of M" for
// each. The folder is testdata/vectors, or the one in the environment variable
// PCAT_VECTORS. pcat answers like Puppet 7.23, which printed the vectors, or like
// the reference in PCAT_LIKE, whose different answers are in testdata/later.jsonl.
// TestReferences compares the references by the answers of four releases in
// testdata/references.jsonl, TestSpecs by their answers to expressions in the
// specifications of Puppet 8, TestSections by programs for each section of the specification of the language, and TestAgents and TestCalls by the catalogs and calls
// that their agents have applied, in testdata/agents and testdata/calls.jsonl. TestLookup compares lookups in Hiera data, and
// TestConversions calls of constructors and formats for values, in testdata/conversions.
//
//   - vectors.go: decoding cases
//   - compare.go: comparing answers
//   - families.go: the runner of each family
//   - vectors_test.go: the test, and the known failures
//   - references_test.go: where the releases differ
//   - specs_test.go: expressions of the specifications; sections_test.go: programs for its sections
//   - conversions_test.go: constructors and formats
//   - agents_test.go: warnings about agents; outcome.go: what agents have done
//
// Comparisons with recorded answers belong here.
package conformance
