package syntax

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Error describes an error in a source text and its location.
type Error struct {
	// File is the name of the source; it may be empty.
	File string
	// Offset is the byte offset in the source, from 0.
	Offset int
	// Line and Column count from 1. Column counts characters.
	Line, Column int
	// Issue is the reference's code for the kind of error, such as
	// SYNTAX_ERROR.
	Issue string
	// Message describes the error in one line.
	Message string
	// Text is the source line that contains the error.
	Text string
}

// Error returns the location and the message on one line, such as "site.pp:3:7:
// Syntax error at '}'". It does not include the source line; see Detail.
func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Detail returns the text of Error followed by the source line and a caret
// below the column. A long line is cut to an excerpt around the column.
func (e *Error) Detail() string {
	line, column := e.excerpt()
	var b strings.Builder
	b.WriteString(e.Error())
	b.WriteString("\n  ")
	b.WriteString(string(line))
	b.WriteString("\n  ")
	for _, r := range line[:min(column, len(line))] {
		if r != '\t' {
			r = ' ' // keep tabs, so that the caret is below its column
		}
		b.WriteRune(r)
	}
	b.WriteByte('^')
	return b.String()
}

// maxExcerpt is the number of characters that Detail shows on each side of the
// column.
const maxExcerpt = 76

// excerpt returns the part of the line to show, and the number of characters in
// it before the column.
func (e *Error) excerpt() (line []rune, column int) {
	line, column = []rune(e.Text), max(0, e.Column-1)
	if end := column + maxExcerpt; end < len(line) {
		line = append(line[:end:end], '…')
	}
	if begin := column - maxExcerpt; begin > 0 && begin < len(line) {
		line, column = append([]rune{'…'}, line[begin:]...), maxExcerpt+1
	}
	return line, column
}

// ErrorList is the list of errors in one text: either syntax errors in source
// order, or errors of the checks, outer nodes before inner ones. It is never
// empty when it is returned as an error.
type ErrorList []*Error

// ErrSyntax is matched by every ErrorList.
var ErrSyntax = errors.New("syntax error")

// Is reports whether target is ErrSyntax.
func (ErrorList) Is(target error) bool { return target == ErrSyntax }

// Error returns the first error and the number of further ones.
func (l ErrorList) Error() string {
	switch len(l) {
	case 0:
		return "no errors"
	case 1:
		return l[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", l[0].Error(), len(l)-1)
}

// Detail returns the Detail of each error, joined by newlines.
func (l ErrorList) Detail() string {
	details := make([]string, len(l))
	for i, e := range l {
		details[i] = e.Detail()
	}
	return strings.Join(details, "\n")
}

// Unwrap lets errors.As find an *Error in the list.
func (l ErrorList) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// diagnostics collects the errors and warnings of one source.
type diagnostics struct {
	loc      *Locator
	limit    int
	errors   ErrorList
	warnings ErrorList
	// unsupported are constructs that Puppet accepts elsewhere.
	unsupported ErrorList
}

// make builds an Error for an offset.
func (d *diagnostics) make(offset int, issue, message string) *Error {
	line, column := d.loc.Position(offset)
	return &Error{
		File: d.loc.file, Offset: offset, Line: line, Column: column,
		Issue: issue, Message: message, Text: d.loc.Line(offset),
	}
}

// report adds an error, unless the limit is reached.
func (d *diagnostics) report(e *Error) {
	if len(d.errors) < d.limit {
		d.errors = append(d.errors, e)
	}
}

// errorf reports an error at an offset.
func (d *diagnostics) errorf(offset int, issue, format string, args ...any) {
	if len(d.errors) < d.limit {
		d.report(d.make(offset, issue, fmt.Sprintf(format, args...)))
	}
}

// count returns the number of errors and of unsupported constructs.
func (d *diagnostics) count() int { return len(d.errors) + len(d.unsupported) }

// unsupportedf reports a construct that Puppet accepts elsewhere.
func (d *diagnostics) unsupportedf(offset int, issue, format string, args ...any) {
	if len(d.unsupported) < d.limit {
		d.unsupported = append(d.unsupported, d.make(offset, issue, fmt.Sprintf(format, args...)))
	}
}

// warnf adds a warning at an offset, unless the limit is reached.
func (d *diagnostics) warnf(offset int, issue, format string, args ...any) {
	if len(d.warnings) < d.limit {
		d.warnings = append(d.warnings, d.make(offset, issue, fmt.Sprintf(format, args...)))
	}
}

// err returns the errors, or nil if there are none.
func (d *diagnostics) err() error {
	if len(d.errors)+len(d.unsupported) == 0 {
		return nil
	}
	if len(d.unsupported) > 0 {
		all := append(slices.Clip(d.errors), d.unsupported...)
		slices.SortStableFunc(all, func(a, b *Error) int { return cmp.Compare(a.Offset, b.Offset) })
		return all[:min(len(all), d.limit)]
	}
	return d.errors
}
