package detect_test

import "testing"

// TestSealed checks that no token is found in the base64 of an encrypted message. Text
// around the message is searched.
func TestSealed(t *testing.T) {
	const token = "LTAI5tQx7Rk2VwNz8Bc4Yd9F"
	message := "-----BEGIN PKCS7-----\nMIIBmwYJKoZIhvcNAQcDoIIBjDCCAYgCAQAx\n/" + token + "/\n-----END PKCS7-----"
	if hits := hitsOf(t, message+"\n"); len(hits) != 0 {
		t.Errorf("found in a message: %v", hits)
	}
	for _, text := range []string{"key " + token, message + "\nkey " + token, "key " + token + "\n" + message} {
		if hits := hitsOf(t, text); len(hits) == 0 {
			t.Errorf("not found in %q", text)
		}
	}
}
