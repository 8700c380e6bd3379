package puppet

import (
	"cmp"
	"path"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Canonical returns a reference with the type, and the title of a class, spelled
// as Puppet does.
func Canonical(ref catalog.Ref) catalog.Ref {
	ref.Type = TypeName(ref.Type)
	if ref.Type == "Class" {
		ref.Title = TypeName(ref.Title)
	}
	return ref
}

// TypeName capitalizes the segments of a name: the first letter of each.
func TypeName(name string) string {
	if isTypeName(name) {
		return name
	}
	segments := strings.Split(name, "::")
	for i, s := range segments {
		if s != "" {
			segments[i] = strings.ToUpper(s[:1]) + s[1:]
		}
	}
	return strings.Join(segments, "::")
}

// isTypeName reports whether name is spelled as by TypeName.
func isTypeName(name string) bool {
	for i := range len(name) {
		if c := name[i]; 'a' <= c && c <= 'z' && (i == 0 || i > 1 && name[i-1] == ':' && name[i-2] == ':') {
			return false
		}
	}
	return true
}

// Keys returns the names that a reference means: a resource with the second one, which
// is mostly the same, is found if none has the first one.
func Keys(ref catalog.Ref) (exact, short catalog.Ref) {
	exact = Canonical(ref)
	short = exact
	if short.Type == "File" {
		short.Title = withoutSlashes(short.Title)
	}
	return exact, short
}

// Names maps the names of resources in canonical form, as in [Facts], to numbers.
type Names map[catalog.Ref]int32

// Find returns the number of the resource that a reference names.
func (n Names) Find(ref catalog.Ref) (int, bool) {
	exact, short := Keys(ref)
	i, ok := n[exact]
	if !ok && short != exact {
		i, ok = n[short]
	}
	return int(i), ok
}

// withoutSlashes returns a path without the slashes at its end.
func withoutSlashes(title string) string {
	short := strings.TrimRight(title, "/")
	if short == "" || strings.HasSuffix(short, ":") {
		return title[:min(len(title), len(short)+1)] // a root
	}
	return short
}

// Path returns the path of a File as Puppet normalizes it. value is that of its
// parameter path, or "".
func Path(title, value string) string {
	if value == "" {
		value = withoutSlashes(title)
	}
	if strings.HasPrefix(value, "/") {
		return path.Clean(value)
	}
	return withoutSlashes(value)
}

// Identity returns a text that is equal for two references to one resource. Types ignore case,
// and so do the names of classes; the title of a file is a path.
func Identity(ref catalog.Ref) string {
	typ, title := strings.ToLower(ref.Type), ref.Title
	switch typ {
	case "class":
		title = strings.ToLower(strings.TrimPrefix(title, "::"))
	case "file":
		title = Path(title, "")
	case "mount":
		title = withoutSlashes(title)
	}
	return typ + "[" + title + "]"
}

// ByNamevar returns the name of a resource according to the value of its namevar, which
// is "" if the resource has no such parameter. It reports false if there is no such name.
func ByNamevar(own catalog.Ref, value string) (catalog.Ref, bool) {
	switch own.Type {
	case "File":
		value = Path(own.Title, value)
	case "Mount":
		value = withoutSlashes(cmp.Or(value, own.Title))
	}
	return catalog.Ref{Type: own.Type, Title: value}, value != "" && Namevar(own.Type) != ""
}

// IsContainer reports whether an agent treats a resource of a type, in canonical form, as a
// container. Catalogs of Puppet 6 and later contain the kind. In others, maybe is true for a type that
// is one if a resource of the type contains others.
func IsContainer(typ, kind string) (container, maybe bool) {
	switch {
	case typ == "Class", typ == "Stage", typ == "Node":
		return true, false
	case kind == "":
		return strings.Contains(typ, "::"), !IsCore(typ)
	default:
		return kind != "compilable_type", false
	}
}

// Metaparameter is a parameter with references to other resources.
type Metaparameter struct {
	Name    string
	First   bool // the resource with the parameter is applied first
	Refresh bool // the one that is applied later is refreshed
}

// Metaparameters are all of them.
var Metaparameters = [...]Metaparameter{
	{Name: "require"}, {Name: "subscribe", Refresh: true}, {Name: "before", First: true}, {Name: "notify", First: true, Refresh: true},
}

// Facts are the names of a resource, and its references to others. The zero value has
// none.
type Facts struct {
	// Names are its title, its aliases, and the value of its namevar, in canonical form.
	Names []catalog.Ref
	// References are those in each of the Metaparameters, as they are written.
	References [len(Metaparameters)][]catalog.Ref
}

// Read returns the Facts of a resource. With an error, which is a *[catalog.Error] about
// a parameter that cannot be decoded, some are missing.
func Read(r *catalog.Resource) (Facts, error) {
	own := Canonical(r.Ref())
	f := Facts{Names: []catalog.Ref{own}}
	namevar, value := Namevar(own.Type), ""
	parameters, failed := r.RawParameters()
	secret := catalog.NamesOf(r.SensitiveParameters())
	for i := range parameters {
		p := &parameters[i]
		meta := IndexOf(p.Key)
		if meta < 0 && p.Key != "alias" && p.Key != namevar || secret.Has(p.Key) {
			continue
		}
		v, err := r.Decode(p)
		if err != nil {
			failed = err
			continue
		}
		if p.Key == namevar {
			value = Name(v)
			continue
		}
		for _, text := range Texts(nil, v) {
			if meta < 0 {
				f.Names = append(f.Names, catalog.Ref{Type: own.Type, Title: text})
			} else if ref, ok := catalog.ParseRef(text); ok {
				f.References[meta] = append(f.References[meta], ref)
			}
		}
	}
	if name, ok := ByNamevar(own, value); ok {
		f.Names = append(f.Names, name)
	}
	return f, failed
}

// ObjectName returns a name of the object that a resource manages, by which no reference finds
// it: of a package, which several providers can manage, the command of an Exec, and of types of
// modules. It reports false
// if there is none.
func ObjectName(r *catalog.Resource) (name string, ok bool) {
	typ := TypeName(r.Type())
	t := TypeOf(typ)
	if t == nil || t.Name != "Package" && t.Name != "Exec" && !t.module {
		return "", false
	}
	of := ValuesOf(r)
	name = of.text(t.titled)
	switch {
	case t.Name == "Exec":
		return cmp.Or(name, r.Title()), true
	case t.Name == "Package":
		return cmp.Or(name, r.Title()) + "\x00" + of.text("provider"), true
	case t.titled == "name":
		return "", false
	default:
		return name, name != ""
	}
}

// Name returns the value of a namevar as a name, or "". A number is none: Puppet does
// not take the name 1 for the title '1'.
func Name(v pcore.Value) string {
	s, _ := v.(pcore.String)
	return string(s)
}

// IndexOf returns the index of the metaparameter with a name, or -1.
func IndexOf(name string) int {
	for i := range Metaparameters {
		if Metaparameters[i].Name == name {
			return i
		}
	}
	return -1
}

// Texts appends the texts in a value to list: of a String, of a number, and of all
// elements of an Array. A Sensitive contains no relation.
func Texts(list []string, v pcore.Value) []string {
	switch v := v.(type) {
	case pcore.String:
		return append(list, string(v))
	case pcore.Integer:
		return append(list, v.String())
	case *pcore.Array:
		for e := range v.Values() {
			list = Texts(list, e)
		}
		return list
	case pcore.Type: // a reference as a value of rich data
		return append(list, v.String())
	default:
		return list
	}
}

// EdgeKind reports whether an edge is containment, by the name that PuppetDB has for
// it: catalogs have only such edges. If it is none, its source is applied first, and
// refresh reports whether its target is refreshed.
func EdgeKind(relationship string) (contains, refresh bool) {
	return relationship == "" || relationship == "contains", relationship == "notifies" || relationship == "subscription-of"
}

// IsOuter reports whether a container gives way to another one that has the same
// contents: a class that is in another class is in a stage, too.
func IsOuter(container catalog.Ref) bool { return container.Type == "Stage" }
