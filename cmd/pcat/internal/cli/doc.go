// Package cli is the ground every pcat command stands on. It moves opaque bytes and knows neither
// catalogs nor formats.
//
//   - streams.go: [IOStreams], the standard streams and the choices made about them
//   - color.go: [ColorMode], when output is coloured
//   - log.go: the logger behind -q, -v and --log-format
//   - error.go: [Error] and [ExitCode], what a failure prints and how the process ends
//   - input.go: [InputFlags] and [Source], from arguments to files to read
//   - compress.go: gzip and zstd, found by content and kept within bounds
//   - output.go: [OutputFlags], atomic writing
//   - temp.go: the temporary files that an interrupt must not leave behind
//   - nearest.go: [DidYouMean], what was likely meant by a wrong word
//   - complete.go: [Words] and [CompleteFlag], what a shell offers
//   - size.go: [Size], a number of bytes as a flag
package cli
