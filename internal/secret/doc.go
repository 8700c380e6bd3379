// Package secret decides which texts are secrets and finds them in other text.
//
//	Judge, Traceable  whether copies of a secret may be replaced or reported
//	IsSecretKey       whether a key of a secret Hash is followed; IsOnlyName, a text in it
//	NumberForms       the usual texts of a number
//	Strength          how many guesses a text takes, and whether it is common
//	Vocabulary        the words of catalogs, which a weak secret may be by chance
//	Inside            secrets embedded in a secret text, such as passwords and keys
//	Forms             the spellings of a secret: encoded, quoted, in UTF-16
//	CompileWritten    compiles all spellings of many secrets into a Set, which also finds
//	                  them in escaped text and across line breaks
//	CompileTexts      the same; the Set also reads notations: bytes as numbers, quoted
//	                  pieces, base64 of base64
//	Set, Spans        search for many patterns at once; merged hits
//	Hashes            the unsalted digests of a secret
//	IsMarker          recognizes the markers that replace secrets; FindMarkers finds them
//	IsCiphertext      recognizes texts that are encrypted
//	RoleOf            what the value of a key names: a host, a user
//	MaskError         hides secrets in the text of an error
//
// # How copies are found
//
//	secret   pw!Zk7pQ32vX9mTb4#
//	stretch     Zk7pQ32vX9m              of the secret; no form escapes its bytes
//	sample      Zk7pQ32vX9m              of the stretch, in the class of plain text
//	anchors     Zk7pQ32v                 of the sample, one for each position of
//	             k7pQ32vX                a stride of 4
//	              7pQ32vX9
//	               pQ32vX9m
//	text     pass = pw!Zk7pQ32vX9mTb4#
//	                     7pQ32vX9        the window at 12, which is an anchor
//
// The windows of a text at 0, 4, 8, 12 and so on are looked up. One of them is an anchor
// wherever the secret is, and leads to the spellings that are compared with the text.
//
//	window   eight bytes or fewer, ignoring case. A filter rejects nearly all windows
//	         of a text that are not anchors.
//	stride   the distance between the windows of a text that are looked up.
//	stretch  a run of bytes of a secret that no form escapes individually.
//	class    a group of forms that spell the stretch in the same way, such as one
//	         alignment of base64.
//	sample   the spelling of a stretch in one class.
//	anchor   a window of a sample or, in a Set of plain patterns, of a pattern.
//	slot     an entry of a hash table. A slot for a sample holds its secret and its
//	         class; a slot for a window holds the patterns with this anchor.
//	lane     the plain patterns that share a width of windows and a stride, with a
//	         filter and a table of their own. Short patterns need smaller ones.
//	key      the four bytes by which a secret without a stretch is recognized.
//	wording  a spelling of a secret and the rule for breaking it into lines.
//
// Escapes and line breaks hide most windows of a copy, so a hunt also reads the text through
// them until it has a sample or a key. From there, a tracer follows the wordings of the
// secret through all readings of each character:
//
//	text     echo "pw!Zk7p\u0051%332vX9mTb4#" | tool
//	                  |................|      a sample, read through escapes
//	               <--                  --->  the rest is traced in both directions
//
// A text can also be written in a notation, which is a row of a table and a function. The
// function decodes the parts of the text that are in the notation. The result is searched like
// any other text, also for other notations, and its hits are located in the text:
//
//	text     echo "pw!Zk7" + "pQ32vX9mTb4#" | tool
//	               |.....................|       the hit
//	decoded        pw!Zk7     pQ32vX9mTb4#
//
// The search time of a [Set] grows with the text, not with the number of patterns. The
// patterns are held behind a closure: printing a Set, or a struct that contains one, does
// not expose them.
//
// Knowledge of secrets that the redactor and the audit share belongs here; its location in
// a catalog and its replacement do not.
package secret
