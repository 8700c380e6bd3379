package detect

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/rule"
)

// structured finds tokens whose parts tell them, not a long prefix: those of
// three parts between dots, those with a mark in the middle.
func (t *Text) structured() {
	s := t.S
	for at := 0; ; {
		i := strings.Index(s[at:], "eyJ")
		if i < 0 {
			break
		}
		start := at + i
		end := start + run(s[start:], dotted)
		at = max(end, start+3)
		if end-start > 40 && (start == 0 || !isAlnum(s[start-1]) && s[start-1] != '.' && s[start-1] != '_' || escaped(s, start)) && isJWT(s[start:end]) {
			t.found("provider-token/jwt", start, end, rule.Certain)
		}
	}
	t.around("SG.", 3, 0, dotted, func(w string) bool {
		list := strings.Split(w, ".")
		return len(list) == 3 && len(list[1]) == 22 && len(list[2]) == 43 && spread(w)
	}, "sendgrid")
	t.around("hf_", 3, 0, letter, func(w string) bool { return len(w) == 3+34 && spread(w) && mixedCase(w[3:]) }, "huggingface")
	t.around("sl.", 3, 0, base64u, func(w string) bool { return len(w) >= 130 && len(w) <= 160 && spread(w) }, "dropbox")
	t.around("re_", 3, 0, alnum+"_", func(w string) bool {
		return len(w) == 3+8+1+24 && w[11] == '_' && spread(w)
	}, "resend")
	t.around(".atlasv1.", 9, 14, base64u, func(w string) bool {
		a, b, _ := strings.Cut(w, ".atlasv1.")
		return len(a) == 14 && len(b) >= 60 && len(b) <= 70 && spread(w)
	}, "terraform-cloud")
	t.around(":AA", 3, 10, base64u, func(w string) bool {
		a, b, _ := strings.Cut(w, ":")
		return len(a) >= 8 && len(a) <= 10 && isNumber(a) && len(b) == 35 && spread(b)
	}, "telegram-bot")
	t.around("Q~", 2, 4, wide, func(w string) bool {
		i := strings.Index(w, "Q~")
		return i == 4 && w[3] >= '0' && w[3] <= '9' && len(w) == 40 && spread(w)
	}, "azure-client-secret")
	t.around("T3BlbkFJ", 8, 120, base64u, func(w string) bool {
		return strings.HasPrefix(w, "sk-") && len(w) >= 48 && spread(w)
	}, "openai")
	t.around("-us", 3, 32, digits10, func(w string) bool {
		return len(w) > 35 && isHex(w[:32]) && w[32] == '-' && spread(w[:32])
	}, "mailchimp")
	t.around("SK", 2, 0, hexadec, func(w string) bool { return len(w) == 34 && spread(w[2:]) }, "twilio")
	t.around("pat", 3, 0, alnum+".", func(w string) bool {
		return len(w) == 82 && w[17] == '.' && isHex(w[18:]) && spread(w)
	}, "airtable")
	t.around("JQQJ9", 5, 84, alnum, func(w string) bool { return len(w) >= 84 && len(w) <= 88 && spread(w) }, "azure-key")
	t.around("AZDO", 4, 80, alnum, func(w string) bool { return len(w) == 84 && spread(w) }, "azure-devops")
	t.around("+ASt", 4, 80, base64b, func(w string) bool { return strings.HasSuffix(w, "==") && len(w) == 88 && spread(w) }, "azure-storage-key")
}

// around looks for a mark with up to before characters of the alphabet before
// it and any number behind, and tells about the whole when fits says so.
func (t *Text) around(mark string, skip, before int, in alphabet, fits func(string) bool, id string) {
	s := t.S
	for at := 0; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return
		}
		i += at
		start := i
		for start > 0 && i-start < before+1 && strings.IndexByte(string(base64u)+".", s[start-1]) >= 0 {
			start--
		}
		if i-start > before {
			at = i + skip
			continue
		}
		end := i + skip + run(s[i+skip:], in)
		at = i + skip
		if start > 0 && isAlnum(s[start-1]) && isAlnum(s[start]) && !escaped(s, start) {
			continue
		}
		if end < len(s) && isAlnum(s[end]) {
			continue
		}
		if fits(s[start:end]) {
			t.found("provider-token/"+id, start, end, rule.Likely)
			at = end
		}
	}
}

// run returns how many bytes at the beginning of s are in the alphabet.
func run(s string, in alphabet) int {
	n := 0
	for n < len(s) && n < 4096 && strings.IndexByte(string(in), s[n]) >= 0 {
		n++
	}
	return n
}

func mixedCase(s string) bool {
	return s != strings.ToLower(s) && s != strings.ToUpper(s)
}

// isJWT reports whether s is a JSON Web Token: a header that is JSON and names
// an algorithm, a payload that is JSON, a signature.
func isJWT(s string) bool {
	list := strings.Split(strings.TrimRight(s, "."), ".")
	if len(list) != 3 && len(list) != 5 {
		return false
	}
	var header struct {
		Algorithm string `json:"alg"`
	}
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(list[0], "="))
	if err != nil || json.Unmarshal(b, &header) != nil || header.Algorithm == "" {
		return false
	}
	if len(list) == 5 {
		return true
	}
	b, err = base64.RawURLEncoding.DecodeString(strings.TrimRight(list[1], "="))
	return err == nil && json.Valid(b) && len(list[2]) >= 16
}
