package external

import (
	"fmt"
	"strings"
)

// DefaultPath is the PATH of programs that are given none.
const DefaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Environment is all that a program sees of the environment. The zero value is a
// PATH, [DefaultPath]. It stands behind a closure: printing it tells nothing.
type Environment struct{ variables func() []string }

// NewEnvironment returns the variables of the given names as they are in all,
// which is a list of NAME=VALUE, such as [os.Environ] returns, and PATH: that of
// all when it is among the names, [DefaultPath] otherwise. A variable that is
// not set is left out. The error tells of a name that can be none.
func NewEnvironment(all, names []string) (Environment, error) {
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return Environment{}, fmt.Errorf("%q is no name of a variable: give the names alone, their values are taken from the environment", name)
		}
		wanted[name] = true
	}
	var env []string
	if !wanted["PATH"] {
		env = append(env, "PATH="+DefaultPath)
	}
	for _, variable := range all {
		if name, _, _ := strings.Cut(variable, "="); wanted[name] {
			env = append(env, variable)
		}
	}
	return Environment{func() []string { return env }}, nil
}

// list returns NAME=VALUE for each variable. It is not changed.
func (e Environment) list() []string {
	if e.variables == nil {
		return []string{"PATH=" + DefaultPath}
	}
	return e.variables()
}

// hide takes the values of an environment for secrets, but for that of PATH: who
// hands a variable to a program hands it a token, often.
func (s *secrets) hide(env Environment) {
	for _, variable := range env.list() {
		if name, value, _ := strings.Cut(variable, "="); name != "PATH" {
			s.one(value)
		}
	}
}
