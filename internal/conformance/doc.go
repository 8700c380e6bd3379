// Package conformance holds pcat against real Puppet: it runs the vectors that Puppet printed.
//
//	go test ./internal/conformance -run TestVectors -v
//
// runs the families that are built, and prints "vectors FAMILY passed N of M" for each. The folder
// is testdata/vectors, or what the environment variable PCAT_VECTORS names.
//
//   - vectors.go: reading the cases
//   - compare.go: comparing answers
//   - families_test.go: what runs a case of each family
//   - vectors_test.go: the test, and the known failures
package conformance
