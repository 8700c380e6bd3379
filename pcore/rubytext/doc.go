// Package rubytext makes text as Ruby makes it, where functions of Puppet hand
// their arguments to methods of Ruby's String and Kernel:
//
//	Text, Inspect     the text of a value: Ruby's to_s and inspect
//	Interpolate       the text of a value in an interpolated string
//	Format            Kernel#format, behind sprintf
//	Upcase, Downcase, Capitalize, Swapcase
//	                  the full case mapping of Unicode
//	Strip, LeftStrip, RightStrip, Chomp, Chop
//	                  the trimming methods, with Ruby's idea of blanks
//	ParseInteger, ParseFloat
//	                  Kernel#Integer and Kernel#Float of a text
//
// The texts of [Text], [Inspect] and [Interpolate] show no secret: a Sensitive is written as
// its redaction.
package rubytext
