package cli

import (
	"bytes"
	"errors"
	"os"

	"github.com/spf13/pflag"
)

// KeyFlags name a secret key. It is never given on the command line itself, where every user of
// the machine can see it. Declare them with AddFlags.
type KeyFlags struct {
	File string
	Env  string // the name of an environment variable
}

// AddFlags declares the flags. purpose says what the key is for.
func (k *KeyFlags) AddFlags(flags *pflag.FlagSet, purpose string) {
	flags.StringVar(&k.File, "key-file", "", "read the key "+purpose+" from `FILE`")
	flags.StringVar(&k.Env, "key-env", "", "take the key "+purpose+" from the environment variable `NAME`")
}

// Given reports whether a key is named.
func (k *KeyFlags) Given() bool { return k.File != "" || k.Env != "" }

// Key returns the key, without a line break at its end; nil when none is named.
func (k *KeyFlags) Key(s *IOStreams) ([]byte, error) {
	switch {
	case k.File != "" && k.Env != "":
		return nil, Usage("--key-file and --key-env exclude each other")
	case k.File != "":
		key, err := os.ReadFile(k.File)
		if err != nil {
			return nil, BadInput(k.File, "", err)
		}
		return notEmpty(k.File, bytes.TrimRight(key, "\r\n"))
	case k.Env != "":
		return notEmpty("$"+k.Env, []byte(s.Getenv(k.Env)))
	}
	return nil, nil
}

func notEmpty(name string, key []byte) ([]byte, error) {
	if len(key) == 0 {
		return nil, BadInput(name, "", errors.New("the key is empty"))
	}
	return key, nil
}
