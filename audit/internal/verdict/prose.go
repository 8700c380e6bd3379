package verdict

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// functionWords returns the words that join the others in a sentence, in the languages of most
// texts on a node. Commands and settings have few of them.
var functionWords = sync.OnceValue(func() *set {
	words := setOf(`the an is are be been was were this that these those your you it its which will must should can may might not of to for with
		from by or and if when has have please than then there they we our do does only also into
		der die das ist sind und oder nicht für mit sie ihr ihre ein eine zu von auf wird werden bitte dem den des
		le la les est sont et ou pas pour avec votre vous un une du sur dans ce cette
		el los las es son no para con su una por que del
		il lo gli per non di che sia het een niet van voor met uw`)
	return &words
})

// IsSpoken reports whether a line is a part of a text for people: several of its words join the
// others, as in no command and no setting. Text in quotes does not count.
func IsSpoken(line string) bool {
	const fewest, share = 4, 6
	n, joins := 0, 0
	for i := 0; i < len(line); {
		c := line[i]
		if c == '"' || c == '`' {
			if end := strings.IndexByte(line[i+1:], c); end >= 0 {
				i += end + 2
				continue
			}
		}
		if c <= ' ' {
			i++
			continue
		}
		j := i
		for j < len(line) && line[j] > ' ' && line[j] != '"' && line[j] != '`' {
			j++
		}
		if j == i {
			j++
		}
		if word := strings.Trim(line[i:j], ".,;:!?()'"); alphabet.IsLetters(word) && word != "" {
			n++
			if len(word) > 1 && functionWords().has(strings.ToLower(word)) {
				joins++
			}
		}
		i = j
	}
	return n >= fewest && joins >= 2 && joins*share >= n
}

// IsForPeople reports whether a text is a text for people by its form, whatever the name of its file:
// the source or the print of a page of the manual, the help of a program, a list of translations.
func IsForPeople(s string) bool {
	const reach = 4 << 10
	if strings.IndexByte(s, '\n') < 0 {
		return false
	}
	isScript := strings.HasPrefix(s, "#!")
	at := 0
	for line := range strings.Lines(s[:min(len(s), reach)]) {
		first := at == 0
		at += len(line)
		line = withoutEnd(line)
		if line == "" {
			continue
		}
		switch line[0] {
		case '.', '\'':
			if strings.HasPrefix(line, ".SH ") || first && (strings.HasPrefix(line, ".TH ") || strings.HasPrefix(line, ".Dd ") || strings.HasPrefix(line, `.\"`) || strings.HasPrefix(line, `'\"`)) {
				return true
			}
		case '<':
			if strings.HasPrefix(line, "<refentry") || first && len(line) > 9 && strings.EqualFold(line[:9], "<!doctype") {
				return true
			}
		case 'U', 'u':
			if !isScript && len(line) >= 6 && strings.EqualFold(line[:6], "usage:") {
				return true
			}
		case 'S':
			if strings.HasPrefix(line, "SYNOPSIS") {
				return true
			}
		case 'm':
			if strings.HasPrefix(line, `msgid "`) && strings.Contains(s, "\nmsgstr") {
				return true
			}
		}
		if first && strings.IndexByte(line, '(') > 0 && isManualHeader(line) {
			return true
		}
	}
	return HasMessages(s)
}

// HasMessages reports whether most values of a text are words for people, as in a list of translations,
// which may be a program.
func HasMessages(s string) bool {
	const reach, shortest, fewest, enough = 16 << 10, 256, 16, 64
	if len(s) < shortest {
		return false
	}
	values, messages := 0, 0
	for line := range strings.Lines(s[:min(len(s), reach)]) {
		if values == enough && messages*4 < values {
			return false // settings
		}
		if value, ok := assigned(withoutEnd(line)); ok {
			values++
			if isMessage(value) {
				messages++
			}
		}
	}
	return values >= fewest && messages*10 >= values*6
}

// withoutEnd returns a line without its line break and the blanks before it.
func withoutEnd(line string) string {
	n := len(line)
	for n > 0 && (alphabet.IsBlank(line[n-1]) || line[n-1] == '\r' || line[n-1] == '\n') {
		n--
	}
	return line[:n]
}

// assigned returns the value of a line that gives a name one. A name in quotes may be a sentence, as in
// lists of translations.
func assigned(line string) (value string, ok bool) {
	if name, value, quoted := strings.Cut(line, `":`); quoted {
		return strings.Trim(value, " \"',"), strings.HasPrefix(strings.TrimLeft(name, " \t"), `"`)
	}
	i := 0
	for i < len(line) && line[i] != '=' && line[i] != ':' {
		i++
	}
	if i == len(line) || !IsName(strings.Trim(line[:i], "\"' \t")) {
		return "", false
	}
	value = strings.Trim(line[i+1:], " \t\"',>")
	return value, value != ""
}

// isMessage reports whether a value is a word for people, or several: it begins with a capital
// letter or has several words, or is written without capitals, and consists mostly of letters.
func isMessage(s string) bool {
	first, size := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) {
		return false
	}
	if second, _ := utf8.DecodeRuneInString(s[size:]); !strings.Contains(s, " ") && (unicode.IsLower(first) || unicode.IsUpper(first) && !unicode.IsLower(second)) {
		return false
	}
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsMark(r) || r == ' ' {
			letters++
		}
	}
	return letters*10 >= utf8.RuneCountInString(s)*7
}

// isManualHeader reports whether a line begins and ends with the name and section of a page of
// the manual: `LS(1)  User Commands  LS(1)`.
func isManualHeader(line string) bool {
	words := strings.Fields(line)
	if len(words) < 2 {
		return false
	}
	name, section, found := strings.Cut(words[0], "(")
	return found && IsName(name) && words[len(words)-1] == words[0] && strings.HasSuffix(section, ")")
}
