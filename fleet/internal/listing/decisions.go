package listing

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/internal/envelope"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Decisions writes the decisions about findings in a format: text or json. version is that of
// pcatd, empty if it was not released. Times of text are in the given zone.
func Decisions(w io.Writer, format, version string, a *coordinate.Accepted, zone *time.Location) error {
	if format == "json" {
		if a.States == nil {
			a.States = []decisions.State{}
		}
		text, err := json.Marshal(struct {
			envelope.Envelope
			*coordinate.Accepted
		}{Envelope(version, FormatVersion), a})
		if err != nil {
			return err
		}
		_, err = w.Write(append(terminal.JSON(text), '\n'))
		return err
	}
	if len(a.States) == 0 {
		_, err := fmt.Fprintln(w, "nothing is accepted")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "ID\tSTATE\tFINDINGS\tUNTIL\tACCEPTED\tBY\tSINCE\tREASON") // Flush returns the error
	for i := range a.States {
		s := &a.States[i]
		since := "-"
		if !s.At.IsZero() {
			since = s.At.In(zone).Format("2006-01-02")
		}
		row := []string{cmp.Or(s.ID, s.From), s.Use, strconv.Itoa(s.Findings), cmp.Or(s.Until, "-"), Accepts(s), cmp.Or(s.By, "-"), since, cmp.Or(s.Reason, "-")}
		for k := range row {
			row[k] = terminal.Line(row[k])
		}
		_, _ = fmt.Fprintln(t, strings.Join(row, "\t")) // as above
	}
	_, _ = fmt.Fprintf(t, "\n%s accepted\n", count(a.Findings, "finding")) // as above
	return t.Flush()
}

// Accepted describes a new decision by the number of findings that it accepts, and its conditions.
func Accepted(s *decisions.State) string {
	return fmt.Sprintf("%s accepted (%s)", count(s.Findings, "finding"), Accepts(s))
}

// Accepts describes the findings that a decision accepts.
func Accepts(s *decisions.State) string {
	if s.Baseline > 0 {
		return fmt.Sprintf("a baseline of %s, %d no longer occur", count(s.Baseline, "fingerprint"), s.Missing)
	}
	var list []string
	for _, p := range [][2]string{
		{"fingerprint", s.Fingerprint}, {"rule", s.Rule}, {"type", s.Type}, {"title", s.Title}, {"parameter", s.Parameter},
		{"node", s.Node}, {"catalog", s.Catalog}, {"manifest", s.Manifest},
	} {
		if p[1] != "" {
			list = append(list, p[0]+" "+p[1])
		}
	}
	return cmp.Or(strings.Join(list, ", "), "-")
}
