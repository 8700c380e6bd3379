// Package changes compares the catalogs of a fleet with its catalogs at an earlier time.
package changes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/fleet/internal/listing"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/redact"
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

// Name returns the name of a node, FEED/NODE, as it may be shown: hidden if it is a secret
// elsewhere.
func (s *Secrets) Name(name string) string {
	end := strings.LastIndexByte(name, '/') + 1
	for range s.Knowledge.Find([]byte(name[end:])) {
		return name[:end] + listing.HiddenName
	}
	return name
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
		p.Node = secrets.Name(p.Node)
		switch {
		case err != nil:
			return nil, failures, err
		case p.Old == nil && p.New == nil:
		case p.Old == nil:
			fleet.OnlyNew(p.Node)
		case p.New == nil:
			fleet.OnlyOld(p.Node)
		default:
			if err := add(ctx, fleet, p, secrets, finder); err != nil {
				failures = append(failures, err)
			}
		}
	}
	return fleet.Report(), failures, nil
}

func add(ctx context.Context, fleet *diff.Fleet, p Pair, secrets *Secrets, finder *redact.Finder) error {
	before, old, err := side(p.Old)
	if err != nil {
		return fmt.Errorf("%s: the earlier catalog cannot be read", p.Node) // the cause may quote it
	}
	after, new, err := side(p.New)
	if err != nil {
		return fmt.Errorf("%s: the catalog cannot be read", p.Node)
	}
	new.Name = p.Node
	pair, err := fleet.Compare(ctx, old, new)
	if err == nil && !bytes.Equal(before, after) {
		err = secrets.addKnown(finder, before, after)
	}
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
