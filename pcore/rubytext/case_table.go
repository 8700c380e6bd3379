package rubytext

// specialUpper returns the upper case of the characters that become several.
func specialUpper(r rune) string {
	switch r {
	case '\u00DF':
		return "SS"
	case '\u0149':
		return "\u02BCN"
	case '\u01F0':
		return "J\u030C"
	case '\u0390', '\u1FD3':
		return "\u0399\u0308\u0301"
	case '\u03B0', '\u1FE3':
		return "\u03A5\u0308\u0301"
	case '\u0587':
		return "\u0535\u0552"
	case '\u1E96':
		return "H\u0331"
	case '\u1E97':
		return "T\u0308"
	case '\u1E98':
		return "W\u030A"
	case '\u1E99':
		return "Y\u030A"
	case '\u1E9A':
		return "A\u02BE"
	case '\u1F50':
		return "\u03A5\u0313"
	case '\u1F52':
		return "\u03A5\u0313\u0300"
	case '\u1F54':
		return "\u03A5\u0313\u0301"
	case '\u1F56':
		return "\u03A5\u0313\u0342"
	case '\u1F80', '\u1F88':
		return "\u1F08\u0399"
	case '\u1F81', '\u1F89':
		return "\u1F09\u0399"
	case '\u1F82', '\u1F8A':
		return "\u1F0A\u0399"
	case '\u1F83', '\u1F8B':
		return "\u1F0B\u0399"
	case '\u1F84', '\u1F8C':
		return "\u1F0C\u0399"
	case '\u1F85', '\u1F8D':
		return "\u1F0D\u0399"
	case '\u1F86', '\u1F8E':
		return "\u1F0E\u0399"
	case '\u1F87', '\u1F8F':
		return "\u1F0F\u0399"
	case '\u1F90', '\u1F98':
		return "\u1F28\u0399"
	case '\u1F91', '\u1F99':
		return "\u1F29\u0399"
	case '\u1F92', '\u1F9A':
		return "\u1F2A\u0399"
	case '\u1F93', '\u1F9B':
		return "\u1F2B\u0399"
	case '\u1F94', '\u1F9C':
		return "\u1F2C\u0399"
	case '\u1F95', '\u1F9D':
		return "\u1F2D\u0399"
	case '\u1F96', '\u1F9E':
		return "\u1F2E\u0399"
	case '\u1F97', '\u1F9F':
		return "\u1F2F\u0399"
	case '\u1FA0', '\u1FA8':
		return "\u1F68\u0399"
	case '\u1FA1', '\u1FA9':
		return "\u1F69\u0399"
	case '\u1FA2', '\u1FAA':
		return "\u1F6A\u0399"
	case '\u1FA3', '\u1FAB':
		return "\u1F6B\u0399"
	case '\u1FA4', '\u1FAC':
		return "\u1F6C\u0399"
	case '\u1FA5', '\u1FAD':
		return "\u1F6D\u0399"
	case '\u1FA6', '\u1FAE':
		return "\u1F6E\u0399"
	case '\u1FA7', '\u1FAF':
		return "\u1F6F\u0399"
	case '\u1FB2':
		return "\u1FBA\u0399"
	case '\u1FB3', '\u1FBC':
		return "\u0391\u0399"
	case '\u1FB4':
		return "\u0386\u0399"
	case '\u1FB6':
		return "\u0391\u0342"
	case '\u1FB7':
		return "\u0391\u0342\u0399"
	case '\u1FC2':
		return "\u1FCA\u0399"
	case '\u1FC3', '\u1FCC':
		return "\u0397\u0399"
	case '\u1FC4':
		return "\u0389\u0399"
	case '\u1FC6':
		return "\u0397\u0342"
	case '\u1FC7':
		return "\u0397\u0342\u0399"
	case '\u1FD2':
		return "\u0399\u0308\u0300"
	case '\u1FD6':
		return "\u0399\u0342"
	case '\u1FD7':
		return "\u0399\u0308\u0342"
	case '\u1FE2':
		return "\u03A5\u0308\u0300"
	case '\u1FE4':
		return "\u03A1\u0313"
	case '\u1FE6':
		return "\u03A5\u0342"
	case '\u1FE7':
		return "\u03A5\u0308\u0342"
	case '\u1FF2':
		return "\u1FFA\u0399"
	case '\u1FF3', '\u1FFC':
		return "\u03A9\u0399"
	case '\u1FF4':
		return "\u038F\u0399"
	case '\u1FF6':
		return "\u03A9\u0342"
	case '\u1FF7':
		return "\u03A9\u0342\u0399"
	case '\uFB00':
		return "FF"
	case '\uFB01':
		return "FI"
	case '\uFB02':
		return "FL"
	case '\uFB03':
		return "FFI"
	case '\uFB04':
		return "FFL"
	case '\uFB05', '\uFB06':
		return "ST"
	case '\uFB13':
		return "\u0544\u0546"
	case '\uFB14':
		return "\u0544\u0535"
	case '\uFB15':
		return "\u0544\u053B"
	case '\uFB16':
		return "\u054E\u0546"
	case '\uFB17':
		return "\u0544\u053D"
	}
	return ""
}

// specialLower returns the lower case of the characters that become several.
func specialLower(r rune) string {
	switch r {
	case '\u0130':
		return "i\u0307"
	}
	return ""
}

// specialTitle returns the title case of the characters that become several.
func specialTitle(r rune) string {
	switch r {
	case '\u00DF':
		return "Ss"
	case '\u0149':
		return "\u02BCN"
	case '\u01F0':
		return "J\u030C"
	case '\u0390', '\u1FD3':
		return "\u0399\u0308\u0301"
	case '\u03B0', '\u1FE3':
		return "\u03A5\u0308\u0301"
	case '\u0587':
		return "\u0535\u0582"
	case '\u1E96':
		return "H\u0331"
	case '\u1E97':
		return "T\u0308"
	case '\u1E98':
		return "W\u030A"
	case '\u1E99':
		return "Y\u030A"
	case '\u1E9A':
		return "A\u02BE"
	case '\u1F50':
		return "\u03A5\u0313"
	case '\u1F52':
		return "\u03A5\u0313\u0300"
	case '\u1F54':
		return "\u03A5\u0313\u0301"
	case '\u1F56':
		return "\u03A5\u0313\u0342"
	case '\u1FB2':
		return "\u1FBA\u0345"
	case '\u1FB4':
		return "\u0386\u0345"
	case '\u1FB6':
		return "\u0391\u0342"
	case '\u1FB7':
		return "\u0391\u0342\u0345"
	case '\u1FC2':
		return "\u1FCA\u0345"
	case '\u1FC4':
		return "\u0389\u0345"
	case '\u1FC6':
		return "\u0397\u0342"
	case '\u1FC7':
		return "\u0397\u0342\u0345"
	case '\u1FD2':
		return "\u0399\u0308\u0300"
	case '\u1FD6':
		return "\u0399\u0342"
	case '\u1FD7':
		return "\u0399\u0308\u0342"
	case '\u1FE2':
		return "\u03A5\u0308\u0300"
	case '\u1FE4':
		return "\u03A1\u0313"
	case '\u1FE6':
		return "\u03A5\u0342"
	case '\u1FE7':
		return "\u03A5\u0308\u0342"
	case '\u1FF2':
		return "\u1FFA\u0345"
	case '\u1FF4':
		return "\u038F\u0345"
	case '\u1FF6':
		return "\u03A9\u0342"
	case '\u1FF7':
		return "\u03A9\u0342\u0345"
	case '\uFB00':
		return "Ff"
	case '\uFB01':
		return "Fi"
	case '\uFB02':
		return "Fl"
	case '\uFB03':
		return "Ffi"
	case '\uFB04':
		return "Ffl"
	case '\uFB05', '\uFB06':
		return "St"
	case '\uFB13':
		return "\u0544\u0576"
	case '\uFB14':
		return "\u0544\u0565"
	case '\uFB15':
		return "\u0544\u056B"
	case '\uFB16':
		return "\u054E\u0576"
	case '\uFB17':
		return "\u0544\u056D"
	}
	return ""
}

// swapTitle returns what Ruby makes of the characters in title case.
func swapTitle(r rune) string {
	switch r {
	case '\u01C5':
		return "d\u017D"
	case '\u01C8':
		return "lJ"
	case '\u01CB':
		return "nJ"
	case '\u01F2':
		return "dZ"
	case '\u1F88':
		return "\u1F00\u0399"
	case '\u1F89':
		return "\u1F01\u0399"
	case '\u1F8A':
		return "\u1F02\u0399"
	case '\u1F8B':
		return "\u1F03\u0399"
	case '\u1F8C':
		return "\u1F04\u0399"
	case '\u1F8D':
		return "\u1F05\u0399"
	case '\u1F8E':
		return "\u1F06\u0399"
	case '\u1F8F':
		return "\u1F07\u0399"
	case '\u1F98':
		return "\u1F20\u0399"
	case '\u1F99':
		return "\u1F21\u0399"
	case '\u1F9A':
		return "\u1F22\u0399"
	case '\u1F9B':
		return "\u1F23\u0399"
	case '\u1F9C':
		return "\u1F24\u0399"
	case '\u1F9D':
		return "\u1F25\u0399"
	case '\u1F9E':
		return "\u1F26\u0399"
	case '\u1F9F':
		return "\u1F27\u0399"
	case '\u1FA8':
		return "\u1F60\u0399"
	case '\u1FA9':
		return "\u1F61\u0399"
	case '\u1FAA':
		return "\u1F62\u0399"
	case '\u1FAB':
		return "\u1F63\u0399"
	case '\u1FAC':
		return "\u1F64\u0399"
	case '\u1FAD':
		return "\u1F65\u0399"
	case '\u1FAE':
		return "\u1F66\u0399"
	case '\u1FAF':
		return "\u1F67\u0399"
	case '\u1FBC':
		return "\u03B1\u0399"
	case '\u1FCC':
		return "\u03B7\u0399"
	case '\u1FFC':
		return "\u03C9\u0399"
	}
	return ""
}
