package content

import (
	"errors"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/puppet"
)

// Copied returns the files below dir that a resource copies, as PATH, PATH -> TARGET for a link, or
// PATH as BELOW for one in a folder; or why there is none.
func Copied(dir string, modulePath []string, c puppet.Copy) []string {
	s, err := Open(compile.Tree{Dir: dir, ModulePath: modulePath})
	if err != nil {
		return []string{err.Error()}
	}
	files, err := s.copies(c)
	if err = errors.Join(err, s.Close()); err != nil {
		return []string{err.Error()}
	}
	all := []string{}
	for _, f := range files {
		text := f.path
		if f.below != "" {
			text += " as " + f.below
		}
		if f.target != "" {
			text += " -> " + f.target
		}
		all = append(all, text)
	}
	return all
}
