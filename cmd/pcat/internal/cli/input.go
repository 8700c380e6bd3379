package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/internal/compress"
)

// ErrNoInput is returned by [InputFlags.Sources] if no file is named and standard input is
// a terminal. The command tree then prints the help of the command.
var ErrNoInput = errors.New("no input: name a file, or pipe one to standard input")

// Stdin is the name of standard input, and of standard output, on the command line.
const Stdin = "-"

// defaultMaxSize bounds one input after decompression.
const defaultMaxSize = 4 << 30

// InputFlags are the flags of a command that reads files. Declare them with AddFlags.
type InputFlags struct {
	FilesFrom  string // a file of file names, [Stdin] for standard input
	MaxSize    Size   // bytes of one input after decompression; 0 means 4 GiB
	AllowEmpty bool   // no input at all is no error
	Skip       string // a directory that is left out below other directories; empty for none
	// Remotes finds the inputs of arguments that name no files. Nil finds none. It is not
	// asked about names in FilesFrom.
	Remotes Remotes
}

// AddFlags declares the flags.
func (in *InputFlags) AddFlags(flags *pflag.FlagSet) {
	in.MaxSize = defaultMaxSize
	flags.StringVar(&in.FilesFrom, "files-from", "", "read file names from `FILE` (- for stdin), separated by line breaks or NUL")
	flags.Var(&in.MaxSize, "max-size", "maximum `SIZE` of an input after decompression")
	flags.BoolVar(&in.AllowEmpty, "allow-empty", false, "succeed without input (default: exit code 3)")
}

// Nothing returns the error for a run without anything to process, or nil if that is
// allowed. file is the location that was searched, and why says what was searched for.
func (in *InputFlags) Nothing(file, why string) error {
	if in.AllowEmpty {
		return nil
	}
	return BadInput(file, "", errors.New(why+"; to accept this, use --allow-empty"))
}

// Source is one input to read.
type Source struct {
	Name  string // as it was named or found; [Stdin] for standard input
	Found bool   // found in a directory, so that it may be skipped if it is not an input of the command

	streams *IOStreams
	log     *slog.Logger // nil for that of streams
	maxSize int64
	folder  string      // the directory argument below which it was found; empty for none
	remote  *remoteData // nil for a file or standard input
}

// Sources returns the inputs for args, each once and in order. An argument is a file, "-",
// a directory (all its files except hidden ones, sorted by path), or a pattern if no such
// file exists. An unreadable subdirectory becomes a source that fails to open. An argument
// that Remotes knows is listed by it. Without arguments, the input is standard input; if
// that is a terminal, the error is [ErrNoInput]. If there is no source, the error says
// where sources were searched for, unless AllowEmpty is set, in which case an empty
// standard input is no source, either.
func (in *InputFlags) Sources(ctx context.Context, s *IOStreams, args []string) ([]Source, error) {
	args, list, err := in.names(s, args)
	if err != nil {
		return nil, err
	}
	x := expansion{flags: in, streams: s, maxSize: int64(in.MaxSize), seen: make(map[string]bool)}
	if x.maxSize <= 0 {
		x.maxSize = defaultMaxSize
	}
	for _, arg := range args {
		add := x.add
		if in.Remotes != nil && in.Remotes.Named(arg) {
			add = func(arg string) error { return x.addRemotes(ctx, arg) }
		}
		if err := add(arg); err != nil {
			return nil, err
		}
	}
	for _, name := range list {
		if err := x.add(name); err != nil {
			return nil, err
		}
	}
	return x.sources, x.nothing()
}

// names returns the arguments, or those that are used without any, and the names in FilesFrom.
func (in *InputFlags) names(s *IOStreams, args []string) (given, list []string, err error) {
	if in.FilesFrom == "" {
		if len(args) == 0 && s.InTerminal {
			return nil, nil, ErrNoInput
		}
		if len(args) == 0 {
			return []string{Stdin}, nil, nil
		}
		return args, nil, nil
	}
	if list, err = in.readList(s); err != nil {
		return nil, nil, err
	}
	if in.FilesFrom == Stdin && (slices.Contains(args, Stdin) || slices.Contains(list, Stdin)) {
		return nil, nil, Usage("standard input cannot be both the list of file names and an input")
	}
	return args, list, nil
}

// readList reads file names, separated by line breaks or, as written by find -print0, by NUL.
func (in *InputFlags) readList(s *IOStreams) ([]string, error) {
	var text []byte
	var err error
	if in.FilesFrom == Stdin {
		text, err = io.ReadAll(s.In)
	} else {
		text, err = os.ReadFile(in.FilesFrom)
	}
	if err != nil {
		return nil, BadInput(in.FilesFrom, "", err)
	}
	end := "\n"
	if bytes.IndexByte(text, 0) >= 0 {
		end = "\x00"
	}
	var names []string
	for name := range strings.SplitSeq(string(text), end) {
		if end == "\n" {
			name = strings.TrimSuffix(name, "\r")
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// expansion collects sources.
type expansion struct {
	flags   *InputFlags
	streams *IOStreams
	maxSize int64
	seen    map[string]bool // by cleaned path
	sources []Source
	empty   []string // directories without files
}

// nothing returns the error for no sources. If there are others, it only warns of
// directories without files: the name could be wrong.
func (x *expansion) nothing() error {
	const why = "the directory contains no files"
	if len(x.sources) > 0 || x.flags.AllowEmpty {
		for _, dir := range x.empty {
			x.streams.Log.Warn(why, FileKey, dir)
		}
		return nil
	}
	if len(x.empty) == 0 {
		return x.flags.Nothing(x.flags.FilesFrom, "the list contains no file names")
	}
	var errs []error
	for _, dir := range x.empty {
		errs = append(errs, x.flags.Nothing(dir, why))
	}
	return errors.Join(errs...)
}

func (x *expansion) add(name string) error {
	if name == "" { // from an unset variable
		return Usage("empty file name; is a variable unset?")
	}
	if name == Stdin {
		if x.seen[Stdin] {
			return Usage("standard input (-) can be given only once")
		}
		if x.flags.AllowEmpty && x.streams.stdinEmpty() {
			x.seen[Stdin] = true
			return nil
		}
		x.append(Stdin, "", false)
		return nil
	}
	info, err := os.Stat(name)
	if isMissing(err) {
		if wrong := noURL(name); wrong != nil {
			return wrong
		}
	}
	switch {
	case isMissing(err) && strings.ContainsAny(name, "*?["):
		return x.addPattern(name)
	case err != nil:
		return BadInput(name, "", err)
	case info.IsDir():
		return x.addDir(name)
	}
	x.append(name, "", false)
	return nil
}

func (x *expansion) addPattern(pattern string) error {
	if strings.Contains(pattern, "**") {
		return Usage("%s: ** is not supported; name the directory, which is read recursively", pattern)
	}
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return Usage("%s: %w", pattern, err)
	}
	matches = slices.DeleteFunc(matches, func(m string) bool { return hidden(pattern, m) })
	if len(matches) == 0 {
		return x.flags.Nothing(pattern, "no file matches")
	}
	for _, m := range matches {
		if err := x.add(m); err != nil {
			return err
		}
	}
	return nil
}

// hidden reports whether a name in match starts with a dot where the pattern does not.
// Shells skip such names.
func hidden(pattern, match string) bool {
	asked := strings.Split(filepath.Clean(pattern), string(filepath.Separator))
	for i, name := range strings.Split(filepath.Clean(match), string(filepath.Separator)) {
		if strings.HasPrefix(name, ".") && i < len(asked) && !strings.HasPrefix(asked[i], ".") {
			return true
		}
	}
	return false
}

func (x *expansion) addDir(dir string) error {
	empty := true
	found := func(path string) {
		empty = false
		x.append(path, dir, true)
	}
	root := dir
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		root += string(filepath.Separator) // WalkDir follows no link
	}
	skip := x.skipped()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return BadInput(dir, "", err)
		case err != nil: // opening it reports the error, as for an unreadable file
			empty = false
			x.append(path, dir, false)
		case path != root && d.IsDir() && isFile(d, skip):
			x.streams.Log.Info("not searched: it is the output directory", FileKey, path)
			return filepath.SkipDir
		case path != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.Type().IsRegular():
			found(path)
		case d.Type()&fs.ModeSymlink != 0: // links to files are read; links to directories could form a cycle
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				found(path)
			}
		}
		return nil
	})
	if err == nil && empty {
		x.empty = append(x.empty, dir)
	}
	return err
}

// skipped returns the directory to skip, or nil.
func (x *expansion) skipped() fs.FileInfo {
	if x.flags.Skip == "" {
		return nil
	}
	info, err := os.Stat(x.flags.Skip)
	if err != nil {
		return nil
	}
	return info
}

// isFile reports whether the entry is the given file.
func isFile(d fs.DirEntry, file fs.FileInfo) bool {
	if file == nil {
		return false
	}
	info, err := d.Info()
	return err == nil && os.SameFile(info, file)
}

// append adds a source unless it was added before. folder is the directory argument below
// which it was found.
func (x *expansion) append(name, folder string, found bool) {
	key := filepath.Clean(name)
	if x.seen[key] {
		return
	}
	x.seen[key] = true
	x.sources = append(x.sources, Source{Name: name, Found: found, folder: folder, streams: x.streams, maxSize: x.maxSize})
}

// Log returns the logger for messages about the source. If several sources are processed at
// a time, messages keep the order of the sources.
func (src Source) Log() *slog.Logger {
	if src.log != nil {
		return src.log
	}
	return src.streams.Log
}

// Silent returns the source with a log that discards everything.
func (src Source) Silent() Source {
	src.log = slog.New(slog.DiscardHandler)
	return src
}

// Open opens the source for reading, and decompresses gzip and zstd. Errors of Open and of
// reading are [Error]s with code [ExitBadInput] that name the source. After ctx is done,
// reading returns its error.
func (src Source) Open(ctx context.Context) (*Input, error) {
	in := &Input{Source: src, ctx: ctx}
	switch {
	case src.remote != nil:
		data, err := src.remote.read(ctx, src.maxSize)
		if err != nil {
			return nil, BadRemote(src.Name, err)
		}
		in.raw = bytes.NewReader(data)
	case src.Name == Stdin:
		in.raw = src.streams.In
		in.file = seekable(src.streams.files[0])
	default:
		f, err := os.Open(src.Name)
		if err != nil {
			return nil, BadInput(src.Name, "", err)
		}
		in.raw, in.closer, in.file = f, f, seekable(f)
	}
	in.start = startOffset(in.file)
	if err := in.begin(); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}

// ReadAll returns the whole content, decompressed. See [Source.Open].
func (src Source) ReadAll(ctx context.Context) (data []byte, err error) {
	in, err := src.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	buf := bytes.NewBuffer(make([]byte, 0, in.sizeHint()))
	if _, err := buf.ReadFrom(in); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// Input is an open [Source]. It is not safe for concurrent use.
type Input struct {
	Source
	ctx    context.Context //nolint:containedctx // a reader has no other way to see the interrupt
	raw    io.Reader
	closer io.Closer
	file   *os.File // raw, when it can be read again
	start  int64    // of the input in file
	body   *compress.Reader
	left   int64 // bytes that may still be read before the size limit
	closed bool
}

// begin detects the compression and creates the decompressor.
func (in *Input) begin() error {
	in.left = in.maxSize
	var err error
	if in.body, err = compress.NewReader(in.raw); err != nil {
		return BadInput(in.Name, "", err)
	}
	return nil
}

// Compression returns the compression of the source.
func (in *Input) Compression() compress.Method { return in.body.Method() }

// Read implements io.Reader.
func (in *Input) Read(p []byte) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := in.body.Read(p)
	if in.left -= int64(n); in.left < 0 {
		return n, in.tooLarge()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = BadInput(in.Name, "", err)
	}
	return n, err
}

// Close releases the input. Standard input stays open. Calls after the first do nothing.
func (in *Input) Close() error {
	if in.closed {
		return nil
	}
	in.closed = true
	if in.body != nil {
		in.body.Close()
	}
	if in.closer == nil {
		return nil
	}
	if err := in.closer.Close(); err != nil {
		return BadInput(in.Name, "", err)
	}
	return nil
}

// sizeHint returns the initial buffer size of ReadAll: the size of the file, up to a limit.
func (in *Input) sizeHint() int64 {
	if in.file == nil || in.Compression() != compress.None {
		return bytes.MinRead
	}
	info, err := in.file.Stat()
	if err != nil {
		return bytes.MinRead
	}
	return min(info.Size(), in.maxSize, 1<<30) + bytes.MinRead
}

// stdinEmpty reports whether standard input ends before its first byte. It waits for that byte.
func (s *IOStreams) stdinEmpty() bool {
	if f := seekable(s.files[0]); f != nil {
		info, err := f.Stat()
		return err == nil && info.Size() <= startOffset(f)
	}
	buf := bufio.NewReader(s.In)
	s.In = buf
	_, err := buf.Peek(1)
	return errors.Is(err, io.EOF)
}

func seekable(f *os.File) *os.File {
	if f == nil {
		return nil
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return f
}
