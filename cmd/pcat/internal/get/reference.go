package get

import (
	"cmp"
	"errors"
	"iter"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// find returns the value at a path of data, which is doc as rich JSON. The path is a
// reference, or has the syntax of gjson.
func (opts *Options) find(doc *document.Document, data []byte, path string) (gjson.Result, error) {
	target, ok := locate.Parse(path)
	if !ok {
		if found := gjson.GetBytes(data, path); found.Exists() || path == "" {
			return found, nil
		}
		if doc.Kind() != "" {
			return ofOnly(data, path), nil // the data is no catalog
		}
		target = locate.Bare(path)
	}
	parts := func() iter.Seq2[catalog.Part, error] {
		return catalog.NewReaderBytes(data, formats.RichJSON(), serialization.DecodeOptions{}).Parts()
	}
	all, targets, err := doc.Find(parts, doc.MaskedText, target)
	if err != nil {
		return gjson.Result{}, err
	}
	var missing error
	for _, c := range all {
		for _, f := range c.Found { // a report has a resource once for each log line, too
			found, err := opts.at(doc, f)
			if err == nil {
				return found, nil
			}
			missing = cmp.Or(missing, err)
		}
	}
	if missing != nil {
		return gjson.Result{}, missing
	}
	if target.IsBare() {
		return gjson.Result{}, nil // no value at a path
	}
	near, err := locate.Near(parts, targets[0])
	if err != nil {
		return gjson.Result{}, doc.Failure(err)
	}
	text := document.NotFound(targets[0].Ref().String(), doc.Name, near)
	return gjson.Result{}, &cli.Error{Code: cli.ExitFindings, Err: errors.New(text)}
}

// ofOnly returns the value at a path of the only element of a list, such as the report of one node.
func ofOnly(data []byte, path string) gjson.Result {
	if all := gjson.ParseBytes(data); all.IsArray() && all.Get("#").Int() == 1 {
		return all.Get("0." + path)
	}
	return gjson.Result{}
}

// at returns the text of a resource or of a location in it, with its numbers and escapes.
func (opts *Options) at(doc *document.Document, f *locate.Found) (gjson.Result, error) {
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
		text, err := formats.RichJSON().Append(nil, v, opts.Read.Encoding())
		return gjson.ParseBytes(text), err
	}
	var location *locate.LocationError
	if !errors.As(err, &location) {
		return gjson.Result{}, doc.Failure(err)
	}
	return gjson.Result{}, document.NoLocation(doc.Name, location)
}

// below returns the value at a path of a resource: of a parameter, or of another member.
func below(resource gjson.Result, path []string) gjson.Result {
	if found := descend(resource, append([]string{"parameters"}, path...)); found.Exists() {
		return found
	}
	return descend(resource, path)
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
