// Package timefmt has the two kinds of time of Pcore, and their formats.
//
// [Instant] is what a Timestamp holds and [Span] what a Timespan holds. Both count
// nanoseconds over billions of years, are comparable with ==, and return [ErrRange] from
// what would leave that range. Their String is the default form, which stands for them in
// rich data.
//
// [InstantFormat] has the directives of Ruby's strftime and strptime, [SpanFormat] those
// Puppet has of its own for Timespans. A format is compiled once, and then formats and
// parses in as many goroutines as there are. [ParseInstant] and [ParseSpan] try several
// formats, by default those of Puppet. [Zone] is a time zone in the ways Puppet names one.
//
// The behaviour is that of Puppet 7.23 on Ruby 3.1, but for these:
//
//   - The default form of a Timespan keeps the zeros at the begin of its fraction, which
//     Puppet loses; see [Span.String].
//   - Times have 64 bits of seconds, where Ruby has integers of any size.
//   - The widths of a format have an upper bound, [MaxPadding] and [MaxParseWidth].
//
// The package knows nothing of Pcore values and imports the standard library only.
package timefmt
