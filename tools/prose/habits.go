package main

import (
	"regexp"
	"strings"
)

// habit is a construction that is correct English and reads like a translation.
type habit struct {
	name     string
	find     *regexp.Regexp
	except   *regexp.Regexp // matches that contain this are not counted
	words    int            // without find: sentences with more words
	comments float64        // the highest rate in a thousand words of the comments of Go files
	most     float64        // the highest rate in a thousand words of every other body
}

// spared is the number of occurrences that a body may always have: a short one has a high rate with a few.
const spared = 2

// habits lists the habits with their limits.
var habits = []habit{
	{name: "more than 40 words", words: 40, comments: 0.1, most: 0.3},
	{name: "so that", find: regexp.MustCompile(`(?i)\bso that\b`), comments: 0.8, most: 0.5},
	{name: "of what", find: regexp.MustCompile(`(?i)\b(of|that is) what\b`), comments: 0.1, most: 0.1},
	{name: "that of", find: regexp.MustCompile(`(?i)\b(that|those|the ones?|ones) of\b`), comments: 1.5, most: 0.7},
	{name: "a leading Of", find: regexp.MustCompile(`^Of (a|an|all|several|the|these)\b`), comments: 0.2, most: 0.3},
	{name: ", too", find: regexp.MustCompile(`, too([.,;:)]|$)`), comments: 0.6, most: 0.4},
	{name: "beside", find: regexp.MustCompile(`(?i)\bbeside\b`), comments: 0.4, most: 0.3},
	{name: "of its own", find: regexp.MustCompile(`(?i)\bof (its|their|our|your) own\b`), comments: 0.5, most: 0.5},
	{name: "the ones", find: regexp.MustCompile(`(?i)\b(the|declared|undeclared) ones\b|\bthe one (that|which|with)\b`), comments: 0.6, most: 0.4},
	{name: "is no", find: regexp.MustCompile(`(?i)\b(is|are|was|were) no [a-z]+`), except: regexp.MustCompile(`(longer|more)$`), comments: 0.8, most: 0.5},
	{name: "grave, mend", find: regexp.MustCompile(`(?i)\b(graver|gravest|mend|mends|mended|mending)\b`), comments: 0.1, most: 0.1},
	{name: "in place of", find: regexp.MustCompile(`(?i)\bin place of\b`), comments: 0.2, most: 0.1},
	{name: "as it is", find: regexp.MustCompile(`(?i)\bas (it is|they are)\b`), comments: 0.5, most: 0.3},
	{name: "a leading So is", find: regexp.MustCompile(`^(So|Nor) (is|are|was|were|do|does|did|has|have|can)\b`), comments: 0.1, most: 0.1},
	{name: ", also in", find: regexp.MustCompile(`, also (as|at|by|for|from|if|in|of|on|the|to|where|with)\b`), comments: 0.3, most: 0.3},
	{name: "a chain of of", find: regexp.MustCompile(`\bof ([\w-]+ ){1,3}of ([\w-]+ ){1,3}of\b`), comments: 0.2, most: 0.1},
	{name: "a long parenthesis inside a sentence", find: regexp.MustCompile(`\w \([^()]{40,}\),? \w`), comments: 0.1, most: 0.4},
	{name: "a verb at the end", find: regexp.MustCompile(`\b(is|are|does|do|has|have|says?|stays?|counts?)\.$`), comments: 1.5, most: 1},
	{name: "place for location", find: regexp.MustCompile(`(?i)\b(in |take |takes |took |takes no )?places?\b`), except: regexp.MustCompile(`(?i)^(in|take|takes|took) `), comments: 0.1, most: 0.2},
	{name: "location as a verb", find: regexp.MustCompile(`\blocations (the|nodes|blocks|secrets|connected)\b`)},
	{name: "form for format", find: regexp.MustCompile(`(?i)\b(rich|tabulated|stringified|plain|binary|wire|original|known|unknown|any|each|every|other|another|same|two|several|all) forms?\b|\bforms? of (a |the |its |an )?(catalog|document|input|output|file|report)s?\b`), comments: 0.2, most: 0.1},
	{name: "whoever", find: regexp.MustCompile(`(?i)\bwhoever\b`), comments: 0.1, most: 0.1},
}

// limit returns the highest rate in a body.
func (h *habit) limit(b *body) float64 {
	if b.name == comments {
		return h.comments
	}
	return h.most
}

// count returns how often the habit occurs in a sentence.
func (h *habit) count(sentence string) int {
	if h.find == nil {
		if len(word.FindAllString(sentence, h.words+1)) > h.words {
			return 1
		}
		return 0
	}
	n := 0
	for _, match := range h.find.FindAllString(sentence, -1) {
		if h.except == nil || !h.except.MatchString(match) {
			n++
		}
	}
	return n
}

var (
	inlineCode = regexp.MustCompile("`[^`\n]*`")
	link       = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	markup     = regexp.MustCompile(`(?s)<!--.*?-->`)
	fenced     = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	bullet     = regexp.MustCompile(`^\s*([-*+]|\d+\.)\s`)
	apart      = regexp.MustCompile(`^(    |\t|  \S|\||#)`) // code, a table or a heading
	end        = regexp.MustCompile(`[.?!:;]["')*]*\s+`)
)

// sentences returns the sentences of a text in Markdown or of a comment, without code, tables and headings. A part
// before a colon or a semicolon is a sentence.
func sentences(text string) []string {
	text = markup.ReplaceAllString(fenced.ReplaceAllString(text, ""), "")
	text = link.ReplaceAllString(inlineCode.ReplaceAllString(text, "CODE"), "$1")
	var list []string
	var paragraph []string
	flush := func() {
		joined := strings.Join(paragraph, " ")
		paragraph = nil
		start := 0
		for _, at := range end.FindAllStringIndex(joined, -1) {
			list = append(list, strings.TrimSpace(joined[start:at[1]]))
			start = at[1]
		}
		if rest := strings.TrimSpace(joined[start:]); rest != "" {
			list = append(list, rest)
		}
	}
	inList := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \r\n")
		switch {
		case strings.TrimSpace(line) == "":
			flush()
			inList = false
		case bullet.MatchString(line):
			flush()
			inList = true
			paragraph = append(paragraph, strings.TrimSpace(bullet.ReplaceAllString(line, "")))
		case apart.MatchString(line) && !(inList && len(paragraph) > 0 && !strings.HasPrefix(line, "    ")):
			flush()
		default:
			paragraph = append(paragraph, strings.TrimSpace(line))
		}
	}
	flush()
	return list
}
