package compile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// preparation is a shell command that completes a tree.
type preparation struct {
	command string
	// script is the digest of the script that command begins with, if it has an absolute path: an edited script
	// is another command. Scripts below the tree are files of the tree.
	script string
	// key are the files in the directory of the environment that decide what the command writes. Empty means
	// the whole tree.
	key     []string
	timeout time.Duration
}

// newPreparation returns the preparation of o. Without a key, an installer of modules has its files.
func newPreparation(o *Options) preparation {
	p := preparation{command: o.Prepare, script: scriptDigest(o.Prepare), key: o.PrepareKey, timeout: prepareTimeout}
	if p.key != nil {
		return p
	}
	if m := installer.Get().FindStringSubmatch(strings.TrimSpace(p.command)); m != nil {
		p.key = installerFiles(strings.Fields(m[1])[0])
	}
	return p
}

// scriptDigest returns the digest of the file that a command begins with, or nothing if it does not begin with the
// absolute path of a file.
func scriptDigest(command string) string {
	words := strings.Fields(command)
	if len(words) == 0 || !filepath.IsAbs(words[0]) {
		return ""
	}
	if info, err := os.Stat(words[0]); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	data, err := os.ReadFile(words[0])
	if err != nil {
		return "" // sh reports it, unless the word has quotes
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// installer matches a command that only installs the modules of a Puppetfile: one without another command, and
// without a path.
var installer = lazyregexp.New(`^(?:bundle exec )?(r10k puppetfile install|librarian-puppet install|bolt module install)(?: -[-\w]+)*$`)

// installerFiles returns the files that an installer of modules reads.
func installerFiles(name string) []string {
	switch name {
	case "librarian-puppet":
		return []string{"Puppetfile", "Puppetfile.lock", "metadata.json"}
	case "bolt":
		return []string{"Puppetfile", "bolt-project.yaml"}
	default:
		return []string{"Puppetfile"}
	}
}

// addedPrefix begins the name of the list of the files that a command added to a tree. It ends with
// [preparation.id].
const addedPrefix = "added-"

// id identifies what the command adds to a tree in which it did not run yet. It is empty if that is not known.
// dir is the directory of the environment, and below is its path below the root.
func (p *preparation) id(dir, below string) (string, error) {
	if len(p.key) == 0 {
		return "", nil
	}
	sum := sha256.New()
	sum.Write(fmt.Appendf(nil, "%q %q %q\n", below, p.command, p.script))
	for _, name := range p.key {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		sum.Write(fmt.Appendf(nil, "%q %v %q\n", name, err == nil, data))
	}
	const length = 16
	return hex.EncodeToString(sum.Sum(nil)[:length]), nil
}

// prepare completes the tree in folder/tree, a folder of trees: with the files that the command added to another
// tree, or by the command.
func (p *preparation) prepare(ctx context.Context, trees, folder, below string) error {
	root := filepath.Join(folder, treeName)
	dir := filepath.Join(root, below)
	if p.command == "" || !isDir(dir) {
		return nil
	}
	id, err := p.id(dir, below)
	if err != nil {
		return err
	}
	if id == "" {
		return p.run(ctx, dir)
	}
	list := filepath.Join(folder, addedPrefix+id)
	if names := copyAdded(trees, addedPrefix+id, root); names != nil {
		return os.WriteFile(list, names, 0o600)
	}
	before, err := describe(root)
	if err != nil {
		return err
	}
	if err := p.run(ctx, dir); err != nil {
		return err
	}
	after, err := describe(root)
	if err != nil {
		return err
	}
	names, ok := added(root, before, after)
	if !ok {
		return nil // another tree needs a run of its own
	}
	return os.WriteFile(list, []byte(strings.Join(names, "\x00")), 0o600)
}

// entry describes a file or a directory of a tree.
type entry struct {
	mode   fs.FileMode
	size   int64     // 0 for a directory
	time   time.Time // zero for a directory
	target string    // of a symbolic link
}

// describe returns all entries of a tree, by path below root.
func describe(root string) (map[string]entry, error) {
	all := make(map[string]entry)
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e := entry{mode: info.Mode()}
		if !d.IsDir() {
			e.size, e.time = info.Size(), info.ModTime()
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			if e.target, err = os.Readlink(name); err != nil {
				return err
			}
		}
		name, err = filepath.Rel(root, name)
		all[name] = e
		return err
	})
	return all, err
}

// added returns the paths that a command added, sorted. It reports false if the command did anything else, so that another
// tree cannot have the same: it changed a file, or made a link to this very tree, or another kind of file.
func added(root string, before, after map[string]entry) ([]string, bool) {
	for name, e := range before {
		if after[name] != e {
			return nil, false
		}
	}
	var names []string
	for name, e := range after {
		if _, was := before[name]; was {
			continue
		}
		switch {
		case !e.mode.IsRegular() && !e.mode.IsDir() && e.mode&fs.ModeSymlink == 0, strings.HasPrefix(e.target, root):
			return nil, false
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, true
}

// copyAdded adds the files that a list names to the tree at root, from a finished tree that has this list. It returns the
// list, or nil if there is none or the files do not fit.
func copyAdded(trees, list, root string) []byte {
	found, _ := filepath.Glob(filepath.Join(trees, "*", list))
	for _, file := range found {
		from := useTree(filepath.Dir(file), "")
		if from == nil {
			continue // unfinished, or being removed
		}
		names, err := os.ReadFile(file)
		if err == nil {
			err = linkAll(from.dir, root, strings.Split(string(names), "\x00"))
		}
		_ = unlockFile(from.lock) // it was only read
		if err == nil {
			return names
		}
	}
	return nil
}

// linkAll makes the files of one tree appear in another one. If one cannot, none does.
func linkAll(from, to string, names []string) (err error) {
	for i, name := range names {
		if err = linkOne(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			for _, done := range slices.Backward(names[:i]) {
				err = errors.Join(err, os.Remove(filepath.Join(to, done)))
			}
			return err
		}
	}
	return nil
}

// linkOne makes a file, a link or an empty directory appear under another name.
func linkOne(from, to string) error {
	info, err := os.Lstat(from)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return os.Mkdir(to, info.Mode().Perm()|0o700)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	default:
		return os.Link(from, to)
	}
}

// run runs the command in a directory. It has the environment of pcat: it fetches modules, with the keys of
// the user.
func (p *preparation) run(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", p.command) //nolint:gosec // the user gave it
	cmd.Dir = dir
	cmd.Env = withoutGit(os.Environ())
	asGroup(cmd)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("not done after %v", p.timeout)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("prepare command `%s`: %w\n%s", p.command, err, bytes.TrimSpace(out))
	}
	return nil
}
