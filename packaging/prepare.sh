#!/usr/bin/env bash
# Generates the manual pages and completions for the packages, and builds the program that describes its modules.
set -euo pipefail
cd "$(dirname "$0")/.."
out=bin/release
rm -rf "$out"
mkdir -p "$out"/{sbom,{,fleet/}{man,man.gz,completions,{linux,darwin,windows}_{amd64,arm64}}}
unset GOOS GOARCH
(cd tools && go build -o "../$out/about" ./about)
CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$out/pcat" ./cmd/pcat # as in .goreleaser.yaml
(cd fleet && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "../$out/pcatd" ./cmd/pcatd) # as above
for name in pcat pcatd; do
  to=$out
  if [ $name = pcatd ]; then to=$out/fleet; fi
  "$out/$name" man --dir "$to/man"
  for page in "$to"/man/*.1; do
    gzip -9 -n -c "$page" >"$to/man.gz/$(basename "$page").gz"
  done
  "$out/$name" completion bash >"$to/completions/$name.bash"
  "$out/$name" completion zsh >"$to/completions/_$name"
  "$out/$name" completion fish >"$to/completions/$name.fish"
  if [ $name = pcat ]; then "$out/$name" completion powershell >"$to/completions/$name.ps1"; fi
done
