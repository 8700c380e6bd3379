package stdlib

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func fileFunctions() []function.Function {
	return []function.Function{
		{
			Name:       "file",
			Doc:        "Returns the content of the first file that exists. A file is named by its absolute path, or as module/path for one in the folder files of a module.",
			Effects:    function.ReadsFiles,
			Dispatches: one("Any files+", file),
		},
		{
			Name:       "binary_file",
			Doc:        "Returns the content of a file as a Binary.",
			Effects:    function.ReadsFiles,
			Dispatches: one("String path", binaryFile),
		},
		finder("find_file", "Returns the path of the first file that exists, or undef.", function.ContentFile),
		finder("find_template", "Returns the path of the first template that exists, or undef.", function.TemplateFile),
		{
			Name:    "module_directory",
			Doc:     "Returns the path of the first module that exists, or undef.",
			Effects: function.ReadsFiles,
			Dispatches: []function.Dispatch{
				on("String names*", func(c *function.Call, args []pcore.Value) (pcore.Value, error) { return moduleDirectory(c, args) }),
				on("Array[String] names", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return moduleDirectory(c, elements(args[0]))
				}),
			},
		},
		{
			Name:             "epp",
			Doc:              "Returns the text of an EPP template in a file, named as module/path for one in the folder templates of a module, with parameters from a hash.",
			Effects:          function.ReadsFiles,
			HandlesSensitive: true,
			Dispatches:       template("path", epp),
		},
		{
			Name:             "inline_epp",
			Doc:              "Returns the text of an EPP template that is given as text, with parameters from a hash.",
			HandlesSensitive: true,
			OwnText:          true,
			Dispatches: template("template", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return evaluate(c, "", str(args[0]), args[1:])
			}),
		},
	}
}

// template returns the dispatch of a function that evaluates a template. The
// value of a return in the template is not checked against the result type.
func template(from string, call function.Implementation) []function.Dispatch {
	d := on("String "+from+`, Hash[Pattern[/^\w+$/], Any] parameters? >> Variant[String, Sensitive[String]]`, call)
	d.ChecksReturn = true
	return []function.Dispatch{d}
}

func file(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	names := make([]string, len(args))
	for i, v := range args {
		s, ok := v.(pcore.String)
		if !ok {
			return nil, errors.New("a file must be named by a String, not " + pcore.KindOf(v).String())
		}
		names[i] = string(s)
	}
	content, path, found, err := readFile(c, function.ContentFile, names...)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("Could not find any files from %s", strings.Join(names, ", ")) //nolint:staticcheck // the reference's words
	case !utf8.Valid(content):
		return nil, fmt.Errorf("%s is no UTF-8 text: read it with binary_file", path)
	default:
		return pcore.String(content), nil
	}
}

func binaryFile(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	content, _, found, err := readFile(c, function.ContentFile, str(args[0]))
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("The given file '%s' does not exist", str(args[0])) //nolint:staticcheck // the reference's words
	}
	return pcore.NewBinary(content), nil
}

func finder(name, doc string, kind function.FileKind) function.Function {
	find := func(c *function.Call, names []pcore.Value) (pcore.Value, error) {
		for _, name := range names {
			path, found, err := findFile(c, kind, str(name))
			if err != nil {
				return nil, err
			}
			if found {
				return pcore.String(path), nil
			}
		}
		return pcore.Undef{}, nil
	}
	return function.Function{Name: name, Doc: doc, Effects: function.ReadsFiles, Dispatches: []function.Dispatch{
		on("String paths*", find),
		on("Array[String] paths_array", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return find(c, elements(args[0]))
		}),
	}}
}

func moduleDirectory(c *function.Call, names []pcore.Value) (pcore.Value, error) {
	if c.Files == nil {
		return nil, fmt.Errorf("modules cannot be read here: %w", fs.ErrPermission)
	}
	for _, name := range names {
		path, found, err := c.Files.ModuleDir(str(name))
		if err != nil {
			return nil, err
		}
		if found {
			return pcore.String(path), nil
		}
	}
	return pcore.Undef{}, nil
}

func epp(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	content, path, found, err := readFile(c, function.TemplateFile, templateNames(str(args[0]))...)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("Could not find template '%s'", rubytext.Text(args[0])) //nolint:staticcheck // the reference's words
	case !utf8.Valid(content):
		return nil, fmt.Errorf("%s is no UTF-8 text", path)
	default:
		return evaluate(c, path, string(content), args[1:])
	}
}

// templateNames returns the names under which a template may be found; its
// suffix is optional.
func templateNames(name string) []string {
	switch {
	case strings.HasSuffix(name, ".epp"):
		return []string{name}
	case filepath.IsAbs(name):
		return []string{name, name + ".epp"}
	default:
		return []string{name + ".epp"}
	}
}

func evaluate(c *function.Call, path, text string, args []pcore.Value) (pcore.Value, error) {
	if c.Template == nil {
		return nil, errors.New("templates cannot be evaluated here")
	}
	parameters, _ := optional(args, 0).(*pcore.Hash)
	return c.Template(c, path, text, parameters)
}

// readFile returns the content and the path of the first of the named files that
// exists. If none does, found is false.
func readFile(c *function.Call, kind function.FileKind, names ...string) (content []byte, path string, found bool, err error) {
	path, found, err = findFile(c, kind, names...)
	if err != nil || !found {
		return nil, "", false, err
	}
	content, err = c.Files.ReadFile(path, c.Reserve)
	if err != nil {
		return nil, "", false, err
	}
	return content, path, true, nil
}

// findFile returns the path of the first of the named files that exists.
func findFile(c *function.Call, kind function.FileKind, names ...string) (path string, found bool, err error) {
	if c.Files == nil {
		return "", false, fmt.Errorf("files cannot be read here: %w", fs.ErrPermission)
	}
	for _, name := range names {
		if path, found, err = c.Files.Find(kind, name); err != nil || found {
			return path, found, err
		}
	}
	return "", false, nil
}
