// Package timefmt implements the two kinds of time of Pcore, and their formats.
//
// [Instant] is the value of a Timestamp and [Span] the value of a Timespan.
// Both count nanoseconds over billions of years and are comparable with ==;
// operations that would leave their range return [ErrRange]. String returns the
// default format, which represents them in rich data.
//
// [InstantFormat] supports the directives of Ruby's strftime and strptime,
// [SpanFormat] Puppet's own ones for Timespans. A format is compiled once and
// then safe for concurrent use. [ParseInstant] and [ParseSpan] try several
// formats, by default Puppet's. [Zone] is a time zone in the notations that
// Puppet supports.
//
// The behavior is that of Puppet 7.23 on Ruby 3.1, with these exceptions:
//
//   - The default format of a Timespan keeps the leading zeros of its fraction,
//     which Puppet drops; see [Span.String].
//   - Times have 64 bits of seconds; Ruby's integers are unbounded.
//   - The widths of a format are limited; see [MaxPadding] and [MaxParseWidth].
//
// The package does not depend on Pcore values and only imports the standard
// library.
//
// Instants, spans and their formats belong here; package pcore makes values of them.
package timefmt
