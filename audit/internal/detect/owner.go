package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// isOwnName reports whether the value of an assignment consists of names of its owner, as
// the defaults of services do: of the type or title of the resource, of the name before the
// value, of the section around it, of a class that contains it, or of the user beside it.
// Digits and words for a password may be added, and letters replaced: `MINIO_PASSWORD=minio123`, `P0stf1x`.
func (t *Text) isOwnName(a *assign.Assignment) bool {
	const longest, tail = 40, 3
	if len(a.Value) < shortest || len(a.Value) > longest || t.leaf.Resource == nil || t.leaf.Kind == leaf.Title {
		return false
	}
	if t.isOwnUser(a) {
		return true
	}
	low := strings.ToLower(a.Value)
	stem := strings.TrimRight(low, "0123456789!")
	own := t.ownWords(a)
	if slices.Contains(own, low) {
		return true
	}
	if len(stem) < shortest || len(low)-len(stem) > tail {
		return false
	}
	return t.consistsOf(stem, own) || t.consistsOf(verdict.Unleet(stem), own) || t.isDefaultBeside(stem, a.Name, own)
}

// isExactDefault reports whether the value of an assignment, which is s once decoded, is a
// default as it is: a placeholder, a password that everyone knows, or the name of a user, an
// account or a service. With digits, signs or replaced letters, it is a password that somebody
// chose. r speaks against it.
func (t *Text) isExactDefault(a *assign.Assignment, s string, r verdict.Reason) bool {
	switch {
	case r == verdict.Placeholder, t.values().IsExactDefault(s):
		return true
	case t.leaf.Resource == nil:
		return false
	}
	return t.isTitle(s) || t.isOwnUser(a) || slices.Contains(t.ownWords(a), strings.ToLower(s))
}

// isDefaultBeside reports whether s without words of a name or a list, of which it has one at
// least, is a default password: `nova_metadata_secret` as the `metadata_secret`.
func (t *Text) isDefaultBeside(s, name string, list []string) bool {
	const short = 4
	words := verdict.Words(name)
	found := false
	var rest []string
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return !alphabet.IsLetterOrDigit(r) }) {
		if slices.Contains(words, part) && !t.names().OfWord(part).May() {
			found = true
			continue // `as` in the `as_token`
		}
		for _, w := range list {
			if len(w) >= short && strings.Contains(part, w) {
				found, part = true, strings.ReplaceAll(part, w, "")
			}
		}
		rest = append(rest, part)
	}
	return found && t.values().IsDefault(strings.Join(rest, "_"))
}

// shortest is the minimum length of a name that a default password consists of, or begins with.
const shortest = 3

// isTitle reports whether s is the title of the resource.
func (t *Text) isTitle(s string) bool { return t.leaf.Resource != nil && t.leaf.Resource.Title == s }

// consistsOf reports whether s consists of words of a list, at least one, and of filler
// words. Short words count only between separators, and the beginning of a word counts.
func (t *Text) consistsOf(s string, list []string) bool {
	const short = 4
	found := false
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return !alphabet.IsLetterOrDigit(r) }) {
		rest := part
		for _, w := range list {
			if before, after, ok := strings.Cut(rest, w); ok && (len(w) >= short || rest == w) {
				found, rest = true, before+after
			}
		}
		if rest == "" || t.values().IsFiller(rest) || t.names().OfWord(rest).Open() {
			continue
		}
		// Most secrets have nothing in common with the words.
		if !found && !slices.ContainsFunc(list, func(w string) bool { return len(w) > short && strings.Contains(rest, w[:short]) }) {
			return false
		}
		stem := t.values().Unknown(rest)
		if stem == "" {
			continue // `adminpass`
		}
		if len(stem) < short || !slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(w, stem) }) {
			return false
		}
		found = true // `testmido` of MidoNet
	}
	return found
}

// ownWords returns the words of the type and title of the resource, of its tags, which are
// the classes that contain it, of the name of an assignment and the section around it, and
// of the users in the same Hash, also without digits, `admin` or `server` at their end.
func (t *Text) ownWords(a *assign.Assignment) []string {
	var own []string
	add := func(word string) {
		word = strings.ToLower(word)
		service := strings.TrimSuffix(strings.TrimSuffix(word, "server"), "admin") // of `postfixadmin`
		for _, w := range []string{word, strings.TrimRight(word, "0123456789"), service} {
			if len(w) > 2 && !t.values().IsFiller(w) && !t.names().OfWord(w).May() {
				own = append(own, w)
			}
		}
	}
	title := t.leaf.Resource.Title
	for _, name := range []string{t.leaf.Resource.Type, title[:min(len(title), maxTitle)]} {
		for w := range strings.FieldsFuncSeq(name, func(r rune) bool { return !alphabet.IsLetterOrDigit(r) }) {
			add(w)
		}
	}
	section := t.assignText().Enclosing(min(a.Start, len(t.S)))
	for _, w := range verdict.Words(a.Name + " " + section) {
		add(w)
	}
	if !secret.IsStrong(a.Value) { // a strong one may have become a tag
		for _, tag := range t.leaf.Resource.Tags[:min(len(t.leaf.Resource.Tags), maxTags)] {
			for w := range strings.SplitSeq(tag, "::") {
				add(w)
			}
		}
	}
	if h := t.leaf.Hash(); h != nil && t.leaf.InParameter() {
		for k, v := range members(h) {
			key, _ := k.(pcore.String)
			if user, _ := v.(pcore.String); t.names().IsUser(string(key)) {
				add(string(user))
			}
		}
	}
	return own
}

// maxTitle is the length in bytes of the part of a title whose words are compared.
const maxTitle = 256

// maxTags is the number of tags that are compared.
const maxTags = 64

// isOwnUser reports whether the value of an assignment equals the name of a user, an account
// or a database beside it: in the same Hash or Array, or nearby in the text.
func (t *Text) isOwnUser(a *assign.Assignment) bool {
	if t.leaf.InParameter() && a.Value == t.S && t.isMemberUser() {
		return true
	}
	if list, _ := t.leaf.Element(); list != nil && t.isElementUser(list, a.Value) {
		return true
	}
	return t.isUserNearby(a)
}

// isMemberUser reports whether the leaf equals a user in the same Hash.
func (t *Text) isMemberUser() bool {
	h := t.leaf.Hash()
	if h == nil {
		return false
	}
	for k, v := range members(h) {
		if key, _ := k.(pcore.String); v == pcore.String(t.leaf.Text) && t.names().IsUser(string(key)) {
			return true
		}
	}
	return false
}

// hasUser reports whether the Hash of the leaf has a member for a user.
func (t *Text) hasUser() bool {
	h := t.leaf.Hash()
	if h == nil {
		return false
	}
	for _, name := range []string{"user", "username", "login"} {
		if v, _ := h.GetString(name); v != nil {
			return true
		}
	}
	return false
}

// isElementUser reports whether an element of a list gives a value to the name of a user:
// `["POSTGRES_USER=app", "POSTGRES_PASSWORD=app"]`.
func (t *Text) isElementUser(list *pcore.Array, value string) bool {
	for i := range min(list.Len(), assign.MaxElements) {
		s, _ := list.At(i).(pcore.String)
		if before, ok := strings.CutSuffix(string(s), value); ok && len(before) < verdict.MaxName && t.names().IsUser(nameAtEnd(before)) {
			return true
		}
	}
	return false
}

// isUserNearby reports whether the value of an assignment also occurs near it as the value of
// a user, in any case, or as the beginning of one: `user=app password=app`, `app:app`,
// `user=APPadmin password=app`.
func (t *Text) isUserNearby(a *assign.Assignment) bool {
	const near = 256
	if secret.Strength(a.Value) >= verdict.LikelyScore || a.Start > a.End || a.End > len(t.S) {
		return false
	}
	from, to := max(0, a.Start-near), min(len(t.S), a.End+near)
	s, value := t.S[from:to], a.Value
	if low := strings.ToLower(s); len(low) == len(s) {
		s, value = low, strings.ToLower(value)
	}
	for start := range lines.Occurrences(s, value) {
		end := start + len(value)
		rest := end
		for rest < len(s) && alphabet.IsWordByte(s[rest]) {
			rest++
		}
		switch {
		case from+start < a.End && from+end > a.Start, rest > end && !t.values().IsFiller(strings.Trim(s[end:rest], "_")):
		case start > 0 && alphabet.IsWordByte(s[start-1]):
		case from+end+1 == a.Start && strings.IndexByte(":/%,", s[end]) >= 0, t.names().IsUser(nameAtEnd(s[:start])):
			return true
		}
	}
	return false
}

// nameAtEnd returns the word before the value that begins at the end of s, ignoring
// separators and quotes on its line.
func nameAtEnd(s string) string {
	s = strings.TrimRight(s, " \t\"'\\=:>([")
	i := len(s)
	for i > 0 && (alphabet.IsWordByte(s[i-1]) || s[i-1] == '-' || s[i-1] == '.') {
		i--
	}
	return s[i:]
}
