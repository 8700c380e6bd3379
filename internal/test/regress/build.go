package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// output runs a program in a folder and returns its output.
func output(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, nil
}

// buildRevision builds the pcat of a revision. It exports the files with git archive, which
// leaves the repository unchanged.
func buildRevision(root, revision, dir, binary string) error {
	archive, err := output(root, "git", "archive", revision)
	if err != nil {
		return err
	}
	files, err := untar(bytes.NewReader(archive))
	if err != nil {
		return err
	}
	if err := put(dir, files); err != nil {
		return err
	}
	if err := build(dir, binary); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// build builds the pcat of a folder, without its revision, which pcat version would print.
func build(dir, binary string) error {
	_, err := output(dir, "go", "build", "-trimpath", "-buildvcs=false", "-o", binary, "./cmd/pcat")
	return err
}

func untar(r io.Reader) ([]Input, error) {
	var all []Input
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(h.Name) {
			continue
		}
		data, err := io.ReadAll(t)
		if err != nil {
			return nil, err
		}
		all = append(all, Input{Name: h.Name, Data: data})
	}
}

// unpack returns the files of a compressed archive, without folders.
func unpack(data []byte) ([]Input, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	files, err := untar(z)
	for i := range files {
		files[i].Name = strings.ReplaceAll(files[i].Name, "/", "-")
	}
	return files, err
}
