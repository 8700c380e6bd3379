package catalog

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// minDigestKey is the least number of bytes of the key of [Resource.Digest].
const minDigestKey = 16

// errDigestKey reports a key of [Resource.Digest] that is too short.
var errDigestKey = errors.New("the key of a digest needs at least 16 random bytes")

// digestVersion separates digests from other uses of the key.
const digestVersion = "pcat resource digest 1\n"

// Digest returns a digest of the content of the resource: of all members except
// `file` and `line`, which say where it was declared. Resources have the same
// digest if their members are [pcore.Identical], in whatever form they were read,
// so that the order of keys and the spelling of numbers do not count. A plain format
// changes rich values to text, and with them the digest.
//
// The digest covers secrets, and short secrets can be guessed from a plain hash.
// It is therefore an HMAC-SHA-256 under key: digests with one key can be
// compared, and reveal nothing to a reader without the key. Keep the key secret,
// and choose it at random. Runs whose digests are not compared can use different
// keys.
//
// It fails for a key of less than 16 bytes, and with an *[Error] about a value that cannot be decoded.
func (r *Resource) Digest(key []byte) (digest [sha256.Size]byte, err error) {
	if len(key) < minDigestKey {
		return digest, errDigestKey
	}
	all, err := r.RevealValue() //nolint:forbidigo // only its keyed digest is kept
	if err != nil {
		return digest, err
	}
	content := pcore.NewHashBuilder(all.Len())
	for k, v := range all.All() {
		if k != pcore.Value(pcore.String(keyFile)) && k != pcore.Value(pcore.String(keyLine)) {
			content.Set(k, v)
		}
	}
	b, err := appendCanonical([]byte(digestVersion), content.Hash())
	if err != nil {
		return digest, r.blame(located(err, Location{}, -1))
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(b)
	return [sha256.Size]byte(mac.Sum(nil)), nil
}

// appendCanonical appends a text of v that is the same for identical values only.
// Each value begins with its kind, and each part with its length or number.
func appendCanonical(b []byte, v pcore.Value) ([]byte, error) {
	b = append(b, byte(pcore.KindOf(v)))
	switch v := v.(type) {
	case *pcore.Array:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		for _, e := range v.All() {
			var err error
			if b, err = appendCanonical(b, e); err != nil {
				return nil, err
			}
		}
		return b, nil
	case *pcore.Hash:
		return appendCanonicalHash(b, v)
	case *pcore.Sensitive:
		return appendCanonical(b, v.Reveal()) //nolint:forbidigo // only its keyed digest is kept
	case *pcore.Deferred:
		b = appendText(b, v.Name())
		if v.Arguments() == nil {
			return append(b, 0), nil
		}
		return appendCanonical(b, v.Arguments())
	case *pcore.Object:
		b = appendText(b, v.TypeName())
		return appendCanonical(b, v.Attributes())
	default:
		text, err := formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		if err != nil {
			return nil, err
		}
		return appendText(b, string(text)), nil
	}
}

// appendCanonicalHash sorts the entries by the texts of their keys.
func appendCanonicalHash(b []byte, h *pcore.Hash) ([]byte, error) {
	entries := make([][]byte, 0, h.Len())
	for k, v := range h.All() {
		e, err := appendCanonical(nil, k)
		if err == nil {
			e, err = appendCanonical(e, v)
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, bytes.Compare)
	b = binary.AppendUvarint(b, uint64(len(entries)))
	return append(b, bytes.Join(entries, nil)...), nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
