// Command owners checks that every package below internal/ lies with its owner.
//
//	go run ./owners DIR
//
// An owner is a tree in which a package could lie: a folder of public packages at the top of the
// repository, the command pcat, or the module of pcatd. A package of the top internal/ has at
// least two owners, which use it themselves or by other packages of internal/; a package with one
// owner lies inside of it, where the compiler keeps others out. What only tests use lies in
// internal/test. The comment of each package of internal/ says what belongs here.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is the path of the module that contains internal/.
const module = "github.com/pcatdev/pcat/"

// modules are the folders of the modules that import packages of internal/.
var modules = []string{".", "fleet"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: owners DIR")
		os.Exit(2)
	}
	faults, err := check(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "owners:", err)
		os.Exit(2)
	}
	for _, f := range faults {
		fmt.Println(f)
	}
	if len(faults) > 0 {
		os.Exit(1)
	}
	fmt.Println("every package of internal/ lies with its owners")
}

// pack is a package, as go list describes it.
type pack struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports         []string
}

// check returns what is wrong with the packages of internal/, sorted.
func check(dir string) ([]string, error) {
	importers := make(map[string][]string)
	shared := make(map[string]pack) // the packages of internal/
	for _, m := range modules {
		packs, err := list(filepath.Join(dir, m))
		if err != nil {
			return nil, err
		}
		for _, p := range packs {
			if len(p.GoFiles) == 0 {
				continue // only tests
			}
			name := strings.TrimPrefix(p.ImportPath, module)
			if isShared(name) {
				shared[name] = p
			}
			for _, i := range p.Imports {
				if used, ok := strings.CutPrefix(i, module); ok {
					importers[used] = append(importers[used], name)
				}
			}
		}
	}
	var faults []string
	for name, p := range shared {
		if fault := wrong(name, owners(name, importers)); fault != "" {
			faults = append(faults, name+": "+fault)
		}
		charter, err := hasCharter(p)
		if err != nil {
			return nil, err
		}
		if !charter {
			faults = append(faults, name+`: the package comment does not say what "belongs here"`)
		}
	}
	slices.Sort(faults)
	return faults, nil
}

// wrong says why a package with these owners must not lie where it does, or is empty.
func wrong(name string, owners []string) string {
	forTests := strings.HasPrefix(name, "internal/test/")
	switch {
	case forTests && len(owners) > 0:
		return "it is for tests, but used by " + strings.Join(owners, " and ")
	case forTests || len(owners) > 1:
		return ""
	case len(owners) == 0:
		return "only tests use it: move it into internal/test, or remove it"
	default:
		return "its only owner is " + owners[0] + ": move it there"
	}
}

// isShared reports whether a package belongs to the top internal/.
func isShared(name string) bool { return strings.HasPrefix(name, "internal/") }

// owners returns the owners of a package of internal/, sorted.
func owners(name string, importers map[string][]string) []string {
	found := make(map[string]bool)
	seen := map[string]bool{name: true}
	for pending := []string{name}; len(pending) > 0; pending = pending[1:] {
		for _, user := range importers[pending[0]] {
			if !isShared(user) {
				found[owner(user)] = true
			} else if !seen[user] && !strings.HasPrefix(user, "internal/test/") {
				seen[user] = true
				pending = append(pending, user)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// owner returns the tree that contains a package.
func owner(name string) string {
	parts := strings.Split(name, "/")
	if parts[0] == "cmd" && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// hasCharter reports whether the comment of a package says what belongs into it.
func hasCharter(p pack) (bool, error) {
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return false, err
		}
		text := strings.Join(strings.Fields(f.Doc.Text()), " ")
		if strings.Contains(text, "belongs here") || strings.Contains(text, "belong here") {
			return true, nil
		}
	}
	return false, nil
}

// list returns the packages of the module in a folder.
func list(dir string) ([]pack, error) {
	c := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...")
	c.Dir = dir
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w\n%s", dir, err, &errs)
	}
	var packs []pack
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pack
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packs, nil
		} else if err != nil {
			return nil, err
		}
		packs = append(packs, p)
	}
}
