package audit

import (
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// losesSensitive reports whether some Deferred in v gives what a store of
// secrets returned to another function, with nothing Sensitive about it: the
// result is a plain String.
func losesSensitive(v pcore.Value) bool {
	switch v := v.(type) {
	case *pcore.Deferred:
		return loses(v)
	case *pcore.Array:
		for e := range v.Values() {
			if losesSensitive(e) {
				return true
			}
		}
	case *pcore.Hash:
		for _, e := range v.All() {
			if losesSensitive(e) {
				return true
			}
		}
	default: // what holds no call
	}
	return false
}

func loses(call *pcore.Deferred) bool {
	switch strings.ToLower(call.Name()) {
	case "sensitive", "new":
		return false
	}
	return readsStore(call.Arguments())
}

// readsStore reports whether the arguments of a call hold a call of a store of
// secrets.
func readsStore(v pcore.Value) bool {
	switch v := v.(type) {
	case *pcore.Deferred:
		return isStore(v.Name()) || strings.ToLower(v.Name()) != "sensitive" && readsStore(v.Arguments())
	case *pcore.Array:
		for e := range v.Values() {
			if readsStore(e) {
				return true
			}
		}
	case *pcore.Hash:
		for _, e := range v.All() {
			if readsStore(e) {
				return true
			}
		}
	default: // what holds no call
	}
	return false
}

// isStore reports whether a function is named as one that reads a store of
// secrets.
func isStore(function string) bool {
	low := strings.ToLower(function)
	for _, part := range []string{"vault", "secret", "conjur", "cyberark", "onepassword", "1password", "bitwarden", "keepass", "gopass", "passwordstate", "password_store",
		"thycotic", "delinea", "credhub", "node_decrypt", "keyring", "sops", "eyaml", "ssm_parameter", "ssm::", "credstash", "doppler", "infisical"} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}
