package dataconv

import (
	"testing"

	"pgregory.net/rapid"
)

// The check of the text alone agrees with the value made from it.
func TestCanonicalTexts(t *testing.T) {
	written := func(name, text string) bool {
		v, known, err := newScalar(name, text)
		if !known || err != nil {
			return false
		}
		_, again, ok := scalarText(v)
		return ok && again == text
	}
	for name, texts := range map[string][]string{
		"SemVer": {
			"1.2.3", "0.0.0", "10.20.30", "01.2.3", "1.02.3", "1.2.03", "1.2", "1.2.3.4", "1..3", "1.2.", ".1.2", "", "1.2.3-rc1", "1.2.3+a",
			"999999999.0.0", "1000000000.0.0", "v1.2.3", " 1.2.3",
		},
		"Timestamp": {
			"2020-02-28T23:59:59.123456789 UTC", "2020-02-29T00:00:00.000000000 UTC", "2021-02-29T00:00:00.000000000 UTC",
			"2020-00-10T00:00:00.000000000 UTC", "2020-13-10T00:00:00.000000000 UTC", "2020-12-00T00:00:00.000000000 UTC",
			"2020-12-31T24:00:00.000000000 UTC", "2020-12-31T23:60:00.000000000 UTC", "2020-12-31T23:59:60.000000000 UTC",
			"2020-02-28T23:59:59.123 UTC", "2020-02-28 23:59:59.123456789 UTC", "2020-02-28T23:59:59.123456789 GMT", "1999-01-01T00:00:00.000000000 UTC", "",
		},
	} {
		for _, text := range texts {
			if got, want := IsCanonical([]byte(name), []byte(text)), written(name, text); got != want {
				t.Errorf("%s %q: %t, and it is written so: %t", name, text, got, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`2[0-9]{3}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]\.[0-9]{9} UTC`).Draw(t, "time")
		if got, want := IsCanonical([]byte("Timestamp"), []byte(text)), written("Timestamp", text); got != want {
			t.Errorf("%q: %t, and it is written so: %t", text, got, want)
		}
		text = rapid.StringMatching(`[0-9]{0,10}\.[0-9]{1,2}\.[0-9]{1,2}(\.|-a)?`).Draw(t, "version")
		if got, want := IsCanonical([]byte("SemVer"), []byte(text)), written("SemVer", text); got != want {
			t.Errorf("%q: %t, and it is written so: %t", text, got, want)
		}
	})
}
