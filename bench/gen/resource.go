package gen

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// class writes the most recently named class and returns its reference.
func (g *generator) class() string {
	_, last, _ := strings.Cut(g.classes[len(g.classes)-1], "::")
	title := "Profile::" + strings.ToUpper(last[:1]) + last[1:]
	g.head("Class", title, "class", nil)
	g.raw(`,"parameters":{"ensure":"present"`)
	for _, key := range []string{"settings", "defaults"} {
		g.raw(",").text(key).raw(":").data(3)
	}
	g.raw(`}}`)
	return "Class[" + title + "]"
}

// head writes the members of a resource before its parameters. It adds the tags
// of the class to tags.
func (g *generator) head(typ, title, kind string, tags []string) {
	g.count++
	class := g.classes[len(g.classes)-1]
	_, last, _ := strings.Cut(class, "::")
	tags = append(tags, "class", class, "profile", last)
	g.raw(`,{"type":`).text(typ).raw(`,"title":`).text(title).raw(`,"tags":`).list(tags)
	g.raw(`,"file":"/etc/puppetlabs/code/environments/production/modules/profile/manifests/`).raw(last).raw(`.pp","line":`)
	g.buf = strconv.AppendInt(g.buf, int64(g.rand.IntN(400)+1), 10)
	g.raw(`,"exported":false,"kind":`).text(kind)
}

// resource writes the i-th resource and returns its reference, or "" if an edit
// removes it.
func (g *generator) resource(i int) string {
	start := len(g.buf)
	word := g.pick(words)
	typ, title, kind := g.named(i, word)
	tags := []string{strings.ToLower(typ)}
	if kind == "defined_type" {
		tags = append(tags, "vhost", title)
	}
	g.head(typ, title, kind, tags)
	g.raw(`,"parameters":{`)
	secret := g.parameters(typ, word)
	g.raw(`}`)
	if secret != "" {
		g.raw(`,"sensitive_parameters":[`).text(secret).raw(`]`)
	}
	g.raw(`}`)
	ref := typ + "[" + title + "]"
	if typ == "File" && g.Edited && !g.edit(start, ref) {
		return ""
	}
	return ref
}

// named draws the type and the title of the i-th resource.
func (g *generator) named(i int, word string) (typ, title, kind string) {
	kind = "compilable_type"
	switch n := g.rand.IntN(20); {
	case n < 9:
		typ, title = "File", fmt.Sprintf("/etc/%s/%s-%d.conf", word, g.pick(words), i)
	case n < 11:
		typ, title = "Package", fmt.Sprintf("%s-%d", word, i)
	case n < 13:
		typ, title = "Service", fmt.Sprintf("%s-%d", word, i)
	case n < 15:
		typ, title = "Exec", fmt.Sprintf("reload \"%s\" %d", word, i)
	case n < 16:
		typ, title = "User", fmt.Sprintf("%s%d", word, i)
	case g.CoreTypes:
		typ, title = "Notify", fmt.Sprintf("%s, %s: %d", word, g.pick(phrases), i)
	default:
		typ, title, kind = "Profile::Vhost", fmt.Sprintf("%s-%d.example.com", word, i), "defined_type"
	}
	return typ, title, kind
}

// edit edits one File in 20, which begins at start. It returns false if that removes it.
func (g *generator) edit(start int, ref string) bool {
	g.files++
	n, due := g.files/20, g.files%20 == 0
	if !due {
		return true
	}
	g.edits = append(g.edits, ref)
	if n%3 == 0 {
		g.written += len(g.buf) - start
		g.buf = g.buf[:start]
		return false
	}
	from, to := `"mode":"0644"`, `"mode":"0600"`
	if content := `"content":"`; n%3 == 2 && bytes.Contains(g.buf[start:], []byte(content)) {
		from, to = content, content+`# edited\n`
	}
	g.buf = append(g.buf[:start], bytes.Replace(g.buf[start:], []byte(from), []byte(to), 1)...)
	return true
}

// parameters writes the parameters of a resource and returns the name of the
// secret one.
func (g *generator) parameters(typ, word string) (secret string) {
	switch typ {
	case "File":
		g.raw(`"ensure":"file","owner":"root","group":"root","mode":"0644","content":`)
		switch {
		case g.oneIn(12):
			g.rich("Binary", g.base64(g.rand.IntN(600)))
		case g.oneIn(10):
			g.text("password = " + g.secret() + "\n")
			secret = "content"
		default:
			g.text(g.content())
		}
		g.raw(`,"notify":[`).text("Service[" + word + "]").raw(`]`)
	case "Package":
		g.raw(`"ensure":`).text(g.version()).raw(`,"provider":"apt","install_options":["--no-install-recommends"]`)
	case "Service":
		g.raw(`"ensure":"running","enable":true,"hasrestart":true,"require":`).text("Package[" + word + "]")
	case "Exec":
		g.raw(`"command":`).text("/usr/bin/" + word + ` --reload "` + g.pick(phrases) + `" && echo 'done'`)
		g.raw(`,"refreshonly":true,"path":["/usr/bin","/bin"],"timeout":300,"tries":3`)
	case "User":
		g.raw(`"ensure":"present","uid":`)
		g.buf = strconv.AppendInt(g.buf, int64(1000+g.rand.IntN(60000)), 10)
		g.raw(`,"comment":`).text(g.pick(phrases)).raw(`,"managehome":true,"password":`).text("$6$" + g.secret())
		secret = "password"
	case "Notify":
		g.raw(`"message":`).text(g.content()).raw(`,"withpath":false`)
	default:
		g.raw(`"servername":`).text(word + ".example.com").raw(`,"port":`)
		g.buf = strconv.AppendInt(g.buf, int64(1024+g.rand.IntN(60000)), 10)
		g.raw(`,"ssl":true,"docroot":"/srv/www","options":`).data(4).raw(`,"aliases":`).data(1)
	}
	return secret
}
