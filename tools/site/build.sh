#!/usr/bin/env bash
# Builds the site of the documentation into site/: the pages of docs/ and of the root folder, and the pages of the
# commands, which pcat and pcatd write themselves. A dead link is an error, also one to a heading or to a file of the repository.
# The site can be read without a server, and has a search of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
content=$PWD/bin/site/content
rm -rf bin/site site
mkdir -p "$content"/docs/{rules,tutorials,commands} bin/site/static/docs

cp ./*.md "$content/"
mv "$content/README.md" "$content/_index.md"
cp docs/*.md "$content/docs/"
cp docs/rules/*.md "$content/docs/rules/"
cp docs/tutorials/*.md "$content/docs/tutorials/"
mv "$content/docs/rules/README.md" "$content/docs/rules/_index.md"
printf -- '---\nbuild: {render: never, list: never}\n---\n' >"$content/docs/_index.md" # a folder without a page
cp "$content"/docs/{,tutorials/}_index.md
cp -r docs/pictures bin/site/static/docs/
go run ./cmd/pcat man --markdown --dir "$content/docs/commands"
mv "$content/docs/commands/pcat.md" "$content/docs/commands/_index.md"
mkdir "$content/docs/pcatd"
(cd fleet && go run ./cmd/pcatd man --markdown --dir "$content/docs/pcatd")
mv "$content/docs/pcatd/pcatd.md" "$content/docs/pcatd/_index.md"

root=$PWD
cd tools/site
go tool hugo --source . --contentDir "$content" --destination "$root/site" >"$root/bin/site/log" 2>&1 ||
  { cat "$root/bin/site/log"; exit 1; }
cp -r "$root"/bin/site/static/. "$root/site/"
go run ./links "$root/site" "$root"
