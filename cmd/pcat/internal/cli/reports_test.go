package cli

import "testing"

func TestFormOf(t *testing.T) {
	r := ReportFlags{Formats: []ReportFormat{
		{"text", []string{".txt"}}, {"html", []string{".html", ".htm"}}, {"json", []string{".json"}}, {"jsonl", []string{".jsonl", ".ndjson"}},
		{"sarif", []string{".sarif", ".sarif.json"}}, {"github", nil},
	}}
	for file, want := range map[string]string{
		"a.txt": "text", "a.html": "html", "a.htm": "html", "a.json": "json", "a.jsonl": "jsonl", "dir/a.ndjson": "jsonl", "a.sarif": "sarif",
		"a.sarif.json": "sarif", "A.SARIF": "sarif", "a.jsonl.gz": "jsonl", "a.html.zst": "html", "a": "", "a.log": "", "html": "", "a.gz": "",
	} {
		format, ok := r.formatOf(file)
		if format != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v", file, format, ok)
		}
	}
}
