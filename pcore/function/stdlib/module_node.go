package stdlib

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleNodeFunctions returns functions about the facts of the node.
func moduleNodeFunctions() []function.Function {
	return []function.Function{
		{
			Name:    "fact",
			Doc:     "Returns a fact by its path, such as os.family or partitions.\"/dev/sda\".0; undef without it.",
			Effects: function.ReadsVariables,
			Dispatches: one("String fact_name", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return fact(c, str(args[0]))
			}),
		},
		{
			Name:    "os_version_gte",
			Doc:     "Reports whether the node has an operating system, of a version or a newer one.",
			Effects: function.ReadsVariables,
			Dispatches: one("String[1] os, String[1] version >> Boolean", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				name, err := factAt(c, "os", "name")
				if err != nil || name != args[0] {
					return pcore.Boolean(false), err
				}
				major, err := factAt(c, "os", "release", "major")
				if err != nil {
					return nil, err
				}
				return pcore.Boolean(compareVersions(rubytext.Text(major), str(args[1])) >= 0), nil
			}),
		},
		{
			Name:    "has_interface_with",
			Doc:     "Reports whether the node has an interface with a name, or one with an address: macaddress, netmask, ipaddress or network.",
			Effects: function.ReadsVariables,
			Dispatches: []function.Dispatch{
				on("String[1] interface >> Boolean", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					all, err := interfaces(c)
					if err != nil {
						return nil, err
					}
					_, ok := all.Get(args[0])
					return pcore.Boolean(ok), nil
				}),
				on("Enum[macaddress, netmask, ipaddress, network, ip, mac] kind, String[1] value >> Boolean", hasInterfaceWith),
			},
		},
		{
			Name:    "fqdn_rotate",
			Doc:     "Returns an array or a text with its elements or characters rotated, always in the same way for a node and seeds.",
			Effects: function.ReadsVariables,
			Dispatches: []function.Dispatch{
				on("String input, Variant[Integer, String] seeds* >> String", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					characters := strings.Split(str(args[0]), "")
					if err := reserveElements(c, len(characters)); err != nil {
						return nil, err
					}
					rotated, err := fqdnRotate(c, stringArray(characters), args[1:])
					if err != nil {
						return nil, err
					}
					return concatenated(c, elements(rotated)...)
				}),
				on("Array input, Variant[Integer, String] seeds* >> Array", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return fqdnRotate(c, args[0].(*pcore.Array), args[1:])
				}),
			},
		},
	}
}

var (
	factStep   = lazyregexp.New(`([^."]+)|"([^"]+)"`)
	factNumber = lazyregexp.New(`^[+-]?\d+$`)
)

// facts returns the facts of the node.
func facts(c *function.Call) (pcore.Value, error) {
	v, ok, err := c.Variable("facts")
	if err == nil && !ok {
		err = function.ErrNeedsFacts
	}
	return v, err
}

// fact returns the value at the path of a fact. A step that leads nowhere is logged.
func fact(c *function.Call, name string) (pcore.Value, error) {
	v, err := facts(c)
	if err != nil {
		return nil, err
	}
	var walked []string
	for _, m := range factStep.Get().FindAllStringSubmatch(name, -1) {
		step := m[1] + m[2]
		next := pcore.Value(pcore.Undef{})
		where := fmt.Sprintf("fact request for %s returning nil: '%s' is ", name, strings.Join(walked, "."))
		switch v := v.(type) {
		case pcore.Undef:
			return v, nil
		case *pcore.Hash:
			if found, ok := v.GetString(step); ok {
				next = found
			}
		case *pcore.Array:
			i, err := strconv.Atoi(step)
			switch {
			case err != nil || !factNumber.Get().MatchString(step):
				c.Say(function.Warning, where+"an array; cannot index to '"+step+"'")
			case i < 0:
				i += v.Len()
			}
			if err == nil && i >= 0 && i < v.Len() {
				next = v.At(i)
			}
		default:
			c.Say(function.Warning, where+"not a collection; cannot walk to '"+step+"'")
		}
		if strings.Contains(step, ".") {
			step = `"` + step + `"`
		}
		walked, v = append(walked, step), next
	}
	return v, nil
}

// factAt returns the fact at a path of hashes, which must exist but for its last step.
func factAt(c *function.Call, path ...string) (pcore.Value, error) {
	v, err := facts(c)
	for i, step := range path {
		if err != nil {
			return nil, err
		}
		h, ok := v.(*pcore.Hash)
		if !ok {
			return nil, fmt.Errorf("there is no fact %s", strings.Join(path[:i], "."))
		}
		if v, ok = h.GetString(step); !ok {
			v = pcore.Undef{}
		}
	}
	return v, err
}

func interfaces(c *function.Call) (*pcore.Hash, error) {
	v, err := factAt(c, "networking", "interfaces")
	if err != nil {
		return nil, err
	}
	all, ok := v.(*pcore.Hash)
	if !ok {
		return nil, errors.New("there is no fact networking.interfaces")
	}
	return all, nil
}

func hasInterfaceWith(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	all, err := interfaces(c)
	if err != nil {
		return nil, err
	}
	kind := str(args[0])
	switch kind {
	case "ipaddress":
		kind = "ip"
	case "macaddress":
		kind = "mac"
	}
	for _, v := range all.All() {
		h, ok := v.(*pcore.Hash)
		if !ok {
			continue
		}
		if found, ok := h.GetString(kind); ok && found == args[1] {
			return pcore.Boolean(true), nil
		}
	}
	return pcore.Boolean(false), c.Spend(all.Len())
}

// fqdnRotate moves as many elements to the end as a number that depends on the node and the
// seeds.
func fqdnRotate(c *function.Call, list *pcore.Array, seeds []pcore.Value) (*pcore.Array, error) {
	n := list.Len()
	if n <= 1 {
		return list, nil
	}
	name, err := fqdn(c)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(seeds))
	for i, s := range seeds {
		texts[i] = rubytext.Text(s)
	}
	offset, err := randomBelow(name+":"+strings.Join(texts, ":"), int64(n))
	if err != nil {
		return nil, err
	}
	if err := reserveElements(c, n); err != nil {
		return nil, err
	}
	at := int(offset.(pcore.Integer))
	return pcore.NewArray(append(elements(list.Slice(at, n)), elements(list.Slice(0, at))...)...), nil
}
