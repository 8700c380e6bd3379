package assign

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// attribute returns the value of an attribute of a tag.
func attribute(attributes, name string) (string, bool) {
	_, rest, ok := strings.Cut(attributes, name+"=")
	if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", false
	}
	value, _, ok := strings.Cut(rest[1:], rest[:1])
	return value, ok && value != ""
}

// elementBefore returns the name of the tag whose first attribute follows: `<secret value=`. It returns "" if there is none.
func elementBefore(before string) string {
	open := strings.LastIndexByte(before, '<')
	if open < 0 {
		return ""
	}
	name := strings.TrimRight(before[open+1:], " \t")
	if !verdict.IsName(name) || len(name) == len(before)-open-1 {
		return ""
	}
	return name
}

// element handles the end of a tag: `<name>value</…`.
func (l *assigner) element(at int) {
	s, start := l.S, l.start
	open := strings.LastIndexByte(s[max(start, at-verdict.MaxName):at], '<')
	if open < 0 {
		return
	}
	open += max(start, at-verdict.MaxName)
	name := s[open+1 : at]
	if name == "" || name[0] == '/' || name[0] == '!' || name[0] == '?' || name[len(name)-1] == '/' {
		return
	}
	name, attributes, _ := strings.Cut(name, " ")
	name = name[strings.LastIndexByte(name, ':')+1:]
	other, ok := attribute(attributes, "name")
	for _, named := range []string{"Name", "key"} { // `<entry key="db.password">` of Java's properties
		if !ok {
			other, ok = attribute(attributes, named)
		}
	}
	if ok && l.Names.ClassOf(name) == verdict.Plain {
		name = verdict.LastPart(other) // `<property name="db.password">…`
	}
	as := l.Names.ClassOf(name)
	if as == verdict.Plain && !l.Names.Designates(name) || as == verdict.Never {
		return
	}
	rest := s[at+1 : min(len(s), at+1+verdict.MaxValue)]
	to := strings.IndexByte(rest, '<')
	if to >= 0 && strings.TrimSpace(rest[:to]) == "" && as > verdict.Hint {
		// The name of this element applies to the element inside it.
		l.yield(Assignment{Name: "name", Value: name, Start: at, End: at})
	}
	if to <= 0 || rest[to:min(to+2, len(rest))] != "</" {
		if text, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), "<![CDATA["); ok {
			if n := strings.Index(text, "]]>"); n > 0 {
				from := at + 1 + len(rest) - len(text)
				l.yield(Assignment{Name: name, Class: as, Value: text[:n], Start: from, End: from + n, Quoted: true})
			}
		}
		return
	}
	text := strings.TrimSpace(rest[:to])
	if text == "" {
		return
	}
	if as == verdict.Hint { // `<pre-shared-key><key>…`
		before := strings.TrimRight(s[max(0, open-verdict.MaxName):open], " \t\r\n")
		if around, ok := strings.CutSuffix(before, ">"); ok {
			around = around[strings.LastIndexByte(around, '<')+1:]
			if s := l.Names.ClassOf(around); around != "" && around[0] != '/' && s.Secret() {
				name, as = around, s
			}
		}
	}
	from := at + 1 + strings.Index(rest[:to], text)
	l.yield(Assignment{Name: name, Class: as, Value: decode.XML(text), Start: from, End: from + len(text), Quoted: true})
}
