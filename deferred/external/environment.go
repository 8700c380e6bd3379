package external

import (
	"fmt"
	"strings"
)

// defaultPath is the default PATH of programs.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Environment contains the environment variables of a program. The zero value
// contains only PATH, with defaultPath. The variables are in a closure, so
// that printing an Environment does not reveal them.
type Environment struct{ variables func() []string }

// NewEnvironment returns an Environment with the given names and their values in
// all, a list of NAME=VALUE such as [os.Environ] returns. Variables that are not
// set are omitted. PATH is defaultPath unless it is among the names. The error
// reports an invalid name.
func NewEnvironment(all, names []string) (Environment, error) {
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return Environment{}, fmt.Errorf("%q is not a variable name: list only names; the values are read from the environment", name)
		}
		wanted[name] = true
	}
	var env []string
	if !wanted["PATH"] {
		env = append(env, "PATH="+defaultPath)
	}
	for _, variable := range all {
		if name, _, _ := strings.Cut(variable, "="); wanted[name] {
			env = append(env, variable)
		}
	}
	return Environment{func() []string { return env }}, nil
}

// list returns NAME=VALUE for each variable. The result must not be modified.
func (e Environment) list() []string {
	if e.variables == nil {
		return []string{"PATH=" + defaultPath}
	}
	return e.variables()
}

// hide adds the values of the environment, except PATH, as secrets: variables
// often pass tokens.
func (s *secrets) hide(env Environment) {
	for _, variable := range env.list() {
		if name, value, _ := strings.Cut(variable, "="); name != "PATH" {
			s.one(value)
		}
	}
}
