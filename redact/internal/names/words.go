package names

import (
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/secret"
)

// isSpecial reports whether a text, in lower case, is the name of a system account, a standard
// host or a word of the language: such a name says nothing about its owner.
func isSpecial(text string) bool {
	isKey := secret.IsRoleKey(text)
	return special()[text] || secret.IsOrdinary(text) || isKey || strings.HasPrefix(text, "localhost.") || strings.HasPrefix(text, "systemd-") || strings.HasPrefix(text, "pe-")
}

// special are the names that are no ordinary words of catalogs, see [secret.IsOrdinary].
var special = sync.OnceValue(func() map[string]bool {
	return words(`
	root bin sys sync games man lp mail news uucp proxy www-data list irc gnats nogroup _apt messagebus sshd
	adm shutdown halt ftp dbus polkitd chrony ntp rpc rpcuser nfsnobody tss tcpdump syslog wheel sudo tty disk kmem dialout
	fax voice cdrom floppy tape audio dip video plugdev staff shadow utmp sasl input kvm render crontab uuidd ssh ssl-cert
	administrators everyone
	httpd nginx http www web mariadb mongod memcache memcached
	vault nomad etcd containerd jetty gitlab git gitea
	zabbix-agent telegraf influxdb varnish squid named bind unbound dnsmasq postfix dovecot exim puppetserver
	openvox pe ldap slapd sssd nslcd libvirt qemu ceph glusterfs kafka
	info support noreply no-reply postmaster webmaster hostmaster abuse security
	localhost6 localdomain localhost.localdomain ip6-localhost ip6-loopback ip6-allnodes ip6-allrouters broadcasthost rc.local
	true yes no on off none null nil undef any all auto
	static local test main name key id title type path port
	url uri class agent
	self this that the is and or not for db app application data conf etc usr var opt srv tmp home
`)
})

func words(list string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(list) {
		all[word] = true
	}
	return all
}

// topLevel has the top-level domains by which a host name is recognized, and the number of
// labels that it needs: three where two are often the name of a file or a variable. The public suffix
// list would serve worse. Most of its generic domains are also words of programs and units:
// reboot.target, 10-eth.network and java.util.properties would be hosts. It lacks the domains of
// private networks, such as local and corp.
var topLevel = sync.OnceValue(func() map[string]int {
	return topLevels(
		`com net org edu gov mil int info biz io dev cloud tech eu arpa local lan internal intern corp localdomain test
	ac ad ae af ag al ao aq ar at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw bz ca cd cf cg ch ci ck cl cm cn co cr cu
	cv cw cx cy cz de dj dk dm dz ec ee eg er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr
	ht hu ie il im iq ir it je jm jo jp ke kg kh ki km kn kp kr kw ky kz lb lc li lk lr ls lt lu lv ly ma mc mg mh mk mn mo mp mq
	mr ms mt mu mv mw mx mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pn pr pt pw qa re ro ru rw sa sb sc se sg si
	sk sl sm sn sr ss su sv sx sy sz tc td tf tg th tj tk tl tn tr tt tv tw tz ua ug uk us uy uz va vc ve vg vn vu wf ws ye yt za zm zw`,
		`pl py md sh so ps cc am in la ml st vi ai pm id is to do as my by me mm tm app home private example name`)
})

func topLevels(two, three string) map[string]int {
	all := map[string]int{}
	for label := range words(two) {
		all[label] = 2
	}
	for label := range words(three) {
		all[label] = 3
	}
	return all
}
