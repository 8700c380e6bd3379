package transcode

import (
	"bytes"
	"io"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/json"
	"github.com/pcatdev/pcat/serialization/msgpack"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Func turns a document into one of another form, as [JSONToMessagePack] does.
type Func func(dst, data []byte, d serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error)

// Between returns the road from one form to another, and nil when there is
// none: it leads from any form of JSON to rich MessagePack, and back.
func Between(from, to serialization.Format) Func {
	switch {
	case !to.Rich:
		return nil
	case from.Wire == "json" && to.Wire == "msgpack":
		return JSONToMessagePack
	case from.Wire == "msgpack" && to.Wire == "json":
		return MessagePackToJSON
	}
	return nil
}

// JSONToMessagePack appends to dst the document data, which is JSON, as rich
// MessagePack. In case of an error, an *[serialization.Error], dst comes back
// as it was. It keeps nothing of data and is safe for concurrent use.
func JSONToMessagePack(dst, data []byte, d serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error) {
	r := road{data: data, decode: d, encode: e, from: json.Decode, read: json.NewReader, to: msgpack.Append}
	if r.isShort() {
		p := packer{road: &r, depth: d.Depth(), limit: d.StringLimit()}
		if out, ok := p.document(dst); ok {
			return out, nil
		}
	}
	return r.long(dst)
}

// MessagePackToJSON appends to dst the document data, which is MessagePack, as
// rich JSON. In case of an error, an *[serialization.Error], dst comes back as
// it was. It keeps nothing of data and is safe for concurrent use.
func MessagePackToJSON(dst, data []byte, d serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error) {
	r := road{data: data, decode: d, encode: e, from: msgpack.Decode, read: msgpack.NewReader, to: json.Append}
	if r.isShort() && e.Indent == "" {
		u := unpacker{road: &r, depth: d.Depth(), limit: d.StringLimit()}
		if out, ok := u.document(dst); ok {
			return out, nil
		}
	}
	return r.long(dst)
}

// What stands for a position where there is none.
const (
	failed  = -1 // the short road ends
	foreign = -2 // the map has another shape than those that are carried
)

// road is what both directions have in common.
type road struct {
	data   []byte
	decode serialization.DecodeOptions
	encode serialization.EncodeOptions
	from   func([]byte, serialization.DecodeOptions) (pcore.Value, error)
	read   func(io.Reader, serialization.DecodeOptions) serialization.Reader
	to     func([]byte, pcore.Value, richdata.Mode, serialization.EncodeOptions) ([]byte, error)
	// known are names and texts of scalars that are canonical.
	known map[string]struct{}
	probe []byte
}

// isShort reports whether the options leave bytes as they are.
func (r *road) isShort() bool {
	return int64(len(r.data)) <= r.decode.ByteLimit() && !r.encode.LocalReferences
}

// long is the value road.
func (r *road) long(dst []byte) ([]byte, error) {
	v, err := r.from(r.data, r.decode)
	if err != nil {
		return dst, err
	}
	return r.to(dst, v, richdata.Rich, r.encode)
}

// fragment takes the map that begins at start along the value road, alone,
// with so many levels that it may have, and returns where it ends.
func (r *road) fragment(out []byte, start, depth int) ([]byte, int) {
	o := r.decode
	o.MaxDepth = depth
	from := r.read(bytes.NewBuffer(r.data[start:]), o)
	v, err := from.Value()
	if err != nil {
		return out, failed
	}
	end := start + int(from.Offset())
	if mayRefer(r.data[start:end]) {
		return out, failed
	}
	if out, err = r.to(out, v, richdata.Rich, r.encode); err != nil {
		return out, failed
	}
	return out, end
}

// What is remembered of scalars: so many, of names and texts up to so long.
const (
	maxKnown     = 1024
	maxKnownText = 128
)

// isCanonical is [richdata.IsCanonical]. It remembers short texts: documents
// repeat theirs, and compiling a regular expression takes long.
func (r *road) isCanonical(name, text []byte) bool {
	if len(name)+len(text) > maxKnownText {
		return richdata.IsCanonical(string(name), string(text))
	}
	r.probe = append(append(append(r.probe[:0], name...), 0), text...)
	if _, ok := r.known[string(r.probe)]; ok {
		return true
	}
	if !richdata.IsCanonical(string(name), string(text)) {
		return false
	}
	if r.known == nil {
		r.known = map[string]struct{}{}
	}
	if len(r.known) < maxKnown {
		r.known[string(r.probe)] = struct{}{}
	}
	return true
}

// mayRefer reports whether there can be a local reference in bytes, which
// means something in the whole document only.
func mayRefer(text []byte) bool {
	return bytes.Contains(text, []byte(localRef)) || bytes.Contains(text, []byte(`\u`))
}

const localRef = "LocalRef"

// shape is what may follow a `__ptype` for its map to be carried.
type shape uint8

const (
	shapeOther    shape = iota // nothing: the map is a fragment, or the end of the short road
	shapeAlone                 // nothing
	shapeText                  // `__pvalue`, a canonical text
	shapeAny                   // `__pvalue`, any value
	shapeDeferred              // `name`, a text, and maybe `arguments`, an array
)

func (r *road) shape(name []byte) shape {
	switch string(name) {
	case "Default":
		return shapeAlone
	case "Sensitive":
		if r.encode.Secrets == serialization.ClearSecrets {
			return shapeAny
		}
	case "Deferred":
		if r.decode.Types == nil {
			return shapeDeferred
		}
	case "Binary", "Regexp", "SemVer", "SemVerRange", "Symbol", "Timespan", "Timestamp", "URI":
		return shapeText
	}
	return shapeOther
}

// stray is what a member means that the shape has no place for. What may hold
// other maps is not read a second time: maps inside each other would take time
// that grows with the square.
func (s shape) stray() int {
	if s == shapeAny || s == shapeDeferred {
		return failed
	}
	return foreign
}

// count returns how many members there are besides `__ptype`, at least and at
// most.
func (s shape) count() (least, most int) {
	switch s {
	case shapeText, shapeAny:
		return 1, 1
	case shapeDeferred:
		return 1, 2
	default:
		return 0, 0
	}
}

// member returns the key of the i-th of them.
func (s shape) member(i int) string {
	switch {
	case s != shapeDeferred:
		return richdata.ValueKey
	case i == 0:
		return "name"
	}
	return "arguments"
}
