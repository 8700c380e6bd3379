package stdlib

import (
	"errors"
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
		fileParser("loadyaml", "YAML", readSafeYAML),
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
			content, _, found, err := readFile(c, function.ContentFile, abs)
			if err == nil && !found {
				if !c.InClear() { // otherwise the path may be a secret
					c.Say(function.Warning, "Can't load '"+path+"' File does not exist!")
				}
				return def, nil
			}
			if err != nil && !errors.Is(err, function.ErrNotRegular) {
				return nil, err
			}
			if err := payParsing(c, string(content)); err != nil {
				return nil, err
			}
			var v pcore.Value
			switch {
			case err != nil:
			case !utf8.Valid(content):
				err = errors.New(path + " is no UTF-8 text")
			default:
				v, err = read(string(content))
			}
			if err != nil && isTruthy(def) {
				return def, nil
			}
			if err == nil && !isTruthy(v) {
				return def, nil
			}
			return v, err
		}),
	}
}

// readSafeYAML parses YAML without symbols.
func readSafeYAML(text string) (pcore.Value, error) {
	v, err := readYAML(text)
	if err == nil && pcore.Search(v, isSymbol) {
		err = errors.New("the text contains a symbol")
	}
	return v, err
}

func isSymbol(v pcore.Value) (found, inside bool) {
	_, found = v.(pcore.Symbol)
	return found, true
}
