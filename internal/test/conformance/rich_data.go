package conformance

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// richData runs the families about rich data. rich_data converts a value, and
// the data that Puppet serialized it to, to every other format and back;
// from_rich decodes arbitrary data.
type richData struct {
	language *language
	decode   serialization.DecodeOptions

	tabulatedJSON, tabulatedMessagePack serialization.Format
}

// newRichData returns a runner that uses the types of env/std.pp.
func newRichData(l *language) (*richData, error) {
	types, err := l.std()
	if err != nil {
		return nil, err
	}
	return &richData{
		language:             l,
		decode:               serialization.DecodeOptions{Types: richdata.Types{Resolver: types}},
		tabulatedJSON:        formats.TabulatedJSON(),
		tabulatedMessagePack: formats.TabulatedMessagePack(),
	}, nil
}

func inClear() serialization.EncodeOptions {
	return serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
}

// richData runs a case of the family rich_data.
func (r *richData) richData(c *Case) error {
	if c.Expect.Value == nil {
		return r.refused(c)
	}
	v, err := formats.RichJSON().Decode(c.Expect.Value, r.decode)
	if err != nil {
		return err
	}
	if again, ok := c.Answer("roundtrip"); ok && again.Value != nil && !same(c.Expect.Value, again.Value) && sameRich(again.Value, v) == nil {
		return r.evaluated(c) // Puppet reads another value than it wrote, and pcat reads that one
	}
	return errors.Join(
		r.evaluated(c),
		r.back(c, v),
		r.messagePack(c, v),
		r.other(c, "local_reference"),
		r.other(c, "type_by_value"),
		r.tabulated(c, v),
		text(c, v, "plain", formats.JSON()),
		text(c, v, "stringified", formats.StringifiedJSON()),
	)
}

// refused runs a case for which Puppet could not create or serialize a value.
func (r *richData) refused(c *Case) error {
	expr, ok := c.Text("expr")
	if !ok {
		return nil // the language cannot express the value
	}
	v, err := r.language.evaluate(c, expr)
	if c.Expect.SerializeError != "" && err == nil {
		if _, err = formats.RichJSON().Append(nil, v, inClear()); err == nil {
			return fmt.Errorf("want that %s cannot be written (%s)", v, c.Expect.SerializeError)
		}
		return nil
	}
	return c.Expect.Check(err, func() error { return nil })
}

// evaluated compares the value of the expression with the data, also with local
// references.
func (r *richData) evaluated(c *Case) error {
	expr, ok := c.Text("expr")
	if !ok {
		return nil
	}
	v, err := r.language.evaluate(c, expr)
	if err != nil {
		return fmt.Errorf("evaluated: %w", err)
	}
	if err := sameRich(c.Expect.Value, v); err != nil {
		return fmt.Errorf("evaluated: %w", err)
	}
	a, ok := c.Answer("local_reference")
	if !ok || a.Value == nil {
		return nil
	}
	o := inClear()
	o.LocalReferences = true
	got, err := formats.RichJSON().Append(nil, v, o)
	if err == nil {
		err = SameJSON(a.Value, got)
	}
	if err != nil {
		return fmt.Errorf("evaluated, with local references: %w", err)
	}
	return nil
}

// back writes the value as JSON and as YAML, and reads it back.
func (r *richData) back(c *Case, v pcore.Value) error {
	if err := sameRich(c.Expect.Value, v); err != nil {
		return err
	}
	y, err := formats.YAML().Append(nil, v, inClear())
	if err != nil {
		return fmt.Errorf("yaml: %w", err)
	}
	back, err := formats.YAML().Decode(y, r.decode)
	if err != nil {
		return fmt.Errorf("yaml: %w", err)
	}
	if !pcore.Identical(v, back) {
		return fmt.Errorf("yaml: want %s, got %s", v, back)
	}
	return nil
}

func (r *richData) messagePack(c *Case, v pcore.Value) error {
	var want struct{ Hex, Error string }
	if err := json.Unmarshal(c.Raw("msgpack"), &want); err != nil {
		return err
	}
	packed, err := formats.RichMessagePack().Append(nil, v, inClear())
	if want.Error != "" && err != nil {
		return nil //nolint:nilerr // both refuse
	}
	if err != nil || want.Error != "" {
		return fmt.Errorf("msgpack: want the error %q, got %w", want.Error, err)
	}
	if err := SameText(want.Hex, hex.EncodeToString(packed)); err != nil {
		return fmt.Errorf("msgpack: %w", err)
	}
	back, err := formats.RichMessagePack().Decode(packed, r.decode)
	if err != nil {
		return fmt.Errorf("msgpack: %w", err)
	}
	return sameRich(c.Expect.Value, back)
}

// other reads another representation of the same value.
func (r *richData) other(c *Case, member string) error {
	a, ok := c.Answer(member)
	if !ok || a.Value == nil {
		return nil
	}
	v, err := formats.RichJSON().Decode(a.Value, r.decode)
	if err == nil {
		err = sameRich(c.Expect.Value, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", member, err)
	}
	return nil
}

// tabulated decodes Puppet's tabulated data, which must give the value of the
// case, and encodes it again, from the decoded value and from the value of the
// expression.
func (r *richData) tabulated(c *Case, v pcore.Value) error {
	a, ok := c.Answer("tabulated")
	if _, describes := c.Text("describe"); !ok || a.Value == nil || describes && pcore.Is[pcore.Binary](v) {
		return nil // a byte string in Ruby is text here
	}
	v, err := r.tabulatedJSON.Decode(a.Value, r.decode)
	if err != nil {
		return fmt.Errorf("tabulated: %w", err)
	}
	var back Answer
	if err := json.Unmarshal(a.Member("back"), &back); err != nil {
		return err
	}
	faulty := back.Value != nil && !same(c.Expect.Value, back.Value)
	if err := sameRich(c.Expect.Value, v); err != nil && !c.Expect.AnythingGoes() && (!faulty || sameRich(back.Value, v) != nil) {
		return fmt.Errorf("tabulated: %w", err)
	}
	if faulty {
		return nil // Puppet counts times when encoding but not when decoding, and writes one text for equal ranges
	}
	if err := r.sameTabulated(a.Value, v); err != nil {
		return fmt.Errorf("tabulated, read and written: %w", err)
	}
	if expr, ok := c.Text("expr"); ok && !slices.Contains(c.Expect.PuppetBug, "semverrange-swapped") {
		if v, err = r.language.evaluate(c, expr); err == nil {
			err = r.sameTabulated(a.Value, v)
		}
		if err != nil {
			return fmt.Errorf("tabulated, evaluated: %w", err)
		}
	}
	return nil
}

func same(a, b []byte) bool { return SameJSON(a, b) == nil }

func (r *richData) sameTabulated(want []byte, v pcore.Value) error {
	got, err := r.tabulatedJSON.Append(nil, v, inClear())
	if err == nil {
		err = SameJSON(want, got)
	}
	if err != nil {
		return err
	}
	packed, err := r.tabulatedMessagePack.Append(nil, v, inClear())
	if err != nil {
		return err
	}
	back, err := r.tabulatedMessagePack.Decode(packed, r.decode)
	if err != nil {
		return err
	}
	if got, err = r.tabulatedJSON.Append(nil, back, inClear()); err != nil {
		return err
	}
	return SameJSON(want, got)
}

var sensitiveID = regexp.MustCompile(`#<Sensitive \[value redacted\]:\d+>`)

// text writes the value in a form without rich data. Where Puppet would warn,
// it fails instead; pcat does not. A Ruby byte string becomes a Binary when
// serialized.
func text(c *Case, v pcore.Value, member string, f serialization.Format) error {
	a, ok := c.Answer(member)
	if _, describes := c.Text("describe"); !ok || a.Value == nil || describes && pcore.Is[pcore.Binary](v) {
		return nil
	}
	got, err := f.Append(nil, v, inClear())
	if err == nil {
		got = sensitiveID.ReplaceAll(got, []byte("#<Sensitive [value redacted]:OBJECT_ID>"))
		err = SameJSON(a.Value, got)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", member, err)
	}
	return nil
}

// fromRich runs a case of the family from_rich.
func (r *richData) fromRich(c *Case) error {
	v, err := formats.RichJSON().Decode(c.Raw("doc"), r.decode)
	if c.Expect.SerializeError != "" {
		return nil // a cycle, which pcat's values cannot contain
	}
	if err := c.Expect.Check(err, func() error { return sameRich(c.Expect.Value, v) }); err != nil {
		return err
	}
	if a, ok := c.Answer("allow_unresolved"); ok && !a.Failed() && c.Expect.Failed() {
		return r.unresolved(c)
	}
	return nil
}

// unresolved decodes data of unknown types, which must be unchanged after
// encoding. Puppet decodes it as a Hash; pcat as an object, so that it is
// encoded as it was.
func (r *richData) unresolved(c *Case) error {
	o := r.decode
	o.AllowUnknownTypes = true
	v, err := formats.RichJSON().Decode(c.Raw("doc"), o)
	if err != nil {
		return fmt.Errorf("allow_unresolved: %w", err)
	}
	err = sameRich(c.Raw("doc"), v)
	if a, _ := c.Answer("allow_unresolved"); err != nil && a.Value != nil && sameRich(a.Value, v) == nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("allow_unresolved: %w", err)
	}
	return nil
}
