// Package audit finds secrets that leaked in catalogs.
//
//	Auditor   audits the catalogs of a run
//	Input     one document of a run
//	Report    what was found
//	Finding   one secret in one place, without the secret
//
// A run takes two passes. The first gathers what the catalogs declare to be
// Sensitive, and the secrets inside it; the second looks at everything that is
// open:
//
//	leaves      the texts of a catalog with their context     package leaf
//	detectors   context, formats, decoders                    package detect
//	taint       copies of what is Sensitive elsewhere         package taint
//	policy      practices that make leaks likely
//	judge       which hits count, how bad each is, what may be shown of it
//
// Package rule says what each finding means, package report writes them.
//
// No finding holds a secret: texts in it are masked, and [Report.Check] tells
// whether any secret of the run stands in some output.
package audit
