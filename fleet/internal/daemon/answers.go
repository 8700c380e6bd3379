package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/fleet/internal/changes"
	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// Changes compares the catalogs of all units with their catalogs at an earlier time. The failures are
// units that cannot be compared; their texts contain no values of the catalogs.
func (c *Client) Changes(ctx context.Context, since time.Time, o diff.Options) (r *diff.Report, failures []error, err error) {
	secrets, err := c.secrets(ctx)
	if err != nil {
		return nil, nil, err
	}
	list, err := c.Store.Since(ctx, since)
	if err != nil {
		return nil, nil, err
	}
	var missing []error
	pairs := func(yield func(changes.Pair, error) bool) {
		for i := range list {
			p, err := c.pair(ctx, &list[i])
			if errors.Is(err, store.ErrMissing) {
				missing = append(missing, fmt.Errorf("%s: its catalog was replaced meanwhile, try again", secrets.Name(p.Feed, p.Node)))
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
	r, failures, err = changes.Report(ctx, iter.Seq2[changes.Pair, error](pairs), secrets, o)
	return r, append(missing, failures...), err
}

// secrets returns an auditor for secrets that catalogs do not declare, with the custom rules, and
// the secrets of the fleet.
func (c *Client) secrets(ctx context.Context) (*changes.Secrets, error) {
	state, _, err := c.Store.State(ctx)
	if err != nil {
		return nil, err
	}
	a, err := c.auditor(ctx, state)
	if err != nil {
		return nil, err
	}
	k, err := c.knowledge(ctx)
	return &changes.Secrets{Auditor: a, Knowledge: k}, err
}

// knowledge returns the secrets of the fleet.
func (c *Client) knowledge(ctx context.Context) (*audit.Knowledge, error) {
	for {
		state, _, err := c.Store.State(ctx)
		if err != nil || state == nil {
			return nil, err
		}
		k, err := work.LoadKnowledge(ctx, c.Store, state, nil)
		if !errors.Is(err, store.ErrMissing) { // it is replaced when there are new secrets
			return k, err
		}
	}
}

// auditor returns an auditor with the custom rules of a state, which may be nil.
func (c *Client) auditor(ctx context.Context, state *store.State) (*audit.Auditor, error) {
	var rules *decisions.Rules
	if state != nil && state.Rules != "" {
		data, err := c.Store.Rules(ctx)
		if err == nil {
			rules, err = decisions.Parse(data)
		}
		if err != nil {
			return nil, fmt.Errorf("custom rules: %w", err)
		}
	}
	o, err := rules.Options(audit.Options{KeepSecrets: true})
	if err != nil {
		return nil, fmt.Errorf("custom rules: %w", err)
	}
	return audit.New(o)
}

// pair reads the two catalogs of a unit.
func (c *Client) pair(ctx context.Context, b *store.Between) (p changes.Pair, err error) {
	p.Feed, p.Node = b.Feed, b.Node
	if b.Old != nil {
		if p.Old, err = c.Store.PastDocument(ctx, b.Old); err != nil {
			return p, err
		}
	}
	if b.New != nil {
		p.New, err = c.Store.Document(ctx, b.New)
	}
	return p, err
}

// Findings visits the findings of all units. A reader asks the coordinator.
func (c *Client) Findings(ctx context.Context, visit func(*history.Record) error) error {
	if c.Store.Reads() {
		text, err := c.ask(ctx, coordinate.AskFindings)
		if err != nil {
			return err
		}
		var list []*history.Record
		if err := json.Unmarshal(text, &list); err != nil {
			return fmt.Errorf("findings: %w", err)
		}
		for _, r := range list {
			if err := visit(r); err != nil {
				return err
			}
		}
		return nil
	}
	return c.Store.EachFindings(ctx, func(decode func(any) bool) error {
		if r := new(history.Record); decode(r) {
			return visit(r)
		}
		return nil
	})
}

// Events calls handle for the events since a time, or all stored ones if it is zero, the oldest first. It ends with
// the newest one, or with follow when ctx does or handle fails. Names that became secrets later are hidden.
func (c *Client) Events(ctx context.Context, since time.Time, follow bool, handle func(body []byte) error) error {
	if c.Store.Reads() {
		return c.askEvents(ctx, since, follow, handle)
	}
	var known *audit.Knowledge
	for last := uint64(0); ; {
		list, err := c.Store.EventsAfter(ctx, since, last)
		if err == nil && len(list) > 0 && known == nil {
			known, err = c.knowledge(ctx)
		}
		switch {
		case follow && ctx.Err() != nil:
			return nil //nolint:nilerr // it is a consequence
		case err != nil:
			return err
		case len(list) == 0 && follow: // the coordinator knows the secrets when it sends the others
			return c.Store.FollowEvents(ctx, since, last, handle)
		case len(list) == 0:
			return nil
		}
		for _, e := range list {
			body, err := history.ShownEvent(e.Body, history.Known(known))
			if err == nil {
				err = handle(body)
			}
			if err != nil {
				return err
			}
			last = e.Sequence
		}
	}
}

// askEvents is Events for a reader, who asks the coordinator, again and again with follow.
func (c *Client) askEvents(ctx context.Context, since time.Time, follow bool, handle func(body []byte) error) error {
	answered := false
	for last := uint64(0); ; {
		text, err := c.ask(ctx, coordinate.AskEvents, since.Format(time.RFC3339Nano), strconv.FormatUint(last, 10))
		var list []store.Event
		switch {
		case follow && ctx.Err() != nil:
			return nil //nolint:nilerr // it is a consequence
		case err != nil && !(follow && answered): // later, the coordinator is being restarted
			return err
		case err == nil:
			answered = true
			if err := json.Unmarshal(text, &list); err != nil {
				return fmt.Errorf("events: %w", err)
			}
		}
		for _, e := range list {
			if err := handle(e.Body); err != nil {
				return err
			}
			last = e.Sequence
		}
		switch {
		case len(list) > 0: // there may be more
			continue
		case !follow:
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil
		}
	}
}

// Keep returns how long superseded catalogs are kept, or false if no coordinator answers.
func (c *Client) Keep(ctx context.Context) (time.Duration, bool) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	text, err := c.Store.Ask(ctx, coordinate.AskStatus) // once
	var s coordinate.Summary
	if err != nil || json.Unmarshal(text, &s) != nil {
		return 0, false
	}
	return s.Keep, true
}
