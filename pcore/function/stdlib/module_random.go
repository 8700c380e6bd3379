package stdlib

import (
	"crypto/rand"
	"math/big"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleRandomFunctions returns functions for random numbers and texts. Most of
// them depend on a seed only.
func moduleRandomFunctions() []function.Function {
	return []function.Function{
		{
			Name:    "fqdn_rand_string",
			Doc:     "Returns a random text of a length and of the given characters, or else of letters and digits. It is always the same for a node and a seed: it depends on the fact networking.fqdn.",
			Effects: function.ReadsVariables,
			Dispatches: one("Integer[1] length, Optional[String] charset?, Any seed*", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return fqdnRandString(c, args)
			}),
		},
		{
			Name: "seeded_rand",
			Doc:  "Returns a number from 0 up to below a maximum, which is always the same for a seed.",
			Dispatches: one("Integer[1] max, String seed", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				return randomBelow(str(args[1]), int64(args[0].(pcore.Integer)))
			}),
		},
		{
			Name:       "seeded_rand_string",
			Doc:        "Returns a random text of a length and of the given characters, or else of letters and digits, which is always the same for a seed.",
			Dispatches: one("Integer[1] length, String seed, String[2] charset?", seededRandString),
		},
		{
			Name:       "shuffle",
			Doc:        "Returns an array or a text with its elements or characters in random order.",
			Effects:    function.Random,
			Dispatches: one("Variant[Array, String] value, Any ignored*", shuffle),
		},
	}
}

const (
	digits     = "0123456789"
	upperCase  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lowerCase  = "abcdefghijklmnopqrstuvwxyz"
	seedingFee = 256 // budget for seeding a twister
)

// fqdnRandString calls fqdn_rand for each character, with its position at the
// end of the seed.
func fqdnRandString(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	name, err := fqdn(c)
	if err != nil {
		return nil, err
	}
	charset := digits + upperCase + lowerCase
	if s, ok := optional(args, 1).(pcore.String); ok && s != "" {
		charset = string(s)
	}
	seed := ""
	if len(args) > 2 {
		text := newResult(c)
		j := joiner{call: c, text: text, delimiter: ":", textOf: unchanged}
		if err := j.add(pcore.NewArray(append(args[2:len(args):len(args)], pcore.String(""))...)); err != nil {
			return nil, err
		}
		v, err := text.Value()
		if err != nil {
			return nil, err
		}
		seed = str(v)
	}
	characters := []rune(charset)
	prefix := name + ":" + strconv.Itoa(len(characters)) + ":" + seed
	return randomText(c, args[0], characters, func(i int) (int, error) {
		if err := c.Spend(seedingFee + len(prefix)); err != nil {
			return 0, err
		}
		v, err := randomBelow(prefix+strconv.Itoa(i+1), int64(len(characters)))
		if err != nil {
			return 0, err
		}
		return int(v.(pcore.Integer)), nil
	})
}

func seededRandString(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	charset := digits + lowerCase + upperCase
	if len(args) > 2 {
		charset = str(args[2])
	}
	characters := []rune(charset)
	twister := newTwister(new(big.Int).SetBytes(sum256(str(args[1]))))
	return randomText(c, args[0], characters, func(int) (int, error) {
		return int(twister.below(uint64(len(characters)))), nil
	})
}

// randomText returns a text of a length whose characters are selected by choose,
// which is called with each position.
func randomText(c *function.Call, length pcore.Value, characters []rune, choose func(i int) (int, error)) (pcore.Value, error) {
	n := int64(length.(pcore.Integer))
	if err := c.Hold(n); err != nil {
		return nil, err
	}
	text := newResult(c)
	for i := range int(n) {
		n, err := choose(i)
		if err != nil {
			return nil, err
		}
		if _, err := text.WriteString(string(characters[n])); err != nil {
			return nil, err
		}
	}
	return text.Value()
}

func shuffle(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	if a, ok := args[0].(*pcore.Array); ok {
		if err := reserveElements(c, a.Len()); err != nil {
			return nil, err
		}
		elems := elements(a)
		return pcore.NewArray(elems...), mix(elems)
	}
	const longest = 4 // bytes of a character, twice
	s := str(args[0])
	if err := c.Hold(2 * longest * int64(len(s))); err != nil {
		return nil, err
	}
	characters := strings.Split(s, "")
	err := mix(characters)
	return pcore.String(strings.Join(characters, "")), err
}

// mix puts the elements in random order.
func mix[T any](elems []T) error {
	for i := range elems {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(elems)-i)))
		if err != nil {
			return err
		}
		j := i + int(n.Int64())
		elems[i], elems[j] = elems[j], elems[i]
	}
	return nil
}
