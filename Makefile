# The commands of daily work. `make` alone does what a change has to pass.

SHELL       = bash
.SHELLFLAGS = -o pipefail -c

LINT      = go tool -modfile=tools/go.mod golangci-lint
BENCHSTAT = go tool -modfile=tools/go.mod benchstat
FUZZTIME ?= 30s
COUNT    ?= 6

.PHONY: all build test race lint fmt tidy fuzz bench microbench vectors reference regress update picture cover dist site

all: build lint test

# Without cgo: it is one file that needs no C library, and starts in two thirds of the time. It is a copy:
# the linker writes page by page, and Linux then keeps and maps the file page by page, too; what is written
# at once it maps in larger pieces, and starts in three quarters of the time.
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

# Each fuzz target in turn for FUZZTIME, or those that match FUZZ: make fuzz FUZZ=Decode FUZZTIME=1h
fuzz:
	tools/fuzz.sh $(FUZZTIME) $(FUZZ)

# pcat and its peers in one run, see bench/doc.go: make bench BENCH='-sizes large -jobs command'. A run of all jobs writes the
# table of docs/performance.md, and the numbers of other pages that cite it.
bench:
	cd bench && go run . -page ../docs/performance.md $(BENCH)
	go test ./cmd/pcat -run TestNumbers -update

# The benchmarks of the packages. Writes bench.out; with OLD=FILE compares it with that.
microbench:
	go test -run '^$$' -bench . -benchmem -count $(COUNT) ./... | tee bench.out
	$(BENCHSTAT) $(OLD) bench.out

# How pcat stands against the answers of real Puppet. PCAT_VECTORS=DIR takes others.
vectors:
	go test ./internal/test/conformance -run TestVectors -v -count 1 | grep -E '^(vectors|    |ok|FAIL)'

# Compares pcat with the Puppet or OpenVox in a folder, by the vectors and generated questions, and writes the table of
# docs/puppet-versions.md: make reference PUPPET=/opt/openvox-9.0.0 MODULEPATH=modules. With puppetlabs-stdlib on the
# MODULEPATH, it asks its functions, too.
QUESTIONS ?= 200000
reference:
	go run ./internal/test/reference/questions -puppet $(PUPPET) -n $(QUESTIONS) -modulepath "$(MODULEPATH)" -record

# Compares what the commands write with what those of another revision write, see internal/test/regress:
# make regress BASE=main REGRESS=-short
regress:
	go run ./internal/test/regress -base $(BASE) $(REGRESS)

# Writes what the commands print now into the scripts and the pages of docs/, with their pictures and the pages of
# the rules. Read the difference before you commit it.
update:
	go test ./cmd/pcat -run 'TestScripts|TestPages|TestPictures|TestRulePages|TestOwnWords|TestNumbers' -update

# Takes the picture of the page that an audit writes, with chromium.
picture:
	dir=$$(mktemp -d) && trap 'rm -r "$$dir"' EXIT && \
	go run ./cmd/pcat audit --fail-on none --format html -o "$$dir/audit.html" testdata/pages/shop/catalogs && \
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1100,980 \
		--screenshot=docs/pictures/page.png "file://$$dir/audit.html"

cover:
	go test -coverpkg ./... -coverprofile cover.out ./...
	go tool cover -html cover.out -o cover.html
	@go tool cover -func cover.out | tail -n 1

# The documentation as a site in site/, without dead links: open site/index.html.
site:
	tools/site/build.sh

# The packages of a release, in dist/: of the tag of this commit, or else a snapshot. It builds them twice, in two
# folders, and compares the checksums.
dist:
	packaging/dist.sh
