package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// Weak reports whether a leaf that is declared a secret is a password that
// everybody tries first.
func (d *Detector) Weak(l *leaf.Leaf) bool {
	if as := d.names.sortOf(l.Name()); !as.open() && as != token || l.Binary {
		return false
	}
	low := strings.ToLower(l.Text)
	if secret.IsCommonPassword(low) || d.values.isPlaceholder(low) {
		return true
	}
	return isOwnUser(l) || len(l.Text) < 6 && d.values.against(candidate{l.Text, password, inParameter}) == none
}

// isOwnUser reports whether a leaf is the same as the name of a user beside it.
func isOwnUser(l *leaf.Leaf) bool {
	h := l.Hash()
	if h == nil {
		return false
	}
	for _, name := range []string{"user", "username", "name", "login"} {
		if v, _ := h.GetString(name); v == pcore.String(l.Text) {
			return true
		}
	}
	return false
}
