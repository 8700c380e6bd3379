package gen

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// words are names in Puppet code, in lower-case ASCII.
var words = []string{
	"nginx", "apache", "postgresql", "redis", "haproxy", "sshd", "ntp", "logrotate", "telegraf", "rsyslog",
	"postfix", "chrony", "sudo", "cron", "docker", "kubelet", "vault", "consul", "grafana", "prometheus",
}

// phrases are texts as written by people, partly non-ASCII.
var phrases = []string{
	"managed by puppet", "do not edit", "Größe in Byte", "naïve café", "Ωμέγα", "東京のサーバー", "привет мир",
	"C:\\Program Files\\App", "she said \"no\"", "tab\there", "100 % of it", "été 🌞 2024", "a|b|c", "<b>bold</b>",
}

// content returns the content of a configuration file: 50 to 2,000 bytes.
func (g *generator) content() string {
	var b strings.Builder
	b.WriteString("# This file is managed by Puppet\n")
	for range g.rand.IntN(30) + 1 {
		switch g.rand.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "[%s]\n", g.pick(words))
		case 1:
			fmt.Fprintf(&b, "%s = \"%s\"\n", g.pick(words), g.pick(phrases))
		case 2:
			fmt.Fprintf(&b, "\t%s_path=/var/lib/%s/%d\n", g.pick(words), g.pick(words), g.rand.IntN(1000))
		case 3:
			fmt.Fprintf(&b, "# %s\r\n", g.pick(phrases))
		default:
			fmt.Fprintf(&b, "%s %d %s;\n", g.pick(words), g.rand.IntN(1<<20), g.pick(words))
		}
	}
	return b.String()
}

func (g *generator) secret() string {
	return fmt.Sprintf("%016x%08x", g.rand.Uint64(), g.rand.Uint32())
}

func (g *generator) version() string {
	return fmt.Sprintf("%d.%d.%d", g.rand.IntN(20), g.rand.IntN(50), g.rand.IntN(10))
}

func (g *generator) base64(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.rand.Uint32())
	}
	return base64.StdEncoding.EncodeToString(b)
}

// data writes a value as in Hiera, nested up to depth.
func (g *generator) data(depth int) *generator {
	if depth == 0 {
		return g.scalar()
	}
	n := g.rand.IntN(6) + 1
	if g.oneIn(3) {
		g.raw("[")
		for i := range n {
			g.comma(i)
			g.data(depth - 1)
		}
		return g.raw("]")
	}
	g.raw("{")
	for i := range n {
		g.comma(i)
		g.text(g.pick(words) + "_" + strconv.Itoa(i)).raw(":").data(g.rand.IntN(depth))
	}
	return g.raw("}")
}

func (g *generator) scalar() *generator {
	if g.rand.IntN(100) < 6 {
		// About half of all values are in nested data, so 3 % of all are rich.
		return g.richScalar()
	}
	switch g.rand.IntN(12) {
	case 0:
		return g.raw("true")
	case 1:
		return g.raw("false")
	case 2:
		return g.raw("null")
	case 3, 4:
		g.buf = strconv.AppendInt(g.buf, g.rand.Int64N(1<<uint(g.rand.IntN(62)+1))-50, 10)
	case 5:
		g.buf = strconv.AppendFloat(g.buf, float64(g.rand.IntN(1<<20)*2+1)/64, 'f', -1, 64)
	case 6:
		return g.text(g.pick(phrases))
	default:
		return g.text(g.pick(words) + "/" + strconv.Itoa(g.rand.IntN(5000)))
	}
	return g
}

func (g *generator) richScalar() *generator {
	kinds := 9
	if g.CoreTypes {
		kinds = 8
	}
	switch g.rand.IntN(kinds) {
	case 0, 1:
		return g.rich("Sensitive", g.secret())
	case 2:
		return g.raw(`{"__ptype":"Deferred","name":"lookup","arguments":[`).text(g.pick(words)).raw(`]}`)
	case 3:
		return g.rich("Timestamp", fmt.Sprintf("20%02d-0%d-1%dT12:34:56.%09d UTC", g.rand.IntN(30), g.rand.IntN(9)+1, g.rand.IntN(10), g.rand.IntN(1e9)))
	case 4:
		return g.rich("SemVer", g.version())
	case 5:
		return g.rich("Regexp", `^\w+/[`+g.pick(words)+`]+$`)
	case 6:
		return g.rich("Binary", g.base64(g.rand.IntN(60)))
	case 7:
		return g.raw(`{"__ptype":"Default"}`)
	default:
		return g.raw(`{"__ptype":"Profile::Endpoint","host":`).text(g.pick(words) + ".example.com").raw(`,"port":443}`)
	}
}

func (g *generator) rich(typ, value string) *generator {
	return g.raw(`{"__ptype":`).text(typ).raw(`,"__pvalue":`).text(value).raw(`}`)
}
