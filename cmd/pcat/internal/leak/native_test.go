package leak

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/native"
)

// secretive is a type whose own methods quote their input.
type secretive struct{ text string }

func (s secretive) MarshalPcore() (pcore.Value, error) { return nil, errorAbout(s.text) }

func (s *secretive) UnmarshalPcore(v pcore.Value) error { return errorAbout(v.String()) }

type errorAbout string

func (e errorAbout) Error() string { return "cannot use " + string(e) }

// TestNative prints secrets of Go programs, their values, and the errors of
// their conversion.
func TestNative(t *testing.T) {
	type login struct {
		Pass native.Secret[string]
		Keys map[string]native.Secret[[]byte]
	}
	in := login{native.NewSecret(canary), map[string]native.Secret[[]byte]{"k": native.NewSecret([]byte(canary))}}
	printed(t, "a Secret", in.Pass)
	printed(t, "a pointer to a Secret", &in.Pass)
	printed(t, "a struct with Secrets", in)
	v, err := native.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	printed(t, "the value", v)
	var natural any
	if err := native.Unmarshal(v, &natural); err != nil {
		t.Fatal(err)
	}
	printed(t, "the value in an interface", natural)
	typ, err := native.TypeOf[login]()
	if err != nil {
		t.Fatal(err)
	}
	printed(t, "the type", typ)

	_, err = native.Marshal(native.NewSecret(secretive{canary}))
	fails(t, "a Marshaler", err)
	_, err = native.Marshal(native.NewSecret(map[string]chan int{canary: nil}))
	fails(t, "a Secret of channels", err)
	_, err = native.Marshal(native.NewSecret(map[any]int{canary + "\xff": 1}))
	fails(t, "a key that is no text", err)
	secret := pcore.NewSensitive(pcore.String(canary))
	nested := pcore.NewSensitive(pcore.NewHash(pcore.Entry{Key: pcore.String(canary), Value: pcore.NewArray(pcore.String(canary))}))
	for name, dst := range map[string]any{
		"a string": new(string), "a number": new(int), "bytes": new([]byte), "a list": new([]string), "a map": new(map[string]string),
		"a secret number": new(native.Secret[int]), "a secret map": new(native.Secret[map[string]int]),
		"a secret Unmarshaler": new(native.Secret[secretive]), "an Unmarshaler": new(secretive), "a struct": new(login),
	} {
		fails(t, name, native.Unmarshal(secret, dst))
		for _, v := range []pcore.Value{nested, pcore.NewHash(pcore.Entry{Key: secret, Value: nested})} {
			if err := native.Unmarshal(v, dst); err != nil {
				printed(t, name, err)
			}
		}
	}
	fails(t, "a key", native.Unmarshal(pcore.NewHash(pcore.Entry{Key: secret, Value: pcore.Undef{}}), new(map[string]int)))
}

func fails(t *testing.T, name string, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", name)
		return
	}
	printed(t, name, err)
}
