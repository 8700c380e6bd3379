// Package rubytext formats text as Ruby does, for functions of Puppet that call
// methods of Ruby's String and Kernel:
//
//	Text, Inspect     the text of a value: Ruby's to_s and inspect
//	Interpolate       the text of a value in an interpolated string
//	Notation          the text of an Object
//	Format            Kernel#format, used by sprintf
//	Upcase, Downcase, Capitalize, Swapcase
//	                  Unicode's full case mapping
//	Strip, LeftStrip, RightStrip, Chomp, Chop
//	                  the trimming methods, with Ruby's definition of blanks
//	ParseInteger, ParseFloat
//	                  Kernel#Integer and Kernel#Float of a text
//
// The results of [Text], [Inspect], [Interpolate] and [Notation] contain no
// secrets: a Sensitive is written as its redaction, or as "Instance of" its type.
//
// Methods of Ruby's String and Kernel belong here; functions of Puppet are in package
// stdlib.
package rubytext
