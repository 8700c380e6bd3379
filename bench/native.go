package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/gocty"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/native"
	"github.com/pcatdev/pcat/serialization"
)

// service and the types in it are the structs of the native jobs. They have
// what encoding/json, gocty and native all support.
type service struct {
	Name      string            `cty:"name" json:"name" pcore:"name"`
	Ensure    string            `cty:"ensure" json:"ensure" pcore:"ensure"`
	Enabled   bool              `cty:"enabled" json:"enabled" pcore:"enabled"`
	Priority  int               `cty:"priority" json:"priority" pcore:"priority"`
	Weight    float64           `cty:"weight" json:"weight" pcore:"weight"`
	Listeners []listener        `cty:"listeners" json:"listeners" pcore:"listeners"`
	Labels    map[string]string `cty:"labels" json:"labels" pcore:"labels"`
	Tags      []string          `cty:"tags" json:"tags" pcore:"tags"`
	Limits    *limits           `cty:"limits" json:"limits" pcore:"limits"`
	Comment   *string           `cty:"comment" json:"comment" pcore:"comment"`
}

type listener struct {
	Address string `cty:"address" json:"address" pcore:"address"`
	Port    uint16 `cty:"port" json:"port" pcore:"port"`
	TLS     bool   `cty:"tls" json:"tls" pcore:"tls"`
}

type limits struct {
	Files   int32   `cty:"files" json:"files" pcore:"files"`
	Memory  int64   `cty:"memory" json:"memory" pcore:"memory"`
	CPU     float32 `cty:"cpu" json:"cpu" pcore:"cpu"`
	Restart string  `cty:"restart" json:"restart" pcore:"restart"`
}

// services returns n services.
func services(n int) []service {
	all := make([]service, n)
	for i := range all {
		name := fmt.Sprintf("service-%04d", i)
		all[i] = service{
			Name: name, Ensure: "running", Enabled: i%3 > 0, Priority: i * 37, Weight: float64(i) / 8,
			Listeners: []listener{{"0.0.0.0", uint16(8000 + i%1000), false}, {"::", 443, true}},
			Labels:    map[string]string{"team": "storage", "tier": "backend", "owner": name + "@example.com"},
			Tags:      []string{"profile::base", "role::database", name},
			Limits:    &limits{Files: 65536, Memory: int64(i) << 30, CPU: 1.5, Restart: "on-failure"},
		}
		if i%2 == 0 {
			all[i].Comment = new("managed by puppet, do not edit \"by hand\"")
		}
	}
	return all
}

// nativeJobs returns the jobs of Go values: to values and back, and to JSON and
// back.
func nativeJobs(p *pcat) ([]*job, error) {
	var jobs []*job
	for _, n := range []int{1, 1000} {
		list := services(n)
		text, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		made, err := nativeInputJobs(p, list, text)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, made...)
	}
	return jobs, nil
}

func nativeInputJobs(p *pcat, list []service, text []byte) ([]*job, error) {
	input := fmt.Sprintf("%d services", len(list))
	if len(list) == 1 {
		input = "1 service"
	}
	value, err := native.Marshal(list)
	if err != nil {
		return nil, err
	}
	ctyType, err := gocty.ImpliedType(list)
	if err != nil {
		return nil, err
	}
	ctyValue, err := gocty.ToCtyValue(list, ctyType)
	if err != nil {
		return nil, err
	}
	var dst []byte
	task := func(name string, candidates ...*candidate) *job {
		return &job{name: name, input: input, bytes: len(text), operations: len(list), candidates: candidates}
	}
	return []*job{
		task("Go structs to values",
			converted("pcat, native.Marshal", func() (pcore.Value, error) { return native.Marshal(list) }, func(v pcore.Value) error {
				var back []service
				return errors.Join(native.Unmarshal(v, &back), differentStructs(list, back))
			}),
			converted("go-cty, gocty.ToCtyValue", func() (cty.Value, error) { return gocty.ToCtyValue(list, ctyType) }, func(v cty.Value) error {
				var back []service
				return errors.Join(gocty.FromCtyValue(v, &back), differentStructs(list, back))
			})),
		task("values to Go structs",
			structs("pcat, native.Unmarshal", list, func(back *[]service) error { return native.Unmarshal(value, back) }),
			structs("go-cty, gocty.FromCtyValue", list, func(back *[]service) error { return gocty.FromCtyValue(ctyValue, back) })),
		task("Go structs to JSON",
			converted("pcat, native.Marshal and rich JSON", func() ([]byte, error) {
				v, err := native.Marshal(list)
				if err != nil {
					return nil, err
				}
				dst, err = p.json.Append(dst[:0], v, serialization.EncodeOptions{})
				return dst, err
			}, func(got []byte) error { return sameText(text, got) }),
			converted("encoding/json", func() ([]byte, error) { return json.Marshal(list) }, func(got []byte) error { return sameText(text, got) })),
		task("JSON to Go structs",
			structs("pcat, rich JSON and native.Unmarshal", list, func(back *[]service) error {
				v, err := p.json.Decode(text, serialization.DecodeOptions{ShareInput: true})
				if err != nil {
					return err
				}
				return native.Unmarshal(v, back)
			}),
			structs("encoding/json", list, func(back *[]service) error { return json.Unmarshal(text, back) })),
	}, nil
}

// converted returns a candidate whose result is checked by check.
func converted[T any](name string, convert func() (T, error), check func(T) error) *candidate {
	return inProcess(name, "", func() (exact, error) {
		got, err := convert()
		if err != nil {
			return "", err
		}
		err = check(got)
		return unordered, err
	}, func() error {
		_, err := convert()
		return err
	})
}

// structs returns a candidate that sets a list of structs.
func structs(name string, want []service, set func(*[]service) error) *candidate {
	return converted(name, func() ([]service, error) {
		var got []service
		err := set(&got)
		return got, err
	}, func(got []service) error { return differentStructs(want, got) })
}

func differentStructs(want, got []service) error {
	if !reflect.DeepEqual(want, got) {
		return errors.New("other structs")
	}
	return nil
}

func sameText(want, got []byte) error {
	_, err := compare(want, got, readJSON)
	return err
}
