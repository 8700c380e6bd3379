package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// generators are the words of commands that print a new secret.
var generators = [...][]string{
	{"wg", "genkey"}, {"wg", "genpsk"}, {"openssl", "rand"}, {"/dev/urandom"}, {"/dev/random"}, {"gpg", "--gen-random"}, {"mcookie"},
	{"pwgen"}, {"apg"}, {"makepasswd"}, {"xkcdpass"}, {"diceware"}, {"keepassxc-cli", "generate"},
	{"rails", "secret"}, {"rake", "secret"}, {"artisan", "key:generate"}, {"tsig-keygen"}, {"ceph-authtool", "--gen-print-key"},
	{"argocd", "initial-password"}, {"kubeadm", "upload-certs"}, {"kubeadm", "token"}, {"swarm", "join-token"},
	{"consul", "keygen"}, {"nomad", "keyring", "generate"}, {"signify", "-G"}, {"minisign", "-G"},
}

// generates reports whether a command prints a new secret.
func generates(command string) bool {
	words := strings.Fields(command)
	for i, w := range words {
		w = strings.Trim(w, "\"'|;()")
		words[i] = w
		if i == 0 {
			words[i] = w[strings.LastIndexByte(w, '/')+1:]
		}
	}
	return slices.ContainsFunc(generators[:], func(all []string) bool {
		return !slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(words, w) && !slices.Contains(words, "bin/"+w) })
	})
}

// outputs finds the secret that a command has generated and printed, in the log line with its output: `wg genkey`.
type outputs struct{ *Text }

func (t outputs) search() {
	if t.leaf.Resource == nil || t.leaf.Resource.Type != "Exec" || !t.leaf.IsMessage() && !t.leaf.IsOutput() || !generates(t.leaf.Resource.Title) {
		return
	}
	s := strings.TrimRight(t.S, " \r\n")
	const shortest = 8
	if word := strings.TrimPrefix(s, "base64:"); len(word) >= shortest && !strings.ContainsAny(word, " \t\n") && !strings.HasPrefix(word, "/") && (verdict.IsRandom(word) || alphabet.IsHex(word) || verdict.FollowsRules(word) || verdict.IsPhrase(word)) {
		t.given("secret", len(s)-len(word), len(s), verdict.Password)
	}
}
