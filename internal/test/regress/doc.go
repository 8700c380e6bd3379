// Command regress compares the pcat of the current tree with the pcat of another revision:
// both run on the same inputs with the same arguments, and their output is compared byte
// for byte. Use it to check that a change keeps the behaviour of the command:
//
//	go run ./internal/test/regress -base REVISION
//	make regress BASE=REVISION
//
// # Corpus
//
// Inputs are the catalogs in testdata/catalogs, the questions in testdata/vectors, the
// catalogs of -labelled, and
// -n random catalogs of package gen, in batches. Random catalogs have all formats that pcat reads (see forms.go), and
// some are damaged, to compare error messages and exit codes. A few are too large for pcat
// to keep in memory. The pcat of the base creates the forms. This package imports no other
// package of the module, so that these can change freely.
//
// Each form is combined with each mode, which is a command with flags (see modes.go). For catalogs in files, each
// pair runs once; for random catalogs, the pairs take turns. A -seed determines the run.
//
// # Result
//
// Standard output, standard error, the exit code, and each written file with its permissions are compared.
// Differences are grouped by command, mode and kind, and in standard error by message. Each group is printed with
// the smallest input that shows it; -out keeps the input with the command line in rerun.sh.
//
// testdata/expected.txt lists intended differences with their reasons; see [parseReasons]
// for its form. The exit status is 1 for other differences, and 2 if the comparison fails.
//
// Comparisons of two revisions by their output belong here.
package main
