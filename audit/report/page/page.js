// The page: what it shows of the report.

const report = read(readData());
const all = totals(report.findings);
const owned = report.kinds.some((k) => k.owner);

const VIEWS = [
  ['location', 'Locations', 'A location is a line of a manifest: a change there repairs all its findings. Without a line, it is a parameter.'],
  ['secret', 'Secrets', 'Equal values have the same tag, such as #1, on all nodes. Only a range of the length and the kind of characters are shown.'],
  ['node', 'Nodes', 'The nodes with findings, the most severe first.'],
  ['rule', 'Rules', 'The rules with findings, with their meaning and the fix.'],
  ['table', 'Findings', 'A finding is one secret or practice at one location on one node. Click a row for all its facts, and a heading to sort.'],
];

// The table of findings.
const COLUMNS = [
  ['severity', 'Severity', (f) => [badge(f.kind.severity)]],
  ['resource', 'Resource', (f) => [f.kind.resource || f.pointer], true],
  ['rule', 'Rule', (f) => [f.kind.rule.name]],
  ['manifest', 'Manifest', (f) => [h('bdi', { dir: 'ltr' }, f.kind.declared)]],
  ['value', 'Value', (f) => [f.kind.masked]],
  ...(owned ? [['owner', 'Owner', (f) => [f.kind.owner]]] : []),
  ['node', 'Node', (f) => [f.catalog.label]],
];

function show(view) {
  if (view === 'table') drawTable(order(selected.shown, ORDERS[state.sort], state.descending), COLUMNS, 'Table of findings', showFinding);
  else drawGroups(group(selected.shown, view), view, rowOf);
}

function ruleLabel(facet, value) {
  if (facet !== 'rule') return undefined;
  const { name, severity } = report.rules.get(value);
  return { label: name, title: `${name} (${value})`, tone: severity };
}

// showInTable shows the findings of a group in the table.
function showInTable(g) {
  change({ view: 'table', [g.by]: g.key });
  byId('views').scrollIntoView({ block: 'nearest' });
}

function legend() {
  const term = (name, n, text) => [h('dt', {}, name, ' ', quiet(number(n))), h('dd', {}, text)];
  byId('legend').append(...[
    term('Findings', all.table, 'One secret, or one practice, at one location on one node. The tiles and the bars count findings: those that a click shows.'),
    term('Locations', all.location, VIEWS[0][2]),
    term('Secrets', all.secret, VIEWS[1][2] + ' Practices without a value count once for each rule.'),
    term('Nodes', all.node, 'Nodes with findings. Several catalogs of one node count once; a catalog without a node counts as one.'),
    term('Leaks', report.findings.filter((f) => f.kind.class === 'leak').length, 'Secrets in plain text. Practices make leaks likely, such as weak passwords.'),
  ].flat());
}

legend();
byId('export-csv').addEventListener('click', () => save('audit.csv', 'text/csv', csvText(selected.shown)));
byId('export-json').addEventListener('click', () => save('audit.json', 'application/json', jsonText(report, selected.shown)));
startList({
  items: report.findings, noun: 'finding',
  facets: FACETS, ranked: 'severity', ranks: [...SEVERITIES].reverse(),
  segments: 'class', labels: [['leak', 'Leaks'], ['policy', 'Practices']],
  bars: [['rule', 'Rules'], ['node', 'Nodes'], ...(owned ? [['owner', 'Owners']] : []), ['type', 'Types of resource']], nameOf: ruleLabel,
  testOf: (name, want) => testOfNode(report.catalogs, name, want), wordsOf: (words) => wordTest(report.kinds, report.catalogs, (f) => f.catalog, words),
  views: VIEWS, totals, sort: 'severity', orders: Object.keys(ORDERS), show,
});
byId('breakdown').open = false; // what to repair first is near the top
