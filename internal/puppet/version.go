package puppet

import "strings"

// rateVersion sets the effect of another version of a package.
func (c *Change) rateVersion() {
	isVersion := func(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }
	switch {
	case IsGone(c.To):
	case c.From == "" || IsGone(c.From):
		c.Effect = "install-package"
	case isVersion(c.From) && isVersion(c.To) && CompareVersions(c.To, c.From) < 0:
		c.Rank, c.Effect = danger, "downgrade-package"
	}
}

// CompareVersions compares versions of packages as Debian does: numbers by value, other
// characters in order, and `~` before anything.
func CompareVersions(a, b string) int {
	a, b = withEpoch(a), withEpoch(b)
	for a != "" || b != "" {
		var x, y string
		x, a = cutRun(a, false)
		y, b = cutRun(b, false)
		if d := compareText(x, y); d != 0 {
			return d
		}
		x, a = cutRun(a, true)
		y, b = cutRun(b, true)
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		if d := strings.Compare(x, y); d != 0 {
			return d
		}
	}
	return 0
}

func withEpoch(version string) string {
	if strings.Contains(version, ":") {
		return version
	}
	return "0:" + version
}

// cutRun cuts the digits, or the other characters, off the beginning of a version.
func cutRun(s string, digits bool) (run, rest string) {
	i := 0
	for i < len(s) && ('0' <= s[i] && s[i] <= '9') == digits {
		i++
	}
	return s[:i], s[i:]
}

// compareText compares parts without digits: `~` is less than the end, and letters are
// less than other characters.
func compareText(x, y string) int {
	order := func(s string, i int) int {
		switch {
		case i >= len(s):
			return 0
		case s[i] == '~':
			return -1
		case 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z':
			return int(s[i])
		default:
			return int(s[i]) + 256
		}
	}
	for i := range max(len(x), len(y)) {
		if d := order(x, i) - order(y, i); d != 0 {
			return d
		}
	}
	return 0
}
