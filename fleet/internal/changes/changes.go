// Package changes compares the catalogs of a fleet with its catalogs at an earlier time.
package changes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Pair has the catalogs of a node in a feed at two times. A nil document means that the node had
// no catalog.
type Pair struct {
	Feed, Node string
	Old, New   []byte
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

// Name returns FEED/NODE as it may be shown: without names that are secrets elsewhere.
func (s *Secrets) Name(feed, node string) string {
	r := history.Record{Feed: feed, Node: node}
	r.Hide(history.Known(s.Knowledge))
	return r.ShownFeed() + "/" + r.ShownNode()
}

// addKnown adds the secrets of other catalogs that documents contain.
func (s *Secrets) addKnown(to *redact.Finder, documents ...[]byte) error {
	for _, data := range documents {
		for secret := range s.Knowledge.Find(data) {
			if err := to.Add(sensitive.Found{Secret: secret}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Report compares the pairs and groups equal changes. Pairs that cannot be compared are
// left out and listed in failures, whose texts contain no values of the catalogs; err is
// the error of pairs or of ctx. The declared secrets of both catalogs and all found secrets
// are masked, and so are names of nodes that are secrets elsewhere.
func Report(ctx context.Context, pairs iter.Seq2[Pair, error], secrets *Secrets, o diff.Options) (r *diff.Report, failures []error, err error) {
	finder := redact.NewFinder(func() (redact.Auditor, error) { return secrets.Auditor, nil })
	fleet := diff.NewFleet(finder, o)
	for p, err := range pairs {
		if err == nil {
			err = ctx.Err()
		}
		name := secrets.Name(p.Feed, p.Node)
		switch {
		case err != nil:
			return nil, failures, err
		case p.Old == nil && p.New == nil:
		case p.Old == nil:
			fleet.OnlyNew(name)
		case p.New == nil:
			fleet.OnlyOld(name)
		default:
			if err := add(ctx, fleet, name, p, secrets, finder); err != nil {
				failures = append(failures, err)
			}
		}
	}
	return fleet.Report(), failures, nil
}

// add adds a pair by the name that may be shown.
func add(ctx context.Context, fleet *diff.Fleet, name string, p Pair, secrets *Secrets, finder *redact.Finder) error {
	before, old, err := side(p.Old)
	if err != nil {
		return fmt.Errorf("%s: the earlier catalog cannot be read", name) // the cause may quote it
	}
	after, new, err := side(p.New)
	if err != nil {
		return fmt.Errorf("%s: the catalog cannot be read", name)
	}
	new.Name = name
	pair, err := fleet.Compare(ctx, old, new)
	if err == nil && !bytes.Equal(before, after) {
		err = secrets.addKnown(finder, before, after)
	}
	if err != nil {
		return fmt.Errorf("%s: a value of the catalogs cannot be read", name)
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
		return data, diff.Side{Catalog: c, Format: form.Name, Document: open}, nil
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
