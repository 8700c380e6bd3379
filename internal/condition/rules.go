package condition

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/pcatdev/pcat/internal/auditconfig"
)

// Rules are the custom rules of an audit, in the format of their files. The zero value has none.
type Rules struct {
	// Conditions are rules on resources.
	Conditions []auditconfig.Condition `json:"conditions,omitempty"`
	// Files are files of text rules.
	Files []File `json:"files,omitempty"`
}

// File is a file of text rules.
type File struct {
	Name string `json:"name"`
	Text []byte `json:"text"`

	parsed *auditconfig.RuleFile // nil if it was not parsed
}

// FileError is an error of a file.
type FileError struct {
	File string
	Err  error
}

// Error returns the error with the file.
func (e *FileError) Error() string { return e.File + ": " + e.Err.Error() }

// Unwrap returns the error without the file.
func (e *FileError) Unwrap() error { return e.Err }

// errMore reports a file of rules with other settings.
var errMore = errors.New("a file for --rules can contain only rules; use --config for the other settings")

// Read returns the rules of a configuration, which is in a file, of the files that it names, and
// of more files. read reads a file. The error is a [FileError].
func Read(c *auditconfig.Config, file string, more []string, read func(name string) ([]byte, error)) (*Rules, error) {
	files := append([]string(nil), more...)
	for _, name := range c.RuleFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(file), name)
		}
		files = append(files, name)
	}
	r := &Rules{Conditions: placed(nil, c.Rules, file)}
	for i, name := range files {
		if i >= len(more) && slices.ContainsFunc(more, func(one string) bool { return isSame(one, name) }) {
			continue // the configuration and the user name it
		}
		if err := r.add(name, read); err != nil {
			return nil, &FileError{name, err}
		}
	}
	return r, nil
}

// isSame reports whether two names lead to one file.
func isSame(a, b string) bool {
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}

// add adds the rules of a file.
func (r *Rules) add(name string, read func(name string) ([]byte, error)) error {
	text, err := read(name)
	if err != nil {
		return err
	}
	if ext := filepath.Ext(name); ext != ".yaml" && ext != ".yml" {
		parsed, err := auditconfig.ParseTOML(text)
		r.Files = append(r.Files, File{name, text, parsed})
		return err
	}
	c, err := auditconfig.Parse(text)
	if err != nil {
		return err
	}
	if len(c.Severities)+len(c.Allow)+len(c.RuleFiles)+len(c.Names.Secret)+len(c.Names.Harmless)+len(c.Owners.Names())+len(c.Owners.File) > 0 {
		return errMore
	}
	r.Conditions = placed(r.Conditions, c.Rules, name)
	return nil
}

// placed adds the rules of a file to list; their locations name it.
func placed(list, rules []auditconfig.Condition, file string) []auditconfig.Condition {
	for _, c := range rules {
		c.Location += " of " + file
		list = append(list, c)
	}
	return list
}

// Compile compiles the rules. Conditions are strict if undef is an error in operators. The error
// matches [auditconfig.ErrRule], and names the files, or is one of an expression, or a [FileError].
func (r *Rules) Compile(strict bool) (*auditconfig.RuleSet, error) {
	compile, err := compiler(strict)
	if err != nil {
		return nil, err
	}
	var texts []*auditconfig.RuleFile
	for _, one := range r.Files {
		if one.parsed == nil {
			if one.parsed, err = auditconfig.ParseTOML(one.Text); err != nil {
				return nil, &FileError{one.Name, err}
			}
		}
		named := *one.parsed
		named.Name = one.Name
		texts = append(texts, &named)
	}
	return auditconfig.NewRuleSet(r.Conditions, compile, texts...)
}
