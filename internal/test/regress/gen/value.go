package gen

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

var (
	types = []string{"File", "File", "File", "Exec", "Exec", "User", "Service", "Package", "Notify", "Profile::Vhost",
		"Profile::Database", "Stack::Vhost", "Rich::Holder", "Class", "Cron"}
	words = []string{"nginx", "apache", "postgresql", "redis", "haproxy", "sshd", "ntp", "telegraf", "postfix", "vault",
		"consul", "grafana"}
	phrases = []string{"managed by puppet", "Größe in Byte", "naïve café", "Ωμέγα", "東京のサーバー", "привет мир",
		"C:\\Program Files\\App", "she said \"no\"", "tab\there", "100 % of it", "été 🌞 2024", "a|b|c", "<b>bold</b> & 'q'",
		"line\nbreak", "cr\r\nlf", "\u2028\u2029", "\ufeffmark", "e\u0301", "\u202eright", "\u0000nul", "\u007f\u0080", "👩‍👩‍👧", "",
		" ", "~", "null", "true", "1", "1.0", "- a", "a: b", "# c", "%{x}", "${x}", "<%= $x %>", "2024-01-02", "0x1F", "1_000", "=", "@x", "!t", "&a", "*a",
		"\\", "\"", "'", "Sensitive [value redacted]", "redacted-1-by-pcat", "\U0010ffff", "ſ K"}
	keys = []string{"value", "options", "settings", "a.b", "", "0", "-1", "é", "#", "with\nnewline", "$x", "__ptype", "__pvalue",
		"type", "title", "parameters", "resources", "A B", "\\", "\"", "日本", "very_long_key_" + strings.Repeat("k", 70), "@this", "*", "?", "a|b", "true", "null", "~", "1.0", "content", "ensure", "name"}
	secretKeys = []string{"password", "db_password", "api_key", "secret", "token", "auth-token", "passphrase", "private_key",
		"client_secret", "PASSWD", "pwd", "credentials", "connection_string", "url"}
	numbers = []Number{"0", "-0", "1", "-1", "42", "1.0", "-0.0", "0.1", "1e3", "1E+2", "1.5e-7", "9223372036854775807",
		"-9223372036854775808",
		"5e-324", "1.7976931348623157e308", "0.30000000000000004", "100.0", "1e15", "1e16", "1e17", "123456789.123456789", "2.50", "127", "128", "-32",
		"-33", "255", "256", "65535", "65536", "4294967295", "4294967296", "-129", "-32769", "-2147483649"}
)

const (
	alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	lower = "abcdefghijklmnopqrstuvwxyz0123456789"
	hexes = "0123456789abcdef"
)

func (g *generator) token(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[g.IntN(len(alphabet))]
	}
	return string(b)
}

func (g *generator) word() string {
	if g.oneIn(4) {
		return pick(g, phrases)
	}
	return pick(g, words)
}

func (g *generator) number() Number {
	if g.fault(9) { // more than 64 bits
		return pick(g, []Number{"9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775809",
			"1234567890123456789012345678901234567890", "1e400"})
	}
	switch g.IntN(4) {
	case 0:
		return pick(g, numbers)
	case 1:
		return Number(strconv.FormatInt(g.Int64()>>g.IntN(63), 10))
	case 2:
		return Number(fmt.Sprintf("%g", g.NormFloat64()))
	}
	return Number(strconv.Itoa(g.IntN(1000)))
}

// value makes a value nested at most depth deep.
func (g *generator) value(depth int) any {
	if depth <= 0 || g.oneIn(3) {
		return g.scalar()
	}
	switch g.IntN(8) {
	case 0, 1:
		all := List{}
		for range g.IntN(4) {
			all = append(all, g.value(depth-1))
		}
		return all
	case 2, 3, 4:
		return g.hash(depth - 1)
	case 5:
		return g.richValue(depth - 1)
	case 6:
		return rich("Sensitive", g.value(depth-1))
	}
	return g.scalar()
}

func (g *generator) hash(depth int) Object {
	all := Object{}
	taken := map[string]bool{}
	for range g.IntN(5) {
		key := g.key(taken)
		all = append(all, Member{key, g.value(depth)})
	}
	return all
}

func (g *generator) scalar() any {
	switch g.IntN(10) {
	case 0:
		return nil
	case 1:
		return g.oneIn(2)
	case 2, 3:
		return g.number()
	case 4:
		return pick(g, phrases)
	case 5:
		return g.copyOf(pick(g, g.hidden))
	case 6:
		return g.richValue(0)
	}
	return pick(g, words) + "/" + strconv.Itoa(g.IntN(5000))
}

// richValue generates a rich value, which is sometimes invalid in catalogs with faults.
func (g *generator) richValue(depth int) any {
	if g.fault(8) {
		return pick(g, []any{
			rich("Timestamp", "yesterday"), rich("SemVer", "1"), rich("Binary", "%%%"), rich("Hash", List{"odd"}), rich("Nope", Number("1")),
			rich("lower", nil), Object{{"__ptype", Number("3")}}, Object{{"__pvalue", Number("3")}}, rich("Sensitive", nil), rich("Regexp", "["),
			rich("URI", "https://"+g.word()+":"+g.copyOf(pick(g, g.hidden))+"@example.com/"+g.word()),
			Object{{"__ptype", "LocalRef"}, {"__pvalue", "$['resources'][0]"}}, Object{{"__pref", Number("1")}},
			rich("Pcore::TypeReference", "x"), Object{{"__ptype", "Integer[1, 9]"}},
		})
	}
	switch g.IntN(15) {
	case 0:
		return rich("Timestamp", fmt.Sprintf("20%02d-0%d-1%dT12:34:56.%09d UTC", g.IntN(30), 1+g.IntN(9), g.IntN(10), g.IntN(1e9)))
	case 1:
		return rich("Timespan", fmt.Sprintf("%d-%02d:%02d:%02d.%d", g.IntN(99), g.IntN(24), g.IntN(60), g.IntN(60), g.IntN(1000)))
	case 2:
		return rich("SemVer", fmt.Sprintf("%d.%d.%d-rc%d", g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(3)))
	case 3:
		return rich("SemVerRange", pick(g, []string{">=1.0.0 <2.0.0", "1.x", "~> 2.3", "*"}))
	case 4:
		return rich("Regexp", pick(g, []string{`^\w+$`, `a/b`, `(?i)x`, ``, `\A` + pick(g, words) + `\z`}))
	case 5:
		return rich("Binary", base64.StdEncoding.EncodeToString([]byte(g.token(alnum, g.IntN(40)))))
	case 6:
		return rich("Binary", base64.StdEncoding.EncodeToString([]byte(g.content())))
	case 7:
		return rich("URI", "https://"+pick(g, words)+":"+url.QueryEscape(g.copyOf(pick(g, g.hidden)))+"@example.com/"+pick(g, words))
	case 8:
		return Object{{"__ptype", "Default"}}
	case 9:
		return rich("Symbol", g.word())
	case 10:
		return rich("Hash", List{Number("1"), g.value(depth), nil, g.scalar(), List{"k"}, g.value(depth), g.copyOf(pick(g, g.hidden)), true})
	case 11:
		return Object{{"__ptype", "Profile::Endpoint"}, {"host", g.word()}, {"port", g.number()}, {"password", g.copyOf(pick(g, g.hidden))}}
	case 12:
		return pick(g, []any{
			Object{{"__ptype", "Pcore::IntegerType"}, {"from", Number("1")}, {"to", Number("9")}},
			Object{{"__ptype", "Pcore::ArrayType"}, {"element_type", Object{{"__ptype", "Pcore::StringType"}}}},
		})
	}
	return g.call(pick(g, g.hidden))
}

// call generates a Deferred with a secret or an ordinary word as argument.
func (g *generator) call(hidden string) Object {
	deferred := func(name string, arguments ...any) Object {
		if arguments == nil {
			return Object{{"__ptype", "Deferred"}, {"name", name}}
		}
		return Object{{"__ptype", "Deferred"}, {"name", name}, {"arguments", List(arguments)}}
	}
	secret := rich("Sensitive", hidden)
	switch g.IntN(16) {
	case 0:
		return deferred("sprintf", "password=%s", secret)
	case 1:
		return deferred("join", List{"a", secret, g.word()}, "=")
	case 2:
		return deferred("upcase", hidden)
	case 3:
		return deferred("inline_epp", "<%= $x %> and <%= $y %>\n", Object{{"x", secret}, {"y", g.word()}})
	case 4:
		return deferred("new", Object{{"__ptype", "Pcore::IntegerType"}}, pick(g, []any{"42", "0x1f", "x", secret}))
	case 5:
		return deferred("$facts", "hostname")
	case 6:
		return deferred("$facts", "os", pick(g, []any{"family", "nope"}))
	case 7:
		return deferred("vault_lookup::lookup", "db/password")
	case 8:
		return deferred("my::unknown", hidden)
	case 9:
		return deferred("sprintf", "%s", deferred("vault_lookup::lookup", "db/password"))
	case 10:
		return deferred("unwrap", secret)
	case 11:
		return deferred("file", "/etc/passwd")
	case 12:
		return deferred(pick(g, []string{"reverse_each", "length", "keys", "flatten", "abs", "capitalize", "split", "dig"}), g.scalar())
	case 13:
		return deferred("base64", "encode", secret)
	case 14:
		if !g.faulty {
			return deferred("$nothing")
		}
		return deferred(pick(g, []string{"", "Bad Name", "$nothing", "new"}))
	}
	return deferred("assert_type", Object{{"__ptype", "Pcore::StringType"}}, g.scalar())
}
