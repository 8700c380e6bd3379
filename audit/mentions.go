package audit

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/secret"
)

// mentions counts in how many parts each text plays a part, so that the secrets of a [Ledger]
// are known without a look at all parts. Only one goroutine may use it.
type mentions struct {
	texts map[string]mention
	uses  map[string]*usage   // of texts that are words
	blank map[string][]string // the declared texts with blanks around, by the text without them
	dirty map[string]struct{} // the texts whose term may have changed
}

func newMentions() mentions {
	return mentions{texts: map[string]mention{}, uses: map[string]*usage{}, blank: map[string][]string{}, dirty: map[string]struct{}{}}
}

// mention are the numbers of parts that declare a text as a secret that is followed, that show
// it by its location or form so that its copies are searched for, and that show it otherwise.
type mention struct{ declared, followed, shown int32 }

// usage is the use of a text as a word in all parts.
type usage struct {
	names, kept int
	titles      map[uint64]int
}

// add adds a part n times: once, or -1 times.
func (m *mentions) add(p *part, n int32) {
	change := func(text string, change func(*mention)) {
		now := m.texts[text]
		if change(&now); now == (mention{}) {
			delete(m.texts, text)
		} else {
			m.texts[text] = now
		}
		m.dirty[text] = struct{}{}
	}
	for i := range p.declared {
		d := &p.declared[i]
		if !d.followed {
			continue
		}
		change(d.text, func(now *mention) { now.declared += n })
		if bare := strings.TrimSpace(d.text); bare != d.text {
			m.dirty[bare] = struct{}{}
			if !slices.Contains(m.blank[bare], d.text) {
				m.blank[bare] = append(m.blank[bare], d.text)
			}
		}
	}
	for text := range p.followed() {
		change(text, func(now *mention) { now.followed += n })
	}
	for text := range p.shown() {
		change(text, func(now *mention) { now.shown += n })
	}
	for text, use := range p.words {
		u := m.uses[text]
		if u == nil {
			u = &usage{titles: map[uint64]int{}}
			m.uses[text] = u
		}
		u.add(use, int(n))
		if u.names == 0 && u.kept == 0 && len(u.titles) == 0 {
			delete(m.uses, text)
		}
		m.dirty[text] = struct{}{}
		m.dirty[strings.TrimSpace(text)] = struct{}{}
	}
}

// add adds a use n times.
func (u *usage) add(use secret.Use, n int) {
	if use.Name {
		u.names += n
	}
	if use.Kept {
		u.kept += n
	}
	for _, title := range use.Titles {
		if u.titles[title] += n; u.titles[title] == 0 {
			delete(u.titles, title)
		}
	}
}

// isHeld reports whether a declared text is a word of the inputs, and so not followed.
func (m *mentions) isHeld(text string) bool {
	u := m.uses[text]
	if u == nil || m.texts[text].declared == 0 {
		return false
	}
	use := secret.Use{Name: u.names > 0, Kept: u.kept > 0}
	for title := range u.titles {
		use.Add(secret.Use{Titles: []uint64{title}})
	}
	return use.Holds(text)
}

// term returns the part that a text plays, and whether it plays any.
func (m *mentions) term(text string) (t term, is bool) {
	now := m.texts[text]
	held := m.isHeld(text)
	if now.declared > 0 {
		t.search, t.deep = true, true
		if !held {
			t.status = isDeclared
		}
	}
	// weakWords reports a word that is declared a secret.
	if h := new(origin).hit(weakSecret, text); now.followed > 0 || held && isFollowed(&h) {
		t.search, t.status = true, t.status|isFound
	}
	if now != (mention{}) {
		return t, true
	}
	for _, spaced := range m.blank[text] {
		if m.isHeld(spaced) && secret.Maskable(text) {
			return t, true
		}
	}
	return t, false
}

// shown returns the secrets that the input shows, without blanks around.
func (p *part) shown() map[string]bool {
	list := map[string]bool{}
	for i := range p.found {
		if text := strings.TrimSpace(p.found[i].Secret); p.found[i].source == nil && !list[text] && secret.Maskable(text) {
			list[text] = true
		}
	}
	return list
}
