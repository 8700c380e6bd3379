// Package changes compares the catalogs of a fleet with those of an earlier time.
package changes

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/sensitive"
)

// Pair are the catalogs of a node at two times, and its name in the report. A nil document means that the node had no
// catalog.
type Pair struct {
	Node     string
	Old, New []byte
}

// errNone reports a document without a catalog.
var errNone = errors.New("the document contains no catalog")

// Secrets finds the secrets that are not declared in the catalogs of a pair.
type Secrets struct {
	// Auditor finds them in the two catalogs. It must keep secrets.
	Auditor *audit.Auditor
	// Knowledge has those of other catalogs. It may be nil.
	Knowledge *audit.Knowledge
}

// find returns the secrets in two documents.
func (s *Secrets) find(ctx context.Context, documents [2][]byte) (found [2][]sensitive.Found, err error) {
	r, err := s.Auditor.Run(ctx, []audit.Input{audit.Document("old", documents[0]), audit.Document("new", documents[1])})
	if err != nil {
		return found, err
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Secret != nil {
			found[f.Input] = append(found[f.Input], sensitive.Found{
				Secret: f.Secret, Spelled: f.Spelled, At: f.At, Start: f.Start, Again: f.Again,
			})
		}
	}
	for i := range documents {
		for secret := range s.Knowledge.Find(documents[i]) {
			found[i] = append(found[i], sensitive.Found{Secret: secret})
		}
	}
	return found, nil
}

// Report compares the pairs and groups equal changes. Pairs that cannot be compared are
// left out and listed in failures, whose texts contain no values of the catalogs; err is
// the error of pairs or of ctx. Secrets are masked: the declared ones of both catalogs, and those
// that are found.
func Report(ctx context.Context, pairs iter.Seq2[Pair, error], secrets *Secrets, o diff.Options) (r *diff.Report, failures []error, err error) {
	fleet := diff.NewFleet(o)
	for p, err := range pairs {
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case err != nil:
			return nil, failures, err
		case p.Old == nil && p.New == nil:
		case p.Old == nil:
			fleet.OnlyNew(p.Node)
		case p.New == nil:
			fleet.OnlyOld(p.Node)
		default:
			if err := add(ctx, fleet, p, secrets); err != nil {
				failures = append(failures, err)
			}
		}
	}
	return fleet.Report(), failures, nil
}

func add(ctx context.Context, fleet *diff.Fleet, p Pair, secrets *Secrets) error {
	old, err := side(p.Old)
	if err != nil {
		return fmt.Errorf("%s: the earlier catalog cannot be read", p.Node) // the cause may quote it
	}
	new, err := side(p.New)
	if err != nil {
		return fmt.Errorf("%s: the catalog cannot be read", p.Node)
	}
	new.Name = p.Node
	found := sync.OnceValues(func() ([2][]sensitive.Found, error) { return secrets.find(ctx, [2][]byte{p.Old, p.New}) })
	for i, side := range []*diff.Side{&old, &new} {
		side.Collect = func(c *sensitive.Collector) error {
			list, err := found()
			if err != nil {
				return err
			}
			for _, f := range list[i] {
				if err := c.Add(f); err != nil {
					return err
				}
			}
			return nil
		}
	}
	pair, err := fleet.Compare(ctx, old, new)
	if err != nil {
		return fmt.Errorf("%s: a value of the catalogs cannot be read", p.Node)
	}
	fleet.Add(pair)
	return nil
}

// side reads the catalog of a document.
func side(data []byte) (diff.Side, error) {
	open := func() (*catalog.Reader, error) {
		f, err := catalog.OpenBytes("catalog", data)
		if err != nil {
			return nil, err
		}
		return f.Reader, nil // a File of a document in memory holds only memory
	}
	r, err := open()
	if err != nil {
		return diff.Side{}, err
	}
	for c, err := range r.Catalogs() {
		if err != nil {
			return diff.Side{}, err
		}
		return diff.Side{
			Catalog: c, Form: r.Format().Name,
			Document: func() *catalog.Reader {
				r, err := open()
				if err != nil {
					panic(err) //nolint:forbidigo // it was opened before
				}
				return r
			},
		}, nil
	}
	return diff.Side{}, errNone
}
