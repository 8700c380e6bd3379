package hiera

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ModulePath returns the folders with the modules of an environment: those of modulepath in its
// environment.conf, without the ones of the server's settings, or modules.
func ModulePath(environment string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(environment, "environment.conf"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for l := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(l, "=")
		if !ok || strings.TrimSpace(name) != "modulepath" {
			continue
		}
		value, _, _ = strings.Cut(value, "#")
		var all []string
		for _, dir := range strings.Split(strings.TrimSpace(value), ":") {
			if dir = strings.Trim(strings.TrimSpace(dir), `"'`); dir != "" && !strings.HasPrefix(dir, "$") {
				all = append(all, join(environment, dir))
			}
		}
		return all, nil
	}
	return []string{filepath.Join(environment, "modules")}, nil
}
