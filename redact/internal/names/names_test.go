package names

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pcatdev/pcat/internal/secret"
)

// Texts that look like names are found, and others stay.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"10.0.0.1", "192.0.2.1"},
		{"10.0.0.1/24,10.0.0.2:80 10.0.0.1", "192.0.2.1/24,192.0.2.2:80 192.0.2.1"},
		{`\n10.0.0.1\t`, `\n192.0.2.1\t`},
		{"127.0.0.1 0.0.0.0 255.255.255.0 255.255.255.255 224.0.0.1 192.0.2.7", ""},
		{"v1.2.3.4 1.2.3 1.2.3.4.5 1.2.3.400", ""},
		{"10.1.%", "192.0.2.1%"},
		{"[fd00::1]:80 fe80::1%eth0", "[2001:db8::1]:80 2001:db8::2%eth0"},
		{"fd00:0:0::1 FD00::1", "2001:db8::1 2001:db8::1"},
		{"::1 :: ff02::1 2001:db8::5 apache::vhost ad::cafe 12:34:56 a::b", ""},
		{"52:54:00:AB:cd:ef 52-54-00-ab-cd-ef 5254.00ab.cdef", "00:00:5e:00:53:01 00:00:5e:00:53:01 00:00:5e:00:53:01"},
		{"00:00:00:00:00:00 ff:ff:ff:ff:ff:ff 52:54:00:ab:cd:ef:01", ""},
		{"jane@acme.com, <Jane@acme.com>", "mail-1@domain-1.invalid, <mail-1@domain-1.invalid>"},
		{"jane%40acme.com", "mail-1%40domain-1.invalid"},
		{"root@acme.com", "root@domain-1.invalid"},
		{"jane@acme.technology", "mail-1@domain-1.invalid"},
		{"getty@tty1.service user@1000.slice", ""},
		{"https://wiki.corp-net/page https://dc1:636 puppet:///modules/x", "https://domain-1.invalid/page https://host-1:636 puppet:///modules/x"},
		{"ldap://dc1.ad.acme:636/", "ldap://host-1.domain-1.invalid:636/"},
		{"web01.acme.com.pem *.acme.com", "host-1.domain-1.invalid.pem *.domain-1.invalid"},
		{"web01.acme.com db.acme.com web01.acme.de", "host-1.domain-1.invalid host-2.domain-1.invalid host-1.domain-2.invalid"},
		{"5.0.0.10.in-addr.arpa", "host-1.domain-1.invalid"},
		{"/etc/rc.local nginx.service puppet.conf run.sh Foo.pm java.util.List localhost.localdomain", ""},
		{"host-1.domain-1.invalid user-3 mail-1@domain-1.invalid redacted-1-by-pcat@domain-1.invalid", ""},
		{"host-1 user-1 10.0.0.1", "host-1 user-1 192.0.2.1"},
		{"192.0.2.1 10.0.0.1 2001:DB8:0::1 fd00::1", "192.0.2.1 192.0.2.2 2001:DB8:0::1 2001:db8::2"},
		{"00-00-5E-00-53-01 52:54:00:ab:cd:ef 02:00:5e:00:01:00", "00-00-5E-00-53-01 00:00:5e:00:53:02 02:00:5e:00:01:00"},
		{"/home/jdoe. See /home/bob-", "/home/user-1. See /home/user-2-"},
	} {
		s := New()
		s.Scan(c.text)
		want := c.want
		if want == "" {
			want = c.text
		}
		if got := s.Replace(c.text); got != want {
			t.Errorf("%s: %s, want %s", c.text, got, want)
		}
		if again := s.Replace(want); again != want {
			t.Errorf("%s: then %s", want, again)
		}
	}
}

// Names with a role are replaced where they are words.
func TestRoles(t *testing.T) {
	t.Parallel()
	s := New()
	s.Keep("redis")
	s.Add(secret.User, "jdoe")
	s.Add(secret.User, "jd")
	s.Add(secret.User, `ACME\alice`)
	s.Add(secret.User, "'shop'@'%'")
	s.Add(secret.User, "redis")
	s.Add(secret.User, "www-data, 1000, /x, bob.smith")
	s.Add(secret.Node, "web01.acme.prod")
	s.Add(secret.Host, "db01:5432,ldap://dc1:636/x")
	s.Add(secret.Group, "jdoe")
	s.AddAlias("jdoe", "Jane Doe")
	s.Scan("user = carol\nHost: db09\nuser: the quick\n/home/dave/x ssh-rsa AAAAB3NzaC1 erin@laptop")
	for _, c := range []struct{ text, want string }{
		{"jdoe", "user-1"}, {"jdoe-x", "user-1-x"}, {"a_jdoe", "a_user-1"}, {"jdoes", "jdoes"}, {"Users::Jdoe", "Users::User-1"}, {"JDOE", "USER-1"},
		{"jd", "user-2"}, {"User[jd]", "User[user-2]"}, {"the jd", "the jd"},
		{"alice shop redis bob.smith", "user-3 user-4 redis user-5"},
		{"web01 web02.acme.prod x.acme.prod.pem acme.prod", "host-2 host-7.domain-1.invalid host-8.domain-1.invalid.pem domain-1.invalid"},
		{"db01 dc1 db09 laptop", "host-3 host-4 host-6 host-5"},
		{"carol dave erin quick", "user-8 user-6 user-7 quick"},
		{"by jane doe", "by user-1"}, {`x\njdoe`, `x\nuser-1`},
	} {
		if got := s.Replace(c.text); (got == c.text) != (c.want == c.text) || got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// Each case has a set of its own.
func TestSets(t *testing.T) {
	t.Parallel()
	long := strings.TrimSuffix(strings.Repeat("member-with-a-long-name,", 12), ",")
	for _, c := range []struct {
		name       string
		add        func(*Set)
		text, want string
	}{
		{"a domain of one label is no word", func(s *Set) { s.Add(secret.Node, "web01.dev") }, "> /dev/null web01.dev web01", "> /dev/null host-1.domain-1.invalid host-1"},
		{"nor that of a short name", func(s *Set) { s.Add(secret.Node, "acme.com") }, "/usr/share/java/com/x acme.com", "/usr/share/java/com/x host-1.domain-1.invalid"},
		{"nor a domain that is a top-level domain", func(s *Set) { s.Add(secret.Domain, "dev") }, "/dev/null", "/dev/null"},
		{"a domain of Windows is one", func(s *Set) { s.Add(secret.Domain, "ACMECORP") }, "net use ACMECORP", "net use HOST-1"},
		{"a long list", func(s *Set) { s.Add(secret.User, long+",jdoe") }, "jdoe", "user-2"},
		{"a long name", func(s *Set) { s.Add(secret.User, strings.Repeat("a", 300)+",jdoe") }, "jdoe", "user-1"},
		{"a full name before a comma", func(s *Set) { s.Add(secret.User, "jdoe"); s.AddAlias("jdoe", "Jane Doe,,,") }, "Jane Doe,,, by jane doe", "user-1,,, by user-1"},
		{"a full name in parentheses", func(s *Set) { s.Add(secret.User, "jdoe"); s.AddAlias("jdoe", "(Jane Doe)") }, "(Jane Doe)", "(user-1)"},
		{"_ at the beginning", func(s *Set) { s.Add(secret.User, "_jdoe"); s.Add(secret.User, "___") }, "_jdoe User[_jdoe] a_jdoe jdoe __jdoe ___", "user-1 User[user-1] a_jdoe jdoe _user-1 ___"},
		{"_ at the beginning of one of two", func(s *Set) { s.Add(secret.User, "jdoe"); s.Add(secret.User, "_jdoe") }, "_jdoe a_jdoe jdoe", "user-2 a_user-1 user-1"},
		{"a dot at the end", func(s *Set) { s.Add(secret.User, "jdoe."); s.Add(secret.Host, "db01.") }, "jdoe. db01-", "user-1. host-1-"},
		{"a type before [", func(s *Set) { s.Add(secret.User, "deploy"); s.KeepType("Profile::Deploy") }, "require Profile::Deploy[deploy] and Class[Profile::Deploy], Deploy[1]", "require Profile::Deploy[user-1] and Class[Profile::User-1], User-1[1]"},
		{"a type alone", func(s *Set) { s.Add(secret.User, "deploy"); s.KeepType("Profile::Deploy") }, "Profile::Deploy", "Profile::Deploy"},
		{"an unknown type in a reference", func(s *Set) { s.Add(secret.User, "deploy") }, "Profile::Deploy[app]", "Profile::Deploy[app]"},
		{"the first segment of a type", func(s *Set) { s.Add(secret.User, "deploy") }, "Deploy::Site[deploy]", "Deploy::Site[user-1]"},
		{"a path of references", func(s *Set) { s.Add(secret.User, "deploy") }, "/Stage[main]/Deploy/Deploy::Site[deploy]/ensure", "/Stage[main]/User-1/Deploy::Site[user-1]/ensure"},
		{"no reference", func(s *Set) { s.Add(secret.User, "deploy") }, "by Deploy[12] deploy[12]", "by User-1[12] user-1[12]"},
		{"a domain that is learned after its hosts", func(s *Set) {
			s.Scan("db.acme.prod x@db.acme.p4 db.com.p4")
			s.Add(secret.Node, "web.acme.prod")
			s.Add(secret.Node, "web.com.p4")
		}, "db.acme.prod db.com.p4", "host-2.domain-1.invalid host-2.domain-2.invalid"},
		{"the hidden ones are last", func(s *Set) {
			s.Hide(true)
			s.Add(secret.User, "unseen")
			s.Add(secret.User, "jdoe")
			s.Scan("10.0.0.1 mail@a.acme.com")
			s.Hide(false)
			s.Add(secret.User, "jdoe")
			s.Scan("10.0.0.2")
		}, "unseen jdoe 10.0.0.1 10.0.0.2", "user-2 user-1 192.0.2.2 192.0.2.1"},
	} {
		s := New()
		c.add(s)
		s.Scan(c.text)
		if got := s.Replace(c.text); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Only names that are written count, each once.
func TestCounts(t *testing.T) {
	t.Parallel()
	s := New()
	s.Add(secret.User, "jdoe")
	s.Add(secret.User, "other")
	s.Add(secret.Group, "payroll")
	s.Add(secret.Node, "web01.acme.com")
	s.Scan("10.0.0.1 10.0.0.2 jane@mx.acme.com")
	if got := s.Counts(); got != (Counts{}) {
		t.Errorf("%+v before", got)
	}
	s.Replace("jdoe JDOE 10.0.0.1 jane@mx.acme.com user-1")
	s.Replace("10.0.0.1 web01")
	if got := s.Counts(); got != (Counts{Hosts: 2, Domains: 1, Users: 1, Addresses: 1, Mails: 1}) {
		t.Errorf("%+v", got)
	}
}

// Addresses that replace others are different, however many there are, and are valid.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for k, numbers := range map[kind][]int{
		ipv4Shape: {1, 254, 255, 508, 509, 762, 763, 1023, 1024, 65535, 65536, 131071, 131072, 131073, 262144, 1 << 24},
		ipv6Shape: {1, 255, 65535, 65536, 65537, 131072, 1 << 24},
		macShape:  {1, 255, 256, 511, 65536, 1<<24 - 1, 1 << 24},
	} {
		var all []string
		for _, n := range numbers {
			address := k.address(n)
			all = append(all, address)
			s := New()
			s.Scan(address)
			if got := s.Replace(address); got != address && n < 1<<24 {
				t.Errorf("%s %d: %s is replaced by %s", k, n, address, got)
			}
			if len(s.taken) != 1 && n < 1<<24 {
				t.Errorf("%s %d: %s is not noted", k, n, address)
			}
		}
		slices.Sort(all)
		if len(slices.Compact(slices.Clone(all))) != len(numbers) {
			t.Errorf("%s: %s", k, all)
		}
	}
}

// The number of texts in which a host is searched for does not grow with the square of the length
// of a text: a name has a limited length.
func TestLongRuns(t *testing.T) {
	t.Parallel()
	run := strings.Repeat("a.", 50_000)
	for _, text := range []string{run + "x", strings.Repeat("a-.com.", 2_000), strings.Repeat("a", 10_000) + ".com", strings.Repeat("_", 10_000), run[:10_000] + "@" + run[:10_000]} {
		s := New()
		s.Add(secret.Node, "web01.b.a")
		s.Scan(text)
		s.Replace(text)
		for rest := text; rest != ""; {
			part := cut(rest)
			if len(part) > longestHost && strings.Contains(part, ".") {
				t.Errorf("a part of %d bytes", len(part))
			}
			rest = rest[min(len(part)+1, len(rest)):]
		}
	}
	s := New()
	if got := s.Replace(run + "web01.acme.com"); strings.Contains(got, "acme") {
		t.Errorf("the host at the end is left: %s", got[len(got)-40:])
	}
}

// Shapes of several kinds are in order, without overlaps; the first kind comes first.
func TestMerged(t *testing.T) {
	t.Parallel()
	shapes := func(spans ...int) (all []shape) {
		for i := 0; i < len(spans); i += 2 {
			all = append(all, shape{start: spans[i], end: spans[i+1]})
		}
		return all
	}
	for _, c := range []struct{ first, second, want []shape }{
		{nil, shapes(1, 2), shapes(1, 2)},
		{shapes(1, 2), nil, shapes(1, 2)},
		{shapes(2, 4, 8, 9), shapes(0, 1, 1, 3, 4, 8, 9, 10), shapes(0, 1, 2, 4, 4, 8, 8, 9, 9, 10)},
		{shapes(2, 4), shapes(0, 9), shapes(2, 4)},
		{shapes(0, 9), shapes(2, 4, 9, 10), shapes(0, 9, 9, 10)},
	} {
		if got := merged(c.first, c.second); !slices.Equal(got, c.want) {
			t.Errorf("%v %v: %v, want %v", c.first, c.second, got, c.want)
		}
	}
}

// Replace may be called from several goroutines, also with names that were not scanned.
func TestConcurrentReplace(t *testing.T) {
	t.Parallel()
	s := New()
	s.Add(secret.User, "jdoe")
	s.Scan("10.0.0.1")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for k := range 50 {
				if got := s.Replace(fmt.Sprintf("jdoe 10.0.0.1 x%d.acme.com", i*k)); !strings.HasPrefix(got, "user-1 192.0.2.1 host-") {
					t.Error(got)
				}
			}
		})
	}
	all.Wait()
}

// A text without names is returned as it is.
func TestSameText(t *testing.T) {
	s := New()
	s.Add(secret.User, "jdoe")
	text := strings.Repeat("nothing in here", 20)
	if n := testing.AllocsPerRun(10, func() { s.Replace(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Names that begin alike are found by their lengths: neither adding one nor a text costs more with their number.
func TestNamesThatBeginAlike(t *testing.T) {
	s := New()
	const hosts = 20000
	var text, want strings.Builder
	for i := range hosts {
		s.Add(secret.Host, fmt.Sprintf("web-%05d", i))
		fmt.Fprintf(&text, "web-%05d web-%d\n", i, i)
	}
	for i := range hosts {
		second := fmt.Sprintf("web-%d", i) // a name only with five digits
		if i >= 10000 {
			second = fmt.Sprintf("host-%d", i+1)
		}
		fmt.Fprintf(&want, "host-%d %s\n", i+1, second)
	}
	if got := s.Replace(text.String()); got != want.String() {
		t.Errorf("got %d bytes, want %d", len(got), want.Len())
	}
}
