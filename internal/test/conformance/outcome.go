package conformance

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog"
)

// AgentsFolder is the folder, seen from a package below internal, of the catalogs
// that agents have applied: NAME/catalog.json as compiled, NAME/resolved.json as
// resolved by pcat, and NAME/outcomes.json.
const AgentsFolder = "../../../testdata/agents"

// Scratch is the folder of the files in these catalogs. Applying one replaces it by
// a temporary folder.
const Scratch = "/tmp/pcat-agent"

// Outcomes are the outcomes of a catalog with the agent of one release, by
// reference in outcomes.json.
type Outcomes struct {
	Release string `json:"release"`
	// Compiled is the outcome of the catalog as compiled, Resolved of the one
	// that pcat resolved.
	Compiled Outcome `json:"compiled"`
	Resolved Outcome `json:"resolved"`
}

// Outcome is the outcome of applying a catalog.
type Outcome struct {
	// Files are the files and links below [Scratch] afterwards.
	Files map[string]File `json:"files,omitempty"`
	// Events are the messages about changes, by resource and property.
	Events map[string]string `json:"events,omitempty"`
	// Errors are the messages of level err. If there are any, the agent did not
	// apply the catalog to its end.
	Errors []string `json:"errors,omitempty"`
}

// File is a file or a link that an agent has written.
type File struct {
	Mode    string `json:"mode,omitempty"`
	Content string `json:"content,omitempty"`
	Binary  []byte `json:"binary,omitempty"` // a Content that is not UTF-8
	Target  string `json:"target,omitempty"` // of a link
}

// Of returns the part of the outcome that is about a resource.
func (o Outcome) Of(ref catalog.Ref) Outcome {
	part := Outcome{Files: map[string]File{}, Events: map[string]string{}}
	for path, f := range o.Files {
		if path == ref.Title {
			part.Files[path] = f
		}
	}
	for source, message := range o.Events {
		if property := strings.LastIndexByte(source, '/'); property > 0 && strings.HasSuffix(source[:property], "/"+ref.String()) {
			part.Events[source] = message
		}
	}
	return part
}

// ReadOutcomes reads the outcomes of a catalog in [AgentsFolder] by the names of
// their references.
func ReadOutcomes(name string) (map[string]*Outcomes, error) {
	data, err := os.ReadFile(filepath.Join(AgentsFolder, name, "outcomes.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]*Outcomes{}, nil
	}
	if err != nil {
		return nil, err
	}
	var all map[string]*Outcomes
	return all, json.Unmarshal(data, &all)
}

// WriteOutcomes is the opposite of ReadOutcomes.
func WriteOutcomes(name string, all map[string]*Outcomes) error {
	data, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(AgentsFolder, name, "outcomes.json"), append(data, '\n'), 0o644) //nolint:gosec // test data
}

// AgentCatalogs returns the names of the catalogs in [AgentsFolder], sorted.
func AgentCatalogs() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(AgentsFolder, "*", "catalog.json"))
	if err != nil {
		return nil, err
	}
	for i, file := range files {
		files[i] = filepath.Base(filepath.Dir(file))
	}
	slices.Sort(files)
	return files, nil
}

// ReadFiles returns the files and links below a folder, named as if it was
// [Scratch].
func ReadFiles(folder string) (map[string]File, error) {
	all := map[string]File{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		f, err := readFile(path)
		f.Target = strings.ReplaceAll(f.Target, folder, Scratch)
		all[strings.Replace(path, folder, Scratch, 1)] = f
		return err
	})
	return all, err
}

func readFile(path string) (File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return File{}, err
	}
	if info.Mode().Type() == fs.ModeSymlink {
		target, err := os.Readlink(path)
		return File{Target: target}, err
	}
	content, err := os.ReadFile(path)
	f := File{Mode: info.Mode().String(), Content: string(content)}
	if !utf8.Valid(content) {
		f.Content, f.Binary = "", content
	}
	return f, err
}
