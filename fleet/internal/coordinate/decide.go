package coordinate

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/nearest"
)

// The subjects of questions about decisions.
const (
	AskAccept   = "accept"   // stores the [decisions.Acceptance] in the argument; the answer is its [decisions.State]
	AskAccepted = "accepted" // the [Accepted]
	AskWithdraw = "withdraw" // removes the acceptances with the IDs in the arguments
)

// Accepted are the decisions about the findings of a fleet.
type Accepted struct {
	Findings int               `json:"accepted"` // that are not reported
	States   []decisions.State `json:"decisions"`
	Warnings []string          `json:"warnings,omitempty"` // about the configuration
}

// decide follows changes of the decisions of files, and of the day. The error is [errRules] if
// the catalogs are to be audited anew.
func (l *leader) decide() error {
	settings, day := l.Decisions.Settings(), l.Now().Format(time.DateOnly)
	if settings == l.settings && day == l.day {
		return nil
	}
	_, digest, err := settings.Rules.Encode()
	if err != nil {
		return err
	}
	if digest != l.digest {
		return errRules
	}
	l.settings, l.day = settings, day
	l.decided()
	return nil
}

// decided records that decisions changed.
func (l *leader) decided() { l.report, l.log.dirty = nil, true }

// acceptances returns the acceptances.
func (l *leader) acceptances() []*decisions.Acceptance {
	return slices.Collect(maps.Values(l.accepted))
}

// onAcceptance follows the change of an acceptance.
func (l *leader) onAcceptance(_ context.Context, e jetstream.KeyValueEntry) error {
	if e == nil {
		return nil
	}
	a := new(decisions.Acceptance)
	if l.changes.Acceptance(e, a) {
		l.accepted[e.Key()] = a
	} else {
		delete(l.accepted, e.Key())
	}
	l.decided()
	return nil
}

// accept answers [AskAccept].
func (c *Coordinator) accept(ctx context.Context, args []string) ([]byte, error) {
	a := new(decisions.Acceptance)
	if len(args) != 1 || json.Unmarshal([]byte(args[0]), a) != nil {
		return nil, errors.New("accept: the question has no acceptance")
	}
	a.ID, a.At = strings.ToLower(rand.Text()[:8]), c.Now().UTC()
	var state decisions.State
	var refused error
	err := c.call(ctx, func(l *leader) {
		r := l.ledger.Report()
		if refused = check(&a.Entry, r, c.Now()); refused != nil {
			return
		}
		for _, one := range l.settings.Apply(r, append(l.acceptances(), a), c.Now()).States {
			if one.ID == a.ID {
				state = one
			}
		}
	})
	if err = errors.Join(err, refused); err != nil {
		return nil, err
	}
	if err := c.Store.PutAcceptance(ctx, a.ID, a); err != nil {
		return nil, err
	}
	c.Log.Info("findings are accepted", "id", a.ID, "by", a.By, "findings", state.Findings)
	return json.Marshal(&state)
}

// check returns an error if an entry would accept nothing, or everything, or shows a secret.
func check(e *auditconfig.Entry, r *audit.Report, now time.Time) error {
	if err := e.Check(); err != nil {
		return err
	}
	if e.Fingerprint != "" {
		if keyed, valid := audit.KeyedFingerprint(e.Fingerprint); !keyed || !valid {
			return errors.New("this is not a fingerprint of a fleet, which has 32 hexadecimal digits: pcatd findings lists them")
		}
	}
	if f := (auditconfig.Filter{Rules: []string{e.Rule}}); e.Rule != "" && len(f.UnknownRules(r.Rules)) > 0 {
		ids := func(yield func(string) bool) {
			for one := range r.Rules.All() {
				if !yield(one.ID) {
					return
				}
			}
		}
		return fmt.Errorf("no such rule: %s%s; pcat list rules lists them", e.Rule, nearest.DidYouMean(e.Rule, ids))
	}
	if e.Expires.Passed(now) {
		return fmt.Errorf("%s is over: give a later day", e.Expires.Format(time.DateOnly))
	}
	if r.Check([]byte(e.Reason)) != nil {
		return errors.New("the reason contains a secret: write it without")
	}
	return nil
}

// writeAccepted answers [AskAccepted].
func (c *Coordinator) writeAccepted(ctx context.Context, _ []string) ([]byte, error) {
	var a Accepted
	err := c.call(ctx, func(l *leader) {
		l.current()
		a = Accepted{Findings: len(l.outcome.Accepted), States: l.outcome.States, Warnings: l.outcome.Warnings}
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(&a)
}

// withdraw answers [AskWithdraw].
func (c *Coordinator) withdraw(ctx context.Context, ids []string) ([]byte, error) {
	var unknown []string
	err := c.call(ctx, func(l *leader) {
		for _, id := range ids {
			if l.accepted[id] == nil {
				unknown = append(unknown, id)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("no acceptance has the ID %s: pcatd accept list shows them", strings.Join(unknown, ", "))
	}
	for _, id := range ids {
		if err := c.Store.RemoveAcceptance(ctx, id); err != nil {
			return nil, err
		}
	}
	c.Log.Info("acceptances are withdrawn", "ids", strings.Join(ids, " "))
	return nil, nil
}
