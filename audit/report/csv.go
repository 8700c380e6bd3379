package report

import (
	"encoding/csv"
	"strconv"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/terminal"
)

func writeCSV(b output, r *audit.Report, o Options) error {
	w := csv.NewWriter(b)
	head := []string{
		"file", "node", "pointer", "rule", "class", "severity", "confidence", "type", "title", "parameter", "manifest", "line", "fingerprint", "masked", "message", "repair", "owner",
	}
	if r.Compared {
		head = append(head, "state")
	}
	_ = w.Write(head) // errors persist until Flush
	for i := range r.Findings {
		f := &r.Findings[i]
		row := []string{
			f.Catalog, f.Node, f.Pointer, f.Rule, f.Class.String(), f.Severity.String(), f.Confidence.String(), f.Type, f.Title, f.Parameter,
			o.Locator.Path(f.File), lineOf(f), f.Fingerprint, f.Masked(), f.Message, f.Repair, f.Owner,
		}
		if r.Compared {
			row = append(row, f.State.String())
		}
		for k := range row {
			row[k] = terminal.Cell(row[k])
		}
		_ = w.Write(row)
	}
	w.Flush()
	return w.Error()
}

// lineOf returns the line of the manifest, or "" if unknown.
func lineOf(f *audit.Finding) string {
	if f.Line == 0 {
		return ""
	}
	return strconv.FormatInt(f.Line, 10)
}
