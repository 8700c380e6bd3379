package detect

import "strings"

// grammars searches the text for assignments in all grammars that its bytes allow.
func (t *Text) grammars(has *contained) {
	if t.flow == command {
		t.shell()
		if t.resourceType() == "Augeas" {
			t.condition()
		}
	} else if t.kind == script || has.byte('-') || has.byte('|') || has.byte('<') || has.byte('\\') {
		t.commands()
	}
	if has.byte('=') || has.byte(':') || has.byte('>') || has.byte(',') || has.byte('(') {
		p := pairs{t: t}
		t.assignments(p.add)
	}
	if blank := has.byte(' ') || has.byte('\t'); blank && (t.flow != command || has.byte('\n') || t.forDevice()) {
		t.directives()
	}
	t.expect()
	t.lined(has)
	if has.byte('\'') || has.byte('"') || has.byte(';') {
		t.sql()
	}
	if has.byte('\'') || has.byte('"') {
		t.secureStrings()
		if has.byte(':') && t.kind == source {
			for _, mark := range []string{"omniauth :", "provider :"} { // of OmniAuth: an ID and a secret
				for i := range places(t.S, mark) {
					t.connection(i + len(mark))
				}
			}
		}
		if has.byte('(') {
			t.calls()
		}
	}
	if t.flow == content && (len(t.Encodings) == 0 || t.path != "") && !t.isLookup() {
		t.file()
	}
	if t.flow != command && has.byte(' ') {
		t.sentences()
	}
}

// isLookup reports whether the text is an argument of a Deferred that looks a value up,
// and not a part of the content.
func (t *Text) isLookup() bool {
	call, _ := t.leaf.Deferred()
	return call != nil && strings.HasSuffix(call.Name(), "lookup")
}

// makesHash reports whether a function hashes the password that is its first argument.
func makesHash(function string) bool {
	switch function {
	case "password_hash", "hashpw", "hash_password", "make_password", "generate_password_hash":
		return true
	}
	return false
}
