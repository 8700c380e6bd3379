package report

import (
	_ "embed" // the page
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/page"
)

// The parts of the page that it does not share with other ones.
var (
	//go:embed page/body.html
	pageBody string
	//go:embed page/buttons.html
	pageButtons string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/model.js
	pageModel string
	//go:embed page/copy.js
	pageCopy string
	//go:embed page/cards.js
	pageCards string
	//go:embed page/page.js
	pageMain string
)

// view is the content of the page that needs no script.
type view struct {
	report  *audit.Report
	options Options
	repairs repairs // the script groups the findings by their keys
}

// writeHTML writes a self-contained page, which needs no network, other file or
// server. The findings are data for its script; without it, the page has the
// summary and the first locations.
func writeHTML(b output, r *audit.Report, o Options) error {
	p := page.Page{Body: pageBody, Buttons: pageButtons, Style: pageStyle, Findings: true, Script: pageModel + pageCopy + pageCards + pageMain}
	w := pageWriter{page.NewMarkup(b.Writer), viewOf(r, o)}
	return p.Write(w.Markup, w.part)
}

func viewOf(r *audit.Report, o Options) view {
	return view{report: r, options: o, repairs: repairsOf(r, o)}
}

// verdict returns the result in one sentence.
func (p *view) verdict() string {
	failed := ""
	if n := len(p.report.Failures); n > 0 {
		failed = ", and " + count(n, "input") + " not audited"
	}
	if len(p.repairs.list) == 0 {
		if p.report.Compared {
			return "No new findings since the earlier run" + failed
		}
		return "No findings" + failed
	}
	fresh := ""
	if p.report.Compared {
		fresh = ", new since the earlier run"
	}
	return p.repairs.toRepair() + " on " + count(p.repairs.nodes(), "node") + fresh + failed
}

// date returns the day of the report, or "" if unknown. A report has no time of
// day, so that equal reports have equal output.
func (p *view) date() string {
	if p.options.Time.IsZero() {
		return ""
	}
	return p.options.Time.UTC().Format(time.DateOnly)
}

// inputs describes the inputs: their number, and the names of those with
// findings or failures if there are few.
func (p *view) inputs() string {
	const few = 5
	var names []string
	for i := range p.report.Findings {
		names = append(names, p.report.Findings[i].Catalog)
	}
	for _, f := range p.report.Failures {
		names = append(names, f.Name)
	}
	text := documents(p.report).String()
	if n := p.repairs.nodes(); n > 0 {
		text += ", findings on " + count(n, "node")
	}
	if names = firsts(names); 0 < len(names) && len(names) <= few {
		text += ": " + strings.Join(names, ", ")
	}
	return text
}

// firsts returns the different texts of a list, in their order.
func firsts(list []string) []string {
	known := map[string]bool{}
	return slices.DeleteFunc(list, func(s string) bool {
		again := known[s]
		known[s] = true
		return again
	})
}
