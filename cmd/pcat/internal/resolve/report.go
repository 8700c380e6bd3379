package resolve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/resolve/fallback"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/envelope"
)

// report describes what became of the calls of one input. It contains no values, and the secrets of the
// input are masked in names and reasons.
type report struct {
	File     string         `json:"file"`
	Node     string         `json:"node,omitempty"`
	Outcomes map[string]int `json:"outcomes"`
	Calls    []call         `json:"calls"`
	Skipped  []skipped      `json:"skipped"`
	Unpurged []string       `json:"unpurged"`
}

// call is what became of one call.
type call struct {
	Ref          string   `json:"ref"`
	Path         string   `json:"path"`
	Function     string   `json:"function"`
	Arguments    []string `json:"arguments"` // types
	Outcome      string   `json:"outcome"`
	Rule         int      `json:"rule,omitempty"`
	Attempts     int      `json:"attempts"`
	Milliseconds int64    `json:"milliseconds"`
	AgeSeconds   *int64   `json:"age_seconds,omitempty"`
	Reason       string   `json:"reason,omitempty"`
}

// skipped is a resource that is left out.
type skipped struct {
	Ref     string `json:"ref"`
	Because string `json:"because"`
}

// failedOutcome is the outcome of a call that has failed.
const failedOutcome = "failed"

// outcomes are the outcomes of calls, in the order of a summary.
var outcomes = []string{deferred.Made.String(), deferred.LastRun.String(), deferred.Default.String(), deferred.Skipping.String(), failedOutcome}

func callOf(doc *document.Document, e deferred.Event) call {
	at := doc.Named(e.At)
	c := call{
		Ref: at.Ref.String(), Path: at.Pointer(), Function: doc.MaskedText(e.Function), Arguments: e.Arguments,
		Outcome: e.Outcome.Source.String(), Rule: e.Outcome.Rule, Attempts: max(1, e.Outcome.Attempts), Milliseconds: e.Duration.Milliseconds(),
	}
	reason := cmp.Or(e.Outcome.Reason, e.Err)
	if e.Err != nil && e.Outcome.Source != deferred.Skipping {
		c.Outcome = failedOutcome
	}
	if e.Outcome.Source == deferred.LastRun {
		seconds := int64(e.Outcome.Age.Seconds())
		c.AgeSeconds = &seconds
	}
	if reason != nil {
		c.Reason = doc.MaskedAt(remedy(reason), e.At).Error()
	}
	return c
}

// ageOf returns the age of an answer for people.
func ageOf(e deferred.Event) string { return e.Outcome.Age.Round(time.Second).String() }

// add adds a plan.
func (r *report) add(doc *document.Document, plan *fallback.Plan) {
	named := func(ref catalog.Ref) string { return doc.Named(catalog.Location{Ref: ref}).String() }
	for _, s := range plan.Skipped {
		r.Skipped = append(r.Skipped, skipped{named(s.Ref), named(s.Because)})
	}
	for _, ref := range plan.Unpurged {
		r.Unpurged = append(r.Unpurged, named(ref))
	}
}

// count returns the number of calls with an outcome.
func (r *report) count(outcome string) int {
	n := 0
	for i := range r.Calls {
		if r.Calls[i].Outcome == outcome {
			n++
		}
	}
	return n
}

// names returns the first references of skipped resources.
func (r *report) names(most int) []string {
	var all []string
	for _, s := range r.Skipped {
		if len(all) == most {
			return append(all, "…")
		}
		all = append(all, s.Ref)
	}
	return all
}

// reports are those of all inputs. It is safe for concurrent use.
type reports struct {
	mu  sync.Mutex
	all map[string]*report // by the name of the input
}

func (rs *reports) set(name string, r *report) {
	r.Outcomes = map[string]int{}
	for _, c := range r.Calls {
		r.Outcomes[c.Outcome]++
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.all == nil {
		rs.all = map[string]*report{}
	}
	rs.all[name] = r
}

// exit returns the error of a run that has skipped a resource, or nil.
func (rs *reports) exit() error {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, r := range rs.all {
		if r.Outcomes[deferred.Skipping.String()] > 0 {
			return cli.Exit(cli.ExitFindings)
		}
	}
	return nil
}

// write writes the document: one result for each input that was read, one a line.
func (rs *reports) write(w io.Writer, sources []cli.Source) error {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	head, err := json.Marshal(envelope.New(cli.Release(), "1.0"))
	if err != nil {
		return err
	}
	var text bytes.Buffer
	text.Write(bytes.TrimSuffix(head, []byte("}")))
	text.WriteString(`,"results":[`)
	separator := "\n"
	for _, src := range sources {
		r := rs.all[src.Name]
		if r == nil {
			continue
		}
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		text.WriteString(separator + strings.TrimSpace(string(line)))
		separator = ",\n"
	}
	text.WriteString("\n]}\n")
	_, err = w.Write(text.Bytes())
	return err
}
