package audit

import (
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// losesSensitive reports whether a Deferred in v passes a value from a secret
// store to another function without making it Sensitive, so that the result is
// a plain String.
func losesSensitive(v pcore.Value) bool {
	return anyCall(v, func(call *pcore.Deferred) bool {
		switch strings.ToLower(call.Name()) {
		case "sensitive", "new":
			return false
		case "inline_epp":
			if !unwraps(call) {
				return losesSensitive(call.Arguments())
			}
		}
		return readsStore(call.Arguments())
	})
}

// unwraps reports whether the template of a call of inline_epp can unwrap a
// Sensitive value. A template that prints one as it is returns a Sensitive.
func unwraps(call *pcore.Deferred) bool {
	arguments := call.Arguments()
	if arguments.Len() == 0 {
		return false
	}
	template, ok := arguments.At(0).(pcore.String)
	return !ok || strings.Contains(string(template), "unwrap")
}

// readsStore reports whether the arguments of a call contain a call to a secret
// store.
func readsStore(arguments pcore.Value) bool {
	return anyCall(arguments, func(call *pcore.Deferred) bool {
		return isStore(call.Name()) || !strings.EqualFold(call.Name(), "sensitive") && readsStore(call.Arguments())
	})
}

// anyCall reports whether is returns true for an outermost call in v. It does
// not look into the arguments of calls.
func anyCall(v pcore.Value, is func(*pcore.Deferred) bool) bool {
	switch v := v.(type) {
	case *pcore.Deferred:
		return is(v)
	case *pcore.Array:
		for e := range v.Values() {
			if anyCall(e, is) {
				return true
			}
		}
	case *pcore.Hash:
		for _, e := range v.All() {
			if anyCall(e, is) {
				return true
			}
		}
	default: // contains no call
	}
	return false
}

// isStore reports whether the name of a function indicates that it reads a
// secret store.
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
