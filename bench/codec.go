package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// input is a generated catalog in both forms.
type input struct {
	name          string // "4 MB"
	json, msgpack []byte
	files         files
}

// pcat holds the formats of pcat used here.
type pcat struct{ json, msgpack serialization.Format }

func newPcat() *pcat { return &pcat{formats.RichJSON(), formats.RichMessagePack()} }

func lenient() serialization.DecodeOptions {
	return serialization.DecodeOptions{AllowUnknownTypes: true}
}

func inClear() serialization.EncodeOptions {
	return serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
}

// values converts through values: it decodes the whole document and encodes it.
func (p *pcat) values(from, to serialization.Format) func(dst, data []byte) ([]byte, error) {
	return func(dst, data []byte) ([]byte, error) {
		v, err := from.Decode(data, lenient())
		if err != nil {
			return dst, err
		}
		return to.Append(dst, v, inClear())
	}
}

// streaming converts one resource at a time, as commands with transforms do.
func (p *pcat) streaming(from, to serialization.Format) func(dst, data []byte) ([]byte, error) {
	return func(dst, data []byte) ([]byte, error) {
		out := bytes.NewBuffer(dst)
		w := catalog.NewWriter(out, to, catalog.WriteOptions{Secrets: serialization.PlainSecrets})
		err := catalog.Copy(context.Background(), w, catalog.NewReaderBytes(data, from, serialization.DecodeOptions{}))
		return out.Bytes(), err
	}
}

// redact removes the secrets, like pcat redact.
func (p *pcat) redact(dst, data []byte) ([]byte, error) {
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	reader := func() *catalog.Reader { return catalog.NewReaderBytes(data, p.json, serialization.DecodeOptions{}) }
	if err := c.Collect(reader()); err != nil {
		return dst, err
	}
	out := bytes.NewBuffer(dst)
	err := c.Secrets().Redactor(nil).Redact(context.Background(), out, p.json, reader())
	return out.Bytes(), err
}

func (p *pcat) decode(f serialization.Format) func(data []byte) (any, error) {
	o := lenient()
	o.ShareInput = true // like peers, where possible
	return func(data []byte) (any, error) { return f.Decode(data, o) }
}

// onePass converts without creating values, like pcat convert without
// transforms.
func (p *pcat) onePass(from, to serialization.Format) func(dst, data []byte) ([]byte, error) {
	return func(dst, data []byte) ([]byte, error) {
		return document.Transcode(dst, data, from, to, lenient(), inClear())
	}
}

// roads returns pcat's conversions from one form to another.
func (p *pcat) roads(from, to serialization.Format) []converter {
	return []converter{
		{"pcat, transcode", "one pass over the bytes; all checks on", p.onePass(from, to)},
		{"pcat, values", "ordered; rich values made; all checks on", p.values(from, to)},
		{"pcat, catalog.Copy", "resource by resource", p.streaming(from, to)},
	}
}

// converter converts a document and appends the result to dst.
type converter struct {
	name, note string
	convert    func(dst, data []byte) ([]byte, error)
}

// candidate returns a candidate whose output is compared with want.
func (c converter) candidate(data, want []byte, read func([]byte) (any, error)) *candidate {
	// The buffer is large enough for all, so that growing it is not
	// measured.
	dst := make([]byte, 0, len(data)*2)
	return inProcess(c.name, c.note, func() (exact, error) {
		got, err := c.convert(dst, data)
		if err != nil {
			return "", err
		}
		return compare(want, got, read)
	}, func() error {
		_, err := c.convert(dst, data)
		return err
	})
}

// codecJobs returns the jobs for one input, within this program and in peers.
func codecJobs(in *input, p *pcat, peers []*peer) []*job {
	packing := &job{name: "JSON to MessagePack", input: in.name, bytes: len(in.json)}
	for _, c := range append(p.roads(p.json, p.msgpack), goPackers()...) {
		packing.candidates = append(packing.candidates, c.candidate(in.json, in.msgpack, readMsgPack))
	}
	unpacking := &job{name: "MessagePack to JSON", input: in.name, bytes: len(in.msgpack)}
	for _, c := range append(p.roads(p.msgpack, p.json), goUnpackers()...) {
		unpacking.candidates = append(unpacking.candidates, c.candidate(in.msgpack, in.json, readJSON))
	}
	for _, peer := range peers {
		packing.candidates = append(packing.candidates, peer.converter("json-to-msgpack", in.files.json, in.msgpack, readMsgPack))
		unpacking.candidates = append(unpacking.candidates, peer.converter("msgpack-to-json", in.files.msgpack, in.json, readJSON))
	}
	return []*job{packing, unpacking, decodeJSON(in, p, peers), decodeMsgPack(in, p, peers), redacting(in, p)}
}

// decoder decodes a document to values.
type decoder struct {
	name, note string
	decode     func(data []byte) (any, error)
}

// candidate returns a candidate whose data, converted by comparable, is compared
// with want.
func (d decoder) candidate(data []byte, want any, comparable func(any) (any, error)) *candidate {
	return inProcess(d.name, d.note, func() (exact, error) {
		v, err := d.decode(data)
		if err != nil {
			return "", err
		}
		got, err := comparable(v)
		if err != nil {
			return "", err
		}
		return unordered, compareData(want, got)
	}, func() error {
		_, err := d.decode(data)
		return err
	})
}

// written converts a value of pcat to comparable data by encoding it.
func (p *pcat) written(v any) (any, error) {
	data, err := p.json.Append(nil, v.(pcore.Value), inClear())
	if err != nil {
		return nil, err
	}
	return readJSON(data)
}

func decodeJSON(in *input, p *pcat, peers []*peer) *job {
	j := &job{name: "decode JSON", input: in.name, bytes: len(in.json)}
	want, err := readJSON(in.json)
	if err != nil {
		want = err
	}
	j.candidates = append(j.candidates, decoder{"pcat", "typed, ordered tree", p.decode(p.json)}.candidate(in.json, want, p.written))
	for _, d := range goJSONDecoders() {
		j.candidates = append(j.candidates, d.candidate(in.json, want, func(v any) (any, error) { return asJSON(v), nil }))
	}
	for _, peer := range peers {
		j.candidates = append(j.candidates, peer.reader("decode-json", in.files.json))
	}
	return j
}

func decodeMsgPack(in *input, p *pcat, peers []*peer) *job {
	j := &job{name: "decode MessagePack", input: in.name, bytes: len(in.msgpack)}
	want, err := readMsgPack(in.msgpack)
	if err != nil {
		want = err
	}
	j.candidates = append(j.candidates, decoder{"pcat", "typed, ordered tree", p.decode(p.msgpack)}.candidate(in.msgpack, want, p.written))
	for _, d := range goMsgPackDecoders() {
		j.candidates = append(j.candidates, d.candidate(in.msgpack, want, func(v any) (any, error) { return asJSON(v), nil }))
	}
	for _, peer := range peers {
		j.candidates = append(j.candidates, peer.reader("decode-msgpack", in.files.msgpack))
	}
	return j
}

// redacting compares pcat with short programs that only replace declared
// secrets. pcat also searches for copies and checks its output.
func redacting(in *input, p *pcat) *job {
	j := &job{name: "redact JSON", input: in.name, bytes: len(in.json)}
	candidates := append([]converter{{"pcat", "follows copies, searches the output", p.redact}}, goRedactors()...)
	for _, c := range candidates {
		dst := make([]byte, 0, len(in.json)*2)
		j.candidates = append(j.candidates, inProcess(c.name, c.note, func() (exact, error) {
			out, err := c.convert(dst, in.json)
			if err != nil {
				return "", err
			}
			return unordered, noSecrets(in.json, out)
		}, func() error {
			_, err := c.convert(dst, in.json)
			return err
		}))
	}
	return j
}

// noSecrets returns an error if after contains a secret of the catalog before,
// or is not a catalog with all its resources.
func noSecrets(before, after []byte) error {
	v, err := readJSON(before)
	if err != nil {
		return err
	}
	var secrets []string
	walkSecrets(v, func(secret any) any {
		if s, ok := secret.(string); ok {
			secrets = append(secrets, s)
		}
		return secret
	})
	for _, s := range secrets {
		if bytes.Contains(after, []byte(s)) {
			return fmt.Errorf("a secret is left of %d", len(secrets))
		}
	}
	left, err := readJSON(after)
	if err != nil {
		return err
	}
	if want, got := resources(v), resources(left); len(secrets) == 0 || want != got {
		return fmt.Errorf("%d resources of %d are left, %d secrets", got, want, len(secrets))
	}
	return nil
}

func resources(catalog any) int {
	c, _ := catalog.(map[string]any)
	all, _ := c["resources"].([]any)
	return len(all)
}

// puppetJobs returns the comparisons with Puppet on a catalog of core types.
// Puppet would search modules for other types, which takes longer than all the
// rest.
func puppetJobs(in *input, p *pcat, puppet *peer) []*job {
	packing := &job{name: "agent: JSON to MessagePack", input: in.name, bytes: len(in.json)}
	unpacking := &job{name: "agent: MessagePack to JSON", input: in.name, bytes: len(in.msgpack)}
	for _, c := range p.roads(p.json, p.msgpack) {
		packing.candidates = append(packing.candidates, c.candidate(in.json, in.msgpack, readMsgPack))
	}
	for _, c := range p.roads(p.msgpack, p.json) {
		unpacking.candidates = append(unpacking.candidates, c.candidate(in.msgpack, in.json, readJSON))
	}
	packing.candidates = append(packing.candidates, puppet.converter("json-to-msgpack", in.files.json, in.msgpack, readMsgPack))
	unpacking.candidates = append(unpacking.candidates, puppet.converter("msgpack-to-json", in.files.msgpack, in.json, readJSON))
	return []*job{packing, unpacking}
}
