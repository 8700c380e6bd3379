// Command regress compares the pcat of the present tree with the pcat of another revision: both run on the
// same inputs with the same arguments, and what they write is compared byte for byte. A change that is to
// keep the behaviour of the command is measured by it:
//
//	go run ./internal/regress -base REVISION
//	make regress BASE=REVISION
//
// # Corpus
//
// Inputs are the catalogs in testdata/catalogs, the questions in testdata/vectors, the catalogs of
// -labelled, and -n random catalogs of package gen, in batches. Random catalogs have each form that pcat
// reads (see forms.go), and are damaged, too, for error messages and exit codes. A few are larger than
// pcat holds in memory. Forms are made by the pcat of the base, so that the packages of the module can
// change as they like; nothing here imports them.
//
// Each form meets each mode, which is a command with flags (see modes.go): of the catalogs in files each
// pair runs once, for random ones the pairs take turns. The same -seed makes the same run.
//
// # Result
//
// Standard output, standard error, the exit code, and each file that is written, with its permissions, are
// compared. Differences are grouped by command, mode and kind, and in standard error by message; a group is
// printed with the smallest input that shows it, which is kept in -out with the command line in rerun.sh.
//
// Differences that are intended are named in testdata/expected.txt, each with its reason; see
// [parseReasons] for its form. The exit status is 1 when there are others, and 2 when the comparison could
// not be made.
package main
