package audit

import (
	"fmt"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// progress shows the progress of a long run on a terminal.
type progress struct{ shown *cli.Progress }

// startProgress starts to show the progress of a run over the given number of catalogs. The
// caller must call stop.
func startProgress(s *cli.IOStreams, catalogs int) *progress {
	return &progress{s.StartProgress(progressLine(int64(catalogs)))}
}

// add counts a catalog that is opened.
func (p *progress) add() { p.shown.Add() }

// stop ends the display and clears its line.
func (p *progress) stop() { p.shown.Stop() }

// progressLine returns the text to show for the number of catalogs that were opened: the
// first pass collects secrets, the second searches for copies.
func progressLine(total int64) func(opened int64) string {
	return func(opened int64) string {
		if opened <= total {
			return fmt.Sprintf("collecting secrets: %d of %d catalogs", opened, total)
		}
		return fmt.Sprintf("searching: %d of %d catalogs", opened-total, total)
	}
}
