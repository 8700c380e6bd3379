package stdlib

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleLoadFunctions returns functions that read files.
func moduleLoadFunctions() []function.Function {
	return []function.Function{
		fileParser("loadjson", "JSON", readJSON),
		fileParser("loadyaml", "YAML", readYAML),
	}
}

// fileParser returns a function that parses a file. It returns the default if
// there is no such file, its text is invalid, or its value is not truthy.
func fileParser(name, notation string, read func(string) (pcore.Value, error)) function.Function {
	return function.Function{
		Name:    name,
		Doc:     "Returns the value that a file of " + notation + " holds, or the default when it does not exist or cannot be read. URLs are not supported.",
		Effects: function.ReadsFiles | function.Logs,
		Dispatches: one("String path, Any default?, Any ignored*", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			path, def := str(args[0]), optional(args, 1)
			if strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://") {
				return nil, errors.New("URLs are not supported")
			}
			abs, err := filepath.Abs(path)
			if err != nil {
				return nil, err
			}
			content, _, found, err := c.Read(function.ContentFile, abs)
			switch {
			case err != nil:
				return nil, err
			case !found:
				c.Say(function.Warning, "Can't load '"+path+"' File does not exist!")
				return def, nil
			case !utf8.Valid(content):
				return nil, fmt.Errorf("%s is no UTF-8 text", path)
			}
			v, err := parse(c, string(content), read)
			if isTruthy(def) && err != nil || err == nil && !isTruthy(v) {
				return def, nil
			}
			return v, err
		}),
	}
}
