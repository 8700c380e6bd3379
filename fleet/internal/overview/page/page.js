// The page: what it shows of a fleet.

const fleet = read(readData());

const VIEWS = [
  ['repair', 'Repairs', 'A repair is one change to a resource that removes its findings on all nodes. The most urgent ones come first: by severity, nodes and age.'],
  ['owner', 'Owners', 'The owners of manifests, with what they have to repair.'],
  ['secret', 'Secrets', 'Equal values are one secret on all nodes. Open one to see where it is declared, and where its copies are.'],
  ['node', 'Nodes', 'The nodes with findings, the most severe first. Search for a part of a name.'],
  ['rule', 'Rules', 'The rules with findings, with their meaning and the fix.'],
  ['table', 'Findings', 'A finding is one secret or practice on one node. Click a row for all its facts, and a heading to sort.'],
];

// The table of findings.
const COLUMNS = [
  ['severity', 'Severity', (f) => [badge(f.kind.severity)]],
  ['resource', 'Resource', (f) => [f.kind.resource || HIDDEN_PLACE], true],
  ['rule', 'Rule', (f) => [f.kind.rule.name]],
  ['manifest', 'Manifest', (f) => [h('bdi', { dir: 'ltr' }, f.kind.declared)]],
  ['owner', 'Owner', (f) => [f.kind.owner]],
  ['node', 'Node', (f) => [f.node.label]],
  ['age', 'Age', (f) => [ageOf(f.days)]],
];

function show(view) {
  if (view === 'table') drawTable(order(selected.shown, ORDERS[state.sort], state.descending), COLUMNS, 'Table of findings', showFinding);
  else drawGroups(group(selected.shown, view), view, rowOf);
}

// labelOf returns the label of a value of a facet.
function labelOf(facet, value) {
  if (facet === 'owner' && value === NO_OWNER) return { label: 'No owner' };
  if (facet !== 'rule') return undefined;
  const { name, severity } = fleet.rules.get(value);
  return { label: name, title: `${name} (${value})`, tone: severity };
}

// showInTable shows the findings of a group in the table.
function showInTable(g) {
  change({ view: 'table', [g.by]: g.key });
  byId('views').scrollIntoView({ block: 'nearest' });
}

const CLEAN_SHOWN = 10;

// drawClean names the nodes without findings that the search matches.
function drawClean() {
  const nodes = cleanNodes(fleet, [...state.text.toLowerCase().split(/\s+/), state.node.toLowerCase()].filter(Boolean));
  const names = nodes.slice(0, CLEAN_SHOWN).map((n) => `${visible(n.label)} (last catalog ${dayOf(n.seen)})`).join(', ');
  byId('clean').textContent = nodes.length ? `Without open findings: ${names}${nodes.length > CLEAN_SHOWN ? ` and ${number(nodes.length - CLEAN_SHOWN)} more` : ''}` : '';
}

// csvText returns findings as pcatd findings --format csv.
function csvText(findings) {
  const header = ['severity', 'feed', 'node', 'rule', 'location', 'count', 'first_seen', 'last_seen', 'gone', 'fingerprint', 'accepted', 'repair', 'owner'];
  const time = (seconds) => (seconds ? new Date(seconds * 1000).toISOString().replace('.000Z', 'Z') : '');
  const rows = findings.map(({ kind: k, node, first, last, count, accepted }) => [
    k.severity, node.feed, node.name, k.rule.id, k.resource, String(count), time(first), time(last), '', k.fingerprint, time(accepted), k.repair, k.owner,
  ].map((cell) => harmless(visible(cell))));
  return [header, ...rows].map((row) => row.map(quoted).join(',') + '\n').join('');
}

function legend() {
  const term = (name, text) => [h('dt', {}, name), h('dd', {}, text)];
  byId('legend').append(...[
    term('Findings', 'One secret, or one practice, on one node. The tiles and the bars count findings: those that a click shows.'),
    term('Repairs', VIEWS[0][2]),
    term('Secrets', VIEWS[2][2] + ' Only a range of the length and the kind of characters are shown.'),
    term('Age', 'The time since the finding was first seen. It is kept when lines move, and when the finding is gone for up to 90 days.'),
    term('Accepted', 'Findings that a decision accepts; they are not in other numbers. The decisions are below the list.'),
  ].flat());
}

drawTrend(fleet.days, fleet.time);
legend();
byId('export-csv').addEventListener('click', () => save('findings.csv', 'text/csv', csvText(selected.shown)));
startList({
  items: fleet.findings, noun: 'finding',
  facets: FACETS, ranked: 'severity', ranks: [...SEVERITIES].reverse(),
  segments: 'state', labels: [['open', 'Open'], ['accepted', 'Accepted']], standard: { state: 'open' },
  bars: [['owner', 'Owners'], ['age', 'Ages'], ['rule', 'Rules'], ['node', 'Nodes']], nameOf: labelOf,
  testOf: (name, want) => testOfNode(fleet.nodes, name, want), wordsOf: (words) => wordTest(fleet.kinds, fleet.nodes, (f) => f.node, words),
  views: VIEWS, totals, sort: 'severity', orders: Object.keys(ORDERS), show, drawn: drawClean,
});
byId('breakdown').open = false; // what to repair first is near the top
