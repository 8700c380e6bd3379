package get

import (
	"regexp"
	"strings"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// checkConditions returns a usage error if the parentheses or quotes of a condition in a
// path are not balanced. gjson takes such a path, and returns another value or none.
func checkConditions(path string) error {
	if name, _, ok := strings.Cut(path, "["); ok && !strings.ContainsAny(name, ".#(") {
		return nil // of a resource, whose title may have any characters
	}
	depth, quoted, any := 0, false, false
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\':
			i++
		case c == '"' && depth > 0:
			quoted = !quoted
		case quoted:
		case c == '(' && (depth > 0 || i > 0 && path[i-1] == '#'):
			depth, any = depth+1, true
		case c == ')' && any:
			if depth--; depth < 0 {
				return invalid(path, "there is a ) without #(")
			}
		}
	}
	switch {
	case quoted:
		return invalid(path, "a quote in a condition is not closed")
	case depth > 0:
		return invalid(path, "a condition has no ) at its end")
	}
	return nil
}

func invalid(path, why string) error {
	return cli.Usage(`%q is not a path: %s; for example: resources.#(type=="File")#.title`, path, why)
}

// index is an index or a key in brackets, as in jq and JSONPath.
var index = regexp.MustCompile(`\[(-?\d*|\*|".*"|'.*')\]`)

// checkNotation returns a usage error for a path without a value that is empty, or looks
// like one of jq, JSONPath or RFC 6901.
func checkNotation(path string) error {
	keys, _, _ := strings.Cut(path, "#(") // brackets in a condition are text
	var why string
	switch {
	case path == "":
		why = "it is empty"
	case strings.ContainsAny(path[:1], "./$") || index.MatchString(keys):
		why = "it has the syntax of another tool"
	case strings.HasSuffix(path, ".") && !strings.HasSuffix(path, `\.`) || strings.Contains(keys, ".."):
		why = "a key is empty"
	default:
		return nil
	}
	return cli.Usage("%q is not a path: %s; separate keys and indexes with dots, for example resources.0.title", path, why)
}
