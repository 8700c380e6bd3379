package detect

import (
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/leaf"
	"github.com/pcatdev/pcat/pcore"
)

// Weak reports whether a leaf that is declared a secret is a password that
// everybody tries first.
func (d *Detector) Weak(l *leaf.Leaf) bool {
	if as := d.names.sortOf(l.Name()); !as.open() && as != token || l.Binary {
		return false
	}
	low := strings.ToLower(l.Text)
	if d.values.weak.has(low) || d.values.placeholders.has(low) && low != "" {
		return true
	}
	for _, name := range []string{"user", "username", "name", "login"} {
		if h := l.Hash(); h != nil {
			if v, _ := h.GetString(name); v == pcore.String(l.Text) {
				return true
			}
		}
	}
	return len(l.Text) < 6 && d.values.against(l.Text, password) == none
}
