package verdict

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// templateSyntax is the syntax with which a template language, a shell or a program marks a
// text that it fills in later.
type templateSyntax struct {
	name string
	// begin and end are the marks around a variable. An empty end marks no end.
	begin, end string
	// within means that the marks may be anywhere in a value that consists mostly of the
	// text between them. Otherwise they are around the whole value.
	within bool
	// least is the minimum length of the text between marks around the whole value, and fits
	// reports whether that text is possible there.
	least int
	fits  func(between string) bool
	// only means that a value with the first mark is not checked for another syntax.
	only bool
	// is replaces the marks.
	is func(s string) bool
	// yes are samples of the syntax; no are similar values that are not templates.
	yes, no []string
}

// enclosedSyntaxes are the syntaxes around a whole value. They are
// recognized without the bytes of isTemplateMark.
var enclosedSyntaxes = []templateSyntax{
	{
		name: "command output", begin: "`", least: 2, fits: isOutput, only: true,
		yes: []string{"`cat /etc/app.conf`", "`hostname"}, // the second is cut off at a blank
		no:  []string{"`walrus 7 otters", "`7walrus#"},
	},
	{
		name: "YAML alias", begin: "*", least: 4, fits: alphabet.IsLatinName,
		yes: []string{"*db_password", "*defaults"},
		no:  []string{"*abc", "*walrus7", "*Winter-2025!"},
	},
	{
		name: "YAML anchor", begin: "&", least: 4, fits: alphabet.IsLatinName,
		yes: []string{"&db_password"},
		no:  []string{"&abc", "&walrus7"},
	},
	{
		name: "Concourse and BOSH", begin: "((", end: "))", least: 1,
		yes: []string{"((db_password))", "((vault:app.token))"},
		no:  []string{"(db_password)", "(())", "((db_password"},
	},
	{
		name: "concatenation with plus", begin: "+ ", end: " +", least: 1,
		yes: []string{"' + @password + '", "+ token +"},
		no:  []string{"+walrus+", "+ walrus"},
	},
	{
		name: "concatenation with dots", begin: ". ", end: " .", least: 1,
		yes: []string{`" . $password . "`},
		no:  []string{".walrus.", ". walrus"},
	},
	{
		name: "Tcl command", begin: "[", end: "]", least: 3, fits: func(s string) bool { return strings.ContainsAny(s, " $") },
		yes: []string{"[lindex $argv 0]", "[get$x]"},
		no:  []string{"[walrus]", "[$]", "[get x"},
	},
	{
		name: "double brackets", begin: "[[", end: "]]", least: 1,
		yes: []string{"[[PASSWORD]]"},
		no:  []string{"[PASSWORD]", "[[]]"},
	},
}

// templateCutset are the bytes around a template that are ignored.
const templateCutset = " \t\r\n\"'\\"

// isTemplateMark are the bytes of which each of markedSyntaxes needs one.
var isTemplateMark = [256]bool{'$': true, '%': true, '{': true, '<': true, '@': true, '#': true}

// markedSyntaxes are all other syntaxes, in order: the first one that applies decides.
var markedSyntaxes = []templateSyntax{
	{
		name: "Hiera", begin: "%{", end: "}", within: true,
		yes: []string{"%{facts.networking.fqdn}", "%{lookup('db_password')}", "pw-%{x}", "%{unclosed"},
		no:  []string{"walrus-otter-badger%{x}", "Tx7#%2{z"},
	},
	{
		name: "Python format", begin: "%(", end: ")s", within: true,
		yes: []string{"%(db_password)s", "%(here)s/x"},
		no:  []string{"walrus-otter-badger%(x)s", "walrus%(2"},
	},
	{
		name: "percent and brackets", begin: "%[", end: "]", within: true,
		yes: []string{"%[password]"},
		no:  []string{"walrus-otter-badger%[x]"},
	},
	{
		name: "shell parameter", begin: "${", end: "}", within: true,
		yes: []string{"${DB_PASSWORD}", "${env:TOKEN:-x}", "app-${x}", `"${TOKEN}"`, "${TOKEN"},
		no:  []string{"walrus-otter-badger${x}", "walrus${x"},
	},
	{
		name: "shell command", begin: "$(", end: ")", within: true,
		yes: []string{"$(cat /run/token)", "$((1 + 2))", "$(PASSWORD)", "$(cat"},
		no:  []string{"walrus-otter-badger$(x)", "walrus$(7"},
	},
	{
		name: "ERB and EPP", begin: "<%", end: "%>", within: true,
		yes: []string{"<%= @password %>", "<%= $x -%>"},
		no:  []string{"walrus-otter-badger<%= x %>", "walrus<%7"},
	},
	{
		name: "Jinja and Mustache", begin: "{{", end: "}}", within: true,
		yes: []string{"{{ db_password }}", "{{.Values.token}}", "x-{{y}}"},
		no:  []string{"walrus-otter-badger-{{x}}", "walrus{{7"},
	},
	{
		name: "Jinja statement", begin: "{%", end: "%}", within: true,
		yes: []string{"{% if x %}walrus{% endif %}"},
		no:  []string{"walrus-otter-badger-{%x%}"},
	},
	{
		name: "Template Toolkit", begin: "[%", end: "%]", within: true,
		yes: []string{"[% password %]", "[%|loc%]Go[%END%]"},
		no:  []string{"walrus%]", "[walrus%"},
	},
	{
		name: "Ruby interpolation", begin: "#{", end: "}", within: true,
		yes: []string{"#{ENV['TOKEN']}", "app:#{x}"},
		no:  []string{"walrus-otter-badger#{x}", "walrus#{7"},
	},
	{
		name: "dollar and brackets", begin: "$[", end: "]", within: true,
		yes: []string{"$[variables.token]"},
		no:  []string{"walrus-otter-badger$[x]"},
	},
	{
		name: "at sign and braces", begin: "@{", end: "}", within: true,
		yes: []string{"@{db_password}"},
		no:  []string{"walrus-otter-badger@{x}", "walrus@{7"},
	},
	{
		name: "double brackets within", begin: "[[", end: "]]", within: true,
		yes: []string{"#[[x]]"},
		no:  []string{"walrus#otter-badger[[x]]"},
	},
	{
		name: "guillemets", begin: "<<", end: ">>", within: true,
		yes: []string{"<<PASSWORD>>"},
		no:  []string{"walrus-otter-badger<<x>>", "walrus<<7"},
	},
	{
		name: "configure", is: isConfigured, // of Autoconf and CMake
		yes: []string{"@DB_PASSWORD@", "-@TOKEN@-"},
		no:  []string{"@db_password@", "@AB@", "@DB PASSWORD@", "WALRUS@OTTER@BADGER"},
	},
	{
		name: "percent and a word", is: isLogFormat, // of Apache, fish and others
		yes: []string{"%tag{x", "%x{y"},
		no:  []string{"%7{y", "walrus%otter"},
	},
	{
		name: "variable", begin: "$", least: 1, fits: func(s string) bool { return IsIdentifier(strings.TrimPrefix(s, "::")) },
		yes: []string{"$password", "$::profile::app::token", "$_", "$settings['token']", "$env:TOKEN"},
		no:  []string{"$", "$7walrus", "$Abc12!", "$Winter2025", "$6$walrus$otter", "Tx7$walrus"},
	},
	{
		name: "variable before an escaped line break", is: isVariableOnLine,
		yes: []string{`$password\nuser = walrus`},
		no:  []string{`$\nwalrus`, `$Walrus7\notter`},
	},
	{
		name: "printf", is: isFormat,
		yes: []string{"%s", "%s:%s", "app-%s", "%d-%v"},
		no:  []string{"Tx7%s!kQ", "walrus-otter-%s", "pw=%s", "50%"},
	},
	{
		name: "percent signs", begin: "%", end: "%", fits: IsIdentifier,
		yes: []string{"%DB_PASSWORD%", "%x%"},
		no:  []string{"%%", "%db password%", "%7walrus%"},
	},
	{
		name: "Nagios macro", begin: "$", end: "$", least: 2, fits: IsIdentifier,
		yes: []string{"$USER3$", "$_HOSTTOKEN$"},
		no:  []string{"$A$", "$Walrus7$", "$db password$"},
	},
	{
		name: "Caddy variable", begin: "{$", end: "}", least: 3, fits: IsIdentifier,
		yes: []string{"{$TOKEN}"},
		no:  []string{"{$A}", "{$Walrus7!}"},
	},
	{
		name: "Caddy environment", begin: "{env.", end: "}", fits: IsIdentifier,
		yes: []string{"{env.TOKEN}"},
		no:  []string{"{env.walrus otter}", "{env.}"},
	},
	{
		name: "Caddy file", begin: "{file.", end: "}", least: 1,
		yes: []string{"{file./run/token}", "{file.x}"},
		no:  []string{"{files/run/token}", "{file.}", "{file.x"},
	},
	{
		name: "braces", begin: "{", end: "}", least: 4, fits: isInBraces,
		yes: []string{"{DB_PASSWORD}", "{env:DB_PASSWORD}"},
		no:  []string{"{walrus}", "{A_B", "{A_}", "{a.b_c}", "{env:TOKEN}"},
	},
	{
		name: "PowerShell environment", begin: "$env:", least: 1,
		yes: []string{"$env:ProgramFiles(x86)"},
		no:  []string{"Tx7$env:x"},
	},
	{
		name: "environment function", begin: "$env(", least: 1,
		yes: []string{"$env(TOKEN)"},
		no:  []string{"$env("},
	},
	{
		name: "Perl environment", begin: "$ENV{", least: 1,
		yes: []string{"$ENV{TOKEN}", "$ENV{'DB_PASSWORD'}"},
		no:  []string{"$ENV{"},
	},
	{
		name: "element of a hash of Perl", begin: "$", least: 3, fits: isElementOfHash,
		yes: []string{"$args{db_password}", "$opt->{password}", "$h{'token'}"},
		no:  []string{"$args{db", "$5a{b}", "$x{a b}"},
	},
}

// isTemplate reports whether s is filled in later: it consists mostly of a variable of a
// template language.
func isTemplate(s string) bool {
	s = strings.Trim(s, templateCutset)
	if s == "" {
		return false
	}
	if !alphabet.IsAlnum(s[0]) { // no mark begins with a letter or a digit
		if is, known := findSyntax(enclosedSyntaxes, s); known {
			return is
		}
	}
	for i := range len(s) {
		if isTemplateMark[s[i]] {
			is, _ := findSyntax(markedSyntaxes, s)
			return is
		}
	}
	return false
}

// findSyntax reports whether the first syntax that applies to a value makes it a template.
// known is false if no syntax applies.
func findSyntax(list []templateSyntax, s string) (is, known bool) {
	has := alphabet.ContainedIn(s)
	for i := range list {
		t := &list[i]
		switch {
		case t.is != nil:
			is = t.is(s)
		case t.within:
			if has.Has(t.begin[0]) {
				is, known = t.fills(s)
			}
		case s[0] == t.begin[0]:
			is, known = t.encloses(s)
		}
		if is || known {
			return is, true
		}
	}
	return false, false
}

// encloses reports whether the marks are around the whole value.
func (t *templateSyntax) encloses(s string) (is, known bool) {
	between, found := strings.CutPrefix(s, t.begin)
	if !found || len(between) < t.least+len(t.end) {
		return false, false
	}
	between, found = strings.CutSuffix(between, t.end)
	return found && (t.fits == nil || t.fits(between)), t.only
}

// fills reports whether the value consists mostly of the marks and the text between them.
// Marks that begin a value may lack their end.
func (t *templateSyntax) fills(s string) (is, known bool) {
	const few = 8 // bytes outside of the marks
	begin := strings.Index(s, t.begin)
	if begin < 0 {
		return false, false
	}
	end := strings.LastIndex(s, t.end)
	if end <= begin {
		return begin == 0, begin == 0
	}
	outside := begin + len(s) - end - len(t.end)
	return outside <= len(s)/3 || outside < few, true
}

// isOutput reports whether a text after a backquote is the output of a command. It may be
// cut off at a blank.
func isOutput(s string) bool { return s[len(s)-1] == '`' || IsIdentifier(s) }

// isConfigured reports whether s is a name in capital letters between at signs, with few
// other bytes.
func isConfigured(s string) bool {
	_, rest, _ := strings.Cut(s, "@")
	name, _, found := strings.Cut(rest, "@")
	return found && len(name) > 2 && IsIdentifier(name) && len(s)-len(name) <= 4 && s == strings.ToUpper(s)
}

// isLogFormat reports whether letters and a brace follow the first percent sign, as in
// `%tag{x}`.
func isLogFormat(s string) bool {
	_, rest, found := strings.Cut(s, "%")
	word, _, opens := strings.Cut(rest, "{")
	return found && opens && alphabet.IsLatin(word)
}

// isVariableOnLine reports whether s, a string with escaped line breaks, begins with a
// variable on a line of its own.
func isVariableOnLine(s string) bool {
	name, _, found := strings.Cut(s, `\n`)
	return found && len(name) > 1 && name[0] == '$' && IsIdentifier(name[1:])
}

// isInBraces reports whether a text in braces is a name with an underscore, perhaps after a
// colon: `{DB_PASSWORD}`, `{env:DB_PASSWORD}`.
func isInBraces(s string) bool {
	name := s[strings.IndexByte(s, ':')+1:]
	return IsIdentifier(name) && strings.Contains(name, "_") && !strings.ContainsAny(name, ".'\"[]")
}

// isFormat reports whether s is a printf format: it consists mostly of verbs and
// separators.
func isFormat(s string) bool {
	rest, n := s, 0
	for _, verb := range []string{"%s", "%d", "%v", "%q", "%x", "%i", "%u"} {
		n += strings.Count(rest, verb)
		rest = strings.ReplaceAll(rest, verb, "")
	}
	return n > 0 && len(rest) <= 8 && (n > 1 || rest == "" || !IsMachineMade(rest))
}

// IsIdentifier reports whether s has the form of a variable.
func IsIdentifier(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if !alphabet.IsWordByte(s[i]) && s[i] != ':' && s[i] != '.' && s[i] != '[' && s[i] != ']' && s[i] != '\'' && s[i] != '"' {
			return false
		}
	}
	// `$6$salt…` has more dollars, and `$Abc12!` is a password: a variable has letters of
	// one case.
	letters := strings.Trim(s, "0123456789_")
	return letters == strings.ToLower(letters) || letters == strings.ToUpper(letters) || !strings.ContainsAny(s, "0123456789")
}

// isElementOfHash reports whether s, without its dollar sign, is an element of a hash of Perl:
// `args{db_password}`.
func isElementOfHash(s string) bool {
	name, key, found := strings.Cut(s, "{")
	key, closed := strings.CutSuffix(key, "}")
	return found && closed && IsIdentifier(strings.TrimSuffix(name, "->")) && IsIdentifier(strings.Trim(key, "'"))
}

// Fallback returns the string that a template uses if its setting is missing, and its position, which is 0 if there is none:
// `<%= ENV['DB'] || 'X' %>`, `<%= ENV.fetch('DB', 'X') %>`.
func Fallback(s string) (inner string, at int) {
	if !strings.HasPrefix(s, "<%=") {
		return "", 0
	}
	end := strings.LastIndexAny(s, `'"`)
	if end <= 0 {
		return "", 0
	}
	start := strings.LastIndexByte(s[:end], s[end])
	before := strings.TrimRight(s[:max(start, 0)], " (")
	if !strings.HasSuffix(before, "||") && !(strings.HasSuffix(before, ",") && strings.Contains(before, "fetch(")) {
		return "", 0
	}
	return s[start+1 : end], start + 1
}
