package audit

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/environment"
	"github.com/pcatdev/pcat/internal/glob"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
)

// Fix returns a change that repairs a finding, in one line of Puppet code:
// `password => Sensitive(lookup('profile::app::password'))`. Names and keys other
// than those of the resource and the parameter are examples. It returns "" for
// findings of custom rules, for those in edges, which repeat titles, and for those in a
// parameter without a name in the Puppet language.
func (r *Report) Fix(f *Finding) string {
	if r.Rules == nil {
		return ""
	}
	known, ok := r.Rules.ByID(f.Rule)
	if !ok {
		return ""
	}
	code, parameter, element := known.Fix, f.Parameter, f.Element
	if f.Rule == exportedSecret {
		switch parameter = f.Name; parameter { // with the secret
		case "title":
			element = InTitle
		case "tags":
			element = InTag
		}
	}
	if code == "" || element == InEdge || f.Rule == secretInReport && (parameter == "logs" || parameter == "status") {
		return ""
	}
	if f.Rule == secretInReport && f.Type == "Exec" && parameter == "returns" { // the event has the command
		return fixedCommand
	}
	if id := fixedElsewhere[element]; id != "" {
		if known, ok = r.Rules.ByID(id); ok {
			code = known.Fix
		}
	}
	if strings.Contains(code, "PARAMETER") && !parameterName.Get().MatchString(parameter) ||
		strings.Contains(code, "TYPE") && !typeName.Get().MatchString(f.Type) {
		return ""
	}
	if strings.HasPrefix(code, "TYPE {") {
		if f.Type == "Exec" { // its title is its command
			code = strings.Replace(code, "parameter => Sensitive($secret)", fixedCommand, 1)
		}
		return strings.Replace(code, "TYPE", strings.ToLower(f.Type), 1)
	}
	value, assigns := strings.CutPrefix(code, "PARAMETER => ")
	if assigns && f.Parameter == "content" && value[0] == '\'' { // a URL or a command in a text
		value = "Sensitive(lookup('PARAMETER'))"
	}
	if assigns && strings.HasPrefix(value, "Sensitive(") {
		return f.fixValue(value)
	}
	return f.fill(code, parameter)
}

// fill replaces the placeholders of a fix.
func (f *Finding) fill(code, parameter string) string {
	return strings.NewReplacer("PARAMETER", parameter, "TYPE", f.Type, "TEMPLATE", f.template()).Replace(code)
}

// fixedCommand is the fix of a command with a secret.
const fixedCommand = `command => Sensitive("…${secret.unwrap}…")`

// fixedElsewhere are the rules with the fixes for secrets that no parameter has.
var fixedElsewhere = map[Element]string{InTitle: "sensitive-in-title", InTag: "sensitive-in-tag"}

var (
	parameterName = lazyregexp.New(`^[a-z][a-z0-9_]*$`)
	fileName      = lazyregexp.New(`^\w[\w.-]*$`)
	settingName   = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_.]*$`)
	typeName      = lazyregexp.New(`^[A-Z][A-Za-z0-9_]*(::[A-Z][A-Za-z0-9_]*)*$`)
)

// fixValue returns the fix that replaces the secret by a Sensitive value: in the
// declaration of a class, in an entry of a hash, or in a text.
func (f *Finding) fixValue(value string) string {
	inside := 1 // the first step inside of the value
	if f.Rule == secretInReport {
		inside = 2 // of the new or the old value in an event
	}
	nested := len(f.At.Path) > inside
	switch {
	case f.Type == "Class" && typeName.Get().MatchString(f.Title):
		secret := "Sensitive[String]"
		switch {
		case nested:
			secret = "Sensitive"
		case f.Rule == weakSecret || f.Rule == defaultPassword:
			secret = "Sensitive[String[12]]"
		}
		return "class " + strings.ToLower(f.Title) + " (" + secret + " $" + f.Parameter + ")"
	case f.Part && strings.HasPrefix(value, "Sensitive(lookup("):
		return f.Parameter + ` => Sensitive("…${secret.unwrap}…")`
	case nested && f.At.Path[inside].Kind != pcore.StepIndex && parameterName.Get().MatchString(f.Name):
		return f.Parameter + " => { '" + f.Name + "' => " + f.fill(value, f.Name) + " }"
	}
	return f.Parameter + " => " + f.fill(value, f.Parameter)
}

// template returns the name of a template for the value: of the module with the manifest, with the name of the file.
// A part that is not known, or has other characters, is an example.
func (f *Finding) template() string {
	module, _, known := strings.Cut(environment.InModule(f.File), "/")
	if !known || !parameterName.Get().MatchString(module) {
		module = "profile"
	}
	file := path.Base(f.Title)
	if f.Type != "File" || !fileName.Get().MatchString(file) {
		file = "app.conf"
	}
	return module + "/" + file + ".epp"
}

// Setting returns another repair of a secret in the configuration file of a known program: the
// setting with which that program reads it from elsewhere, such as
// `Grafana: password = $__file{/etc/grafana/password}`. It returns "" for other findings.
func (f *Finding) Setting() string {
	if f.Class != rule.Leak || f.Type != "File" || f.Parameter != "content" || !f.Part {
		return ""
	}
	where := strings.ToLower(f.Title)
	base := path.Base(where)
	for _, p := range settings() {
		if !slices.ContainsFunc(p.files, func(name string) bool { return glob.Match(name, base) }) ||
			!slices.ContainsFunc(p.folders, func(folder string) bool { return strings.Contains(where, folder) }) {
			continue
		}
		name := f.Name
		if !settingName.Get().MatchString(name) {
			name = "secret"
		}
		return p.program + ": " + strings.ReplaceAll(p.line, "NAME", name)
	}
	return ""
}

// setting is a row of [knowledge.Fixes].
type setting struct {
	program, line  string
	files, folders []string
}

// settings returns the rows of the table.
var settings = sync.OnceValue(func() (list []setting) {
	for row := range knowledge.Fixes.Rows(4) {
		list = append(list, setting{program: row[0], line: row[3], files: strings.Split(row[1], "|"), folders: strings.Split(row[2], "|")})
	}
	return list
})
