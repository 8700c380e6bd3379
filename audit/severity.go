package audit

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/secret"
)

// SeverityTerm is one of the facts that make the severity of a finding.
type SeverityTerm struct {
	// Severity is the severity with this term and the ones before it.
	Severity rule.Severity
	// Steps is the change of the severity: 0 for the first term, the kind of the finding.
	Steps int
	// Reason is the fact, such as "the account is root".
	Reason string
}

// SeverityTerms returns the terms of the severity, the kind of the finding first. The last one
// has the severity of the finding, unless a configuration has set another.
func (f *Finding) SeverityTerms() []SeverityTerm {
	var list []SeverityTerm
	f.facts.terms(func(t SeverityTerm) { list = append(list, t) })
	return list
}

// IsWeak reports whether the secret takes so few guesses that it is found by trying. This is a
// note, and does not change the severity. A password that everyone knows has a rule of its own.
func (f *Finding) IsWeak() bool { return f.facts.weak }

// facts determine the severity of a finding: docs/audit-severity.md.
type facts struct {
	severity rule.Severity // of the rule
	subject  subject
	role     role
	exposure exposure
	doubt    doubt
	weak     bool // the secret; a note, which changes nothing
}

// subject is the subject of a finding. The zero value is a practice, or whatever a rule of the
// user finds.
type subject uint8

const (
	practice subject = iota
	credential
	knownDefault
	copyOfFound
	copyOfDeclared
	passwordHash
	identifier
	privateKey
	providerToken
)

// subjects has the properties of the subjects: whether the role of the account and the exposure
// on the node count, and the reason of the first term.
var subjects = [...]struct {
	role, onNode bool
	reason       string
}{
	practice:       {false, false, "this rule"},
	credential:     {true, true, "a credential"},
	knownDefault:   {true, true, "a password that everyone knows"},
	copyOfFound:    {true, true, "a copy of a credential"},
	copyOfDeclared: {true, true, "a copy of a Sensitive value"},
	passwordHash:   {false, false, "a password hash, which has to be guessed"},
	identifier:     {false, false, "the ID of a key, which is no secret by itself"},
	privateKey:     {false, true, "a private key"},
	providerToken:  {false, true, "a token of a provider"},
}

// subjectsOfRules are the subjects by the family of the rule.
var subjectsOfRules = map[string]subject{
	"plain-secret-parameter": credential, "secret-in-content": credential, "secret-in-command": credential,
	"url-credentials": credential, "connection-string": credential, "deferred-cleartext-argument": credential,
	defaultPassword: knownDefault, copiedSecret: copyOfFound,
	reuseOpen: copyOfDeclared, crossNode: copyOfDeclared, "sensitive-in-title": copyOfDeclared,
	"sensitive-in-tag": copyOfDeclared, "sensitive-in-edge": copyOfDeclared, "sensitive-in-key": copyOfDeclared,
	"password-hash": passwordHash, "private-key": privateKey, "provider-token": providerToken,
}

func subjectOf(id string) subject {
	if detect.IsIdentifier(id) {
		return identifier
	}
	family, _, _ := strings.Cut(id, "/")
	return subjectsOfRules[family]
}

// doubt is a reason for a lower severity. The zero value is nothing.
type doubt uint8

const (
	noDoubt       doubt = iota
	readCommunity       // a default one, which routers come with
	looseName           // the name, or that it belongs to the value
	lowConfidence       // in a form
)

var doubtReasons = [...]string{
	readCommunity: "the community string allows reading only", looseName: "harmless values have such a name, too", lowConfidence: "low confidence",
}

// doubtOf returns the reason for a lower severity of a hit. A value whose name alone says that
// it is a password never has a lower one.
func doubtOf(h *raw, of subject) doubt {
	name := strings.ToLower(h.Name)
	switch {
	case of == knownDefault && strings.HasSuffix(name, "community") && !strings.Contains(name, "rw") && !strings.Contains(name, "write"):
		return readCommunity
	case h.Confidence > rule.Possible:
		return noDoubt
	case h.Loose:
		return looseName
	case of == credential:
		return noDoubt
	}
	return lowConfidence
}

// factsOf returns the facts about a hit of a rule with severity s.
func factsOf(h *raw, s rule.Severity) facts {
	f := facts{severity: s, subject: subjectOf(h.Rule), role: h.role, exposure: max(h.exposure, h.audience()), weak: isWeak(h)}
	f.doubt = doubtOf(h, f.subject)
	switch f.subject {
	case identifier:
		f.severity = rule.Medium
	case copyOfFound:
		if k := kindOf(h.source); k != nil {
			f.role = max(f.role, k.role)
		}
	default:
	}
	return f
}

// isWeak reports whether a hit is for a credential, or a copy of one, that takes few guesses.
func isWeak(h *raw) bool {
	switch subjectOf(h.Rule) {
	case credential, copyOfFound, copyOfDeclared:
		return secret.Strength(h.Secret) < weakest
	default:
		return false
	}
}

// weakest is the strength of a secret that is not weak, as a power of ten of guesses.
const weakest = 10

// result returns the severity.
func (f facts) result() rule.Severity {
	s := f.severity
	f.terms(func(t SeverityTerm) { s = t.Severity })
	return s
}

// terms yields the terms of the severity: the kind, the role of the account, the exposure and
// the doubt. Notes and hints, below medium, have only the first.
func (f facts) terms(yield func(SeverityTerm)) {
	is := subjects[f.subject]
	s := f.severity
	yield(SeverityTerm{s, 0, is.reason})
	if s < rule.Medium {
		return
	}
	add := func(steps int, reason string) {
		if to := max(rule.Medium, min(rule.Critical, rule.Severity(int(s)+steps))); to != s {
			s = to
			yield(SeverityTerm{s, steps, reason})
		}
	}
	if is.role && f.role != noRole && f.doubt != looseName {
		add(1, roleReasons[f.role])
	}
	if f.subject != identifier && f.exposure != noExposure && (is.onNode || f.exposure >= exported) {
		add(1, exposureReasons[f.exposure])
	}
	switch f.doubt {
	case readCommunity:
		add(-1, doubtReasons[f.doubt])
	case looseName:
		add(-1, doubtReasons[f.doubt])
		if s > rule.High {
			add(-1, doubtReasons[lowConfidence])
		}
	case lowConfidence:
		if s > rule.High {
			add(-1, doubtReasons[f.doubt])
		}
	case noDoubt:
	}
}
