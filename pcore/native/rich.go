package native

import (
	"encoding"
	"fmt"
	"math/big"
	"net/url"
	"reflect"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
)

type timePlan struct{}

func (timePlan) marshal(_ *encoder, v reflect.Value) (pcore.Value, error) {
	t := v.Interface().(time.Time)
	return pcore.NewTimestamp(t.Unix(), int64(t.Nanosecond())), nil
}

func (timePlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	t, ok := v.(pcore.Timestamp)
	if !ok {
		return misfit(v, dst.Type())
	}
	*dst.Addr().Interface().(*time.Time) = t.Time()
	return nil
}

func (timePlan) describe(*typer) (pcore.Type, error) { return &pcore.TimestampType{}, nil }

type durationPlan struct{}

func (durationPlan) marshal(_ *encoder, v reflect.Value) (pcore.Value, error) {
	return pcore.NewTimespan(0, v.Int()), nil
}

func (durationPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	s, ok := v.(pcore.Timespan)
	if !ok {
		return misfit(v, dst.Type())
	}
	d, ok := duration(s)
	if !ok {
		return outOfRange(v, dst.Type())
	}
	dst.SetInt(int64(d))
	return nil
}

// duration returns s as a time.Duration, which covers 292 years.
func duration(s pcore.Timespan) (time.Duration, bool) {
	d := time.Duration(s.Seconds())*time.Second + time.Duration(s.Nanosecond())
	return d, pcore.NewTimespan(0, int64(d)) == s
}

func (durationPlan) describe(*typer) (pcore.Type, error) { return &pcore.TimespanType{}, nil }

type bigPlan struct{}

func (bigPlan) marshal(_ *encoder, v reflect.Value) (pcore.Value, error) {
	return pcore.NewBigInteger(addressed(v).Interface().(*big.Int)), nil
}

func (bigPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	i := dst.Addr().Interface().(*big.Int)
	switch v := v.(type) {
	case pcore.Integer:
		i.SetInt64(int64(v))
	case pcore.BigInteger:
		i.Set(v.Big())
	default:
		return misfit(v, dst.Type())
	}
	return nil
}

func (bigPlan) describe(*typer) (pcore.Type, error) { return &pcore.IntegerType{}, nil }

type urlPlan struct{}

func (urlPlan) marshal(_ *encoder, v reflect.Value) (pcore.Value, error) {
	u, err := pcore.ParseURI(addressed(v).Interface().(*url.URL).String())
	if err != nil {
		return nil, &Error{Err: err}
	}
	return u, nil
}

func (urlPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	u, ok := v.(*pcore.URI)
	if !ok {
		return misfit(v, dst.Type())
	}
	parsed, err := url.Parse(u.Text())
	if err != nil {
		return &Error{Err: err}
	}
	dst.Set(reflect.ValueOf(parsed).Elem())
	return nil
}

func (urlPlan) describe(*typer) (pcore.Type, error) { return &pcore.URIType{}, nil }

type regexpPlan struct{}

func (regexpPlan) marshal(_ *encoder, v reflect.Value) (pcore.Value, error) {
	if v.IsNil() {
		return pcore.Undef{}, nil
	}
	r, err := pcore.ParseRegexp(v.Interface().(*regexp.Regexp).String())
	if err != nil {
		return nil, &Error{Err: fmt.Errorf("not a regular expression of Ruby: %w", err)}
	}
	return r, nil
}

func (regexpPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	switch v := v.(type) {
	case pcore.Undef:
		dst.SetZero()
	case *pcore.Regexp:
		r, err := regexp.Compile(v.Source())
		if err != nil {
			return &Error{Err: fmt.Errorf("not a regular expression of Go; use *pcore.Regexp: %w", err)}
		}
		dst.Set(reflect.ValueOf(r))
	default:
		return misfit(v, dst.Type())
	}
	return nil
}

func (regexpPlan) describe(*typer) (pcore.Type, error) { return optional(&pcore.RegexpType{}), nil }

// addressed returns a pointer to v, or to a copy.
func addressed(v reflect.Value) reflect.Value {
	if !v.CanAddr() {
		v = addressable(v)
	}
	return v.Addr()
}

// methodPlan converts a type by its methods.
type methodPlan struct {
	goType                       reflect.Type
	marshaler, textMarshaler     bool
	unmarshaler, textUnmarshaler bool
	typer                        bool
	// plain converts by the kind of the type, where methods are missing.
	plain    plan
	plainErr error
}

func (p *methodPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	switch {
	case p.marshaler:
		value, err := addressed(v).Interface().(Marshaler).MarshalPcore()
		switch {
		case err != nil:
			return nil, located(err)
		case value == nil:
			return pcore.Undef{}, nil
		}
		return value, nil
	case p.textMarshaler:
		text, err := addressed(v).Interface().(encoding.TextMarshaler).MarshalText()
		switch {
		case err != nil:
			return nil, &Error{Err: err}
		case !utf8.Valid(text):
			return nil, errText()
		}
		return e.slab.Text(text), nil
	case p.plainErr != nil:
		return nil, p.plainErr
	default:
		return p.plain.marshal(e, v)
	}
}

func (p *methodPlan) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	switch {
	case p.unmarshaler:
		if err := dst.Addr().Interface().(Unmarshaler).UnmarshalPcore(v); err != nil {
			return located(err)
		}
		return nil
	case p.textUnmarshaler:
		s, ok := v.(pcore.String)
		if !ok {
			return misfit(v, p.goType)
		}
		if err := dst.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil {
			return &Error{Err: err}
		}
		return nil
	case p.plainErr != nil:
		return p.plainErr
	default:
		return p.plain.unmarshal(d, v, dst)
	}
}

func (p *methodPlan) describe(t *typer) (pcore.Type, error) {
	switch {
	case p.typer:
		if described := reflect.New(p.goType).Interface().(Typer).PcoreType(); described != nil {
			return described, nil
		}
		return pcore.AnyType{}, nil
	case p.marshaler:
		return pcore.AnyType{}, nil
	case p.textMarshaler:
		return &pcore.StringType{}, nil
	case p.plainErr != nil:
		return nil, p.plainErr
	default:
		return p.plain.describe(t)
	}
}
