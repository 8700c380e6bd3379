package work

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// Engine is the audit that all processes of a fleet share.
type Engine struct {
	Auditor *audit.Auditor
	// Version names the code of the audit. Catalogs are audited anew if it changes.
	Version string

	key func() []byte // of the fingerprints; a closure hides it from reflection
}

// NewEngine returns the audit of a fleet.
func NewEngine(key *seal.Key) (*Engine, error) {
	secret := key.Derive("fingerprints")
	e := &Engine{Version: version(), key: func() []byte { return secret }}
	var err error
	e.Auditor, err = audit.New(audit.Options{Key: secret})
	return e, err
}

// Key returns the key of the fingerprints.
func (e *Engine) Key() []byte { return e.key() }

// With returns an Engine like e with custom rules; nil are none.
func (e *Engine) With(r *decisions.Rules) (*Engine, error) {
	if r == nil {
		return e, nil
	}
	o, err := r.Options(audit.Options{Key: e.key()})
	if err != nil {
		return nil, err
	}
	with := *e
	with.Auditor, err = audit.New(o)
	return &with, err
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

// bench has the tools with which one goroutine audits. It is not safe for concurrent use.
type bench struct {
	*Engine
	updater *audit.Updater
	rules   string // the digest of the custom rules
}

// newBench returns a bench without custom rules.
func newBench(e *Engine) *bench { return &bench{Engine: e, updater: e.Auditor.Updater()} }

// errRules reports a task for custom rules that the fleet no longer has.
var errRules = errors.New("the task is for other custom rules")

// take changes to the stored custom rules, if they have the digest.
func (b *bench) take(ctx context.Context, base *Engine, s *store.Store, digest string) error {
	if b.rules == digest {
		return nil
	}
	e := base
	if digest != "" {
		data, err := s.Rules(ctx)
		if err != nil {
			return fmt.Errorf("custom rules: %w", err)
		}
		r, err := decisions.Parse(data)
		if err != nil {
			return fmt.Errorf("custom rules: %w", err)
		}
		if _, now, err := r.Encode(); err != nil || now != digest {
			return errRules
		}
		if e, err = base.With(r); err != nil {
			return fmt.Errorf("custom rules: %w", err)
		}
	}
	*b = *newBench(e)
	b.rules = digest
	return nil
}

// examine collects the secrets of an input, unless p is not nil, and inspects it with k,
// unless that is nil.
func (b *bench) examine(ctx context.Context, in audit.Input, p *audit.Part, k *audit.Knowledge) (_ *audit.Part, err error) {
	defer func() {
		if v := recover(); v != nil { // its text may quote the catalog
			b.updater = b.Auditor.Updater()
			err = fmt.Errorf("%s: the audit ended with a fault of type %T, please report it", in.Name, v)
		}
	}()
	if p == nil {
		p = b.updater.Collect(in)
	}
	if k == nil {
		return p, ctx.Err()
	}
	return b.updater.Update(ctx, in, p, k)
}

// search is [audit.Updater.Search] with an extract of the store.
func (b *bench) search(data []byte, seen uint64, k *audit.Knowledge) (clean bool) {
	defer func() {
		if recover() != nil { // the fault is reported by the update
			b.updater, clean = b.Auditor.Updater(), false
		}
	}()
	x := new(audit.Extract)
	if x.UnmarshalBinary(data) != nil {
		return false
	}
	clean, err := b.updater.Search(x, seen, k)
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
