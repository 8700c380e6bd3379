package hierarchies

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/pcatdev/pcat/hiera"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Write writes the files of a case to a folder.
func (c *Case) Write(dir string) error {
	for name, text := range c.Files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Ask answers a question about the case in a folder, like a reference.
func (c *Case) Ask(ctx context.Context, dir string, q Question, like pcore.Reference) (Answer, error) {
	h, err := hiera.New(hiera.Options{
		Global: filepath.Join(dir, "global", "hiera.yaml"), Environment: filepath.Join(dir, "env"), Reference: like, PlainSecrets: true,
		Files: function.Tree{Folders: []string{dir}, ModulePath: []string{filepath.Join(dir, "env", "modules")}},
	})
	if err != nil {
		return Answer{}, err
	}
	variables, err := c.variables()
	if err != nil {
		return Answer{}, err
	}
	query, err := q.query()
	if err != nil {
		return Answer{}, err
	}
	query.Explanation = &hiera.Explanation{}
	env := &function.Env{Variables: variables, Budget: function.NewBudget(50_000_000)}
	v, err := h.Lookup(ctx, env, query)
	named := func(text string) string { return strings.ReplaceAll(text, dir, "$DIR") }
	a := Answer{Explanation: named(query.Explanation.Text())}
	if err != nil {
		a.Error = named(err.Error())
		return a, nil
	}
	format, err := formats.Default().ByName("rich-json")
	if err != nil {
		return Answer{}, err
	}
	text, err := format.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	a.Value = named(string(text))
	return a, err
}

// query returns the question as a query.
func (q *Question) query() (hiera.Query, error) {
	query := hiera.Query{Keys: q.Keys}
	var err error
	if q.Type != "" {
		if query.Type, err = typeexpr.Parse(q.Type, nil); err != nil {
			return query, err
		}
	}
	if q.Merge != nil {
		if query.Merge, err = valueOf(q.Merge); err != nil {
			return query, err
		}
	}
	if q.Default != nil {
		query.Default = pcore.String(*q.Default)
	}
	for _, h := range []struct {
		from map[string]any
		to   **pcore.Hash
	}{{q.Override, &query.Override}, {q.Defaults, &query.DefaultValues}} {
		v, err := valueOf(h.from)
		if err != nil {
			return query, err
		}
		*h.to, _ = v.(*pcore.Hash)
	}
	return query, nil
}

// valueOf returns a value as Puppet gets it through JSON.
func valueOf(v any) (pcore.Value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	format, err := formats.Default().ByName("json")
	if err != nil {
		return nil, err
	}
	return format.Decode(text, serialization.DecodeOptions{})
}

// variables are the variables of the top scope.
type variables struct{ all *pcore.Hash }

func (c *Case) variables() (variables, error) {
	facts, err := valueOf(c.Facts)
	if err != nil {
		return variables{}, err
	}
	trusted, err := valueOf(map[string]any{"authenticated": "local", "certname": "web01.example.com", "extensions": map[string]any{}})
	if err != nil {
		return variables{}, err
	}
	b := pcore.NewHashBuilder(0)
	for k, v := range facts.(*pcore.Hash).All() {
		b.Set(k, v)
	}
	b.SetString("facts", facts)
	b.SetString("trusted", trusted)
	b.SetString("environment", pcore.String("production"))
	return variables{b.Hash()}, nil
}

// Variable implements [function.Variables].
func (v variables) Variable(name string) (pcore.Value, bool, error) {
	found, ok := v.all.GetString(strings.TrimPrefix(name, "::"))
	return found, ok, nil
}
