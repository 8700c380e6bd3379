package detect

import (
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// columns describes how to split the lines of a file, and which field is the secret. A
// negative position counts from the end.
type columns struct {
	separator string // empty for blanks
	fields    int    // minimum number of fields
	at        int
	after     string // the secret follows this text in the field
	until     string // and ends before this text
	quoted    bool   // the field is in quotes
	class     verdict.NameClass
}

// listing is a kind of file whose lines have columns. It is a row of knowledge/files.txt.
type listing struct {
	names  []string
	within []string // the path contains one of them
	whole  bool     // the file is the secret
	columns
}

// listingTable are the rows of the table.
type listingTable struct {
	list []listing
	// exact are the positions of the rows with a name, and patterns those of the rows with a pattern.
	exact    map[string][]int
	patterns []int
}

// listings returns the rows of the table.
var listings = sync.OnceValue(func() *listingTable {
	var list []listing
	classes := map[string]verdict.NameClass{"": verdict.Password, "token": verdict.Token}
	for row := range knowledge.Files.Rows(4) {
		l := listing{names: strings.Split(row[0], "|"), within: strings.Split(row[1], "|"), whole: row[2] == "SECRET", columns: parseColumns(row[2])}
		l.class = classes[row[3]]
		list = append(list, l)
	}
	t := &listingTable{list: list, exact: map[string][]int{}}
	for i := range list {
		isPattern := false
		for _, name := range list[i].names {
			isPattern = isPattern || strings.Contains(name, "*")
			t.exact[name] = append(t.exact[name], i)
		}
		if isPattern {
			t.patterns = append(t.patterns, i)
		}
	}
	return t
})

// parseColumns parses the third column of the table.
func parseColumns(text string) (c columns) {
	var fields []string
	switch {
	case strings.Contains(text, " "):
		fields = strings.Fields(text)
	case text != "" && text != "SECRET":
		i := strings.IndexAny(text, ":=,")
		c.separator = text[i : i+1]
		fields = strings.Split(text, c.separator)
	}
	last := false
	for _, field := range fields {
		if field == "..." {
			last = true
			continue
		}
		if before, after, found := strings.Cut(field, "SECRET"); found {
			c.at = c.fields
			c.quoted = before == `"`
			c.after = strings.Trim(before, `*"`)
			c.until = strings.Trim(strings.TrimSuffix(after, "..."), `"`)
		}
		c.fields++
	}
	if last {
		c.at = -1
	}
	return c
}

// listingOf returns the listing of a file, by its name and path in lower case. If whole is
// set, it returns a listing of files that are a secret as a whole.
func listingOf(base, file string, whole bool) (*listing, bool) {
	t := listings()
	first := len(t.list)
	for _, rows := range [...][]int{t.exact[base], t.patterns} {
		for _, i := range rows {
			if i < first && t.list[i].whole == whole && t.list[i].isOf(base, file) {
				first = i
			}
		}
	}
	if first == len(t.list) {
		return nil, false
	}
	return &t.list[first], true
}

// isOf reports whether a file has the listing, by its name and path.
func (l *listing) isOf(base, file string) bool {
	for _, name := range l.names {
		if isNamed(base, name) {
			return slices.ContainsFunc(l.within, func(part string) bool { return strings.Contains("/"+file, part) })
		}
	}
	return false
}

// isNamed reports whether a name matches a pattern of a listing.
func isNamed(base, pattern string) bool {
	rest, after := strings.CutPrefix(pattern, "*")
	part, before := strings.CutSuffix(rest, "*")
	switch {
	case after && before:
		return strings.Contains(base, part)
	case after:
		return strings.HasSuffix(base, part)
	case before:
		return strings.HasPrefix(base, part)
	}
	return base == part
}

func (t files) columns(base string, c columns) {
	s := t.S
	for start, end := range lines.All(s) {
		line := s[start:end]
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' && trimmed[0] != ';' && len(line) < 1024 {
			t.column(base, c, start, end)
		}
	}
}

func (t files) column(base string, c columns, start, end int) {
	var fields []lines.Word
	if c.separator == "" {
		fields = lines.Words(nil, t.S, start, end)
	} else {
		fields = lines.Fields(t.S, start, end, c.separator)
	}
	if len(fields) < c.fields {
		return
	}
	i := c.at
	if i < 0 {
		i = len(fields) - 1
	}
	f := fields[i]
	if c.quoted && !f.Quoted {
		return
	}
	if text := strings.TrimSpace(f.Text); c.separator == "=" && text != "" {
		f.Start += strings.Index(f.Text, text)
		f.Text, f.End = text, f.Start+len(text)
	}
	if c.after != "" {
		_, rest, found := strings.Cut(f.Text, c.after)
		if !found {
			return
		}
		f.Start += len(f.Text) - len(rest)
		f.Text = rest
	}
	if c.until != "" {
		text, _, _ := strings.Cut(f.Text, c.until)
		text = strings.TrimSpace(text)
		f.Start += strings.Index(f.Text, text)
		f.Text, f.End = text, f.Start+len(text)
	}
	if c.separator == ":" && strings.ContainsAny(f.Text, "\" ") && !verdict.IsSpokenPhrase(f.Text) {
		return // of a program with the name of the file
	}
	t.given(base, f.Start, f.End, c.class)
}

// table searches the columns of a CSV file whose heading is the name of a secret.
func (t files) table() {
	header := lines.End(t.S, 0)
	separator := ","
	if strings.Contains(t.S[:header], ";") {
		separator = ";"
	}
	headings := lines.Fields(t.S, 0, header, separator)
	classes := make([]verdict.NameClass, len(headings))
	for i := range headings {
		headings[i].Text = strings.Trim(headings[i].Text, "\" \r")
		classes[i] = t.classOf(headings[i].Text)
	}
	if !slices.ContainsFunc(classes, verdict.NameClass.Secret) {
		if slices.ContainsFunc(headings, func(w lines.Word) bool { return isHeadingOfAccounts(w.Text) }) {
			t.chosen(separator, headings)
		}
		return
	}
	for start, end := range lines.All(t.S) {
		if start == 0 {
			continue
		}
		for i, f := range lines.Fields(t.S, start, end, separator) {
			if i < len(classes) && classes[i].Secret() {
				t.given(headings[i].Text, f.Start, f.End, classes[i])
			}
		}
	}
}

// isHeadingOfAccounts reports whether a column of a table has accounts.
func isHeadingOfAccounts(heading string) bool {
	switch strings.ToLower(heading) {
	case "user", "username", "login", "account", "userid", "benutzer", "usuario", "utilisateur":
		return true
	}
	return false
}

// chosen searches the columns of a table of accounts for one with passwords: each of its values follows the rules
// for passwords, looks random, or is a passphrase with digits.
func (t files) chosen(separator string, headings []lines.Word) {
	const fewest, most = 3, 4096 // rows
	counts, last := make([]int, len(headings)), 0
	seen := make([]map[string]bool, len(headings)) // the values of a column, and their shapes
	rows := 0
	for start, end := range lines.All(t.S) {
		if start == 0 || strings.TrimSpace(t.S[start:end]) == "" {
			continue
		}
		if rows++; rows > most {
			return
		}
		for i, f := range lines.Fields(t.S, start, end, separator) {
			value := strings.Trim(f.Text, "\" \r")
			if i >= len(counts) || counts[i] < rows-1 || !looksLikePassword(value) || seen[i][shape(value)] {
				continue
			}
			counts[i] = rows
			if seen[i] == nil {
				seen[i] = map[string]bool{}
			}
			seen[i][shape(value)] = true
		}
		last = end
	}
	if rows < fewest {
		return
	}
	for start, end := range lines.All(t.S[:last]) {
		if start == 0 {
			continue
		}
		for i, f := range lines.Fields(t.S, start, end, separator) {
			if i < len(counts) && counts[i] == rows && !t.names().Identifies(headings[i].Text) && !isHeadingOfAccounts(headings[i].Text) {
				t.given(headings[i].Text, f.Start, f.End, verdict.Password)
			}
		}
	}
}

// shape returns s with a letter for all letters of a case, and a digit for all digits: identifiers, dates and versions have
// the same one.
func shape(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '0'
		case r >= 'a' && r <= 'z':
			return 'a'
		case r >= 'A' && r <= 'Z':
			return 'A'
		}
		return r
	}, s)
}

// looksLikePassword reports whether a value of a table can be a password, and is no name or number.
func looksLikePassword(s string) bool {
	const shortest = 8
	return len(s) >= shortest && !strings.ContainsAny(s, "/:@ ") && (verdict.FollowsRules(s) || verdict.IsRandom(s) && !alphabet.IsHex(s) || verdict.IsPhrase(strings.TrimRight(s, "0123456789")) && s[len(s)-1] <= '9')
}
