package lazyregexp

import "testing"

func TestNew(t *testing.T) {
	word := New(`^\w+$`)
	if !word.Get().MatchString("pcat") || word.Get().MatchString("p cat") {
		t.Error("the expression does not match what it says")
	}
	if first, again := word.Get(), word.Get(); first != again {
		t.Error("it is compiled anew")
	}
}

func TestNotValid(t *testing.T) {
	bad := New(`(`) // not compiled yet
	defer func() {
		if recover() == nil {
			t.Error("an expression that is not valid was taken")
		}
	}()
	bad.Get()
}
