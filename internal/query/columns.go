package query

import (
	"context"
	"errors"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Columns is a list of expressions: the columns of a table with a row for each
// resource.
type Columns struct {
	*Query
	names []string
}

// NewColumns parses expressions separated by commas. The errors are those of [New].
func NewColumns(e *eval.Evaluator, name, text string) (*Columns, error) {
	list := "[" + text + "]"
	if strings.Contains(text, "#") {
		list = "[" + text + "\n]" // a comment may end the text
	}
	q, err := New(e, name, list)
	if err != nil {
		return nil, err
	}
	c := &Columns{Query: q}
	for _, e := range q.program.Elements() {
		c.names = append(c.names, columnName(e))
	}
	if len(c.names) == 0 {
		return nil, errNoColumns
	}
	return c, nil
}

var errNoColumns = errors.New("expected expressions, separated by commas")

// columnName returns the name of a variable, the name of a parameter, or the text of
// any other expression.
func columnName(e eval.Element) string {
	switch {
	case e.Variable != "" && e.Key == "":
		return e.Variable
	case e.Variable == "parameters":
		return e.Key
	}
	return strings.Join(strings.Fields(e.Text), " ")
}

// Names returns the headings of the columns: the names of variables and parameters, and
// the text of other expressions.
func (c *Columns) Names() []string { return append([]string(nil), c.names...) }

// Row returns the value of each column for a resource. The errors are those of
// [Query.Ask].
func (c *Columns) Row(ctx context.Context, r *Resource) ([]pcore.Value, error) {
	v, err := c.Ask(ctx, r)
	if err != nil {
		return nil, err
	}
	row := make([]pcore.Value, len(c.names))
	values, isArray := v.(*pcore.Array)
	for i := range row {
		row[i] = pcore.Undef{}
		if isArray && i < values.Len() {
			row[i] = values.At(i)
		}
	}
	return row, nil
}
