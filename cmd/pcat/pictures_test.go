package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPictures checks that the pictures of terminals in docs/pictures show the output of
// their commands, in testdata/pages/shop. With -update, it writes them.
func TestPictures(t *testing.T) {
	root := filepath.Join("..", "..")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata", "pages", "shop"))); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		commands []string
	}{
		{"audit", []string{"pcat audit catalogs"}},
		{"web01", []string{"pcat audit catalogs/web01.json"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var screen strings.Builder
			status := 0
			for _, line := range tt.commands {
				cmd := exec.Command("sh", "-c", strings.ReplaceAll(line, "$?", fmt.Sprint(status)))
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "CLICOLOR_FORCE=1", "TERM=xterm-256color", "NO_COLOR=")
				out, _ := cmd.CombinedOutput() // the picture shows a status other than 0
				status = cmd.ProcessState.ExitCode()
				fmt.Fprintf(&screen, "\x1b[32m$\x1b[0m \x1b[1m%s\x1b[0m\n%s", line, out)
			}
			picture := svg(strings.Join(tt.commands, "; "), screen.String())
			file := filepath.Join(root, "docs", "pictures", tt.name+".svg")
			if updating(t) {
				if err := os.WriteFile(file, []byte(picture), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if read(t, file) != picture {
				t.Errorf("%s does not show the output of %q; run make update", file, tt.commands)
			}
		})
	}
}

// The picture of a terminal, in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 19
	fontSize   = 14
	border     = 16
	columns    = 80 // at least
)

var (
	escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")
	gap    = regexp.MustCompile(" {2,}")
)

// svg draws a screen with ANSI colours.
func svg(title, screen string) string {
	rows := strings.Split(strings.TrimRight(screen, "\n"), "\n")
	width := columns
	for _, row := range rows {
		width = max(width, utf8.RuneCountInString(escape.ReplaceAllString(row, "")))
	}
	var b strings.Builder
	w, h := int(float64(width)*cellWidth)+2*border, len(rows)*cellHeight+2*border
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n",
		w, h, w, h, escaped(title))
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(title))
	fmt.Fprintf(&b, `<style>text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3}`, fontSize)
	b.WriteString(".bold{font-weight:600}.dim{fill:#9198a1}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.blue{fill:#79c0ff}.magenta{fill:#d2a8ff}.cyan{fill:#76e3ea}</style>\n")
	b.WriteString(`<rect width="100%" height="100%" rx="8" fill="#0d1117"/>` + "\n")
	for i, row := range rows {
		drawRow(&b, row, border+(i+1)*cellHeight-5)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// drawRow draws one row of a screen, in pieces of one style without gaps, so that columns
// are aligned in any font.
func drawRow(b *strings.Builder, row string, y int) {
	style, column := "", 0
	for row != "" {
		at := escape.FindStringSubmatchIndex(row)
		text := row
		if at != nil {
			text = row[:at[0]]
		}
		for text != "" {
			piece, blanks := text, ""
			if g := gap.FindStringIndex(text); g != nil {
				piece, blanks = text[:g[0]], text[g[0]:g[1]]
			}
			text = text[len(piece)+len(blanks):]
			drawText(b, piece, style, column, y)
			column += utf8.RuneCountInString(piece) + len(blanks)
		}
		if at == nil {
			return
		}
		style = styleOf(row[at[2]:at[3]], style)
		row = row[at[1]:]
	}
}

func drawText(b *strings.Builder, piece, style string, column, y int) {
	trimmed := strings.TrimLeft(piece, " ")
	column += len(piece) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, " ")
	n := utf8.RuneCountInString(trimmed)
	if n == 0 {
		return
	}
	class := ""
	if style != "" {
		class = fmt.Sprintf(` class="%s"`, style)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f"%s>%s</text>`+"\n", border+float64(column)*cellWidth, y, float64(n)*cellWidth, class, escaped(trimmed))
}

// styleOf returns the classes after the codes of an escape sequence.
func styleOf(codes, style string) string {
	names := map[string]string{"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow", "34": "blue", "35": "magenta", "36": "cyan"}
	for code := range strings.SplitSeq(codes, ";") {
		if code == "" || code == "0" {
			style = ""
		} else if name := names[code]; name != "" {
			style = strings.TrimSpace(style + " " + name)
		}
	}
	return style
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer has no errors
	return b.String()
}
