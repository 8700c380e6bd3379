package compile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// WorkingTree is the ref of the working tree with its uncommitted changes.
const WorkingTree = "."

// repository is a Git repository.
type repository struct {
	root string // of its working tree, or its directory if it is bare
	bare bool
	// dir is the directory of the environment below root, such as "puppet". It is
	// empty for root itself.
	dir string
	log *slog.Logger
}

// openRepository finds the repository that contains a directory.
func openRepository(ctx context.Context, dir string, log *slog.Logger) (*repository, error) {
	if dir == "" {
		dir = "."
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("repository %w; name it with repo=DIR", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("repository %s: not a directory", dir)
	}
	r := &repository{root: dir, log: log}
	out, err := r.git(ctx, nil, "rev-parse", "--is-bare-repository")
	if err != nil {
		return nil, fmt.Errorf("%s is not in a Git repository; name one with repo=DIR: %w", dir, err)
	}
	r.bare = out == "true"
	what := "--show-toplevel"
	if r.bare {
		what = "--absolute-git-dir"
	}
	within := ""
	if !r.bare {
		if within, err = r.git(ctx, nil, "rev-parse", "--show-prefix"); err != nil {
			return nil, err
		}
	}
	if r.root, err = r.git(ctx, nil, "rev-parse", what); err != nil {
		return nil, err
	}
	for folder := filepath.Clean(within); folder != "."; folder = filepath.Dir(folder) {
		if isFile(filepath.Join(r.root, folder, environmentConf)) {
			r.dir = folder
			break
		}
	}
	return r, nil
}

// environmentConf is in the directory of an environment.
const environmentConf = "environment.conf"

// git runs git and returns its output without the last line break. No hook runs, and
// nothing in the repository is refreshed.
func (r *repository) git(ctx context.Context, env []string, args ...string) (string, error) {
	all := append([]string{"-C", r.root, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0"}, args...)
	cmd := exec.CommandContext(ctx, "git", all...) //nolint:gosec // refs follow --end-of-options
	cmd.Env = append(withoutGit(os.Environ()), append([]string{"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"}, env...)...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if text := strings.TrimSpace(messages.String()); text != "" {
			err = errors.New(text)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// withoutGit removes the variables that make git work on another repository, as in a hook.
func withoutGit(env []string) []string {
	var kept []string
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_NAMESPACE":
		default:
			kept = append(kept, v)
		}
	}
	return kept
}

// revision is the commit and the tree of a ref.
type revision struct {
	commit string // empty for the working tree
	tree   string
}

// resolve returns the revision of a ref. A...B is the commit in which B left A.
func (r *repository) resolve(ctx context.Context, ref string) (revision, error) {
	if a, b, ok := strings.Cut(ref, "..."); ok {
		return r.mergeBase(ctx, a, b)
	}
	commit, err := r.git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if ctx.Err() != nil {
		return revision{}, ctx.Err()
	}
	if err != nil {
		return revision{}, fmt.Errorf("ref %q: no such branch, tag or commit in %s; %s", ref, r.root, r.refAdvice(ctx, ref))
	}
	r.warnAmbiguous(ctx, ref)
	tree, err := r.git(ctx, nil, "rev-parse", "--verify", "--end-of-options", commit+"^{tree}")
	return revision{commit, tree}, err
}

// warnAmbiguous warns of a branch whose name is that of a tag, too: Git takes the tag.
func (r *repository) warnAmbiguous(ctx context.Context, ref string) {
	found, err := r.git(ctx, nil, "for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", "refs/heads/"+ref, "refs/tags/"+ref)
	if err != nil {
		return
	}
	commits := make(map[string]string)
	for line := range strings.Lines(found) {
		if parts := strings.Fields(line); len(parts) > 1 {
			commits[parts[0]] = parts[len(parts)-1]
		}
	}
	branch, tag := commits["refs/heads/"+ref], commits["refs/tags/"+ref]
	if branch != "" && tag != "" && branch != tag {
		r.log.Warn("ref " + ref + " is a branch and a tag, and Git takes the tag; use ref=refs/heads/" + ref + " for the branch")
	}
}

// mergeBase returns the commit that two refs have in common.
func (r *repository) mergeBase(ctx context.Context, a, b string) (revision, error) {
	var commits []string
	for _, ref := range []string{a, b} {
		if ref == WorkingTree || ref == "" {
			ref = "HEAD"
		}
		rev, err := r.resolve(ctx, ref)
		if err != nil {
			return revision{}, err
		}
		commits = append(commits, rev.commit)
	}
	base, err := r.git(ctx, nil, "merge-base", "--", commits[0], commits[1])
	if err != nil {
		return revision{}, fmt.Errorf("ref %q: %s and %s have no commit in common here; in a shallow clone, fetch more of the history", a+"..."+b, a, b)
	}
	return r.resolve(ctx, base)
}

// refAdvice returns the remedy for a ref that does not exist.
func (r *repository) refAdvice(ctx context.Context, ref string) string {
	if _, err := r.git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", "origin/"+ref+"^{commit}"); err == nil {
		return "use ref=origin/" + ref
	}
	return "fetch it with `git fetch origin " + ref + "`, or list the branches with `git branch --all`"
}

// puppetfileModule is a line of a Puppetfile.
var puppetfileModule = lazyregexp.New(`(?m)^\s*mod\s*\(?\s*['"]([\w/-]+)['"]`)

// unfinished is in the name of a tree that is being written.
const unfinished = ".new-"

// tree is a directory with the files of a revision.
type tree struct {
	dir  string
	key  string   // equal for equal files; empty for the working tree
	lock *os.File // nil for the working tree
}

// checkout writes the files of a revision below the cache, unless they are there. Neither
// the working tree nor the index of the repository changes. p completes the new tree; its
// files are kept with it.
func (r *repository) checkout(ctx context.Context, cache string, rev revision, p *preparation) (*tree, error) {
	preparation := p.command
	if p.script != "" {
		preparation += "\x00" + p.script
	}
	sum := sha256.Sum256([]byte(r.root + "\x00" + r.dir + "\x00" + preparation))
	key := rev.tree
	if p.command != "" {
		key += "-" + hex.EncodeToString(sum[:8])
	}
	trees := filepath.Join(cache, treesFolder)
	final := filepath.Join(trees, key)
	if t := useTree(final, key); t != nil {
		return t, nil
	}
	f, err := newFolder(trees, key+unfinished)
	if err != nil {
		return nil, err
	}
	if err := r.write(ctx, trees, f.path, rev, p); err != nil {
		return nil, errors.Join(err, f.remove())
	}
	if err := os.Rename(f.path, final); err != nil { // another process was faster
		if err := f.remove(); err != nil {
			return nil, err
		}
		if t := useTree(final, key); t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("%s: another process uses it; try again", final)
	}
	if err := unlockFile(f.lock); err != nil {
		return nil, err
	}
	if t := useTree(final, key); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("%s: it was removed; try again", final)
}

// useTree locks a finished tree, or returns nil if there is none.
func useTree(dir, key string) *tree {
	used := filepath.Join(dir, usedName)
	if _, err := os.Stat(used); err != nil {
		return nil
	}
	lock, err := lockFile(filepath.Join(dir, lockName), false)
	if err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(used, now, now) // only for its age
	return &tree{filepath.Join(dir, treeName), key, lock}
}

// write writes the files of a revision to dir/tree, dir being a folder of trees.
func (r *repository) write(ctx context.Context, trees, dir string, rev revision, p *preparation) error {
	files := filepath.Join(dir, treeName)
	if err := os.Mkdir(files, 0o700); err != nil {
		return err
	}
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	if _, err := r.git(ctx, index, "read-tree", rev.tree); err != nil {
		return err
	}
	if _, err := r.git(ctx, index, "--work-tree="+files, "checkout-index", "--all", "--quiet"); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, "index")); err != nil {
		return err
	}
	if err := r.warnLinks(files); err != nil {
		return err
	}
	if err := p.prepare(ctx, trees, dir, r.dir); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, usedName), nil, 0o600)
}

// warnLinks warns of symbolic links that leave the tree: their targets are the same for
// all refs, or not there.
func (r *repository) warnLinks(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return err
		}
		target, err := os.Readlink(path)
		if err != nil {
			return err
		}
		inside := filepath.Join(filepath.Dir(path), target)
		if filepath.IsAbs(target) || inside != dir && !strings.HasPrefix(inside, dir+string(filepath.Separator)) {
			name, _ := filepath.Rel(dir, path)
			r.log.Warn("the symbolic link "+name+" leads out of the repository", "target", target)
		}
		return nil
	})
}
