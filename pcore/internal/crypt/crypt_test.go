package crypt

import (
	"errors"
	"strings"
	"testing"
)

// TestForms compares with crypt(3) of libxcrypt.
func TestForms(t *testing.T) {
	long := strings.Repeat("long ", 30)
	for _, tt := range []struct{ password, form, want string }{
		{"password", "md5", "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/"},
		{"password", "sha256", "$5$saltstringlonger$Isd1oXu74qX3rLYRIMsOb6pkohDB6owxKkpgeZSSF46"},
		{"password", "sha512", "$6$salt$IxDD3jeSOb5eB1CX5LBsqZFVkJdido3OUILO5Ifz5iwMuTS4XMS130MTSuDDl3aCI6WouIL9AjRbLCelDCy.g."},
		{"password", "2a", "$2a$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu"},
		{"password", "2b", "$2b$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu"},
		{"password", "2y", "$2y$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu"},
		{"password", "2x", "$2x$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu"},
		{"a", "md5", "$1$saltsalt$MzDjbImyzEz2m0NTiPzNW/"},
		{"a", "sha256", "$5$saltstringlonger$Ck.3Au4BYa6z48ri4vRZVQfWXwmEfcdJ/TBSPiOfmD/"},
		{"a", "sha512", "$6$salt$TfbP0Ge1gqNJmxZYvNhvDmmKx9BigkML6b3w1kfEiAHpkKpCRu.SKIYV70wlcWGmbdh1koH3a0UmC0b0AcWDQ0"},
		{"a", "2a", "$2a$05$abcdefghijklmnopqrstuu8.veTXNDPV2eEsdpKNczMw2otgh5LnK"},
		{"a", "2b", "$2b$05$abcdefghijklmnopqrstuu8.veTXNDPV2eEsdpKNczMw2otgh5LnK"},
		{"a", "2y", "$2y$05$abcdefghijklmnopqrstuu8.veTXNDPV2eEsdpKNczMw2otgh5LnK"},
		{"a", "2x", "$2x$05$abcdefghijklmnopqrstuu8.veTXNDPV2eEsdpKNczMw2otgh5LnK"},
		{"pässwörd", "md5", "$1$saltsalt$VReRfkQ8Hs1aayf/oxMkG/"},
		{"pässwörd", "sha256", "$5$saltstringlonger$m/SJUFZtPJiXTi7BkFWeZUXZPBwjT0g6a4pdWS.1UMB"},
		{"pässwörd", "sha512", "$6$salt$eOlgcuQrKG/uUNfGuhrDpZW1IZxBa2Pv6lxKVNGUSwNJLk4VqBrq8hiThVStkFH5WAHILk9Zofxyuv2j/5vSf1"},
		{"pässwörd", "2a", "$2a$05$abcdefghijklmnopqrstuuZVEMa1pjhlynBQ1qXmSvGBJpN9h1w8G"},
		{"pässwörd", "2b", "$2b$05$abcdefghijklmnopqrstuuZVEMa1pjhlynBQ1qXmSvGBJpN9h1w8G"},
		{"pässwörd", "2y", "$2y$05$abcdefghijklmnopqrstuuZVEMa1pjhlynBQ1qXmSvGBJpN9h1w8G"},
		{"pässwörd", "2x", "$2x$05$abcdefghijklmnopqrstuu7fBvhrteno3q3HcIu7ORNzGrSPOJXt6"},
		{"x", "md5", "$1$saltsalt$4px9i58NU2Z2/vZOUlGjq."},
		{"x", "sha256", "$5$saltstringlonger$tyO62PKdBPy6GzRpzALF1XzZIKYsR2xmNjToyaldpgB"},
		{"x", "sha512", "$6$salt$wZU8LXJfJJqoagopbB7RuK6JEotEMZ0CQDy0phpPAuLMYQFcmf6L6BdAbs/Q7w7o1qsZ9pFqFVY4yuUSWgaYt1"},
		{"x", "2a", "$2a$05$abcdefghijklmnopqrstuuhKF09ZYWwH2zP/0fwE1X8e/Q1YNx/hO"},
		{"x", "2b", "$2b$05$abcdefghijklmnopqrstuuhKF09ZYWwH2zP/0fwE1X8e/Q1YNx/hO"},
		{"x", "2y", "$2y$05$abcdefghijklmnopqrstuuhKF09ZYWwH2zP/0fwE1X8e/Q1YNx/hO"},
		{"x", "2x", "$2x$05$abcdefghijklmnopqrstuuhKF09ZYWwH2zP/0fwE1X8e/Q1YNx/hO"},
		{long, "md5", "$1$saltsalt$cewgUQfPDiJzdTJ7AosMI/"},
		{long, "sha256", "$5$saltstringlonger$sUIQV..CXfxgkVndSm5hsxjBy0mGAQmbrIEmwp97TJ0"},
		{long, "sha512", "$6$salt$MpMtU0nnWT7v1b0HiGixOEZBNacBfb23UGpwT0fLP/bID2N1wirnHxihnKr2PqFNomlzQ/thNgv2qwHaov6dl."},
		{long, "2a", "$2a$05$abcdefghijklmnopqrstuuKaybsjAv8j.qAALFWEUzc6UXRxSZF2K"},
		{long, "2b", "$2b$05$abcdefghijklmnopqrstuuKaybsjAv8j.qAALFWEUzc6UXRxSZF2K"},
		{long, "2y", "$2y$05$abcdefghijklmnopqrstuuKaybsjAv8j.qAALFWEUzc6UXRxSZF2K"},
		{long, "2x", "$2x$05$abcdefghijklmnopqrstuuKaybsjAv8j.qAALFWEUzc6UXRxSZF2K"},
		{"", "md5", "$1$saltsalt$5Jhcit4zN9UlGiA0txPkO0"},
		{"", "sha256", "$5$saltstringlonger$mykD9sfqe4Yerb4efY1PoJIIObEc.j0leQVMcQgdGo6"},
		{"", "sha512", "$6$salt$r6qPcj2UeIkfklWHvleGJk8OKTInFYR/fxyuwcC656IWiZBpIFZ9.hMRG2ZQnnyMFrKOe461f9iT9Ljn0wJ5l."},
		{"", "2a", "$2a$05$abcdefghijklmnopqrstuu0oImNDIy4flhldV9YqunRgBAePKmw7m"},
		{"", "2b", "$2b$05$abcdefghijklmnopqrstuu0oImNDIy4flhldV9YqunRgBAePKmw7m"},
		{"", "2y", "$2y$05$abcdefghijklmnopqrstuu0oImNDIy4flhldV9YqunRgBAePKmw7m"},
		{"", "2x", "$2x$05$abcdefghijklmnopqrstuu0oImNDIy4flhldV9YqunRgBAePKmw7m"},
	} {
		var got string
		switch tt.form {
		case "md5":
			got = MD5(tt.password, "saltsaltsalt")
		case "sha256":
			got = SHA256(tt.password, "saltstringlongerthan16")
		case "sha512":
			got = SHA512(tt.password, "salt")
		default:
			var err error
			if got, err = Bcrypt(tt.password, tt.form[1], 5, "abcdefghijklmnopqrstuu"); err != nil {
				t.Error(err)
			}
		}
		if got != tt.want {
			t.Errorf("%s of %.10q is %s, want %s", tt.form, tt.password, got, tt.want)
		}
	}
}

func TestBcryptRefuses(t *testing.T) {
	for _, tt := range []struct {
		cost int
		salt string
		want error
	}{
		{3, "abcdefghijklmnopqrstuu", ErrCost},
		{31, "abcdefghijklmnopqrstuu", ErrCost},
		{5, "short", ErrSalt},
		{5, "abcdefghijklmnopqrst$$", ErrSalt},
	} {
		if _, err := Bcrypt("x", 'b', tt.cost, tt.salt); !errors.Is(err, tt.want) {
			t.Errorf("cost %d, salt %s: %v, want %v", tt.cost, tt.salt, err, tt.want)
		}
	}
}
