package decode

import (
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/privatekey"
)

// worth reports whether bytes are text, or have a form that can be decoded.
func worth(b []byte) bool {
	if begins(b) {
		return true
	}
	s := string(b)
	for len(s) > 0 && len(b)-len(s) < utf8.UTFMax && !utf8.ValidString(s) {
		s = s[:len(s)-1] // a cut may split the last character
	}
	return len(s) >= 8 && IsText(s) || len(b) >= minEightBit && controls(string(b[:min(len(b), minEightBit)])) == 0 && isMostlyText(string(b))
}

// minEightBit is the number of bytes without a control character that suggest text that is not
// UTF-8. Of random bytes, one in forty has as many.
const minEightBit = 32

// begins reports whether bytes begin like something that can be decoded, or like a key.
func begins(b []byte) bool {
	s := string(b[:min(len(b), 16)])
	switch {
	case strings.HasPrefix(s, "\x1f\x8b\x08"), strings.HasPrefix(s, "BZh"), strings.HasPrefix(s, "\x28\xb5\x2f\xfd"),
		strings.HasPrefix(s, "\xfd7zXZ\x00"), strings.HasPrefix(s, zipMagic), strings.HasPrefix(s, "openssh-key-v1"),
		strings.HasPrefix(s, "\xff\xfe"), strings.HasPrefix(s, "\x30\x82"), strings.HasPrefix(s, "\x30\x81"), strings.HasPrefix(s, "\x30\x77\x02\x01"),
		strings.HasPrefix(s, "\x30\x2e\x02\x01"), strings.HasPrefix(s, privatekey.Keytab), strings.HasPrefix(s, "\xfe\xed\xfe\xed\x00\x00\x00"),
		strings.HasPrefix(s, "\xce\xce\xce\xce\x00\x00\x00"):
		return true
	case len(b) > 16 && b[0] == 0x78 && (b[1] == 0x01 || b[1] == 0x5e || b[1] == 0x9c || b[1] == 0xda):
		return true
	}
	return len(b) >= 8 && isUTF16(string(b[:len(b)&^1])) || len(b) >= 512 && isTar(string(b[:512]))
}
