#!/usr/bin/env bash
# Writes the files of the packages that are made from the command itself: manual pages and completions, and builds the
# program that describes its modules.
set -euo pipefail
cd "$(dirname "$0")/.."
out=bin/release
rm -rf "$out"
mkdir -p "$out"/{man,man.gz,completions,sbom,{linux,darwin,windows}_{amd64,arm64}}
unset GOOS GOARCH
(cd tools && go build -o "../$out/about" ./about)
CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$out/pcat" ./cmd/pcat # as in .goreleaser.yaml
"$out/pcat" man --dir "$out/man"
for page in "$out"/man/*.1; do
  gzip -9 -n -c "$page" >"$out/man.gz/$(basename "$page").gz"
done
"$out/pcat" completion bash >"$out/completions/pcat.bash"
"$out/pcat" completion zsh >"$out/completions/_pcat"
"$out/pcat" completion fish >"$out/completions/pcat.fish"
"$out/pcat" completion powershell >"$out/completions/pcat.ps1"
