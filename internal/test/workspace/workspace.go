// Package workspace creates modules outside of this one that import its packages, as the programs of users do.
//
// The files of such a module belong here, not its programs.
package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// goLine is the line of go.mod with the version of Go.
var goLine = regexp.MustCompile(`(?m)^go \S+$`)

// Create writes go.mod to an empty folder, and go.work, so that the module imports packages of the module at root
// without a download. The packages of a module in a workspace are in the build cache. It returns the variable that
// selects the workspace.
func Create(dir, root string) (env string, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	version := goLine.FindString(string(text))
	if version == "" {
		return "", errors.New("go.mod has no version of Go")
	}
	module := "module example.com/programs\n\n" + version + "\n"
	workspace := version + "\n\nuse (\n\t.\n\t" + strconv.Quote(root) + "\n)\n"
	file := filepath.Join(dir, "go.work")
	return "GOWORK=" + file, errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600),
		os.WriteFile(file, []byte(workspace), 0o600),
	)
}
