package detect

import "strings"

// isPhrase reports whether s is a phrase of words that nothing but a person or
// a generator of passphrases puts together: three or more, joined by one
// separator, and none that things are named with, as in `vault-agent-token`.
func (v *values) isPhrase(s string) bool {
	if len(s) < 12 || len(s) > 120 {
		return false
	}
	i := strings.IndexAny(s, "-_. ")
	if i < 3 || s[i] == ' ' {
		return false
	}
	n := 0
	for w := range strings.SplitSeq(s, s[i:i+1]) {
		if len(w) < 3 || len(w) > 12 || !letters(w) || w[1:] != strings.ToLower(w[1:]) || !strings.ContainsAny(w, "aeiouyAEIOUY") {
			return false
		}
		if low := strings.ToLower(w); v.terms.has(low) || v.terms.has(strings.TrimSuffix(low, "s")) || v.keywords.has(low) || v.placeholders.has(low) {
			return false
		}
		n++
	}
	return n >= 3
}

// isDottedPhrase reports whether s is a phrase whose words are joined by dots,
// and not the name of a machine or a package.
func (v *values) isDottedPhrase(s string) bool {
	first, last := s[:max(strings.IndexByte(s, '.'), 0)], s[strings.LastIndexByte(s, '.')+1:]
	return !isDomain(first) && !isDomain(last) && v.isPhrase(s)
}

// isDomain tells what names of machines end with, and names of packages begin
// with, apart from words that things are named with anyhow.
func isDomain(s string) bool {
	switch s {
	case "com", "org", "net", "edu", "gov", "mil", "int", "arpa", "info", "biz", "lan", "onion", "intranet", "localdomain", "online", "tech", "java", "javax":
		return true
	}
	return false
}

// isPassphrase reports whether s is a passphrase as generators and people write
// it: three words or more in small letters, one blank between them, none that
// sentences are made of, or things named with.
func (v *values) isPassphrase(s string) bool {
	if len(s) < 12 || len(s) > 120 {
		return false
	}
	n := 0
	for w := range strings.SplitSeq(s, " ") {
		if len(w) < 3 || len(w) > 12 || !letters(w) || w != strings.ToLower(w) || !strings.ContainsAny(w, "aeiouy") ||
			v.talk.has(w) || v.terms.has(w) || v.terms.has(strings.TrimSuffix(w, "s")) || v.keywords.has(w) || v.placeholders.has(w) {
			return false
		}
		n++
	}
	return n >= 3
}

// isTermed reports whether one of the words of s is one with which things are
// named: `Security_Team2024`.
func (v *values) isTermed(s string) bool {
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_. :/", r) }) {
		low := strings.ToLower(strings.TrimRight(w, "0123456789"))
		if v.terms.has(low) || v.terms.has(strings.TrimSuffix(low, "s")) {
			return true
		}
	}
	return false
}

// isChosen reports whether s is words and numbers that a person put together as
// rules for passwords demand, `Granite_bramble46`, and no name of something.
func (v *values) isChosen(s string) bool {
	digits, lower, upper, other := count(s)
	if len(s) < 10 || digits == 0 || lower == 0 || upper == 0 || digits > 6 || other > 3 {
		return false
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_. :/", r) }) {
		low := strings.ToLower(strings.TrimRight(w, "0123456789"))
		if len(low) < 3 && low != "" || v.terms.has(low) || v.terms.has(strings.TrimSuffix(low, "s")) || v.keywords.has(low) || v.placeholders.has(low) {
			return false
		}
	}
	return true
}

// isNameOfSecret reports whether s is what a secret is called: words that things
// are named with, one of them for a secret, as in `oidc-client-secret-ref`.
func (v *values) isNameOfSecret(s string) bool {
	if len(s) > 64 || strings.IndexByte(s, '-') < 0 {
		return false
	}
	n, secret := 0, false
	for w := range strings.SplitSeq(s, "-") {
		switch {
		case w == "secret" || w == "credentials" || w == "credential" || w == "token" || w == "ref" || w == "password":
			secret = true
		case !v.terms.has(w) && !v.keywords.has(w) && w != "db":
			return false
		}
		n++
	}
	return n >= 3 && secret
}

// talk are words that nearly every sentence about secrets has one of.
func talk() set {
	return setOf(`are was were been being has have had having does did done can could may might must shall should will would cannot
		and but nor than then that this these those which who whom whose what when where why how its their them they him her his our ours yours
		you she any some each every both either neither none such same other another more most less least much many few only just even still yet already also too very
		about above after again against along among around before behind below beneath beside between beyond but despite during except
		inside near onto outside over past since through throughout till toward under until upon within without off out down because although though
		while unless whether whenever please ask asks asked contact call called choose chosen keep keeps kept store stored stores save saved
		know known unknown given gives give take taken takes make makes made need needs needed want wanted use used uses using found find finds
		see seen show shown shows hidden invalid valid wrong missing expired incorrect correct forgot forgotten forget must change changed changes
		see says said say tell told tells let lets been contain contains containing held holds hold comes come goes going went gone get gets got
		der die das den dem des ein eine einen einem einer und oder nicht ist sind war wird werden bitte mit von vom zum zur bei nach aus auf hier wie
		les une des est sont pas pour par dans sur avec votre vos que qui los las una por para con del ungültig
		administrator person people everyone nobody anyone someone something nothing anything everything somewhere characters letters digits
		decrypt encrypted protects protect protected opens open close safe keyring keystore truststore bytes minimum maximum longer shorter equal
		daily weekly monthly yearly today tomorrow yesterday month year week hour minute second last first next once twice`)
}

// terms are words with which people name hosts, services, settings and places:
// a name with one of them is no phrase that was drawn from a list.
func terms() set {
	return setOf(`access account acct action active adapter admin agent alarm alert alias all analytics android and api app apps application
		archive array asset async attribute audit auth authenticator authorizer automation aws azure backend backup balancer bar base bastion batch beta bind
		block blog board body boot bot box branch bridge broker browser bucket build builder bundle bus business button cache call canary card cart cdn cell center
		central cert change channel chart chat check checker checkout claim class cleaner cli client cloud cluster code collector column command common company compute conf
		config configuration connect connection connector console consumer container content context control controller core corp count crawl create credential cron custom customer
		cluster dashboard data database date datacenter day debug decoder default delegate delete deploy deployment dev develop developer development device digest directory
		disk dispatcher display docker document domain download driver dump edge edit editor element email encoder encryption end endpoint engine entity entry environment
		error event events example exchange exec executor export exporter extension external factory failure feature feed fetch field file filter finance fleet flow folder foo
		for format forward forwarder frame from frontend full function gate gateway general generator get git global grafana grant grid group guard guest handler hash head header health
		helm help helper hidden history home hook host hosted hub identity image import inbound index info infra infrastructure ingest ingress init input insert install instance
		integration interface internal into invoice ios issue issuer item job json key keycloak kube kubernetes lab label lambda language launch layer ldap learn legacy level library
		license limit line link list listener live load loader local lock log logger logging login logout mail mailer main manage managed management manager map marketing
		master member memory menu merge message meta metric metrics middleware migration mirror mobile mode model module monitor monitoring mount mysql name namespace nat net network new next node note
		notification notifier notify number oauth object observer office ohai old only ops operation operator option options order org origin other out outbound output owner package page panel parameter parent
		parser part partner pass passphrase password path pay payment peer per permission person personal pipeline placeholder plan platform play plugin point policy pool port portal post postgres preview primary
		print private process processor prod product production profile program project prom prometheus provider proxy public publish publisher pull purge push put python query queue random rate read reader ready receiver record
		recovery redirect redis reference refresh region register registration registry relay release remote render replica report reporter repo repository request require reset resolver resource
		response rest restore result retry return review reviewer role root rotate rotation route router rule run runner runtime safe sales sample sandbox save scale scan scanner schedule scheduler schema scope
		script search secret section secure security selector send sender sensor server service services session set setting settings setup share shared shell shop show sidecar sign signer signing signup simple single site size
		slack slave small social source space spec spring stack stage staging standard start state static stats status step stop storage store stream string style sub subscriber subscription support
		switch sync syncer system tab table tag target task team temp template tenant term test testing text the theme thread time timer title token tool tools topic trace tracing track tracker traffic trans transaction transfer
		transform trigger trust tunnel type unique unit unknown update updater upload upstream url usage use user users util utils validate validation validator value value variable vault vendor verify version view viewer virtual
		visitor volume wait watch watcher web webhook website widget width window with work worker workflow workspace world wrapper write writer your zone opaque reference word words first last
		one two three four five six seven eight nine ten north south east west frontal europe america asia red green blue black white basic bearer cookie credentials
		enabled disabled mandatory required prompt enter here please rotating expiring short long medium high low strong weak never always`)
}
