package hiera

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// configName is the name of a configuration.
const configName = "hiera.yaml"

// The keys of a configuration.
const (
	versionKey          = "version"
	defaultsKey         = "defaults"
	hierarchyKey        = "hierarchy"
	defaultHierarchyKey = "default_hierarchy"
	planHierarchyKey    = "plan_hierarchy"
	nameKey             = "name"
	datadirKey          = "datadir"
	optionsKey          = "options"
	dataHashKey         = "data_hash"
	lookupKeyKey        = "lookup_key"
	dataDigKey          = "data_dig"
	hiera3Key           = "hiera3_backend"
	version4Key         = "v4_data_hash"
	pathKey             = "path"
	pathsKey            = "paths"
	globKey             = "glob"
	globsKey            = "globs"
	uriKey              = "uri"
	urisKey             = "uris"
	mappedPathsKey      = "mapped_paths"
)

func functionKeys() []string { return []string{dataHashKey, lookupKeyKey, dataDigKey, hiera3Key} }
func allFunctionKeys() []string {
	return append(functionKeys(), version4Key)
}
func locationKeys() []string {
	return []string{pathKey, pathsKey, globKey, globsKey, uriKey, urisKey, mappedPathsKey}
}

// config is a configuration of version 5.
type config struct {
	path  string // empty for the default
	root  string // relative datadirs begin here
	text  string
	data  *pcore.Hash
	layer *layer
}

// readConfig reads the configuration at a path. Without a file, it is nil.
func (inv *invocation) readConfig(l *layer, path string) (*config, error) {
	text, found, err := inv.h.read(inv, path)
	if err != nil || !found {
		return nil, err
	}
	return newConfig(inv.h, l, path, text)
}

// newConfig checks a configuration.
func newConfig(h *Hierarchy, l *layer, path, text string) (*config, error) {
	c := &config{path: path, root: filepath.Dir(path), text: text, layer: l}
	v, _, err := loadYAML(text)
	if err != nil {
		return nil, puppetErrorf("(%s): %s", path, err)
	}
	data, ok := textKeys(v).(*pcore.Hash)
	if !ok {
		return nil, c.fail(0, "the file is not a hash, which Puppet takes for hiera.yaml version 3; only version 5 is supported")
	}
	if version := versionOf(data); version != 5 {
		return nil, c.version(version)
	}
	c.data = withDefaults(data)
	if err := h.assert(fmt.Sprintf("The Lookup Configuration at '%s'", path), h.types.config, c.data); err != nil {
		return nil, err
	}
	return c, c.validate()
}

// versionOf returns the version that a configuration declares, or 3.
func versionOf(data *pcore.Hash) int64 {
	v, ok := data.GetString(versionKey)
	if !ok || !truthy(v) {
		return 3
	}
	switch v := v.(type) {
	case pcore.Integer:
		return int64(v)
	case pcore.String:
		digits := strings.TrimLeft(string(v), " ")
		end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
		if end >= 0 {
			digits = digits[:end]
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return 0
		}
		return n
	default:
		return 0
	}
}

// version returns the error for another version than 5.
func (c *config) version(version int64) error {
	switch {
	case version == 3 && c.layer.kind != globalLayer:
		return c.fail(0, "hiera.yaml version 3 cannot be used in %s", c.layer.article())
	case version == 4 && c.layer.kind == globalLayer:
		return c.fail(0, "hiera.yaml version 4 cannot be used in the global layer")
	case version == 3 || version == 4:
		return c.fail(0, "hiera.yaml version %d is not supported; only version 5 is", version)
	default:
		return c.fail(0, "This runtime does not support hiera.yaml version %d", version)
	}
}

// fail returns an error about the configuration. line is 0 if it is not known.
func (c *config) fail(line int, format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), File: c.path, Line: line, kind: issueKind}
}

// withDefaults returns a configuration with the defaults of its missing parts.
func withDefaults(data *pcore.Hash) *pcore.Hash {
	b := pcore.NewHashBuilder(data.Len() + 2)
	for k, v := range data.All() {
		b.Set(k, v)
	}
	if v, ok := data.GetString(defaultsKey); !ok || !truthy(v) {
		b.SetString(defaultsKey, pcore.NewHash(
			pcore.Entry{Key: pcore.String(datadirKey), Value: pcore.String("data")},
			pcore.Entry{Key: pcore.String(dataHashKey), Value: pcore.String(yamlData)}))
	}
	if v, ok := data.GetString(hierarchyKey); !ok || !truthy(v) {
		b.SetString(hierarchyKey, pcore.NewArray(pcore.NewHash(
			pcore.Entry{Key: pcore.String(nameKey), Value: pcore.String("Common")},
			pcore.Entry{Key: pcore.String(pathKey), Value: pcore.String("common.yaml")})))
	}
	return b.Hash()
}

// textKeys returns a value with texts for the symbols among its keys.
func textKeys(v pcore.Value) pcore.Value {
	switch v := v.(type) {
	case *pcore.Hash:
		b := pcore.NewHashBuilder(v.Len())
		for k, e := range v.All() {
			switch s := k.(type) {
			case pcore.Symbol:
				k = pcore.String(s)
			case pcore.Default:
				k = pcore.String("default")
			default:
			}
			b.Set(k, textKeys(e))
		}
		return b.Hash()
	case *pcore.Array:
		elems := make([]pcore.Value, v.Len())
		for i, e := range v.All() {
			elems[i] = textKeys(e)
		}
		return pcore.NewArray(elems...)
	default:
		return v
	}
}

// loadYAML reads a YAML text as Puppet does for data: with symbols, and no other classes of Ruby.
func loadYAML(text string) (v pcore.Value, ok bool, err error) {
	if v, ok, err = psych.Load(text); err != nil {
		return nil, false, err
	}
	if !ok {
		v = pcore.Boolean(false)
	}
	return v, !pcore.Is[pcore.Undef](v), nil
}

// text returns an entry that is a text; empty for none.
func text(h *pcore.Hash, name string) string {
	v, _ := h.GetString(name)
	s, _ := v.(pcore.String)
	return string(s)
}

// texts returns an entry that is an array of texts.
func texts(h *pcore.Hash, name string) []string {
	v, _ := h.GetString(name)
	list, _ := v.(*pcore.Array)
	var all []string
	for _, e := range list.All() {
		all = append(all, rubytext.Text(e))
	}
	return all
}

// hash returns an entry that is a hash; nil for none.
func hash(h *pcore.Hash, name string) *pcore.Hash {
	v, _ := h.GetString(name)
	inner, _ := v.(*pcore.Hash)
	return inner
}

// count returns how many of the keys h has, and the first of them.
func count(h *pcore.Hash, keys []string) (n int, first string) {
	for _, k := range keys {
		if _, ok := h.GetString(k); ok {
			n++
			first = cmp.Or(first, k)
		}
	}
	return n, first
}

// validate checks the rules that the type of a configuration cannot express.
func (c *config) validate() error {
	defaults := hash(c.data, defaultsKey)
	if n, _ := count(defaults, functionKeys()); n > 1 {
		return c.fail(0, "Only one of %s can be defined in defaults", joined(functionKeys()))
	}
	for _, reserved := range []string{pathKey, uriKey} {
		if _, ok := hash(defaults, optionsKey).GetString(reserved); ok {
			return c.fail(0, "Option key '%s' used in defaults is reserved by Puppet", reserved)
		}
	}
	for _, list := range []string{hierarchyKey, planHierarchyKey} {
		if err := c.validateAll(list, defaults); err != nil {
			return err
		}
	}
	if _, ok := c.data.GetString(defaultHierarchyKey); !ok {
		return nil
	}
	if c.layer.kind != moduleLayer {
		return c.fail(c.lineOf(`(?:^|\s+)`+defaultHierarchyKey+`:`, 1), "'default_hierarchy' is only allowed in the module layer")
	}
	return c.validateAll(defaultHierarchyKey, defaults)
}

func (c *config) validateAll(list string, defaults *pcore.Hash) error {
	v, _ := c.data.GetString(list)
	entries, _ := v.(*pcore.Array)
	for _, e := range entries.All() {
		if err := c.validateEntry(e.(*pcore.Hash), defaults); err != nil {
			return err
		}
	}
	return nil
}

func (c *config) validateEntry(e, defaults *pcore.Hash) error {
	name := text(e, nameKey)
	switch n, _ := count(e, allFunctionKeys()); {
	case n > 1:
		return c.fail(0, "Only one of %s can be defined in hierarchy '%s'", joined(functionKeys()), name)
	case n == 0:
		if n, _ := count(defaults, functionKeys()); n == 0 {
			return c.fail(0, "One of %s must be defined in hierarchy '%s'", joined(functionKeys()), name)
		}
	}
	if backend := text(e, hiera3Key); backend != "" {
		if c.layer.kind != globalLayer {
			return c.fail(c.lineOf(`\s+`+hiera3Key+`:`, 1), "'hiera3_backend' is only allowed in the global layer")
		}
		if backend == "json" || backend == "yaml" {
			return c.fail(c.lineOf(`\s+`+hiera3Key+`:\s*['"]?`+backend+`(?:\W|$)`, 1),
				`Use "data_hash: %s_data" instead of "hiera3_backend: %s"`, backend, backend)
		}
	}
	if n, _ := count(e, locationKeys()); n > 1 {
		return c.fail(0, "Only one of %s can be defined in hierarchy '%s'", joined(locationKeys()), name)
	}
	for _, reserved := range []string{pathKey, uriKey} {
		if _, ok := hash(e, optionsKey).GetString(reserved); ok {
			return c.fail(0, "Option key '%s' used in hierarchy '%s' is reserved by Puppet", reserved, name)
		}
	}
	return nil
}

// joined joins words: a, b, or c.
func joined(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + ", or " + words[last]
}

// lineOf returns the first line from a line on that matches a pattern, without its comment; 0 for
// none.
func (c *config) lineOf(pattern string, from int) int {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return 0
	}
	number := 0
	for l := range strings.Lines(c.text) {
		number++
		if number < from {
			continue
		}
		if re.MatchString(withoutComment(l)) {
			return number
		}
	}
	return 0
}

func withoutComment(line string) string {
	quote := rune(0)
	for i, r := range line {
		switch {
		case (r == '"' || r == '\'') && quote == r:
			quote = 0
		case (r == '"' || r == '\'') && quote == 0:
			quote = r
		case r == '#':
			return line[:i]
		}
	}
	return line
}

// entry is an entry of a hierarchy.
type entry struct {
	name      string
	function  string // data_hash, lookup_key, data_dig, hiera3_backend
	provider  string // the function's name
	options   *pcore.Hash
	locations []location
	everyone  bool // there are no locations: the function is called once
	config    *config

	data map[string]*fileData
}

// location is a file of an entry.
type location struct {
	original string
	path     string
	exists   bool
	uri      bool
}

// entries returns the entries of a hierarchy, with the paths for the variables of the scope.
func (c *config) entries(inv *invocation, list string) ([]*entry, error) {
	defaults := hash(c.data, defaultsKey)
	v, ok := c.data.GetString(list)
	if !ok {
		return nil, nil
	}
	var all []*entry
	for _, e := range v.(*pcore.Array).All() {
		he := e.(*pcore.Hash)
		name := text(he, nameKey)
		if slices.ContainsFunc(all, func(e *entry) bool { return e.name == name }) {
			return nil, c.duplicate(name)
		}
		made, err := c.entry(inv, he, defaults)
		if err != nil {
			return nil, c.located(err)
		}
		all = append(all, made)
	}
	return all, nil
}

// duplicate returns the error for a name that two entries have.
func (c *config) duplicate(name string) error {
	pattern := `\s+name:\s+['"]?` + regexp.QuoteMeta(name) + `(?:\W|$)`
	first := c.lineOf(pattern, 1)
	second := 0
	if first > 0 {
		second = c.lineOf(pattern, first+1)
	}
	message := fmt.Sprintf("Hierarchy name '%s' defined more than once.", name)
	if second > 0 {
		message += fmt.Sprintf(" First defined at (line: %d)", first)
	}
	return c.fail(cmp.Or(second, first), "%s", message)
}

var undefinedVariable = regexp.MustCompile(`^Undefined variable '([^']+)'`)

// located adds the location of an unknown variable.
func (c *config) located(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if m := undefinedVariable.FindStringSubmatch(e.Message); m != nil {
			return c.fail(c.lineOf(`%\{['"]?`+regexp.QuoteMeta(m[1])+`['"]?}`, 1), "Undefined variable '%s'", m[1])
		}
	}
	return err
}

func (c *config) entry(inv *invocation, he, defaults *pcore.Hash) (*entry, error) {
	e := &entry{name: text(he, nameKey), config: c, data: map[string]*fileData{}}
	if _, e.function = count(he, allFunctionKeys()); e.function != "" {
		e.provider = text(he, e.function)
	} else {
		_, e.function = count(defaults, functionKeys())
		e.provider = text(defaults, e.function)
	}
	datadir := cmp.Or(text(he, datadirKey), text(defaults, datadirKey), "data")
	base, err := c.interpolated(inv, join(c.root, datadir))
	if err != nil {
		return nil, err
	}
	lenient := inv.lenient
	inv.lenient = true
	e.locations, e.everyone, err = c.locations(inv, base, he)
	inv.lenient = lenient
	if err != nil {
		return nil, err
	}
	options := hash(he, optionsKey)
	if options == nil {
		options = hash(defaults, optionsKey)
	}
	if options != nil {
		v, err := c.interpolate(inv, options)
		if err != nil {
			return nil, err
		}
		e.options, _ = v.(*pcore.Hash)
	}
	return e, nil
}

// interpolate interpolates a value of the configuration. An error about an expression names the file.
func (c *config) interpolate(inv *invocation, v pcore.Value) (pcore.Value, error) {
	v, err := inv.interpolate(v, false)
	if e, ok := errors.AsType[*Error](err); ok && e.kind == issueKind && e.File == "" {
		located := *e
		located.File = c.path
		return nil, &located
	}
	return v, err
}

// interpolated interpolates a text of the configuration.
func (c *config) interpolated(inv *invocation, text string) (string, error) {
	v, err := c.interpolate(inv, pcore.String(text))
	if err != nil {
		return "", err
	}
	return rubytext.Text(v), nil
}

// maxLocations is the maximum number of files of an entry.
const maxLocations = 10_000

var errTooMany = lookupErrorf("an entry of a hierarchy has more than %d files", maxLocations)

// locations returns the files of an entry. everyone reports that the entry names none.
func (c *config) locations(inv *invocation, base string, he *pcore.Hash) (all []location, everyone bool, err error) {
	_, kind := count(he, locationKeys())
	switch kind {
	case pathKey, pathsKey:
		paths := texts(he, pathsKey)
		if kind == pathKey {
			paths = []string{text(he, pathKey)}
		}
		for _, p := range paths {
			l, err := c.resolve(inv, base, p)
			if err != nil {
				return nil, false, err
			}
			all = append(all, l)
		}
	case globKey, globsKey:
		globs := texts(he, globsKey)
		if kind == globKey {
			globs = []string{text(he, globKey)}
		}
		for _, g := range globs {
			found, err := c.glob(inv, base, g)
			if err != nil {
				return nil, false, err
			}
			all = append(all, found...)
		}
	case mappedPathsKey:
		all, err = c.mapped(inv, base, texts(he, mappedPathsKey))
	case uriKey, urisKey:
		return []location{{uri: true, exists: true}}, false, nil
	default:
		return nil, true, nil
	}
	if len(all) > maxLocations {
		return nil, false, errTooMany
	}
	return all, false, err
}

// resolve returns the file for a path of a configuration.
func (c *config) resolve(inv *invocation, base, declared string) (location, error) {
	path, err := c.interpolated(inv, declared)
	if err != nil {
		return location{}, err
	}
	path = join(base, path)
	exists, err := inv.exists(path)
	return location{original: declared, path: path, exists: exists}, err
}

// exists reports whether a file exists.
func (inv *invocation) exists(path string) (bool, error) {
	for i := strings.Index(path, "/.."); i >= 0; { // a folder that is left must exist
		if found, err := inv.h.isFolder(path[:i]); err != nil || !found {
			return false, err
		}
		next := strings.Index(path[i+1:], "/..")
		if next < 0 {
			break
		}
		i += 1 + next
	}
	_, found, err := inv.h.options.Files.Find(0, path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return found, err
}

// glob returns the files that match a pattern.
func (c *config) glob(inv *invocation, base, declared string) ([]location, error) {
	pattern, err := c.interpolated(inv, declared)
	if err != nil {
		return nil, err
	}
	pattern = join(base, pattern)
	if i := strings.LastIndex(base, "/.."); i >= 0 {
		if found, err := inv.exists(base); err != nil || !found {
			return nil, err
		}
	}
	v, err := inv.h.tools(inv).Call(inv.ctx, "glob", []pcore.Value{pcore.String(pattern)}, nil)
	if err != nil {
		return nil, err
	}
	var all []location
	for _, p := range v.(*pcore.Array).All() {
		path := rubytext.Text(p)
		isDir, err := inv.h.isFolder(path)
		if err != nil {
			return nil, err
		}
		if !isDir {
			all = append(all, location{original: pattern, path: path, exists: true})
		}
		if len(all) > maxLocations {
			return nil, errTooMany
		}
	}
	return all, nil
}

// mapped returns a file for each element of a variable. spec is the variable, the name for an
// element, and the path.
func (c *config) mapped(inv *invocation, base string, spec []string) (all []location, err error) {
	v, err := inv.scope(spec[0], "mapped_path[0]")
	if err != nil {
		return nil, err
	}
	var values []pcore.Value
	switch v := v.(type) {
	case pcore.Undef:
		return nil, nil
	case pcore.String:
		if v == "" {
			return nil, nil
		}
		values = []pcore.Value{v}
	case *pcore.Array:
		values = slices.Collect(v.Values())
	case *pcore.Hash:
		for k, e := range v.All() {
			values = append(values, pcore.NewArray(k, e))
		}
	default:
		return nil, lookupErrorf("mapped_paths: the variable '%s' must be a String, an Array or a Hash, not %s", spec[0], pcore.KindOf(v))
	}
	if len(values) > maxLocations {
		return nil, errTooMany
	}
	outer, collected := inv.locals, inv.collected
	var own []interpolation
	if collected != nil {
		inv.collected = &own
	}
	defer func() {
		inv.locals, inv.collected = outer, collected
		for _, i := range own {
			if i.root != spec[1] {
				*collected = append(*collected, i)
			}
		}
	}()
	for _, v := range values {
		inv.locals = map[string]pcore.Value{spec[1]: v}
		l, err := c.resolve(inv, base, spec[2])
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// join returns path below base, as Ruby's Pathname#+ does.
func join(base, path string) string {
	if filepath.IsAbs(path) || base == "" {
		return path
	}
	base = strings.TrimRight(base, "/")
	for path != "" {
		first, rest, _ := strings.Cut(path, "/")
		switch first {
		case "..":
			base = filepath.Dir(base)
		case ".", "":
		default:
			return strings.TrimRight(base, "/") + "/" + path
		}
		path = strings.TrimLeft(rest, "/")
	}
	return cmp.Or(base, "/")
}
