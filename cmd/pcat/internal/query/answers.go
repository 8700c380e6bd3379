package query

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// answers prints or counts the matches in one input.
type answers interface {
	// collects reports whether the matches are printed at the end, with the names of nodes.
	// Match writes their text only for the search for secrets.
	collects() bool
	// match takes a match.
	match(ctx context.Context, asked *questions, m *query.Match, w io.Writer) error
	// catalogs takes the names of the catalogs after all matches.
	catalogs(nodes []string, w io.Writer) error
	// end is called if nothing failed, and nothing that was written to w has a secret.
	end(out io.Writer) error
	// found returns the number of matches.
	found() int
}

// input returns the answers of one input.
func (p *printer) input(file string) answers {
	one := &input{printer: p, file: file}
	switch {
	case p.opts.Missing != "":
		return &lacking{input: one, has: map[string]bool{}}
	case p.opts.GroupBy != "", p.opts.By != "", p.total && !p.opts.Count:
		return &collecting{one, map[nodeResult]int{}}
	case p.opts.Count:
		return &counting{one}
	case p.opts.Table != "":
		return &tabling{input: one}
	case p.opts.CSV != "":
		return &rows{one}
	default:
		return &listing{one}
	}
}

// input is what the answers of one input have in common.
type input struct {
	*printer
	file    string
	matches int
}

func (in *input) collects() bool                     { return false }
func (in *input) catalogs([]string, io.Writer) error { return nil }
func (in *input) end(io.Writer) error                { return nil }
func (in *input) found() int                         { return in.matches }

// listing prints each match.
type listing struct{ *input }

func (l *listing) match(_ context.Context, _ *questions, m *query.Match, w io.Writer) error {
	l.matches++
	picked, _ := query.Selects(m.Value)
	if l.opts.JSON.Given() {
		return l.json(w, m, picked)
	}
	location := m.Ref().String()
	if l.several {
		location = l.file + ": " + location
	}
	if l.presets {
		location += ": " + m.Preset
	}
	location = terminal.Line(location)
	switch {
	case picked:
		_, err := fmt.Fprintln(w, location)
		return err
	case !l.opts.Raw:
		if _, err := fmt.Fprint(w, location, ": "); err != nil {
			return err
		}
	}
	return l.values.Print(w, m.Value)
}

func (l *listing) json(w io.Writer, m *query.Match, picked bool) error {
	v := m.Value
	if picked {
		masked := m.Resource.Resource
		whole, err := masked.RevealValue() //nolint:forbidigo // masked before, unless --show-secrets
		if err != nil {
			return err
		}
		v = whole
	}
	entries := []pcore.Entry{
		{Key: pcore.String("file"), Value: pcore.String(l.file)},
		{Key: pcore.String("ref"), Value: pcore.String(m.Ref().String())},
	}
	if m.Preset != "" {
		entries = append(entries, pcore.Entry{Key: pcore.String("preset"), Value: pcore.String(m.Preset)})
	}
	out := document.PrintFlags{ShowSecrets: l.values.ShowSecrets, To: "rich-json"}
	return out.Print(w, pcore.NewHash(append(entries, pcore.Entry{Key: pcore.String("value"), Value: v})...))
}

// cells returns the texts of the columns for a match.
func (in *input) cells(ctx context.Context, asked *questions, m *query.Match) ([]string, error) {
	values, err := asked.columns.Row(ctx, m.Resource)
	if err != nil {
		return nil, err
	}
	cells := make([]string, len(values))
	for i, v := range values {
		if _, undef := v.(pcore.Undef); undef {
			continue
		}
		if cells[i], err = in.values.Text(v); err != nil {
			return nil, err
		}
	}
	return cells, nil
}

// rows prints a row of CSV for each match.
type rows struct{ *input }

func (r *rows) match(ctx context.Context, asked *questions, m *query.Match, w io.Writer) error {
	cells, err := r.cells(ctx, asked, m)
	if err != nil {
		return err
	}
	r.matches++
	return writeRow(w, cells)
}

func writeRow(out io.Writer, cells []string) error {
	row := make([]string, len(cells))
	for i, text := range cells {
		row[i] = terminal.Cell(text)
	}
	w := csv.NewWriter(out)
	if err := w.Write(row); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// tabling collects a row for each match.
type tabling struct {
	*input
	rows [][]string
}

func (t *tabling) collects() bool { return true }

func (t *tabling) match(ctx context.Context, asked *questions, m *query.Match, w io.Writer) error {
	cells, err := t.cells(ctx, asked, m)
	if err != nil {
		return err
	}
	t.matches++
	t.rows = append(t.rows, cells)
	return writeRow(w, cells)
}

func (t *tabling) end(io.Writer) error {
	t.tables.Store(t.order[t.file], t.rows)
	return nil
}

// counting counts the matches.
type counting struct{ *input }

func (c *counting) match(context.Context, *questions, *query.Match, io.Writer) error {
	c.matches++
	return nil
}

func (c *counting) end(out io.Writer) error {
	c.count.Add(int64(c.matches))
	switch {
	case c.total:
		return nil
	case c.opts.JSON.Given():
		return terminal.Encode(out, struct {
			File  string `json:"file"`
			Count int    `json:"count"`
		}{c.file, c.matches})
	case c.several:
		_, err := io.WriteString(out, terminal.Sprintf("%s: %d\n", c.file, c.matches))
		return err
	}
	return nil
}

// lacking prints the nodes without a match.
type lacking struct {
	*input
	has map[string]bool // nodes
	all int             // nodes
}

func (l *lacking) match(_ context.Context, _ *questions, m *query.Match, _ io.Writer) error {
	l.has[m.Node] = true
	return nil
}

func (l *lacking) catalogs(nodes []string, out io.Writer) error {
	l.all = len(nodes)
	for _, name := range nodes {
		if l.has[name] {
			continue
		}
		l.matches++
		name = cmp.Or(name, l.file)
		var err error
		switch {
		case l.opts.Count:
		case l.opts.JSON.Given():
			err = terminal.Encode(out, struct {
				File string `json:"file"`
				Node string `json:"node"`
			}{l.file, name})
		default:
			_, err = io.WriteString(out, terminal.Line(name)+"\n")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *lacking) end(io.Writer) error {
	l.count.Add(int64(l.matches))
	l.nodes.Add(int64(l.all))
	return nil
}

// collecting counts equal results on different nodes.
type collecting struct {
	*input
	counts map[nodeResult]int
}

type nodeResult struct {
	node string
	result
}

func (c *collecting) collects() bool { return true }

func (c *collecting) match(ctx context.Context, asked *questions, m *query.Match, w io.Writer) error {
	node := cmp.Or(m.Node, c.file)
	r, ok, err := c.result(ctx, asked, m, node)
	if err != nil || !ok {
		return err
	}
	c.matches++
	c.counts[nodeResult{node, r}]++
	_, err = io.WriteString(w, node+"\n"+terminal.Text(r.line())+"\n")
	return err
}

// result returns the result to count for a match; ok is false for none.
func (c *collecting) result(ctx context.Context, asked *questions, m *query.Match, node string) (r result, ok bool, err error) {
	switch {
	case c.opts.By == "node" && m.Node == "":
		return result{Value: terminal.Line(node)}, true, nil
	case asked.by != nil:
		v, err := asked.by.Ask(ctx, m.Resource)
		if err != nil {
			return r, false, err
		}
		r.Value, err = c.values.Text(v)
		return r, true, err
	case asked.groupBy != nil:
		v, err := asked.groupBy.Ask(ctx, m.Resource)
		if err != nil {
			return r, false, err
		}
		switch v.(type) {
		case pcore.Undef, *pcore.Sensitive: // nothing, and not known to be equal
			return r, false, nil
		default:
		}
		r.Resource = m.Ref().String()
		r.Value, err = c.quoted(v)
		return r, true, err
	case asked.columns != nil:
		cells, err := c.cells(ctx, asked, m)
		r.Value = strings.Join(cells, cellEnd)
		return r, true, err
	}
	r.Resource = m.Ref().String()
	if c.presets {
		r.Preset = m.Preset
	}
	if picked, _ := query.Selects(m.Value); !picked {
		r.Value, err = c.quoted(m.Value)
	}
	return r, true, err
}

// cellEnd is between the cells of a row that is counted. It is hidden in the text of a cell.
const cellEnd = "\t"

// quoted returns the text of a value, in which quotes distinguish texts from other values.
func (in *input) quoted(v pcore.Value) (string, error) {
	text, err := in.values.Text(pcore.NewArray(v))
	if err != nil {
		return "", err
	}
	return text[1 : len(text)-1], nil
}

func (c *collecting) end(io.Writer) error {
	for r, n := range c.counts {
		c.results.Add(r.node, r.result, n)
	}
	return nil
}
