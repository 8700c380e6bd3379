package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubyre"
)

// ImportOctocatalog converts arguments of --ignore and, without brackets, of --ignore-attr
// of octocatalog-diff to a configuration in YAML. An argument can contain several rules
// with commas between them. The error is about a rule that is invalid, or that has no
// equivalent.
func ImportOctocatalog(arguments ...string) ([]byte, error) {
	var f struct {
		Ignore []*entry `yaml:"ignore"`
	}
	for _, argument := range arguments {
		for _, text := range octocatalogRules(argument) {
			e, err := fromOctocatalog(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", text, err)
			}
			f.Ignore = append(f.Ignore, e)
		}
	}
	var b strings.Builder
	y := yaml.NewEncoder(&b)
	y.SetIndent(2)
	if err := y.Encode(f); err != nil {
		return nil, err
	}
	return []byte(b.String()), y.Close()
}

var (
	// A comma between rules; values can contain others.
	ruleComma = lazyregexp.New(`,\s*((?:\*|[A-Za-z][\w:]*)\[)`)
	// What can follow the title: signs of whole resources, or an attribute with a sign, an
	// operator and a value.
	afterTitle = lazyregexp.New(`(?s)^(?:|[-+~!]+|([-+]?)((?:::)?[^\s\[\]:=,+~!-][^\s\[\]=,]*)(?:=([-+~&s]?)>(.+))?)$`)
)

// octocatalogRules splits an argument into rules.
func octocatalogRules(argument string) []string {
	if typ, _, ok := strings.Cut(argument, "["); !ok || !typeName.Get().MatchString(typ) {
		return strings.Split(argument, ",")
	}
	var rules []string
	begin := 0
	for _, at := range ruleComma.Get().FindAllStringSubmatchIndex(argument, -1) {
		rules = append(rules, argument[begin:at[0]])
		begin = at[2]
	}
	return append(rules, argument[begin:])
}

// fromOctocatalog converts one rule.
func fromOctocatalog(text string) (*entry, error) {
	typ, rest, ok := strings.Cut(text, "[")
	if !ok || !typeName.Get().MatchString(typ) {
		e := &entry{At: "*[*]"}
		parts := afterTitle.Get().FindStringSubmatch(text)
		if parts == nil || parts[2] == "" || parts[1] != "" {
			return nil, errors.New("expected Type[title], Type[title]::parameters::name or an attribute")
		}
		return e, e.attribute(parts)
	}
	for i := range len(rest) {
		if rest[i] != ']' || i == 0 {
			continue
		}
		parts := afterTitle.Get().FindStringSubmatch(rest[i+1:])
		if parts == nil {
			continue // the bracket belongs to the title
		}
		e := &entry{At: typ + "[" + rest[:i] + "]"}
		if strings.ContainsAny(rest[:i], "?") { // a wildcard of pcat only
			e.and("$title =~ " + literal(`(?i:\A`+strings.ReplaceAll(rubyre.Escape(rest[:i]), `\*`, ".*")+`\z)`))
		}
		if parts[2] == "" {
			e.signs(rest[i+1:])
			return e, nil
		}
		return e, e.attribute(parts)
	}
	return nil, errors.New("expected Type[title], followed by nothing, signs or an attribute")
}

var typeName = lazyregexp.New(`^(?:\*|[A-Za-z][\w:]*)$`)

// and adds a condition to the expression.
func (e *entry) and(condition string) {
	if e.When != "" {
		condition = e.When + " and " + condition
	}
	e.When = condition
}

// signs adds the condition of a set of signs: `+` and `-` are resources that were added and
// removed, `~` is a changed value, and `!` a value with new or removed parts.
func (e *entry) signs(set string) {
	var signs strings.Builder
	var any []string
	for _, c := range [][2]string{
		{"+", "$kind == resource and $op == add"},
		{"-", "$kind == resource and $op == remove"},
		{"~", "$kind != array and $op == change"},
		{"!", "($kind == array or $path != '' and $op in [add, remove])"},
	} {
		if strings.Contains(set, c[0]) {
			signs.WriteString(c[0])
			any = append(any, c[1])
		}
	}
	switch signs.String() {
	case "", "+-~!":
	case "+":
		e.Op, e.Kind = words{string(diff.OpAdd)}, words{"resource"}
	case "-":
		e.Op, e.Kind = words{string(diff.OpRemove)}, words{"resource"}
	case "+-":
		e.Op, e.Kind = words{string(diff.OpAdd), string(diff.OpRemove)}, words{"resource"}
	case "~!":
		e.and("$path != ''")
	default:
		e.and("(" + strings.Join(any, " or ") + ")")
	}
}

// attribute adds the condition of the parts of afterTitle.
func (e *entry) attribute(parts []string) error {
	sign, name, operator, value := parts[1], strings.ReplaceAll(parts[2], `\f`, "::"), parts[3], parts[4]
	if name != "*" {
		names := strings.Split(strings.TrimPrefix(name, "::"), "::")
		if slices.Contains(names, "") || strings.ContainsAny(name, "*?/") {
			return fmt.Errorf("the attribute %s has no equivalent: a name in a path of pcat is not empty and contains no *, ? and /", name)
		}
		path := "/" + strings.Join(names, "/")
		if !strings.HasPrefix(name, "::") {
			path = "/**" + path
		}
		e.At += path
	}
	switch sign {
	case "+":
		e.Op = words{string(diff.OpAdd)}
	case "-":
		e.Op = words{string(diff.OpRemove)}
	}
	if value == "" {
		return nil
	}
	equal := " =~ Enum['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "']" // == ignores case
	switch operator {
	case "":
		e.and("($old" + equal + " or $new" + equal + ")")
	case "+":
		e.and("$new" + equal)
	case "-":
		e.and("$old" + equal)
	case "s":
		if value != "=" {
			return errors.New("=s> can only be followed by =")
		}
		e.and("$old =~ Array and $new =~ Array and $old - $new == [] and $new - $old == []")
	default:
		return e.changedLines(value, operator == "&")
	}
	return nil
}

var (
	// The beginning of a regular expression that matches both signs of a changed line.
	anySign = lazyregexp.New(`^\^(?:\[(?:\\?\+\\?-|\\?-\\?\+)\]|\((?:\?:)?(?:\\\+\|\\?-|\\?-\|\\\+)\))`)
	// A regular expression that matches neither at the sign nor at the beginning.
	inLine = lazyregexp.New(`^\w(?:[^?*{]|$)`)
)

// changedLines adds the condition of a regular expression, which octocatalog-diff applies to
// lines with their sign, without white space at the end, and without regard to case.
func (e *entry) changedLines(text string, all bool) error {
	if _, err := rubyre.Compile(text); err != nil {
		return err
	}
	own := ""
	sign := anySign.Get().FindString(text)
	rest := strings.ReplaceAll(text[len(sign):], "[^", "[")
	switch {
	case strings.ContainsAny(rest, "|^") || strings.Contains(rest, `\A`) || strings.Contains(rest, "(?<"):
	case sign != "":
		own = "(?i)^" + text[len(sign):]
	case inLine.Get().MatchString(text):
		own = "(?i)" + text
	}
	if before, ok := strings.CutSuffix(own, "$"); ok && !strings.HasSuffix(before, `\`) {
		own = before + `\s*$`
	}
	switch {
	case own != "" && all:
		e.Lines = own
	case own != "":
		e.Any = own
	case all:
		e.and("$lines != [] and $lines.all |$line| { $line.rstrip =~ " + literal("(?i:"+text+")") + " }")
	default:
		e.and("$lines.any |$line| { $line.rstrip =~ " + literal("(?i:"+text+")") + " }")
	}
	return nil
}

// literal returns a regular expression in the Puppet language.
func literal(source string) string {
	var b strings.Builder
	for i := 0; i < len(source); i++ {
		switch c := source[i]; {
		case c == '\\' && i+1 < len(source):
			b.WriteString(source[i : i+2])
			i++
		case c == '/':
			b.WriteString(`\/`)
		default:
			b.WriteByte(c)
		}
	}
	return "/" + b.String() + "/"
}
