// Package cli has the parts that all commands share. It handles opaque bytes, and knows
// neither catalogs nor forms.
//
// A command gets [IOStreams]: the standard streams, a logger, and the [Settings] of the
// global flags. Its [InputFlags] expand arguments to [Source] values; a source opens as an
// [Input] stream, or as [Content] that can be read repeatedly. Both decompress gzip and
// zstd within limits. [OutputFlags] write atomically, and a [Spool] stores data until it
// can be written. [JobFlags] process several sources at a time and keep their order.
//
// An [Error] has an [ExitCode] and a location; [IOStreams.Report] prints it.
package cli
