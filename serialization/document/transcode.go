package document

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/json"
	"github.com/pcatdev/pcat/serialization/msgpack"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Func turns a document into one of another form, as [JSONToMessagePack] does.
type Func func(dst, data []byte, d serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error)

// Between returns the road from one form to another, and nil when there is
// none: it leads from rich JSON to rich MessagePack, and back.
func Between(from, to serialization.Format) Func {
	switch {
	case !from.Rich || !to.Rich:
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
	r := fromJSON(d, e)
	if r.isShort() && int64(len(data)) <= d.ByteLimit() {
		p := newPacker(r, feed{data: data, pin: none}, flow{full: math.MaxInt})
		if out, ok := p.document(slices.Grow(dst, len(data)+len(data)/16)); ok {
			return out, nil
		}
	}
	return r.long(dst, data)
}

// MessagePackToJSON appends to dst the document data, which is MessagePack, as
// rich JSON. In case of an error, an *[serialization.Error], dst comes back as
// it was. It keeps nothing of data and is safe for concurrent use.
func MessagePackToJSON(dst, data []byte, d serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error) {
	r := fromMessagePack(d, e)
	if r.isShort() && int64(len(data)) <= d.ByteLimit() {
		u := newUnpacker(r, feed{data: data, pin: none}, flow{full: math.MaxInt})
		if out, ok := u.document(slices.Grow(dst, len(data)+len(data)/4)); ok {
			return out, nil
		}
	}
	return r.long(dst, data)
}

func fromJSON(d serialization.DecodeOptions, e serialization.EncodeOptions) *road {
	return &road{decode: d, encode: e, from: json.Decode, read: json.NewReader, to: msgpack.Append}
}

func fromMessagePack(d serialization.DecodeOptions, e serialization.EncodeOptions) *road {
	return &road{decode: d, encode: e, from: msgpack.Decode, read: msgpack.NewReader, to: json.Append}
}

// What stands for a position where there is none.
const (
	none    = -1
	failed  = -1 // the short road ends
	foreign = -2 // the map has another shape than those that are carried
)

// road is what both directions have in common.
type road struct {
	decode serialization.DecodeOptions
	encode serialization.EncodeOptions
	from   func([]byte, serialization.DecodeOptions) (pcore.Value, error)
	read   func(io.Reader, serialization.DecodeOptions) serialization.Reader
	to     func([]byte, pcore.Value, richdata.Mode, serialization.EncodeOptions) ([]byte, error)

	canon canon
	// objects are names of types that are not known: instances of them are
	// written as they were read.
	objects map[string]struct{}
	// name is the `__ptype` that was read last. It is that of a map whose
	// members hold no others.
	name []byte
	// maps are keys under which, near the root, arrays of maps stand only;
	// only tells that the array that comes next is one.
	maps []string
	only bool
	// secretList is the key of lists of what is secret; secrets tells that one
	// was carried, or a Sensitive.
	secretList string
	secrets    bool
	// lossless ends the road where a loss would be told: the way there is not
	// known, and the next road tells of it.
	lossless bool
}

// nearRoot is the number of levels that the keys in maps count for.
const nearRoot = 4

// expect notes under which key the next value stands, at a level.
func (r *road) expect(key []byte, level int) {
	r.only = false
	if level > nearRoot {
		return
	}
	for _, name := range r.maps {
		if string(key) == name {
			r.only = true
		}
	}
}

// isShort reports whether the options leave bytes as they are.
func (r *road) isShort() bool {
	return !r.decode.Plain && !r.encode.LocalReferences && r.encode.Indent == ""
}

// long is the value road.
func (r *road) long(dst, data []byte) ([]byte, error) {
	v, err := r.from(data, r.decode)
	if err != nil {
		return dst, err
	}
	return r.to(dst, v, richdata.Rich, r.encode)
}

// fragment takes the map that data begins with along the value road, alone,
// with so many levels that it may have, and returns where it ends, or failed.
func (r *road) fragment(out, data []byte, depth int) ([]byte, int, error) {
	o := r.decode
	o.MaxDepth = depth
	from := r.read(bytes.NewBuffer(data), o)
	v, err := from.Value()
	if err != nil {
		return out, failed, err
	}
	end := int(from.Offset())
	if mayRefer(data[:end]) {
		return out, failed, nil
	}
	encode, lost := r.encode, false
	if r.lossless && encode.OnLoss != nil {
		encode.OnLoss = func(serialization.Loss) { lost = true }
	}
	grown, err := r.to(out, v, richdata.Rich, encode)
	if err != nil || lost {
		return out, failed, nil //nolint:nilerr // more of the input changes nothing
	}
	r.learn(v)
	if r.secretList != "" {
		r.secrets = r.secrets || holdsSensitive(v)
	}
	return grown, end, nil
}

func holdsSensitive(v pcore.Value) (holds bool) {
	_ = pcore.Walk(v, func(c *pcore.Cursor) error { // which is never refused
		if holds {
			return pcore.SkipChildren
		}
		holds = c.Value().Kind() == pcore.KindSensitive
		return nil
	})
	return holds
}

// learn notes the type of an object that nobody knows. Those of the language
// itself are known or not by their attributes, too.
func (r *road) learn(v pcore.Value) {
	o, ok := v.(*pcore.Object)
	if !ok {
		return
	}
	name := o.TypeName()
	_, unknown := o.Type().(*pcore.TypeReferenceType)
	if !unknown || len(name) > maxKnownText || len(r.objects) >= maxKnown || strings.HasPrefix(name, "Pcore::") {
		return
	}
	if r.objects == nil {
		r.objects = map[string]struct{}{}
	}
	r.objects[name] = struct{}{}
}

// mayRefer reports whether there can be a local reference in bytes, which
// means something in the whole document only.
func mayRefer(text []byte) bool {
	for _, spelling := range []string{localRef, `\u004`, `\u005`, `\u006`} {
		if bytes.Contains(text, []byte(spelling)) {
			return true
		}
	}
	return false
}

const localRef = "LocalRef"

// shape is what may follow a `__ptype` for its map to be carried.
type shape uint8

const (
	shapeOther    shape = iota // nothing: the map is a fragment
	shapeNone                  // nothing: the short road ends
	shapeAlone                 // no more members
	shapeText                  // `__pvalue`, a canonical text
	shapeAny                   // `__pvalue`, any value
	shapeDeferred              // `name`, a text, and maybe `arguments`, an array
	shapeObject                // any members
)

func (r *road) shape(name []byte) shape {
	switch string(name) {
	case localRef:
		return shapeNone
	case "Default":
		return shapeAlone
	case "Sensitive":
		r.secrets = true
		if r.encode.Secrets == serialization.ClearSecrets {
			return shapeAny
		}
		return shapeOther
	case "Deferred":
		if r.decode.Types == nil {
			return shapeDeferred
		}
		return shapeOther
	case "Binary", "Regexp", "SemVer", "SemVerRange", "Symbol", "Timespan", "Timestamp", "URI":
		return shapeText
	}
	if _, ok := r.objects[string(name)]; ok {
		return shapeObject
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
