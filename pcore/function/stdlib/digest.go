package stdlib

import (
	"crypto/md5"  //nolint:gosec // required by the function md5
	"crypto/sha1" //nolint:gosec // likewise
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/big"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func digestFunctions() []function.Function {
	return []function.Function{
		digest("md5", "Returns the MD5 sum of a text in hexadecimal.", func(s string) []byte { d := md5.Sum([]byte(s)); return d[:] }),     //nolint:gosec // likewise
		digest("sha1", "Returns the SHA-1 sum of a text in hexadecimal.", func(s string) []byte { d := sha1.Sum([]byte(s)); return d[:] }), //nolint:gosec // likewise
		digest("sha256", "Returns the SHA-256 sum of a text in hexadecimal.", sum256),
		digest("digest", "Returns the sum of a text in hexadecimal, by the algorithm that Puppet is set to: SHA-256.", sum256),
		{
			Name:       "fqdn_rand",
			Doc:        "Returns a number from 0 up to below a maximum, which is always the same for a node and a seed: it depends on the fact networking.fqdn.",
			Effects:    function.ReadsVariables,
			Dispatches: one("Any max, Any args*", fqdnRand),
		},
	}
}

func sum256(s string) []byte { d := sha256.Sum256([]byte(s)); return d[:] }

func digest(name, doc string, sum func(string) []byte) function.Function {
	return function.Function{Name: name, Doc: doc, OwnText: true, Dispatches: one("Any text", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
		s, ok := args[0].(pcore.String)
		if !ok {
			return nil, errors.New("the argument must be a String, not " + pcore.KindOf(args[0]).String())
		}
		if err := c.Reserve(len(s)); err != nil { // a copy as bytes
			return nil, err
		}
		return pcore.String(hex.EncodeToString(sum(string(s)))), nil
	})}
}

// fqdnRand seeds Ruby's random generator with a digest of the node's name, the
// maximum and the seed.
func fqdnRand(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	name, err := fqdn(c)
	if err != nil {
		return nil, err
	}
	if len(args) > 2 && isTruthy(args[2]) {
		if name == "" {
			return nil, errors.New("there is no fact networking.fqdn to be taken in lower case")
		}
		name = rubytext.Downcase(name)
	}
	limit, err := leadingInteger(args[0])
	if err != nil {
		return nil, err
	}
	seed := newResult(c)
	j := joiner{call: c, text: seed, delimiter: ":", textOf: withReference}
	if err := j.add(pcore.NewArray(pcore.String(name), pcore.Integer(limit), optional(args, 1))); err != nil {
		return nil, err
	}
	text, err := seed.Value()
	if err != nil {
		return nil, err
	}
	return randomBelow(str(text), limit)
}

// randomBelow returns a number from 0 up to below limit, chosen by the text of
// the seed.
func randomBelow(seed string, limit int64) (pcore.Value, error) {
	if limit <= 0 {
		return nil, errors.New("the maximum must be a positive integer")
	}
	sum := md5.Sum([]byte(seed)) //nolint:gosec // as in the reference
	return pcore.Integer(newTwister(new(big.Int).SetBytes(sum[:])).below(uint64(limit))), nil
}

func fqdn(c *function.Call) (string, error) {
	facts, ok, err := c.Variable("facts")
	if err != nil {
		return "", err
	}
	if !ok {
		return "", function.ErrNeedsFacts
	}
	name, err := digInto(facts, []pcore.Value{pcore.String("networking"), pcore.String("fqdn")})
	if err != nil {
		return "", err
	}
	return rubytext.Text(name), nil
}

// leadingInteger returns a number as an integer, or the integer at the start of
// a text; 0 if there is none.
func leadingInteger(v pcore.Value) (int64, error) {
	switch v := v.(type) {
	case pcore.Integer:
		return int64(v), nil
	case pcore.Float:
		return int64(v), nil
	case pcore.String:
		s := rubytext.LeftStrip(string(v))
		end := strings.IndexFunc(strings.TrimLeft(s, "+-"), func(r rune) bool { return r < '0' || r > '9' })
		if end >= 0 {
			s = s[:len(s)-len(strings.TrimLeft(s, "+-"))+end]
		}
		n, err := rubytext.ParseInteger(strings.TrimLeft(s, "+0"))
		if err != nil {
			return 0, nil //nolint:nilerr // as Ruby's to_i
		}
		if !n.IsInt64() {
			return 0, errors.New("the maximum is too big")
		}
		return n.Int64(), nil
	default:
		return 0, errors.New("the maximum must be a number, not " + pcore.KindOf(v).String())
	}
}
