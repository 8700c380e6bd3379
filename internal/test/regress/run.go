package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// timeout ends a process that hangs.
const timeout = 5 * time.Minute

// runner runs one of the two binaries.
type runner struct {
	binary string
	dir    string // the work folder: dir/aid holds the files that modes name, dir/tmp is for temporary files
}

// run runs a case in folder, which is two levels below the work folder and contains the
// inputs. For a case that writes files, it creates the folder and removes it.
func (r runner) run(c *Case, folder string, files []string) (result *Result, err error) {
	if c.Writes {
		if err := put(folder, c.Inputs); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, r.binary, c.arguments(files)...)
	cmd.Dir = folder
	cmd.Env = environment(r.dir)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.Stdin {
		cmd.Stdin = bytes.NewReader(c.Inputs[0].Data)
	}
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	result = &Result{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Exit: cmd.ProcessState.String()}
	if code := cmd.ProcessState.ExitCode(); code >= 0 {
		result.Exit = strconv.Itoa(code)
	}
	if c.Writes {
		result.Files, err = written(folder)
		return result, err
	}
	return result, nil
}

// environment returns a fixed environment.
func environment(dir string) []string {
	return []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + filepath.Join(dir, "tmp"), "TZ=UTC", "LANG=C.UTF-8", "LC_ALL=C.UTF-8"}
}

// filesHere is the argument that is replaced by the names of the inputs.
const filesHere = "@"

func (c *Case) arguments(files []string) []string {
	i := slices.Index(c.Args, filesHere)
	if i < 0 {
		return c.Args
	}
	return slices.Concat(c.Args[:i], files, c.Args[i+1:])
}

func (c *Case) names() []string {
	if c.Stdin {
		return []string{"-"}
	}
	names := make([]string, len(c.Inputs))
	for i, f := range c.Inputs {
		names[i] = f.Name
	}
	return names
}

func put(folder string, inputs []Input) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, f := range inputs {
		name := filepath.Join(folder, f.Name)
		if strings.Contains(f.Name, "/") {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func written(folder string) (map[string][]byte, error) {
	all := map[string][]byte{}
	return all, filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, name)
		all[rel] = append([]byte(info.Mode().String()+"\n"), data...)
		return err
	})
}
