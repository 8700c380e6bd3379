package verdict

import (
	"strings"
	"sync"
)

// statusWords returns the words that say how something is or how it went, and the words that join them
// to a subject: `password not changed`, `token: expired`.
var statusWords = sync.OnceValue(func() *set {
	words := setOf(`not no never is isn't was wasn't are were has have had been be being will would can cannot could may must should needs did didn't does doesn't
		still already now only also for from in of on at by with without and or until since after before to than too
		changed unchanged updated modified replaced set unset reset rotated renewed refreshed generated created deleted removed added stored saved
		written copied imported exported installed applied loaded read cleared purged revoked granted issued assigned
		expired expires expiring valid invalid validated verified verifying correct incorrect wrong bad good mismatch mismatched matches matched differs
		accepted rejected refused denied forbidden unauthorized authenticated authorized locked unlocked blocked protected encrypted decrypted
		required needed missing found present absent available unavailable empty blank known unknown defined undefined provided given specified supplied configured
		skipped skipping ignored pending done finished complete completed ok okay success successful succeeded successfully fail failed fails failing failure error
		errors warning warnings pass passed passes passing enabled disabled active inactive old new same different identical changes
		rotation change update check verification validation policy strength age expiry expiration lifetime length file prompt request reset-required
		geändert unverändert abgelaufen gültig ungültig falsch richtig gesetzt fehlt erfolgreich fehlgeschlagen nicht
		changé expiré invalide valide incorrect manquant cambiado cambiada caducado incorrecta válida`)
	return &words
})

// IsStatus reports whether a value says how a secret is, or what happened to it: it is such a word, or half
// of its words are.
func IsStatus(s string) bool {
	all, status := 0, 0
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if all++; statusWords().has(strings.Trim(w, ".,;!")) {
			status++
		}
	}
	return status > 0 && 2*status >= all
}

// IsOutcome reports whether a value is the result of a check that passed.
func IsOutcome(s string) bool {
	switch strings.ToLower(s) {
	case "pass", "passed", "passes", "passing", "ok", "success", "succeeded", "successful", "green":
		return true
	}
	return false
}
