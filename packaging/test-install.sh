#!/usr/bin/env bash
# Before a release is published, installs pcat line by line as README.md and docs/install.md describe. The commands come
# from the pages. Only the hosts are replaced: tools/standin serves this commit as the release on loopback. Commands that
# change the system run in a temporary copy of it.
#
#   packaging/test-install.sh
#
# The packages come from dist/ if it has the version of the pages. Otherwise, only the packages for this machine are built,
# and the others are skipped. `make dist` on the tag builds all.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
version=$(sed -n '/^## [0-9]/{s/^## \([0-9][0-9.]*\).*/\1/p;q}' CHANGELOG.md)
work=$(mktemp -d)
skipped=()
tried=('With Go' 'The server of a fleet') # the sections of docs/install.md
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

skip() { # NAME REASON
  tried+=("$1")
  skipped+=("$1: $2")
}
fail() { echo "test-install: $1" >&2; exit 1; }

# block PAGE HEADING prints the commands below a heading, for the server on loopback.
block() {
  awk -v heading="## $2" '/^#/ { found = $0 == heading } found && sub(/^    /, "")' "$1" | sed "s#https://github.com#$server#g" | grep . ||
    fail "$1 has no commands below \"$2\""
}

# run NAME COMMANDS CHECKS runs the commands of a page, then the checks, as a user whose home directory only contains some
# catalogs. With `copy`, they run in a copy of this system.
run() {
  local name=$1 commands=$2 checks=$3 system=("${@:4}")
  printf '\n-- %s\n%s\n' "$name" "$commands"
  mkdir -p "$work/home"
  cp -r testdata/pages/shop/catalogs "$work/home/catalogs"
  printf '%s\n' 'set -euo pipefail' 'cd' ". '$work/prepare'" "$commands" "$checks" >"$work/trial"
  (
    export HOME=$work/home "${settings[@]}"
    unset GOBIN GOPATH GOMODCACHE GOWORK
    "${system[@]}" bash "$work/trial"
  ) >"$work/log" 2>&1 || { cat "$work/log"; fail "$name: this fails"; }
  sed -n 's/^ok: /   /p' "$work/log"
  chmod -R u+w "$work/home"
  rm -rf "${work:?}/home"
}

# copy runs a command in a copy of this system. All changes are kept in memory and lost at the end.
copy() { WORK=$work unshare --mount --propagation private bash "$work/copy" "$@"; }
cat >"$work/copy" <<'SCRIPT'
set -euo pipefail
cd /
mkdir "$WORK/system"
trap 'rmdir "$WORK/system"' EXIT
mount -t tmpfs tmpfs "$WORK/system"
mkdir "$WORK"/system/{upper,work,root}
root=$WORK/system/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$WORK/system/upper,workdir=$WORK/system/work" "$root"
mkdir -p "$root$WORK"
mount --bind "$WORK" "$root$WORK"
for dir in dev proc sys; do mount --rbind /$dir "$root/$dir"; done
rm -f "$root"/etc/dpkg/dpkg.cfg.d/* # in containers, these omit manual pages
printf '#!/bin/sh\nexec "$@"\n' >"$root/usr/bin/sudo"
chmod 755 "$root/usr/bin/sudo"
code=0
chroot "$root" "$@" || code=$?
umount -R "$WORK/system"
exit $code
SCRIPT

# The checks of all trials. Each prints its result after "ok: ".
cat >"$work/prepare" <<SCRIPT
runs() { # PROGRAM: it works, and its version is that of the page
  local code=0
  [[ \$("\$@" version) == "pcat v$version "* ]] || { "\$@" version; return 1; }
  "\$@" audit catalogs >audit.txt || code=\$?
  [ \$code = 1 ] && grep -q 'File\[/etc/shop' audit.txt || { cat audit.txt; return 1; }
  echo "ok: \$("\$@" version), and it audits"
}
SCRIPT
cat >>"$work/prepare" <<'SCRIPT'
helps() { # man and the shells find the manual pages and completions
  # shown NAME COMMAND: the output of COMMAND contains pcat's page or completion
  shown() {
    if ! command -v "$1" >/dev/null; then echo "ok: not checked with $1, which is not here"; return; fi
    "${@:2}" >shown.txt 2>&1 || { echo "$1 does not know pcat:"; cat shown.txt; return 1; }
    echo "ok: $1 knows pcat"
  }
  shown man man -w pcat-audit
  if [ -e /usr/share/bash-completion/bash_completion ]; then
    shown bash bash -c '. /usr/share/bash-completion/bash_completion
      _completion_loader pcat || true
      COMP_WORDS=(pcat aud) COMP_CWORD=1 COMP_LINE="pcat aud" COMP_POINT=8 COMP_TYPE=9
      __start_pcat && [[ ${COMPREPLY[*]} == audit* ]]'
  else
    shown bash-completion
  fi
  # Only Red Hat's zsh has this directory in its path.
  shown zsh zsh -fc 'fpath=(/usr/share/zsh/site-functions $fpath)
    autoload -Uz compinit && compinit -u && [[ $_patcomps[pcat] == _pcat ]] && autoload +X _pcat'
  shown fish fish -c 'complete -C "pcat aud" | string match -q -r "^audit"'
}

# Replacements for programs that this machine does not have.
curl.exe() { curl "$@"; }
tar.exe() { # -xf ARCHIVE FILE...
  unzip -q "${@:2}"
}
docker() {
  local store=(--storage-driver vfs --root "$HOME/store" --runroot "$HOME/run") options=() entrypoint container
  case $1 in
    build) buildah "${store[@]}" build --isolation chroot "${@:2}" ;;
    run)
      shift
      while [[ $1 == -* ]]; do
        case $1 in
          --rm) shift ;;
          *) options+=("$1" "$2"); shift 2 ;;
        esac
      done
      container=$(buildah "${store[@]}" from --pull-never "$1")
      entrypoint=$(buildah "${store[@]}" inspect --type image --format '{{index .OCIv1.Config.Entrypoint 0}}' "$1")
      buildah "${store[@]}" run --isolation chroot "${options[@]}" "$container" -- "$entrypoint" "${@:2}"
      ;;
  esac
}
SCRIPT

# The release is this commit with its packages, served by tools/standin.
packages=$root/dist
if ! [ -e "dist/pcat_${version}_linux_amd64.tar.gz" ]; then
  if [ -e dist ]; then skip dist/ "its packages are not of version $version"; fi
  packages=$work/packages
  mkdir "$packages"
fi
(cd tools && go build -o ../bin/standin ./standin)
mkfifo "$work/open" "$work/address"
bin/standin -repo "$root" -version "v$version" -packages "$packages" "$work/published" <"$work/open" >"$work/address" &
exec 9>"$work/open"
read -r server <"$work/address" || fail "the server does not start"

# Other modules come from the module cache of this machine, or else from their usual source. With -trimpath, the build
# cache works for every directory. Without cgo, the program can also be used for the packages.
settings=(
  "GOPROXY=$server/proxy,file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)"
  "GONOSUMDB=github.com/pcatdev,$(go env GONOSUMDB)" "GOFLAGS=-modcacherw -trimpath" "GOCACHE=$(go env GOCACHE)"
  GOTOOLCHAIN=local CGO_ENABLED=0
)

shallow=$(git rev-parse --is-shallow-repository)
if [ "$shallow" = false ]; then
  run 'README.md: Try it' "$(block README.md 'Try it') >audit.txt || [ \$? = 1 ]" \
    "grep -q 'File\[/etc/shop' audit.txt && echo 'ok: it audits'"
else
  skip 'README.md: Try it' 'this repository is shallow, and cannot be cloned from a server of files'
fi
run 'README.md: Install' "$(block README.md Install)" "runs \"\$(go env GOPATH)/bin/pcat\""
run 'README.md: As a library' "go mod init example.com/new
$(block README.md 'As a library')" "gzip -c '$root/testdata/catalogs/webstack/rich.json' >catalog.json.gz
  { printf 'package main\nimport (\n\"fmt\"\n\"github.com/pcatdev/pcat/catalog\"\n)\nfunc main() {\n'
    sed -n '/^\`\`\`go$/,/^\`\`\`$/{/^\`\`\`/d;p}' '$root/README.md'; echo '}'; } >main.go
  go run . >out.txt && grep . out.txt && echo \"ok: \$(cat out.txt)\""
run 'docs/install.md: With Go' "$(block docs/install.md 'With Go')" \
  "runs \"\$(go env GOPATH)/bin/pcat\"; cp \"\$(go env GOPATH)/bin/pcat\" '$work/pcat'"
# shellcheck disable=SC2016
run 'docs/install.md: The server of a fleet' "$(block docs/install.md 'The server of a fleet')
$(block docs/install.md 'The server of a fleet' | sed 's/@v.*/@latest/')" '
  "$(go env GOPATH)/bin/pcatd" --help >help.txt
  grep -q "^  serve " help.txt
  go version -m "$(go env GOPATH)/bin/pcatd" >modules.txt
  awk '"'"'$1 == "mod" || $1 == "dep" && $2 == "github.com/pcatdev/pcat" { print "ok:", $2, $3 }'"'"' modules.txt'

# Without dist/, packages for this machine are built with the installed program.
if [ "$packages" != "$root/dist" ]; then
  if [ "$(go env GOOS)/$(go env GOARCH)" = linux/amd64 ]; then
    packaging/prepare.sh
    platform=bin/release/linux_amd64
    bin/release/about -sbom $platform/pcat.cdx.json -notices $platform/THIRD_PARTY_NOTICES.txt bin/release/pcat
    (cd tools/release && go build -o ../../bin/release/nativepkg ./nativepkg)
    bin/release/nativepkg -version "v$version" "$work/pcat" "$packages/pcat_${version}_amd64.deb"
    bin/release/nativepkg -version "v$version" "$work/pcat" "$packages/pcat-${version}-1.x86_64.rpm"
    tar -czf "$packages/pcat_${version}_linux_amd64.tar.gz" LICENSE README.md CHANGELOG.md SECURITY.md -C "$work" pcat \
      -C "$root/packaging" Containerfile \
      -C "$root/bin/release" man completions -C linux_amd64 pcat.cdx.json THIRD_PARTY_NOTICES.txt
    (cd "$packages" && sha256sum -- * >checksums.txt)
  fi
fi

# try HEADING CHECKS [copy] runs a section of docs/install.md, if its package exists here.
try() {
  local commands file
  tried+=("$1")
  commands=$(block docs/install.md "$1")
  if [[ $commands == *' audit '* ]]; then commands+=' >audit.txt || [ $? = 1 ]'; fi # it has findings
  while read -r file; do
    if ! [ -e "$packages/$file" ]; then
      skip "$1" "$file is made by make dist, on the tag v$version"
      return
    fi
  done < <(grep -o '/releases/download/[^ ]*' <<<"$commands" | sed 's#.*/##')
  if [ "${3:-}" = copy ] && ! copy true 2>"$work/log"; then
    skip "$1" "a copy of the system needs root, overlayfs and mount namespaces"
    return
  fi
  run "docs/install.md: $1" "$commands" "$2" "${3:-env}"
}

with() { command -v "$1" >/dev/null; }

if with dpkg; then
  try 'Debian, Ubuntu' 'runs /usr/bin/pcat; helps; dpkg --verify pcat; sudo dpkg -P pcat; ! command -v pcat' copy
else
  skip 'Debian, Ubuntu' 'dpkg is not here'
fi
if with rpm; then
  try 'Red Hat, SUSE' 'runs /usr/bin/pcat; helps; rpm -V pcat; sudo rpm -e pcat; ! command -v pcat' copy
else
  skip 'Red Hat, SUSE' 'rpm is not here'
fi
try 'Other Linux systems' 'runs /usr/local/bin/pcat; helps' copy
# These programs are for other systems.
# shellcheck disable=SC2016
try 'macOS' '[ "$(od -An -tx4 -N4 /usr/local/bin/pcat)" = " feedfacf" ] && echo "ok: installed, not run"' copy

if with unzip; then
  # shellcheck disable=SC2016
  try Windows '[ "$(head -c 2 pcat.exe)" = MZ ] && [ -s completions/pcat.ps1 ] && echo "ok: unpacked, not run"'
else
  skip Windows 'unzip is not here'
fi
if with buildah && copy true 2>/dev/null; then
  try 'A container' 'grep -q "File\[/etc/shop" audit.txt && echo "ok: it audits in a container, built and run by buildah in place of docker"' copy
else
  skip 'A container' 'buildah, root, overlayfs or mount namespaces are not here'
fi

# The GitLab template also refers to its scripts by the address of the release.
if [ -e "$packages/pcat_${version}_linux_amd64.tar.gz" ]; then
  checksums=$(sed -n 's/^ *\([0-9a-f]\{64\}  .*\)/\1/p' pipelines/gitlab.yml)
  steps() { sed -n "/^  $1:/,/^  [a-z]/s/^    - //p" pipelines/gitlab.yml; }
  run 'pipelines/gitlab.yml' "$(steps before_script)
$(steps script) || [ \$? = 1 ]" 'runs pcat; [ -s pcat-reports/audit.xml ] && echo "ok: pcat-reports/audit.xml"' env \
    CI_PROJECT_DIR="$work/home" PCAT_BIN="$work/home/.pcat" PCAT_VERSION="v$version" PCAT_CATALOGS=catalogs PCAT_CHECKSUMS="$checksums" \
    PCAT_SCRIPTS="$server/pcatdev/pcat/raw/v$version/pipelines" PCAT_RELEASES="$server/pcatdev/pcat/releases/download" \
    PCAT_BASELINE=audit-baseline.jsonl PCAT_FAIL_ON=high PCAT_REPORTS=pcat-reports PCAT_REDACTED=
else
  skip pipelines/gitlab.yml 'it needs the archive for Linux'
fi

# The hooks, as pre-commit builds them.
if with pre-commit && [ "$shallow" = false ]; then
  # shellcheck disable=SC2016
  run 'docs/pipelines.md: pre-commit' "{ echo repos:; cat <<'CONFIGURATION'
$(awk '/^#/ { found = $0 == "## pre-commit" } found && /^```$/ { exit } found && shown; found && /^```yaml/ { shown = 1 }' docs/pipelines.md | sed "s#https://github.com#$server#")
CONFIGURATION
} >.pre-commit-config.yaml
git init --quiet
git add .
pre-commit run --all-files >hooks.txt || [ \$? = 1 ]" '
    [ "$(grep -c "^[a-z -]* [a-z]*\.*Failed$" hooks.txt)" = 2 ] && grep -q "File\[/etc/shop" hooks.txt || { cat hooks.txt; false; }
    echo "ok: both hooks find secrets"'
else
  skip 'docs/pipelines.md: pre-commit' 'pre-commit is not here, or this repository is shallow'
fi

# A section that is added to the page must also be tested here.
while read -r heading; do
  known=
  for name in "${tried[@]}"; do if [ "$name" = "$heading" ]; then known=1; fi; done
  [ -n "$known" ] || fail "docs/install.md: \"$heading\" has commands that are not tried"
done < <(awk '/^## / { heading = substr($0, 4) } /^    / && heading != last { print heading; last = heading }' docs/install.md)

printf '\nthe commands of README.md and docs/install.md install pcat %s\n' "$version"
for reason in ${skipped[@]+"${skipped[@]}"}; do echo "skipped: $reason"; done
