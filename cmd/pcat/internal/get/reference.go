package get

import (
	"errors"
	"iter"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/lookup"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// find returns the value at a path of data, which is doc as rich JSON. The path is a
// reference, or has the syntax of gjson.
func (opts *Options) find(doc *document.Document, data []byte, path string) (gjson.Result, error) {
	target, ok := lookup.Parse(path)
	if !ok {
		if found := gjson.GetBytes(data, path); found.Exists() || path == "" {
			return found, nil
		}
		target = lookup.Bare(path)
	}
	parts := func() iter.Seq2[catalog.Part, error] {
		return catalog.NewReaderBytes(data, formats.RichJSON(), serialization.DecodeOptions{}).Parts()
	}
	all, err := lookup.Find(parts, target)
	if err != nil {
		return gjson.Result{}, doc.Failure(err)
	}
	for _, c := range all {
		if err := document.AmbiguousIn(c, doc.Name, []lookup.Target{target}); err != nil {
			return gjson.Result{}, err
		}
		for _, f := range c.Found {
			return opts.at(doc, f)
		}
	}
	if target.IsBare() {
		return gjson.Result{}, nil // no value at a path
	}
	// The person who names a resource may know the secret in its title.
	if mask, err := doc.Redactor(); err == nil {
		if masked := mask.Text(path); masked != path {
			return opts.find(doc, data, masked)
		}
	}
	near, err := lookup.Near(parts, target)
	if err != nil {
		return gjson.Result{}, doc.Failure(err)
	}
	text := document.NotFound(target.Ref().String(), doc.Name, near)
	return gjson.Result{}, &cli.Error{Code: cli.ExitFindings, Err: errors.New(text)}
}

// at returns the text of a resource or of a location in it, with its numbers and escapes.
func (opts *Options) at(doc *document.Document, f *lookup.Found) (gjson.Result, error) {
	whole := gjson.ParseBytes(f.Resource.Bytes())
	if len(f.Path) == 0 {
		return whole, nil
	}
	if found := below(whole, f.Path); found.Exists() {
		return found, nil
	}
	v, err := f.Value() // also of a rich value, or names the step that is missing
	if _, secret := v.(*pcore.Sensitive); secret {
		for n := len(f.Path) - 1; n > 0; n-- { // a part of a secret is the whole one
			if found := below(whole, f.Path[:n]); found.Exists() {
				return found, nil
			}
		}
	}
	if err == nil {
		return opts.encode(v)
	}
	var place *lookup.PlaceError
	if !errors.As(err, &place) {
		return gjson.Result{}, doc.Failure(err)
	}
	return gjson.Result{}, document.NoPlace(doc.Name, place)
}

// below returns the value at a path of a resource: of a parameter, or of another member.
func below(resource gjson.Result, path []string) gjson.Result {
	if found := descend(member(resource, "parameters"), path); found.Exists() {
		return found
	}
	return descend(resource, path)
}

// encode returns a value as rich JSON. It is from a document that is masked unless secrets
// are to be shown.
func (opts *Options) encode(v pcore.Value) (gjson.Result, error) {
	text, err := formats.RichJSON().Append(nil, v, opts.encodeOptions())
	return gjson.ParseBytes(text), err
}

// descend returns the value at a path. A key may contain slashes, so it may be more than one step.
func descend(v gjson.Result, path []string) (found gjson.Result) {
	if len(path) == 0 {
		return v
	}
	i := 0
	v.ForEach(func(key, value gjson.Result) bool {
		name := key.String()
		if v.IsArray() {
			name = strconv.Itoa(i)
			i++
		}
		n := 1 + strings.Count(name, "/")
		if n <= len(path) && strings.Join(path[:n], "/") == name {
			found = descend(value, path[n:])
		}
		return !found.Exists()
	})
	return found
}

// member returns a member of an object, whose key is taken as it is.
func member(v gjson.Result, key string) (found gjson.Result) {
	v.ForEach(func(k, value gjson.Result) bool {
		if k.String() == key {
			found = value
		}
		return !found.Exists()
	})
	return found
}
