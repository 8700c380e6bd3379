package ls

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/terminal"
)

// ordered prints the resources of a document in the order in which an agent applies them.
func (r *run) ordered(ctx context.Context, doc *document.Document, mask catalog.Transform, out io.Writer) (*listing, error) {
	matches, err := r.matches(ctx, doc, mask)
	if err != nil {
		return nil, err
	}
	l := &listing{table: &table{}}
	before := 0 // resources of earlier catalogs
	for c, err := range doc.Reader().Catalogs() {
		if err != nil {
			return nil, err
		}
		g, err := graph.New(c)
		if err != nil {
			return nil, err
		}
		l.catalogs++
		order := g.Order()
		if left := g.Len() - len(order); left > 0 {
			doc.Log().Warn(document.Counted(left, "resource")+
				" of dependency cycles, or after one, cannot be applied and are left out; 'pcat check' shows the cycles", cli.FileKey, doc.Name)
		}
		for i, node := range order {
			if matches != nil && !matches[before+node] {
				continue
			}
			res, err := mask.Resource(ctx, g.Node(node).Resource)
			if err != nil {
				return nil, err
			}
			if res == nil || !r.selects(res) {
				continue
			}
			l.found = true
			if err := r.writeOrdered(out, doc.Name, i+1, res.Ref()); err != nil {
				return nil, err
			}
		}
		before += g.Len()
	}
	return l, r.suggest(l, doc.Parts(ctx, mask))
}

// writeOrdered prints a resource with its position.
func (r *run) writeOrdered(out io.Writer, file string, position int, ref catalog.Ref) error {
	if r.opts.JSON {
		e := json.NewEncoder(terminal.JSONWriter(out))
		e.SetEscapeHTML(false)
		return e.Encode(struct {
			File     string `json:"file"`
			Position int    `json:"position"`
			Resource string `json:"resource"`
		}{file, position, ref.String()})
	}
	prefix := ""
	if r.several {
		prefix = file + ": "
	}
	_, err := io.WriteString(out, terminal.Line(fmt.Sprintf("%s%5d  %s", prefix, position, ref))+"\n")
	return err
}
