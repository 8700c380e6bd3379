package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"
)

// KeyFlags name a secret key. The key itself is never an argument, because all users of the
// machine can see those. Declare them with AddFlags.
type KeyFlags struct {
	File string
	Env  string // the name of an environment variable
}

// AddFlags declares the flags. purpose completes "the key" in their usage.
func (k *KeyFlags) AddFlags(flags *pflag.FlagSet, purpose string) {
	flags.StringVar(&k.File, "key-file", "", "read the key "+purpose+" from `FILE`")
	flags.StringVar(&k.Env, "key-env", "", "read the key "+purpose+" from the variable `NAME`")
}

// Given reports whether a flag names a key.
func (k *KeyFlags) Given() bool { return k.File != "" || k.Env != "" }

// minKey is the minimum length of a key in bytes; shorter keys can be guessed.
const minKey = 16

// Key returns the key without a trailing line break, or nil if no flag names one. A key of
// fewer than 16 bytes is an error.
func (k *KeyFlags) Key(s *IOStreams) ([]byte, error) {
	switch {
	case k.File != "" && k.Env != "":
		return nil, Usage("--key-file and --key-env cannot be used together")
	case k.File != "":
		key, err := os.ReadFile(k.File)
		if err != nil {
			return nil, BadInput(k.File, "", err)
		}
		return longEnough(k.File, bytes.TrimRight(key, "\r\n"))
	case k.Env != "":
		key := s.Getenv(k.Env)
		if key == "" {
			return nil, BadInput("$"+k.Env, "", errors.New("no key: the variable is unset or empty"))
		}
		return longEnough("$"+k.Env, []byte(key))
	}
	return nil, nil
}

func longEnough(name string, key []byte) ([]byte, error) {
	switch {
	case len(key) == 0:
		return nil, BadInput(name, "", errors.New("the key is empty"))
	case len(key) < minKey:
		return nil, BadInput(name, "", fmt.Errorf("the key is too short: %d bytes, at least %d are needed; pcat audit keygen generates one", len(key), minKey))
	}
	return key, nil
}
