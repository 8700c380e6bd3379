package document

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// OnePass reports whether [Transcode] converts documents from one form to the
// other in one pass: from rich JSON to rich MessagePack and back.
func OnePass(from, to serialization.Format) bool {
	return from.Rich && to.Rich &&
		(from.IsJSON() && to.IsMessagePack() || from.IsMessagePack() && to.IsJSON())
}

// Transcode appends to dst the document data, converted from one form to
// another. If there is an error, an *[serialization.Error], dst is returned
// unchanged. Transcode does not retain data and is safe for concurrent use.
func Transcode(dst, data []byte, from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error) {
	switch {
	case !OnePass(from, to):
		v, err := from.Decode(data, d)
		if err != nil {
			return dst, err
		}
		return to.Append(dst, v, e)
	case from.IsJSON():
		return transcodeJSON(dst, data, from, to, d, e)
	default:
		return transcodeMsgpack(dst, data, from, to, d, e)
	}
}

func transcodeJSON(dst, data []byte, from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error) {
	r := newTranscoder(from, to, d, e)
	if r.copiesBytes() && int64(len(data)) <= codec.ByteLimit(&d) {
		p := newJSONToMsgpack(r, window{data: data, pin: none}, output{full: math.MaxInt})
		if out, ok := p.document(slices.Grow(dst, len(data)+len(data)/16)); ok {
			return out, nil
		}
	}
	return r.byValues(dst, data)
}

func transcodeMsgpack(dst, data []byte, from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error) {
	r := newTranscoder(from, to, d, e)
	if r.copiesBytes() && int64(len(data)) <= codec.ByteLimit(&d) {
		u := newMsgpackToJSON(r, window{data: data, pin: none}, output{full: math.MaxInt})
		if out, ok := u.document(slices.Grow(dst, len(data)+len(data)/4)); ok {
			return out, nil
		}
	}
	return r.byValues(dst, data)
}

func newTranscoder(from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions) *transcoder {
	return &transcoder{decode: d, encode: e, from: from.Decode, read: from.NewReader, to: to.Append}
}

// Results in place of a position.
const (
	none    = -1
	failed  = -1 // one pass is not possible
	foreign = -2 // the map must be decoded
)

// transcoder is common to both directions.
type transcoder struct {
	decode serialization.DecodeOptions
	encode serialization.EncodeOptions
	from   func([]byte, serialization.DecodeOptions) (pcore.Value, error)
	read   func(io.Reader, serialization.DecodeOptions) serialization.Reader
	to     func([]byte, pcore.Value, serialization.EncodeOptions) ([]byte, error)

	canonical canonicalTexts
	// objects are the names of unknown types, whose instances are written
	// unchanged.
	objects map[string]struct{}
	// name is the last `__ptype`, of a map whose members contain no other.
	name []byte
	// maps are keys near the root whose arrays contain only maps; only is set
	// if the next array is one.
	maps []string
	only bool
	// secretList is the key of lists of secret keys; secrets is set after one
	// that is not empty, or a Sensitive.
	secretList string
	secrets    bool
	// lossless makes a loss a failure, because its path is not known here.
	lossless bool
}

// nearRoot is the number of levels that the keys in maps count for.
const nearRoot = 4

// expect notes the key of the next value, at a level.
func (r *transcoder) expect(key []byte, level int) {
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

// copiesBytes reports whether the options allow unchanged bytes to be copied.
func (r *transcoder) copiesBytes() bool {
	return !r.decode.Plain && !r.encode.LocalReferences && r.encode.Indent == ""
}

// byValues decodes and encodes the whole document.
func (r *transcoder) byValues(dst, data []byte) ([]byte, error) {
	v, err := r.from(data, r.decode)
	if err != nil {
		return dst, err
	}
	return r.to(dst, v, r.encode)
}

// fragment decodes and encodes the map at the beginning of data, which may
// have depth levels, and returns its end, or failed.
func (r *transcoder) fragment(out, data []byte, depth int) ([]byte, int, error) {
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
	grown, err := r.to(out, v, encode)
	if err != nil || lost {
		return out, failed, nil //nolint:nilerr // more input would not help
	}
	r.learn(v)
	if r.secretList != "" {
		r.secrets = r.secrets || holdsSensitive(v)
	}
	return grown, end, nil
}

func holdsSensitive(v pcore.Value) (holds bool) {
	_ = pcore.Walk(v, func(c *pcore.Cursor) error { // without errors
		if holds {
			return pcore.SkipChildren
		}
		holds = pcore.Is[*pcore.Sensitive](c.Value())
		return nil
	})
	return holds
}

// learn notes the unknown type of an object. Whether a type of the language
// itself is known also depends on its attributes.
func (r *transcoder) learn(v pcore.Value) {
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

// mayRefer reports whether text may contain a local reference, which has a
// meaning only in the whole document.
func mayRefer(text []byte) bool {
	for _, spelling := range []string{localRef, `\u004`, `\u005`, `\u006`} {
		if bytes.Contains(text, []byte(spelling)) {
			return true
		}
	}
	return false
}

const localRef = "LocalRef"

// shape describes the members after `__ptype` of a map that can be transcoded.
type shape uint8

const (
	shapeOther    shape = iota // any; the map is decoded
	shapeNone                  // any; the document is decoded
	shapeAlone                 // no more members
	shapeText                  // `__pvalue`, a canonical text
	shapeAny                   // `__pvalue`, any value
	shapeDeferred              // `name`, a text, and maybe `arguments`, an array
	shapeObject                // any members
)

func (r *transcoder) shape(name []byte) shape {
	switch string(name) {
	case localRef:
		return shapeNone
	case "Default":
		return shapeAlone
	case "Sensitive":
		r.secrets = true
		if r.encode.Secrets == serialization.PlainSecrets {
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

// stray is the result for a member that the shape does not have. Members that
// may contain maps are not read twice, because nested maps would then take
// quadratic time.
func (s shape) stray() int {
	if s == shapeAny || s == shapeDeferred {
		return failed
	}
	return foreign
}

// count returns the minimum and maximum number of members besides `__ptype`.
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

// member returns the key of the i-th member.
func (s shape) member(i int) string {
	switch {
	case s != shapeDeferred:
		return dataconv.ValueKey
	case i == 0:
		return "name"
	}
	return "arguments"
}
