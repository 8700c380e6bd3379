# The commands of daily work. `make` alone runs the checks for every change.

SHELL       = bash
.SHELLFLAGS = -o pipefail -c

LINT      = go tool -modfile=tools/go.mod golangci-lint
BENCHSTAT = go tool -modfile=tools/go.mod benchstat
FUZZTIME ?= 30s
COUNT    ?= 6

.PHONY: all build test race lint fmt tidy fuzz bench microbench vectors reference sections regress update picture cover dist site

all: build lint test

# Without cgo, the program is one file that needs no C library, and starts in two thirds of the time. The file is
# copied, because the linker writes it page by page, and Linux then maps it page by page. A copy is written at once,
# so Linux maps it in larger pieces, and it starts in three quarters of the time.
build:
	CGO_ENABLED=0 go build -trimpath -o bin/pcat.linked ./cmd/pcat
	install bin/pcat.linked bin/pcat
	rm bin/pcat.linked

test:
	go test ./...

race:
	go test -race ./...

lint:
	go vet ./...
	$(LINT) run

fmt:
	$(LINT) fmt

tidy:
	tools/tidy.sh

# Runs each fuzz target for FUZZTIME, or only the targets that match FUZZ: make fuzz FUZZ=Decode FUZZTIME=1h
fuzz:
	tools/fuzz.sh $(FUZZTIME) $(FUZZ)

# Measures pcat and its peers in one run, see bench/doc.go: make bench BENCH='-sizes large -jobs command'. A run of all
# jobs writes the table of docs/performance.md, and the numbers of other pages that cite it.
bench:
	cd bench && go run . -page ../docs/performance.md $(BENCH)
	go test ./cmd/pcat -run TestNumbers -update

# Runs the benchmarks of the packages and writes bench.out. OLD=FILE compares the result with an earlier one.
microbench:
	go test -run '^$$' -bench . -benchmem -count $(COUNT) ./... | tee bench.out
	$(BENCHSTAT) $(OLD) bench.out

# Compares pcat with recorded answers of real Puppet. PCAT_VECTORS=DIR uses other answers.
vectors:
	go test ./internal/test/conformance -run TestVectors -v -count 1 | grep -E '^(vectors|    |ok|FAIL)'

# Compares pcat with the Puppet or OpenVox in a directory, using the vectors and generated questions, and writes the
# table of docs/puppet-versions.md: make reference PUPPET=/opt/openvox-9.0.0 MODULEPATH=modules. If MODULEPATH contains
# puppetlabs-stdlib, its functions are also compared.
QUESTIONS ?= 200000
reference:
	go run ./internal/test/reference/questions -puppet $(PUPPET) -n $(QUESTIONS) -modulepath "$(MODULEPATH)" -record

# Compares pcat with a release by the programs of docs/specification.md, and writes the commit and the day to its table.
sections:
	go run ./internal/test/reference/questions -puppet $(PUPPET) -sections

# Compares the output of the commands with the output at another revision, see internal/test/regress:
# make regress BASE=main REGRESS=-short
regress:
	go run ./internal/test/regress -base $(BASE) $(REGRESS)

# Writes the current output of the commands to the scripts and the pages of docs/, with their pictures and the pages of
# the rules. Review the diff before you commit it.
update:
	go test ./cmd/pcat -run 'TestScripts|TestPages|TestPictures|TestRulePages|TestOwnWords|TestNumbers' -update

# Takes a screenshot of the audit page with chromium.
picture:
	dir=$$(mktemp -d) && trap 'rm -r "$$dir"' EXIT && \
	go run ./cmd/pcat audit --fail-on none --format html -o "$$dir/audit.html" testdata/pages/shop/catalogs && \
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1100,980 \
		--screenshot=docs/pictures/page.png "file://$$dir/audit.html"

cover:
	go test -coverpkg ./... -coverprofile cover.out ./...
	go tool cover -html cover.out -o cover.html
	@go tool cover -func cover.out | tail -n 1

# Builds the documentation as a site in site/, and fails for dead links: open site/index.html.
site:
	tools/site/build.sh

# Builds the packages of a release in dist/, for the tag of this commit, or else a snapshot. It builds them twice, in
# two directories, and compares the checksums.
dist:
	packaging/dist.sh
