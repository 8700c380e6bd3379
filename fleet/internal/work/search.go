package work

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// AskSearched is the subject on which a worker reports [Searched] to the coordinator, as JSON.
const AskSearched = "searched"

// Searched are units that were searched for new secrets and have none of them, so that their
// parts remain as they are.
type Searched struct {
	Epoch string         `json:"epoch"`
	Units []SearchedUnit `json:"units"`
}

// SearchedUnit is a unit whose catalog has no secret that is new since the version Seen, up to
// Version.
type SearchedUnit struct {
	Unit    string `json:"unit"`
	Digest  string `json:"digest"` // of the catalog
	Seen    uint64 `json:"seen"`
	Version uint64 `json:"version"`
}

// search searches the extract of a unit. It reports false if the catalog has to be read.
func (w *Worker) search(ctx context.Context, d *store.Delivery, u store.Want, b *bench) (s SearchedUnit, clean bool) {
	if u.Seen == 0 || !d.Inspect {
		return s, false
	}
	ctx, cancel := w.Store.Connected(ctx)
	defer cancel()
	k, err := w.knowledge(ctx, d.Epoch, d.Version)
	if err != nil || k == nil {
		return s, false
	}
	x, err := w.Store.Extract(ctx, u.Unit)
	if err != nil || x == nil || x.Digest != u.Digest || x.Epoch != d.Epoch {
		return s, false
	}
	return SearchedUnit{Unit: u.Unit, Digest: u.Digest, Seen: u.Seen, Version: k.Version()}, b.search(x.Data, u.Seen, k)
}

// keep stores the extract of a unit whose texts were all read. Without it, new secrets are
// searched for in the catalog.
func (w *Worker) keep(ctx context.Context, d *store.Delivery, u store.Want, head *store.Head, part *audit.Part) {
	x := part.Extract()
	if x == nil {
		return
	}
	data, err := x.AppendBinary(nil)
	if err == nil {
		err = w.Store.PutExtract(ctx, u.Unit, &store.Extract{Digest: head.Digest, Epoch: d.Epoch, Data: data})
	}
	if err != nil {
		w.Log.Debug("an extract was not stored", "unit", u.Unit, "error", err)
	}
}

// report reports the units that were searched to the coordinator. It waits for one, so that
// they are not searched again.
func (w *Worker) report(ctx context.Context, s *Searched) {
	if len(s.Units) == 0 {
		return
	}
	text, err := json.Marshal(s)
	if err != nil {
		return // not for texts and numbers
	}
	for ctx.Err() == nil {
		attempt, cancel := context.WithTimeout(ctx, 10*time.Second)
		_, err := w.Store.Ask(attempt, AskSearched, string(text))
		cancel()
		if err == nil {
			return
		}
		w.Log.Debug("the coordinator does not answer, trying again", "error", err)
		select {
		case <-time.After(w.Delay):
		case <-ctx.Done():
		}
	}
}
