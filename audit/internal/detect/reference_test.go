package detect

import "testing"

func TestNameOfObject(t *testing.T) {
	for s, want := range map[string]bool{"": false, "app-secret": true, "App": false, "7-app": false, "app2": true} {
		if isNameOfObject(s) != want {
			t.Errorf("isNameOfObject(%q) is not %v", s, want)
		}
	}
}
