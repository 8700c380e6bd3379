package timefmt

// zoneOffset returns the offset from UTC in seconds of a time zone that Ruby's
// DateTime supports: an abbreviation, a military letter or a Windows name, in
// lower case and without "standard time". ok is false for others.
//
//nolint:misspell // they are no English words
func zoneOffset(name string) (seconds int, ok bool) {
	switch name {
	case "aoe", "idlw", "y", "dateline":
		return -12 * hour, true
	case "nt", "nut", "samoa", "sst", "x":
		return -11 * hour, true
	case "ahst", "ckt", "hast", "hst", "taht", "w", "hawaiian":
		return -10 * hour, true
	case "akst", "gamt", "hadt", "hdt", "v", "yst", "alaskan":
		return -9 * hour, true
	case "mart":
		return -8*hour - 30*minute, true
	case "akdt", "pst", "u", "ydt", "pacific":
		return -8 * hour, true
	case "mst", "pdt", "t", "mountain", "us mountain":
		return -7 * hour, true
	case "cst", "east", "galt", "mdt", "s", "canada central", "central", "central america",
		"mexico":
		return -6 * hour, true
	case "act", "cdt", "cist", "cot", "easst", "ect", "est", "pet", "r", "eastern", "sa pacific",
		"us eastern":
		return -5 * hour, true
	case "ast", "bot", "cidst", "clt", "edt", "fkt", "gyt", "q", "vet", "atlantic", "pacific sa",
		"sa western":
		return -4 * hour, true
	case "newfoundland":
		return -3*hour - 30*minute, true
	case "adt", "art", "brt", "clst", "fkst", "gft", "p", "pmst", "pyst", "rott", "srt", "uyt",
		"warst", "wgt", "e. south america", "greenland", "sa eastern":
		return -3 * hour, true
	case "nst":
		return -2*hour - 30*minute, true
	case "at", "brst", "fnt", "o", "pmdt", "uyst", "wgst":
		return -2 * hour, true
	case "ndt":
		return -1*hour - 30*minute, true
	case "azot", "cvt", "egt", "n", "azores", "cape verde":
		return -1 * hour, true
	case "azost", "egst", "gmt", "ut", "utc", "wet", "wt", "z", "greenwich":
		return 0, true
	case "a", "bst", "cet", "fwt", "met", "mewt", "mez", "swt", "wat", "west", "central europe",
		"central european", "romance", "w. central africa", "w. europe":
		return 1 * hour, true
	case "b", "cat", "cest", "eet", "egypt", "fle", "fst", "gtb", "mest", "mesz", "sast", "wast",
		"e. europe", "jerusalem", "south africa":
		return 2 * hour, true
	case "arab", "bt", "c", "eat", "eest", "fet", "idt", "msk", "syot", "trt", "arabic",
		"e. africa", "russian":
		return 3 * hour, true
	case "iran", "irst":
		return 3*hour + 30*minute, true
	case "azt", "d", "get", "kuyt", "msd", "mut", "ret", "samt", "sct", "arabian", "caucasus":
		return 4 * hour, true
	case "aft", "irdt", "afghanistan":
		return 4*hour + 30*minute, true
	case "aqtt", "azst", "e", "mawt", "mvt", "orat", "pkt", "tft", "tjt", "tmt", "uzt", "yekt",
		"ekaterinburg", "west asia":
		return 5 * hour, true
	case "india", "ist":
		return 5*hour + 30*minute, true
	case "nepal", "npt":
		return 5*hour + 45*minute, true
	case "almt", "btt", "f", "iot", "kgt", "omst", "qyzt", "vost", "yekst", "central asia",
		"n. central asia", "sri lanka":
		return 6 * hour, true
	case "cct", "mmt", "myanmar":
		return 6*hour + 30*minute, true
	case "cxt", "davt", "g", "hovt", "ict", "krat", "novst", "novt", "omsst", "wib",
		"north asia", "se asia":
		return 7 * hour, true
	case "awst", "bnt", "cast", "china", "chot", "h", "hkt", "hovst", "irkt", "krast", "myt",
		"pht", "sgt", "ulat", "wadt", "wita", "malay peninsula", "north asia east", "taipei",
		"w. australia":
		return 8 * hour, true
	case "acwst":
		return 8*hour + 45*minute, true
	case "awdt", "chost", "i", "irkst", "jst", "korea", "kst", "pwt", "tlt", "tokyo", "ulast",
		"wit", "yakt", "yakutsk":
		return 9 * hour, true
	case "acst", "aus central", "cen. australia":
		return 9*hour + 30*minute, true
	case "aest", "chst", "chut", "ddut", "gst", "k", "pgt", "vlat", "yakst", "yapt",
		"aus eastern", "e. australia", "tasmania", "vladivostok", "west pacific":
		return 10 * hour, true
	case "acdt", "lhst":
		return 10*hour + 30*minute, true
	case "aedt", "eadt", "kost", "l", "lhdt", "magt", "nct", "nft", "pont", "sakt", "sbt",
		"sret", "vlast", "vut", "central pacific":
		return 11 * hour, true
	case "anast", "anat", "fiji", "fjt", "gilt", "idle", "m", "magst", "mht", "nfdt", "nrt",
		"nzst", "nzt", "petst", "pett", "tvt", "wakt", "wft", "new zealand":
		return 12 * hour, true
	case "chast":
		return 12*hour + 45*minute, true
	case "fjst", "nzdt", "phot", "tkt", "tonga", "tot":
		return 13 * hour, true
	case "chadt":
		return 13*hour + 45*minute, true
	case "lint", "tost":
		return 14 * hour, true
	default:
		return 0, false
	}
}
