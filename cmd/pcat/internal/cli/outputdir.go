package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/compress"
)

// dirValue is the flag value of a directory. An empty name, such as that of an unset
// variable, is an error.
type dirValue string

// String implements pflag.Value.
func (d *dirValue) String() string { return string(*d) }

// Type implements pflag.Value.
func (*dirValue) Type() string { return "DIR" }

// Set implements pflag.Value.
func (d *dirValue) Set(dir string) error {
	switch dir {
	case "":
		return errors.New("empty directory name; is a variable unset?")
	case Stdin:
		return errors.New("a directory is needed; - is standard output")
	}
	*d = dirValue(dir)
	return nil
}

// outputTree contains the outputs of one run below a directory. Nothing is written outside
// the directory: symbolic links that lead out of it are errors. It is safe for concurrent
// use after plan.
type outputTree struct {
	dir     string
	inputs  []Source
	targets map[string]outputTarget // by the name of the input

	mu      sync.Mutex
	root    *os.Root        // dir; nil before the first output
	created []string        // directories of this run, parents first
	written map[string]bool // paths of complete outputs below dir, and whether they are private
}

// outputTarget is the output of one input.
type outputTarget struct {
	path string // below the directory of the tree
	as   compress.Method
}

// plan decides on the names of the outputs below Dir. It returns a usage error for flags
// that contradict each other, for two inputs with one output, and for an output that is an
// input.
func (o *OutputFlags) plan(sources []Source) error {
	if o.File != "" || o.InPlace {
		return Usage("--output-dir cannot be used together with -o or -i")
	}
	if info, err := os.Stat(o.Dir); err == nil && !info.IsDir() {
		return Usage("--output-dir %s: this is not a directory", o.Dir)
	}
	o.tree = &outputTree{dir: o.Dir, inputs: sources, targets: map[string]outputTarget{}, written: map[string]bool{}}
	for _, src := range sources {
		if src.Name == Stdin {
			return Usage("--output-dir needs files: standard input has no name; use -o FILE")
		}
		path := src.pathBelow()
		as, err := o.compression(compress.ByName(path))
		if err != nil {
			return err
		}
		path = compress.TrimExtension(path)
		if o.Rename != nil {
			path = o.Rename(path)
		}
		o.tree.targets[src.Name] = outputTarget{path + as.Extension(), as}
	}
	return o.tree.check(func(input string) string { return input })
}

// pathBelow returns the path of the source in the directory that was named, or the last
// element of the name of a file that was named itself. A remote source has the name of its
// node.
func (src Source) pathBelow() string {
	if src.Remote() {
		return src.FileName()
	}
	if src.folder != "" {
		if path, err := filepath.Rel(src.folder, src.Name); err == nil && filepath.IsLocal(path) {
			return path
		}
	}
	return filepath.Base(src.Name)
}

// MaskNames replaces the path of each output below Dir by the result of mask, for names
// that contain secrets. It must be called after Check and before the first output. The
// error is a usage error of Check.
func (o *OutputFlags) MaskNames(mask func(string) string) error {
	if o.Dir == "" {
		return nil
	}
	for _, src := range o.tree.inputs {
		t := o.tree.targets[src.Name]
		t.path = filepath.FromSlash(mask(filepath.ToSlash(t.path)))
		if !filepath.IsLocal(t.path) {
			return &Error{Code: ExitInternal, File: o.Dir, Err: errors.New("an output would be written outside the directory; nothing was written")}
		}
		o.tree.targets[src.Name] = t
	}
	return o.tree.check(func(input string) string {
		masked := mask(input)
		if masked != input {
			masked += " (name masked)" // it may look like the name of another input
		}
		return masked
	})
}

// check returns a usage error for two inputs with one output, and for an output that is an
// input. show returns the name of an input for messages.
func (t *outputTree) check(show func(string) string) error {
	taken := make(map[string]Source, len(t.inputs))
	for _, src := range t.inputs {
		key := foldCase(t.targets[src.Name].path)
		if other, ok := taken[key]; ok {
			todo := "use another --output-dir for one of them"
			if other.folder == "" && src.folder == "" {
				todo = "name the directory that contains them, to keep their paths below it, or " + todo
			}
			return Usage("%s and %s would both be written to %s; %s", show(other.Name), show(src.Name), t.name(src.Name), todo)
		}
		taken[key] = src
	}
	for _, src := range t.inputs {
		path := t.targets[src.Name].path
		for dir := filepath.Dir(path); dir != "."; dir = filepath.Dir(dir) {
			if other, ok := taken[foldCase(dir)]; ok {
				return Usage("%s would be written to %s, which has to be a directory for %s; use another --output-dir for one of them",
					show(other.Name), t.name(other.Name), show(src.Name))
			}
		}
	}
	return t.checkInputs(show)
}

// checkInputs returns a usage error if an output would replace an input. It compares paths
// without symbolic links, since an output replaces a name and not the file behind it.
func (t *outputTree) checkInputs(show func(string) string) error {
	if _, err := os.Stat(t.dir); err != nil {
		return nil //nolint:nilerr // no file is in a directory that does not exist
	}
	inputs := make(map[string]bool, 2*len(t.inputs))
	folders := map[string]string{}
	for _, src := range t.inputs {
		if src.Remote() {
			continue
		}
		if real, err := filepath.EvalSymlinks(src.Name); err == nil {
			inputs[realName(folders, real)] = true
		}
		inputs[realName(folders, src.Name)] = true
	}
	for _, src := range t.inputs {
		if name := t.name(src.Name); inputs[realName(folders, name)] {
			return Usage("%s is an input, and the output for %s would replace it; use another --output-dir, or -i to replace the inputs", show(name), show(src.Name))
		}
	}
	return nil
}

// realName returns the absolute path of a name whose directory has no symbolic links.
// folders keeps the directories.
func realName(folders map[string]string, name string) string {
	dir, base := filepath.Split(name)
	real, ok := folders[dir]
	if !ok {
		real = dir
		if abs, err := filepath.Abs(dir); err == nil { // first: the working directory may be reached by a link
			real = abs
		}
		if found, err := filepath.EvalSymlinks(real); err == nil {
			real = found
		}
		folders[dir] = real
	}
	return foldCase(filepath.Join(real, base))
}

// foldCase returns a form of a path that is equal for names that may be the same file.
func foldCase(path string) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.ToLower(path)
	}
	return path
}

// name returns the name of the output for an input, or "" if it has none.
func (t *outputTree) name(input string) string {
	target, ok := t.targets[input]
	if !ok {
		return ""
	}
	return filepath.Join(t.dir, target.path)
}

// write writes the output for an input.
func (t *outputTree) write(ctx context.Context, flags *OutputFlags, s *IOStreams, in *Input, write func(io.Writer) error) error {
	target, name := t.targets[in.Name], t.name(in.Name)
	if err := t.makeFolders(s, filepath.Dir(target.path)); err != nil {
		return outputError(name, err)
	}
	r := replacement{flags: flags, streams: s, name: name, target: target.path, root: t.root}
	switch old, err := t.root.Lstat(target.path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return outputError(name, err)
	case old.Mode().IsRegular():
		r.old = old
	case old.Mode()&fs.ModeSymlink == 0: // a link is replaced, because it could lead anywhere
		return outputError(name, errors.New("the name is taken by something that is not a regular file"))
	}
	if err := r.write(ctx, func(w io.Writer) error { return compressed(target.as, w, write) }); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written[target.path] = flags.Private
	in.Log().Info("written", FileKey, name)
	return nil
}

// makeFolders opens the directory of the tree. It makes this directory and the one at path
// below it if they are missing. Until settle, only their owner can read them.
func (t *outputTree) makeFolders(s *IOStreams, path string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.root == nil {
		if err := t.open(s); err != nil {
			return err
		}
	}
	for _, dir := range prefixes(path) {
		name := filepath.Join(t.dir, dir)
		if err := t.mkdir(s, name, func() error { return t.root.Mkdir(dir, private) }); err != nil {
			return err
		}
		if _, err := t.root.Stat(dir); err != nil && !errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("%s is a link that leads out of %s, or to nothing; remove it, or use another --output-dir", name, t.dir)
		}
	}
	return nil
}

// private is the mode of a new directory.
const private fs.FileMode = 0o700

// open opens the directory of the tree, and makes it and its parents if they are missing.
func (t *outputTree) open(s *IOStreams) (err error) {
	for _, dir := range prefixes(t.dir) {
		mode := fs.ModePerm // a parent, which contains only the next directory
		if dir == filepath.Clean(t.dir) {
			mode = private
		}
		if err := t.mkdir(s, dir, func() error { return os.Mkdir(dir, mode) }); err != nil {
			return err
		}
	}
	t.root, err = os.OpenRoot(t.dir)
	return err
}

// mkdir makes a directory by calling mkdir, unless it exists.
func (t *outputTree) mkdir(s *IOStreams, name string, mkdir func() error) error {
	switch err := s.temps.mkdir(name, mkdir); {
	case err == nil:
		t.created = append(t.created, name)
		return nil
	case errors.Is(err, fs.ErrExist):
		return nil
	default:
		return err
	}
}

// prefixes returns a path and the directories that contain it, the outermost first. It
// leaves out the working and the root directory.
func prefixes(path string) (dirs []string) {
	for dir := filepath.Clean(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

// Finish ends the output below Dir: a new directory without private outputs gets the mode
// that the umask allows, and one without any output is removed. If there is more than one
// input, it reports err, the error of the run, and then logs how many outputs were written;
// skipped is the number of files that are no inputs. The result has the exit code for err.
// Without Dir, it is err.
func (o *OutputFlags) Finish(s *IOStreams, skipped int, err error) error {
	t := o.tree
	if t == nil {
		return err
	}
	if t.root != nil {
		err = errors.Join(err, outputError(t.dir, errors.Join(t.settle(), t.root.Close())))
	}
	all := len(t.inputs)
	if all+skipped <= 1 {
		return err
	}
	s.Report(err)
	text := fmt.Sprintf("%d written to %s", len(t.written), t.dir)
	if failed := all - len(t.written); failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	if skipped > 0 {
		text += fmt.Sprintf(", %d skipped (no catalog)", skipped)
	}
	s.Notice(text)
	return Exit(CodeOf(err))
}

// settle gives the new directories their modes.
func (t *outputTree) settle() error {
	secrets := map[string]bool{} // directories with outputs, and whether one of them is private
	for path, secret := range t.written {
		for dir := filepath.Join(t.dir, filepath.Dir(path)); ; dir = filepath.Dir(dir) {
			secrets[dir] = secrets[dir] || secret
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	var mode fs.FileMode
	for _, dir := range slices.Backward(t.created) {
		secret, used := secrets[dir]
		path, err := filepath.Rel(t.dir, dir)
		switch {
		case !used:
			_ = os.Remove(dir) // another process may have put files there
			continue
		case secret || err != nil || !filepath.IsLocal(path): // a parent of the tree has its mode
			continue
		}
		if mode == 0 {
			if mode, err = t.newFolderMode(); err != nil {
				return err
			}
		}
		if err := t.root.Chmod(path, mode); err != nil {
			return err
		}
	}
	return nil
}

// newFolderMode creates and removes a directory to find the mode of a new one.
func (t *outputTree) newFolderMode() (fs.FileMode, error) {
	name := ".pcat-" + rand.Text()[:8]
	if err := t.root.Mkdir(name, fs.ModePerm); err != nil {
		return 0, err
	}
	info, err := t.root.Stat(name)
	if err := errors.Join(err, t.root.Remove(name)); err != nil {
		return 0, err
	}
	return info.Mode() & (fs.ModePerm | fs.ModeSetgid | fs.ModeSticky), nil
}
