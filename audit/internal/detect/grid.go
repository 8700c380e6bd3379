package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// grids finds the passwords in tables that commands print, and that people write in Markdown: the heading of a column is
// the name of a secret, and a line of signs is below the headings.
//
//	| user  | password       |
//	+-------+----------------+
//	| meier | X              |
func (t lineFormats) grids() {
	const bar = "|"
	var headings, last []lines.Word // of the table, and the fields of the line before
	for start, end := range lines.All(t.S) {
		line := t.S[start:end]
		var fields []lines.Word
		if len(line) <= lines.Reach && strings.Contains(line, bar) {
			fields = lines.Fields(t.S, start, end, bar)
		}
		switch {
		case isRuler(line):
			if len(last) > 0 {
				headings = last
			}
			fields = nil
		case fields == nil:
			headings = nil
		default:
			t.cells(headings, fields)
		}
		last = fields
	}
}

// cells handles the cells of a row.
func (t lineFormats) cells(headings, cells []lines.Word) {
	if len(cells) != len(headings) {
		return
	}
	for i, cell := range cells {
		name, value := strings.TrimSpace(headings[i].Text), strings.Trim(cell.Text, " \t`")
		if strings.HasPrefix(value, "**") {
			value = strings.Trim(value, "*")
		}
		class := t.classOf(name)
		if !class.Secret() || strings.EqualFold(name, "pass") || strings.ContainsAny(value, " ()<>=") && !isPhraseWithMark(value) {
			continue // `pass` beside `fail`, or a value that is a type or a condition
		}
		if !verdict.IsDrawnOrMarked(value) && !isPhraseWithMark(value) && (class != verdict.Password || !verdict.FollowsRules(value)) {
			continue
		}
		start := cell.Start + strings.Index(cell.Text, value)
		t.given(name, start, start+len(value), class)
	}
}

// isRuler reports whether a line consists of the signs that are below the headings of a table.
func isRuler(line string) bool {
	return strings.Contains(line, "---") && strings.Trim(line, "-+|:= \t\r") == ""
}
