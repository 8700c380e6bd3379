// Package changes compares the catalogs of a fleet with its catalogs at an earlier time.
package changes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Pair has the catalogs of a node at two times, and its name in the report. A nil document
// means that the node had no catalog.
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
	// Knowledge has the secrets of other catalogs. It may be nil.
	Knowledge *audit.Knowledge
}

// find returns the secrets in two decompressed documents.
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
// the error of pairs or of ctx. The declared secrets of both catalogs and all found secrets
// are masked.
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
	before, old, err := side(p.Old)
	if err != nil {
		return fmt.Errorf("%s: the earlier catalog cannot be read", p.Node) // the cause may quote it
	}
	after, new, err := side(p.New)
	if err != nil {
		return fmt.Errorf("%s: the catalog cannot be read", p.Node)
	}
	new.Name = p.Node
	found := sync.OnceValues(func() ([2][]sensitive.Found, error) { return secrets.find(ctx, [2][]byte{before, after}) })
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

// headSize is the number of bytes that are examined to detect a format.
const headSize = 64 << 10

// side decompresses a document and reads its first catalog. The secrets of all its
// catalogs count.
func side(document []byte) (data []byte, s diff.Side, err error) {
	if data, err = decompressed(document); err != nil {
		return nil, s, err
	}
	form, err := formats.Default().Detect("auto", data[:min(len(data), headSize)], "")
	if err != nil {
		return nil, s, err
	}
	open := func() *catalog.Reader { return catalog.NewReaderBytes(data, form, serialization.DecodeOptions{}) }
	for c, err := range open().Catalogs() {
		if err != nil {
			return nil, s, err
		}
		return data, diff.Side{Catalog: c, Form: form.Name, Document: open}, nil
	}
	return nil, s, errNone
}

// decompressed returns a document without its compression.
func decompressed(document []byte) ([]byte, error) {
	body, err := compress.NewReader(bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	defer body.Close()
	if body.Method() == compress.None {
		return document, nil
	}
	return io.ReadAll(body)
}
