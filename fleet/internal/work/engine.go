package work

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// Engine is the audit that all processes of a fleet share.
type Engine struct {
	Auditor *audit.Auditor
	// Version names the code of the audit. Catalogs are audited anew if it changes.
	Version string
}

// NewEngine returns the audit of a fleet.
func NewEngine(key *seal.Key) (*Engine, error) {
	a, err := audit.New(audit.Options{Key: key.Derive("fingerprints")})
	if err != nil {
		return nil, err
	}
	return &Engine{Auditor: a, Version: version()}, nil
}

// version returns the version of this program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := []string{info.Main.Version}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
			v = append(v, s.Value)
		}
	}
	return strings.Join(v, " ")
}

// Part returns the audit's part for a document, or nil if there is none, or none that this
// version can read.
func (e *Engine) Part(p *store.Part, digest, epoch string) *audit.Part {
	if p == nil || p.Digest != digest || p.Epoch != epoch {
		return nil
	}
	part := new(audit.Part)
	if part.UnmarshalBinary(p.Data) != nil {
		return nil
	}
	return part
}

// examine collects the secrets of an input, unless p is not nil, and inspects it with k,
// unless that is nil.
func (e *Engine) examine(ctx context.Context, updater *audit.Updater, in audit.Input, p *audit.Part, k *audit.Knowledge) (_ *audit.Part, err error) {
	defer func() {
		if v := recover(); v != nil { // its text may quote the catalog
			*updater = *e.Auditor.Updater()
			err = fmt.Errorf("%s: the audit ended with a fault of type %T, please report it", in.Name, v)
		}
	}()
	if p == nil {
		p = updater.Collect(in)
	}
	if k == nil {
		return p, ctx.Err()
	}
	return updater.Update(ctx, in, p, k)
}

// search is [audit.Updater.Search] with an extract of the store.
func (e *Engine) search(updater *audit.Updater, data []byte, seen uint64, k *audit.Knowledge) (clean bool) {
	defer func() {
		if recover() != nil { // the fault is reported by the update
			*updater, clean = *e.Auditor.Updater(), false
		}
	}()
	x := new(audit.Extract)
	if x.UnmarshalBinary(data) != nil {
		return false
	}
	clean, err := updater.Search(x, seen, k)
	return clean && err == nil
}

// LoadKnowledge returns the knowledge of a state. It takes segments from known, and loads
// the others.
func LoadKnowledge(ctx context.Context, s *store.Store, state *store.State, known map[string]*audit.Segment) (*audit.Knowledge, error) {
	var list []*audit.Segment
	for _, ref := range state.Segments {
		segment := known[ref.ID]
		if segment == nil {
			data, err := s.Segment(ctx, ref)
			if err != nil {
				return nil, fmt.Errorf("knowledge: %w", err)
			}
			if segment, err = audit.ParseSegment(data); err != nil {
				return nil, fmt.Errorf("knowledge: %w", err)
			}
		}
		list = append(list, segment)
	}
	return audit.NewKnowledge(list), nil
}
