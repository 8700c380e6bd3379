package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// An export is the line exportLine and a stream of package seal, which holds entries,
// compressed. An entry is a line of JSON, and a body of so many bytes. The first entry is of
// kind header, the last one of kind end.
const (
	exportLine    = "pcatd-export-1\n"
	exportPurpose = "export"
	exportVersion = 1
)

// The kinds of entries. The body of each is the named value, in JSON unless it is a
// catalog or binary.
const (
	kindHeader    = "header"
	kindEvent     = "event"
	kindCatalog   = "catalog" // of a node; without a body if the node is gone
	kindPast      = "past"
	kindPart      = "part"
	kindSegment   = "segment"
	kindKnowledge = "knowledge" // after the segments
	kindValue     = "value"     // of a bucket without objects
	kindFindings  = "findings"  // of a unit
	kindEnd       = "end"       // its body is a [Contents]
)

// entry is the line before the body of an entry.
type entry struct {
	Kind string `json:"kind"`
	Size int    `json:"size"` // of the body
	// Version is that of the export, in its header.
	Version int `json:"version,omitempty"`
	// Unit, Feed and Node say what the body belongs to. Digest and Epoch are those of a
	// [Part], ID that of a catalog or a [Segment], the kind of an event, or the key of a value in Bucket.
	Unit   string `json:"unit,omitempty"`
	Feed   string `json:"feed,omitempty"`
	Node   string `json:"node,omitempty"`
	Digest string `json:"digest,omitempty"`
	Epoch  string `json:"epoch,omitempty"`
	ID     string `json:"id,omitempty"`
	Bucket string `json:"bucket,omitempty"`
	// Sequence is the position of an event.
	Sequence uint64 `json:"sequence,omitempty"`
	// Time is when a catalog or an event arrived, Until when a catalog was superseded, and
	// Produced when it was compiled.
	Time     time.Time `json:"time,omitzero"`
	Until    time.Time `json:"until,omitzero"`
	Produced time.Time `json:"produced,omitzero"`
	Gone     bool      `json:"gone,omitempty"`
	// NoPast is set if the documents before a catalog are not kept.
	NoPast bool `json:"no_past,omitempty"`
}

// Contents counts the values in an export.
type Contents struct {
	Catalogs int `json:"catalogs"` // newest documents: also reports and facts
	Past     int `json:"past"`
	Findings int `json:"findings"` // nodes with findings, also former ones
	Events   int `json:"events"`
	// Damaged are values that could not be read, and are missing.
	Damaged int `json:"damaged"`
}

// exporter writes entries.
type exporter struct {
	*Store
	w   *bufio.Writer
	sum Contents
}

// Export writes everything that is stored, encrypted, while the fleet works. An [Store.Import]
// needs the same key, or one that was rotated since.
func (s *Store) Export(ctx context.Context, w io.Writer) (Contents, error) {
	if _, err := io.WriteString(w, exportLine); err != nil {
		return Contents{}, err
	}
	sealed, err := seal.NewWriter(w, s.key.Current(), exportPurpose)
	if err != nil {
		return Contents{}, err
	}
	packed, err := zstd.NewWriter(sealed, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return Contents{}, err
	}
	x := &exporter{Store: s, w: bufio.NewWriter(packed)}
	err = x.write(ctx)
	if err = errors.Join(err, x.w.Flush(), packed.Close()); err == nil {
		err = sealed.Close() // only a complete export has an end
	}
	if err != nil {
		return Contents{}, fmt.Errorf("export: %w", err)
	}
	return x.sum, nil
}

// write writes all entries. Parts come before the knowledge that they were made with, so
// that it is not older than they are, and events before the findings, so that none is
// repeated.
func (x *exporter) write(ctx context.Context) error {
	if err := x.add(entry{Kind: kindHeader, Version: exportVersion}, nil); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{x.events, x.catalogs, x.past, x.parts, x.knowledge, x.values, x.findings} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return x.addJSON(entry{Kind: kindEnd}, x.sum)
}

func (x *exporter) add(e entry, body []byte) error {
	e.Size = len(body)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = x.w.Write(append(line, '\n'))
	if err == nil {
		_, err = x.w.Write(body)
	}
	return err
}

func (x *exporter) addJSON(e entry, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return x.add(e, body)
}

// readable returns nil for a value that is damaged or missing, which it counts.
func (x *exporter) readable(err error) error {
	if errors.Is(err, seal.ErrSealed) || errors.Is(err, ErrMissing) {
		x.sum.Damaged++
		return nil
	}
	return err
}

func (x *exporter) events(ctx context.Context) error {
	return x.readEvents(ctx, time.Time{}, 0, false, func(m jetstream.Msg, arrived time.Time) error {
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		x.sum.Events++
		return x.add(entry{Kind: kindEvent, ID: m.Subject()[len(eventSubject):], Sequence: meta.Sequence.Stream, Time: arrived}, m.Data())
	})
}

func (x *exporter) catalogs(ctx context.Context) error {
	units, err := keys(ctx, x.heads)
	for _, unit := range units {
		if err := x.catalog(ctx, unit); err != nil {
			return err
		}
	}
	return err
}

func (x *exporter) catalog(ctx context.Context, unit string) error {
	var last Ref
	for {
		h, revision, err := x.Head(ctx, unit)
		if err != nil || revision == 0 {
			return err
		}
		if h == nil {
			x.sum.Damaged++
			return nil
		}
		e := entry{Kind: kindCatalog, ID: h.Identity(), Feed: h.Feed, Node: h.Node, Time: h.Arrived, Produced: h.Produced, Gone: h.Gone, NoPast: h.NoPast}
		if h.Gone {
			return x.add(e, nil)
		}
		data, err := x.Document(ctx, h)
		if errors.Is(err, ErrMissing) && h.Object != last { // it was superseded meanwhile
			last = h.Object
			continue
		}
		if err != nil {
			return x.readable(err)
		}
		x.sum.Catalogs++
		return x.add(e, data)
	}
}

func (x *exporter) past(ctx context.Context) error {
	units, err := keys(ctx, x.Store.past)
	for _, unit := range units {
		p, _, err := x.pasts(ctx, unit)
		if err != nil {
			return err
		}
		for i := range p.List {
			data, err := x.PastDocument(ctx, &p.List[i])
			if errors.Is(err, ErrMissing) { // it is not kept
				continue
			}
			if err == nil {
				x.sum.Past++
				err = x.add(entry{Kind: kindPast, Feed: p.Feed, Node: p.Node, Time: p.List[i].From, Until: p.List[i].Until}, data)
			}
			if err := x.readable(err); err != nil {
				return err
			}
		}
	}
	return err
}

func (x *exporter) parts(ctx context.Context) error {
	units, err := keys(ctx, x.Store.parts)
	for _, unit := range units {
		p, _, err := x.Part(ctx, unit)
		if errors.Is(err, ErrMissing) || err == nil && p == nil { // it is made again
			continue
		}
		if err == nil {
			err = x.add(entry{Kind: kindPart, Unit: unit, Digest: p.Digest, Epoch: p.Epoch}, p.Data)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// knowledge writes the knowledge of one moment: segments are removed when they are merged.
func (x *exporter) knowledge(ctx context.Context) error {
	for range 10 {
		state, _, err := x.State(ctx)
		if err != nil || state == nil {
			return err
		}
		var bodies [][]byte
		for _, g := range state.Segments {
			body, failed := x.Segment(ctx, g)
			if err = failed; err != nil {
				break
			}
			bodies = append(bodies, body)
		}
		switch {
		case errors.Is(err, ErrMissing):
			continue
		case errors.Is(err, seal.ErrSealed): // everything is audited again
			return nil
		case err != nil:
			return err
		}
		for i, g := range state.Segments {
			if err := x.add(entry{Kind: kindSegment, ID: g.ID}, bodies[i]); err != nil {
				return err
			}
		}
		return x.addJSON(entry{Kind: kindKnowledge}, state)
	}
	return nil // as above
}

// values writes the values that an import stores as they are.
func (x *exporter) values(ctx context.Context) error {
	for _, kv := range x.Store.values() {
		list, err := keys(ctx, kv)
		if err != nil {
			return err
		}
		for _, key := range list {
			location := kv.Bucket() + "/" + key
			if kv == x.state && slices.Contains([]string{fleetKey, importKey, stateKey}, key) {
				continue
			}
			v, err := kv.Get(ctx, key)
			if errors.Is(err, jetstream.ErrKeyNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			body, err := x.box(location).Open(location, v.Value())
			if err == nil {
				err = x.add(entry{Kind: kindValue, Bucket: kv.Bucket(), ID: key}, body)
			}
			if err := x.readable(err); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *exporter) findings(ctx context.Context) error {
	units, err := keys(ctx, x.Store.findings)
	for _, unit := range units {
		var record json.RawMessage
		revision, err := x.Findings(ctx, unit, &record)
		switch {
		case err != nil:
			return err
		case revision == 0:
			continue
		case record == nil:
			x.sum.Damaged++
			continue
		}
		x.sum.Findings++
		if err := x.add(entry{Kind: kindFindings, Unit: unit}, record); err != nil {
			return err
		}
	}
	return err
}

// ErrExport reports a file that is not an export, or a damaged one.
var ErrExport = errors.New("it is not a whole export of pcatd export, or one of a fleet with another key")

var errLater = errors.New("it was made by a later version of pcatd: install that version")

// readExport visits the entries of an export. body reads the rest of the entry.
func readExport(r io.Reader, key *seal.Key, visit func(e *entry, body func() ([]byte, error)) error) error {
	line := make([]byte, len(exportLine))
	if _, err := io.ReadFull(r, line); err != nil || string(line) != exportLine {
		if err == nil && bytes.HasPrefix(line, []byte("pcatd-export-")) && line[len(line)-1] == '\n' {
			return errLater
		}
		return ErrExport
	}
	stream, err := seal.NewFileReader(r, &key.Box, exportPurpose)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrExport, err)
	}
	unpacked, err := zstd.NewReader(stream, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer unpacked.Close()
	in := bufio.NewReader(unpacked)
	for first := true; ; first = false {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%w: %w", ErrExport, err)
		}
		e := new(entry)
		if json.Unmarshal(line, e) != nil || first != (e.Kind == kindHeader) || e.Size < 0 { // the cause may quote it
			return ErrExport
		}
		if e.Version > exportVersion {
			return errLater
		}
		left := e.Size
		body := func() ([]byte, error) {
			data := make([]byte, left)
			n, err := io.ReadFull(in, data)
			left -= n
			return data, err
		}
		if err := visit(e, body); err != nil {
			return err
		}
		if _, err := in.Discard(left); err != nil {
			return fmt.Errorf("%w: %w", ErrExport, err)
		}
		if e.Kind == kindEnd {
			if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
				return ErrExport
			}
			return nil
		}
	}
}
