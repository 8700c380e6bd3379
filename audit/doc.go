// Package audit finds leaked secrets in catalogs.
//
//	Auditor   audits the catalogs of a run
//	Input     one document of a run
//	Report    the result of a run
//	Finding   one secret in one location, masked
//	Ledger    an audit of inputs that change one at a time, and Updater, Part and
//	          Knowledge, which it consists of
//
// A run has up to three passes. The first collects the declared secrets of all
// catalogs. The second inspects all values that are not declared Sensitive. If it
// finds strong secrets, the third searches for copies of them.
//
//	leaves      the texts of a catalog with their context     package leaf
//	detectors   context, formats, decoders                    package detect
//	taint       copies of secrets                             package taint
//	policy      practices that make leaks likely
//	judge       selection, severity and masking of hits
//
// Package rule describes the rules, and package report writes reports. A program adds rules of
// its own with a [Custom], and rules about texts with [CustomTexts].
//
// The texts of a finding are masked and contain no secret. [Report.Check]
// reports whether an output contains a secret of the run.
package audit
