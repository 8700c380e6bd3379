package cli

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/internal/compress"
)

// The standard streams in messages.
const (
	stdoutName = "standard output"
	stderrName = "standard error"
)

// OutputFlags are the flags of a command that writes a file. Declare them with AddFlags, or
// with AddFileFlag or AddDirFlag for a command that has only that one.
type OutputFlags struct {
	File    string // empty or "-" for standard output
	InPlace bool   // write each result over its input
	Dir     string // write each result below this directory; Check decides on the names
	// Rename returns the name of an output below Dir for the name of its input, which may
	// be a path. Extensions of compressions are handled before. Nil keeps the name.
	Rename func(string) string
	// Compress names a [compress.Method]. Empty selects it by the file name or, with
	// InPlace, as in the input.
	Compress string
	Private  bool // the output contains secrets, so only its owner may read it; set before writing ends

	tree *outputTree // the plan for Dir
}

// AddFileFlag declares -o.
func (o *OutputFlags) AddFileFlag(flags *pflag.FlagSet) {
	flags.StringVarP(&o.File, "output", "o", "", "write to `FILE`, atomically")
}

// AddDirFlag declares --output-dir.
func (o *OutputFlags) AddDirFlag(flags *pflag.FlagSet, usage string) {
	flags.Var((*dirValue)(&o.Dir), "output-dir", usage)
}

// AddFlags declares -o, -i, --output-dir and --compress.
func (o *OutputFlags) AddFlags(flags *pflag.FlagSet) {
	o.AddFileFlag(flags)
	flags.BoolVarP(&o.InPlace, "in-place", "i", false, "replace each input with its result, atomically")
	o.AddDirFlag(flags, "write each result below `DIR`, under the path of its input relative to the directory argument")
	flags.StringVar(&o.Compress, "compress", "", "compress the output: `HOW` is gzip, zstd or none; by default, follow the file name (.gz, .zst)")
}

// Given reports whether a flag was given.
func (o *OutputFlags) Given() bool {
	return o.File != "" || o.InPlace || o.Dir != "" || o.Compress != ""
}

// Check returns a usage error for flags that would lose data: -i for standard input, a file
// that is both input and output, or several inputs for one output if single is set. With
// Dir, it decides on the names of the outputs.
func (o *OutputFlags) Check(s *IOStreams, sources []Source, single bool) error {
	if _, err := o.compression(compress.None); err != nil {
		return err
	}
	switch {
	case o.Dir != "":
		return o.plan(sources)
	case o.InPlace:
		return o.checkInPlace(sources)
	case single && len(sources) > 1:
		return Usage("cannot write %d inputs to one output; use --output-dir DIR or -i, or one input at a time", len(sources))
	}
	target, name := o.existing(s)
	if target == nil {
		return nil
	}
	for _, src := range sources {
		if info, err := src.stat(); err == nil && info.Mode().IsRegular() && os.SameFile(info, target) {
			return Usage("%s is both input and output; use -i to replace the input", name)
		}
	}
	return nil
}

// CheckTerminal returns a usage error if binary or compressed output would go to a terminal
// without -o -.
func (o *OutputFlags) CheckTerminal(s *IOStreams, binary bool) error {
	as, err := o.compression(compress.None)
	if err != nil {
		return err
	}
	if s.OutTerminal && o.File == "" && o.ToStdout() && !o.InPlace && (binary || as != compress.None) {
		return Usage("not writing binary output to the terminal; use -o FILE, or -o - to write it anyway")
	}
	return nil
}

func (o *OutputFlags) checkInPlace(sources []Source) error {
	if o.File != "" {
		return Usage("-i and -o cannot be used together")
	}
	for _, src := range sources {
		if src.Name == Stdin {
			return Usage("-i needs files: standard input cannot be replaced")
		}
		if src.Remote() {
			return Usage("-i needs files: %s cannot be replaced; use -o FILE or --output-dir DIR", src.Name)
		}
	}
	return nil
}

// existing returns the output file, or nil if it does not exist yet.
func (o *OutputFlags) existing(s *IOStreams) (info fs.FileInfo, name string) {
	var err error
	switch {
	case !o.ToStdout():
		info, err = os.Stat(o.File)
		name = o.File
	case s.files[1] != nil:
		info, err = s.files[1].Stat()
		name = stdoutName
	}
	if err != nil {
		return nil, ""
	}
	return info, name
}

// ToStdout reports whether the output goes to standard output, unless InPlace says otherwise.
func (o *OutputFlags) ToStdout() bool { return o.Dir == "" && (o.File == "" || o.File == Stdin) }

func (src Source) stat() (fs.FileInfo, error) {
	if src.Remote() {
		return nil, fs.ErrNotExist
	}
	if src.Name != Stdin {
		return os.Stat(src.Name)
	}
	if f := src.streams.files[0]; f != nil {
		return f.Stat()
	}
	return nil, fs.ErrNotExist
}

// Write calls write with the output of the flags: standard output, the file of -o, with -i
// the file of in, or its output below Dir. A file is replaced only if write succeeds: the
// content is written to a temporary file in the same folder, synced and renamed; with -i,
// in is closed before. Mode and owner are kept. Symbolic links are followed, except those
// below Dir that lead out of it. Without -i and Dir, in may be nil.
func (o *OutputFlags) Write(ctx context.Context, s *IOStreams, in *Input, write func(io.Writer) error) error {
	if o.Dir != "" {
		return o.tree.write(ctx, o, s, in, write)
	}
	as := compress.ByName(o.File)
	if o.InPlace {
		as = in.Compression()
	}
	as, err := o.compression(as)
	if err != nil {
		return err
	}
	pressed := func(w io.Writer) error { return compressed(as, w, write) }
	switch {
	case o.InPlace:
		return o.writeFile(ctx, s, in.Name, in, pressed)
	case o.ToStdout():
		return buffered(ctx, stdoutName, s.Out, pressed)
	default:
		return o.writeFile(ctx, s, o.File, nil, pressed)
	}
}

// Target returns the name of the output file for an input, or "" for standard output.
func (o *OutputFlags) Target(input string) string {
	switch {
	case o.InPlace:
		return input
	case o.Dir != "":
		return o.tree.name(input)
	case o.ToStdout():
		return ""
	default:
		return o.File
	}
}

// Kept describes the hard links that keep the old content of the file that
// [OutputFlags.Write] replaces, or returns "" if there are none. input is the name of the
// input. Call Kept before Write, which gives the new content to one link only.
func (o *OutputFlags) Kept(input string) string {
	name := o.Target(input)
	if name == "" {
		return ""
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	links, inode := linksOf(info)
	switch links {
	case 0, 1:
		return ""
	case 2:
		return fmt.Sprintf("another hard link keeps the old content; find -inum %d finds it", inode)
	}
	return fmt.Sprintf("%d other hard links keep the old content; find -inum %d finds them", links-1, inode)
}

// compression returns that of the flags, otherwise when they name none.
func (o *OutputFlags) compression(otherwise compress.Method) (compress.Method, error) {
	if o.Compress == "" {
		return otherwise, nil
	}
	for _, c := range compress.Methods() {
		if o.Compress == c.String() {
			return c, nil
		}
	}
	return 0, Usage("--compress: unknown compression %q; use gzip, zstd or none", o.Compress)
}

func compressed(c compress.Method, w io.Writer, write func(io.Writer) error) error {
	z, err := compress.NewWriter(c, w)
	if err != nil {
		return err
	}
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

// buffered buffers writes to the file called name, and fails after ctx is done. Data
// written before an error is flushed, so that a reader of standard output sees it.
func buffered(ctx context.Context, name string, w io.Writer, write func(io.Writer) error) error {
	buf := bufio.NewWriterSize(namedWriter{ctx, name, w}, 64<<10)
	err := write(buf)
	if flushErr := buf.Flush(); err == nil {
		err = flushErr
	}
	return err
}

type namedWriter struct {
	ctx  context.Context //nolint:containedctx // a writer has no other way to see the interrupt
	name string
	w    io.Writer
}

func (n namedWriter) Write(p []byte) (int, error) {
	if err := n.ctx.Err(); err != nil {
		return 0, err
	}
	written, err := n.w.Write(p)
	return written, outputError(n.name, err)
}

// writeFile writes the file called name. It closes the input in, which may be nil, before
// it replaces the file.
func (o *OutputFlags) writeFile(ctx context.Context, s *IOStreams, name string, in *Input, write func(io.Writer) error) error {
	old, err := os.Stat(name)
	if err == nil && !old.Mode().IsRegular() { // a device or a pipe cannot be replaced
		return o.writeThrough(ctx, name, write)
	}
	target, linkErr := followLinks(name) // not for a pipe: /dev/fd/3 links to no path
	switch {
	case linkErr != nil:
		return outputError(name, linkErr)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return outputError(name, err)
	}
	r := replacement{flags: o, streams: s, name: name, target: target, input: in}
	if err == nil {
		r.old = old
	}
	return r.write(ctx, write)
}

// CheckWritable returns an error if the file of -o cannot be created or replaced, so that
// long work is not lost. It creates a temporary file beside it, and removes it.
func (o *OutputFlags) CheckWritable(s *IOStreams) error {
	if o.ToStdout() || o.InPlace {
		return nil
	}
	switch info, err := os.Stat(o.File); {
	case err == nil && info.IsDir():
		return outputError(o.File, syscall.EISDIR)
	case err == nil && !info.Mode().IsRegular():
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return outputError(o.File, err)
	}
	target, err := followLinks(o.File)
	if err != nil {
		return outputError(o.File, err)
	}
	f, err := s.temps.create(func() (*os.File, error) { return createBeside(target, 0o600) })
	if err != nil {
		return outputError(o.File, err)
	}
	defer s.temps.remove(f.Name())
	return outputError(o.File, f.Close())
}

func (o *OutputFlags) writeThrough(ctx context.Context, name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return outputError(name, err)
	}
	if err := buffered(ctx, name, f, write); err != nil {
		return errors.Join(err, f.Close())
	}
	return outputError(name, f.Close())
}

// replacement replaces or creates a file atomically.
type replacement struct {
	flags   *OutputFlags
	streams *IOStreams
	name    string      // as the user wrote it
	target  string      // the file behind all links; with root, its path there
	old     fs.FileInfo // nil when there is none
	root    *os.Root    // the directory that the target must not leave; nil for none
	input   *Input      // the old file, if it is the input; nil otherwise
}

func (r *replacement) write(ctx context.Context, write func(io.Writer) error) error {
	f, err := r.streams.temps.create(r.createTemp)
	if err != nil {
		return outputError(r.name, err)
	}
	defer r.streams.temps.remove(f.Name())
	if err := buffered(ctx, r.name, f, write); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(r.settle(f), f.Close()); err != nil {
		return outputError(r.name, err)
	}
	if r.input != nil { // Windows replaces no open file
		if err := r.input.Close(); err != nil {
			return err
		}
	}
	if err := r.streams.temps.rename(f.Name(), func() error { return r.rename(f.Name()) }); err != nil {
		return outputError(r.name, err)
	}
	syncDir(filepath.Dir(f.Name()))
	return nil
}

// rename gives a temporary file the name of the target.
func (r *replacement) rename(temp string) error {
	if r.root == nil {
		return os.Rename(temp, r.target)
	}
	return r.root.Rename(filepath.Join(filepath.Dir(r.target), filepath.Base(temp)), r.target)
}

// createTemp creates an empty file beside the target. From its creation, only its owner can
// open it: narrowing the mode later would let other users open the file before.
func (r *replacement) createTemp() (*os.File, error) { return r.createBeside(0o600) }

// createBeside creates an empty file in the folder of the target. The umask narrows mode.
func (r *replacement) createBeside(mode fs.FileMode) (*os.File, error) {
	if r.root != nil {
		return createWith(r.root.OpenFile, r.target, mode)
	}
	return createBeside(r.target, mode)
}

// createBeside creates an empty file in the folder of target. The umask narrows mode.
func createBeside(target string, mode fs.FileMode) (*os.File, error) {
	return createWith(os.OpenFile, target, mode)
}

func createWith(open func(string, int, fs.FileMode) (*os.File, error), target string, mode fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(target)
	for {
		f, err := open(dir+"."+base+".pcat-"+rand.Text()[:8], os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// settle gives the file its final owner and mode, and makes its content durable.
func (r *replacement) settle(f *os.File) error {
	if r.old != nil {
		if err := keepOwner(f, r.old); err != nil {
			return err
		}
	}
	mode, err := r.mode()
	if err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	return f.Sync()
}

// mode returns the final mode: the mode of the old file, or the mode of a new file
// according to the umask or the access list of the folder. Private output keeps only the
// permissions of the owner.
func (r *replacement) mode() (fs.FileMode, error) {
	const owners = 0o600
	switch {
	case r.old != nil && r.flags.Private:
		return r.old.Mode().Perm() & owners, nil
	case r.old != nil:
		return r.old.Mode().Perm(), nil
	case r.flags.Private:
		return owners, nil
	}
	return r.newFileMode()
}

// newFileMode creates and removes an empty file to find the mode of a new file. The umask
// cannot be read without changing it for the whole process, and access lists depend on the
// file system.
func (r *replacement) newFileMode() (fs.FileMode, error) {
	f, err := r.streams.temps.create(func() (*os.File, error) { return r.createBeside(0o666) })
	if err != nil {
		return 0, err
	}
	defer r.streams.temps.remove(f.Name())
	info, err := f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// syncDir makes a rename durable. It ignores errors, because some file systems do not support this.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// followLinks returns the target of the symbolic links at name, which need not exist.
func followLinks(name string) (string, error) {
	const maxLinks = 40
	for range maxLinks {
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || (err == nil && info.Mode()&fs.ModeSymlink == 0) {
			return name, nil
		}
		if err != nil {
			return "", err
		}
		link, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(name), link)
		}
		name = link
	}
	return "", fmt.Errorf("more than %d levels of symbolic links", maxLinks)
}

// outputError returns err as an [Error] with code [ExitInternal] for the output called
// name. It returns nil, cancellations and errors of type *Error unchanged.
func outputError(name string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.As(err, new(*Error)) {
		return err
	}
	return &Error{Code: ExitInternal, File: name, Err: fmt.Errorf("cannot write: %w", WithoutPath(err))}
}
