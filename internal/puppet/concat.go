package puppet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// The types of the module concat: a file, and the fragments that make it.
const (
	concatFile     = "Concat_file"
	concatFragment = "Concat_fragment"
)

// IsConcat reports whether resources of a type are files of the module concat, or fragments of
// them.
func IsConcat(typ string) (file, fragment bool) { return typ == concatFile, typ == concatFragment }

// Assembly is a file that the module concat makes of fragments.
type Assembly struct {
	// File is the resource of the file, and Path is its path.
	File *catalog.Resource
	Path string
	// Fragments are in the order of the file.
	Fragments []*catalog.Resource
	// Text is the content of the file. Whole is false if it is not known: if a fragment is
	// copied from a source, or the fragments are data that is merged.
	Text  string
	Whole bool
	// Parts are the fragments as texts, which are equal if the fragments are, and Format is that of
	// the file: data in some formats is merged. "" is plain text.
	Parts  []string
	Format string
	// IsSecret indicates that a fragment is Sensitive.
	IsSecret bool
}

// Assemble returns the files that the module concat makes, by the titles of their resources.
func Assemble(resources []*catalog.Resource) map[string]*Assembly {
	all := make(map[string]*Assembly)
	var fragments []fragment
	byTarget := make(map[string][]int) // of fragments
	byTag := make(map[string][]int)
	for _, r := range resources {
		if r.Type() != concatFragment {
			continue
		}
		of := ValuesOf(r)
		f := fragment{resource: r, name: of.text("name"), order: cmp.Or(of.text("order"), "10"), content: of("content"), source: of("source")}
		if f.name == "" {
			f.name = r.Title()
		}
		byTarget[of.text("target")] = append(byTarget[of.text("target")], len(fragments))
		if tag := of.text("tag"); tag != "" {
			byTag[tag] = append(byTag[tag], len(fragments))
		}
		fragments = append(fragments, f)
	}
	for _, r := range resources {
		if r.Type() != concatFile {
			continue
		}
		of := ValuesOf(r)
		a := &Assembly{File: r, Path: cmp.Or(of.text("path"), r.Title())}
		chosen := slices.Concat(byTarget[a.Path], byTarget[r.Title()], byTag[of.text("tag")])
		slices.Sort(chosen)
		var own []fragment
		for _, i := range slices.Compact(chosen) {
			own = append(own, fragments[i])
		}
		a.assemble(own, of)
		all[r.Title()] = a
	}
	return all
}

// fragment is a part of a file.
type fragment struct {
	resource        *catalog.Resource
	name, order     string
	content, source pcore.Value
}

func (a *Assembly) assemble(fragments []fragment, file Values) {
	if file.text("order") == "numeric" {
		slices.SortStableFunc(fragments, func(x, y fragment) int {
			return cmp.Or(compareNumbers(x.order, y.order), compareNumbers(x.name, y.name))
		})
	} else {
		slices.SortStableFunc(fragments, func(x, y fragment) int {
			return cmp.Or(cmp.Compare(x.order, y.order), cmp.Compare(x.name, y.name))
		})
	}
	if a.Format = file.text("format"); a.Format == "plain" {
		a.Format = ""
	}
	a.Whole = a.Format == ""
	newline := isTrue(file.text("ensure_newline"))
	var text strings.Builder
	for _, f := range fragments {
		a.Fragments = append(a.Fragments, f.resource)
		value := cmp.Or[pcore.Value](f.content, f.source)
		s, ok := "", false
		if value != nil {
			s, ok = scalar(value)
			_, secret := value.(*pcore.Sensitive)
			a.IsSecret = a.IsSecret || secret
		}
		a.IsSecret = a.IsSecret || slices.Contains(f.resource.SensitiveParameters(), "content")
		if !ok && value != nil {
			list, _ := scalars(value)
			s = strings.Join(append(list, value.String()), "\n") // a call, or several sources
		}
		a.Whole = a.Whole && ok && f.content != nil
		if newline && !strings.HasSuffix(s, "\n") {
			s += "\n"
		}
		text.WriteString(s)
		a.Parts = append(a.Parts, s)
	}
	a.Text = text.String()
}

// compareNumbers compares texts, those of digits by their number.
func compareNumbers(x, y string) int {
	a, err := strconv.Atoi(x)
	b, also := strconv.Atoi(y)
	if err != nil || also != nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}
