package psych_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/internal/test/rubytest"
	"github.com/pcatdev/pcat/pcore"
)

// date matches a scalar that Psych loads as a Date: see ScalarScanner#tokenize.
var date = regexp.MustCompile(`^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$`)

// answer returns the class and the value of a plain scalar in the notation of
// testdata/scalars.rb.
func answer(text string) [2]string {
	switch v := psych.Scalar(text).(type) {
	case pcore.Undef:
		return [2]string{"Undef"}
	case pcore.Float:
		if math.IsNaN(float64(v)) {
			return [2]string{"Float", "NaN"}
		}
		return [2]string{"Float", fmt.Sprintf("%016x", math.Float64bits(float64(v)))}
	case pcore.Symbol:
		return [2]string{"Symbol", string(v)}
	case pcore.Default:
		return [2]string{"Symbol", "default"}
	case pcore.String:
		return [2]string{"String", string(v)}
	case pcore.Timestamp:
		if date.MatchString(text) {
			return [2]string{"Date", strconv.FormatInt(v.Unix(), 10)}
		}
		return [2]string{"Time", fmt.Sprintf("%d.%09d", v.Unix(), v.Nanosecond())}
	case pcore.Boolean:
		return [2]string{"Boolean", v.String()}
	default:
		return [2]string{"Integer", v.String()}
	}
}

func compareScalar(t *testing.T, text string, want [2]string) {
	t.Helper()
	if got := answer(text); got != want && want[0] != "Error" {
		t.Errorf("%q is %q, want %q", text, got, want)
	}
}

// TestScalars compares with answers of Psych: testdata/scalars.jsonl has a text, a
// class and a value in each line.
func TestScalars(t *testing.T) {
	data, err := os.ReadFile("testdata/scalars.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	n := 0
	for lines.Scan() {
		var c [3]string
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		compareScalar(t, c[0], [2]string{c[1], c[2]})
		n++
	}
	if n < 150 {
		t.Errorf("only %d scalars", n)
	}
}

// scalarParts are what random scalars are made of: parts of numbers, dates, booleans and
// symbols.
var scalarParts = strings.Split("0 1 2 7 8 9 10 12 29 30 31 59 60 2020 1999 0x 0b 0o 0X 1f e E e5 e+5 E-3 . . , _ _ : : - - + T t Z z +01:00 -0530 "+
	"true false yes no on off null TRUE No oN y n Y ~ .inf .nan .INF .NaN :a :\" \" ' :' = << ! @ # a f x é ſ K ² ٣ \u0301 \u2160 0000 "+
	"2020-01-02 2020-1-2 12:30:45 1:30 23:59:60 2020-02-30 1582-10-10 1500-02-29 08 017 1_000 1,000 1.5 1.5e+3", " ")

func randomScalar(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(10) == 0 {
		zones := []string{"", "Z", " Z", " +1", "+01:00", " -0530", "-05:30", " 5", "z", "+99:99", "+2:3"}
		seconds := []string{"", ".5", ".", ".123456789123", ".1x"}
		return fmt.Sprintf("%04d-%d-%02d%s%d:%02d:%02d%s%s", r.IntN(2100), r.IntN(14), []int{0, 1, 2, 9, 15, 28, 32}[r.IntN(7)], []string{" ", "T", "t", "  ", "\t", "x"}[r.IntN(6)],
			r.IntN(26), r.IntN(61), r.IntN(62), seconds[r.IntN(len(seconds))], zones[r.IntN(len(zones))])
	}
	for range 1 + r.IntN(5) {
		switch r.IntN(12) {
		case 0:
			b.WriteByte(" \t\v\n"[r.IntN(4)])
		case 1, 2:
			b.WriteByte("0123456789.:-+_,eExXbo"[r.IntN(22)])
		default:
			b.WriteString(scalarParts[r.IntN(len(scalarParts))])
		}
	}
	return b.String()
}

// TestScalarsAreThoseOfPsych compares random scalars. The environment variable
// PCAT_YAML_SEED selects others.
func TestScalarsAreThoseOfPsych(t *testing.T) {
	rubytest.NeedPsych(t)
	seed, _ := strconv.ParseUint(os.Getenv("PCAT_YAML_SEED"), 10, 64)
	r := rand.New(rand.NewPCG(seed, 2))
	texts := make([]string, 100000)
	for i := range texts {
		texts[i] = randomScalar(r)
	}
	classes := make(map[string]int)
	for i, want := range rubytest.Ask[[2]string](t, "testdata/scalars.rb", texts) {
		compareScalar(t, texts[i], want)
		classes[want[0]]++
	}
	t.Log(classes)
}
