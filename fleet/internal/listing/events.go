package listing

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/internal/terminal"
)

// ErrEvent reports an event that has another format.
var ErrEvent = errors.New("the stream contains an event that is none of pcatd")

// Event writes an event in a format: text or json, one line each. Times of text are in the given
// zone.
func Event(w io.Writer, format string, body []byte, zone *time.Location) error {
	var e history.Event
	if err := json.Unmarshal(body, &e); err != nil {
		return ErrEvent // the cause may quote it
	}
	if format == "json" {
		_, err := w.Write(append(terminal.JSON(body), '\n'))
		return err
	}
	text := e.Error
	if e.Kind != history.Failed {
		d := history.Describe(e.Finding)
		text = d.Rule + "  " + d.Location()
		if d.Owner != "" {
			text += "  " + d.Owner
		}
	}
	name := e.Feed + "/" + e.Node
	if e.Node == "" {
		name = history.HiddenName
	}
	_, err := fmt.Fprintf(w, "%s  %-8s  %-8s  %s  %s\n", e.Time.In(zone).Format("2006-01-02 15:04:05"), terminal.Line(string(e.Kind)),
		terminal.Line(e.Severity), terminal.Line(name), terminal.Line(text))
	return err
}
