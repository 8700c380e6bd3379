// Command standin serves a commit as if it were a published release: the modules of the
// repository as a module proxy, and the packages, files and history as GitHub does. So the
// instructions for users can be tried before there is a release.
//
//	go run ./standin -repo DIR -revision REVISION -version VERSION [-packages DIR] FOLDER
//
// It writes the modules and a copy of the history to FOLDER, prints the address of the
// server, and serves until its standard input ends. -packages is the folder with the files
// of the release. The paths on the server are
//
//	/proxy                                               the module proxy, for GOPROXY
//	/pcatdev/pcat                                        the repository, for git clone
//	/pcatdev/pcat/raw/VERSION/FILE                       a file of the commit
//	/pcatdev/pcat/releases/download/VERSION/PACKAGE      a redirection to the package, as on GitHub
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// modules are the folders of the modules that a release publishes. The tag of a module in a
// folder is FOLDER/VERSION.
var modules = []string{"", "fleet"}

func main() {
	var r release
	flag.StringVar(&r.repo, "repo", ".", "the repository is in `DIR`")
	flag.StringVar(&r.revision, "revision", "HEAD", "the commit of the release")
	flag.StringVar(&r.version, "version", "", "the `VERSION` of the release, such as v0.2.0")
	flag.StringVar(&r.packages, "packages", "", "the files of the release are in `DIR`")
	flag.Parse()
	if err := run(r, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "standin:", err)
		os.Exit(1)
	}
}

type release struct {
	repo, revision, version, packages string
}

func run(r release, args []string) error {
	if len(args) != 1 || r.version == "" {
		return errors.New("name the version and the folder to write to")
	}
	folder := args[0]
	history := filepath.Join(folder, "history")
	if err := r.writeHistory(history); err != nil {
		return err
	}
	if err := r.writeModules(filepath.Join(folder, "proxy"), history); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: r.handler(folder, history), ReadHeaderTimeout: time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Printf("http://%s\n", listener.Addr())
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, os.Stdin)
		ended <- err
	}()
	select {
	case err := <-failed:
		return err
	case err := <-ended:
		return errors.Join(err, server.Close())
	}
}

// git returns the output of a command of Git in the repository.
func (r *release) git(args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.Command("git", append([]string{"-C", r.repo}, args...)...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// writeModules writes the files of a module proxy, see
// https://go.dev/ref/mod#goproxy-protocol. The archives are those that the go command makes
// of a tag: the committed files of a module, without the modules below it.
func (r *release) writeModules(proxy, history string) error {
	committed, err := r.git("show", "-s", "--format=%cI", r.revision)
	if err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(string(committed)))
	if err != nil {
		return err
	}
	for _, folder := range modules {
		gomod, err := r.git("show", r.revision+":"+path.Join(folder, "go.mod"))
		if err != nil {
			return err
		}
		name := modfile.ModulePath(gomod)
		escaped, err := module.EscapePath(name)
		if err != nil {
			return fmt.Errorf("%s/go.mod: %w", folder, err)
		}
		version := module.Version{Path: name, Version: r.version}
		dir := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		info, err := json.Marshal(map[string]any{"Version": r.version, "Time": at.UTC()})
		if err != nil {
			return err
		}
		var archive bytes.Buffer
		if err := zip.CreateFromVCS(&archive, version, history, r.version, folder); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for suffix, content := range map[string][]byte{".info": info, ".mod": gomod, ".zip": archive.Bytes()} {
			if err := os.WriteFile(filepath.Join(dir, r.version+suffix), content, 0o644); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "list"), []byte(r.version+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeHistory writes a copy of the repository, with the tag of the release, that Git can
// clone from a server of files.
func (r *release) writeHistory(dir string) error {
	commit, err := r.git("rev-parse", r.revision+"^{commit}")
	if err != nil {
		return err
	}
	id := strings.TrimSpace(string(commit))
	copied := &release{repo: dir}
	if _, err := r.git("clone", "--quiet", "--no-checkout", ".", dir); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"update-ref", "refs/heads/main", id},
		{"symbolic-ref", "HEAD", "refs/heads/main"},
		{"update-ref", "refs/tags/" + r.version, id},
		{"update-server-info"},
	} {
		if _, err := copied.git(args...); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) handler(folder, history string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/proxy/", http.StripPrefix("/proxy", http.FileServer(http.Dir(filepath.Join(folder, "proxy")))))
	mux.Handle("/pcatdev/pcat/", http.StripPrefix("/pcatdev/pcat", http.FileServer(http.Dir(filepath.Join(history, ".git")))))
	mux.HandleFunc("/pcatdev/pcat/raw/{version}/{file...}", func(w http.ResponseWriter, req *http.Request) {
		content, err := r.git("show", r.revision+":"+req.PathValue("file"))
		if err != nil || req.PathValue("version") != r.version {
			http.NotFound(w, req)
			return
		}
		_, _ = w.Write(content)
	})
	if r.packages != "" {
		mux.HandleFunc("/pcatdev/pcat/releases/download/{version}/{file}", func(w http.ResponseWriter, req *http.Request) {
			if req.PathValue("version") != r.version {
				http.NotFound(w, req)
				return
			}
			http.Redirect(w, req, "/assets/"+req.PathValue("file"), http.StatusFound)
		})
		mux.Handle("/assets/", http.StripPrefix("/assets", http.FileServer(http.Dir(r.packages))))
	}
	return mux
}
