package toml

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

func TestLine(t *testing.T) {
	d, err := Read("a = 1\r\nb.c = [\n  {d = 1},\n]\n\n[t.u]\nv = 1\n[[l]]\n[[l]]\n  w = 2\n[[l.m]]\n")
	if err != nil {
		t.Fatal(err)
	}
	var top pcore.Path
	for _, tt := range []struct {
		path pcore.Path
		want int
	}{
		{top, 0},
		{top.Key("x"), 0},
		{top.Index(0), 0},
		{top.Key("a"), 1},
		{top.Key("a").Key("x").Index(3), 1},
		{top.Key("b"), 2},
		{top.Key("b").Key("c").Index(0).Key("d"), 2},
		{top.Key("t"), 6},
		{top.Key("t").Key("u").Key("v"), 7},
		{top.Key("t").Key("u").Key("x"), 6},
		{top.Key("l").Index(0), 8},
		{top.Key("l").Index(1), 9},
		{top.Key("l").Index(1).Key("w"), 10},
		{top.Key("l").Index(1).Key("m").Index(0), 11},
		{top.Key("l").Index(2), 8},
	} {
		if got := d.Line(tt.path); got != tt.want {
			t.Errorf("%s: line %d, want %d", tt.path, got, tt.want)
		}
	}
}
