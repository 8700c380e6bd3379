// The page: what it shows of the report.

const report = read(readData());

const VIEWS = [
  ['sets', 'Change sets', 'A change set is a group of changes that the same nodes have. The gravest ones are first, then those of most nodes.'],
  ['nodes', 'Nodes', 'Click a node for its change sets, and a heading to sort.'],
  ['changes', 'Changes', 'Each change once, whatever the number of its nodes. Click a row for all of it, and a heading to sort.'],
];

const rankBadge = (i) => (i < RANKS.length ? badge(RANKS[i]) : '');

// The tables of nodes and of changes.
const NODE_COLUMNS = [
  ['rank', 'Rank', (n) => [rankBadge(n.rankIndex)]],
  ['name', 'Node', (n) => [n.name], true],
  ['state', 'State', (n) => [n.state]],
  ['changes', 'Changes', (n) => [n.changes ? number(n.changes) : '']],
  ['open', 'To review', (n) => [n.open ? number(n.open) : '']],
  ['sets', 'Sets', (n) => [n.sets ? number(n.sets) : '']],
];
const NODE_ORDERS = { rank: (n) => -n.rankIndex, name: (n) => n.name, state: (n) => n.state, changes: (n) => n.changes, open: (n) => n.open, sets: (n) => n.sets };

const CHANGE_COLUMNS = [
  ['rank', 'Rank', (c) => [badge(c.rank)]],
  ['name', 'Resource', (c) => [c.ref || 'the catalog'], true],
  ['path', 'Path', (c) => [c.path.replace(/^\/parameters/, '').slice(1)]],
  ['summary', 'Change', (c) => [c.summary || { add: 'added', remove: 'removed', move: 'renamed from ' + c.from }[c.op] || c.op]],
  ['manifest', 'Manifest', (c) => [h('bdi', { dir: 'ltr' }, c.declared ?? '')]],
  ['nodes', 'Nodes', (c) => [number(c.set.nodes.length)]],
];
const CHANGE_ORDERS = { rank: (c) => -RANKS.indexOf(c.rank), name: (c) => c.ref, path: (c) => c.path, summary: (c) => c.summary, manifest: (c) => c.declared ?? '', nodes: (c) => c.set.nodes.length };

function show(view) {
  if (view === 'sets') return drawGroups(setsOf(selected.shown), 'set', rowOf);
  const [orders, columns] = view === 'nodes' ? [NODE_ORDERS, NODE_COLUMNS] : [CHANGE_ORDERS, CHANGE_COLUMNS];
  const by = orders[state.sort] ?? orders.rank;
  if (view === 'nodes') drawTable(order(nodeRows(), by, state.descending), columns, 'Table of nodes', showNode);
  else drawTable(order(selected.shown, by, state.descending), columns, 'Table of changes', showChange);
}

// nodeRows returns the rows of the nodes: all of them, unless a filter is set.
const nodeRows = () => nodesOf(selected.shown, state.node ? nodeTest(state.node) : undefined, !filters(state));

// nodeTest returns the test for the name of a node, which can be given in part.
const nodeTest = (want) => (report.nodes.includes(want) ? (value) => value === want : (value) => value.includes(want));

function showNode(n) {
  if (n.changes) change({ view: 'sets', node: n.name });
  else toast(`${n.name}: ${n.state}`);
}

function totals(items) {
  const nodes = new Set(items.flatMap((c) => (state.node ? c.set.nodes.filter(nodeTest(state.node)) : [])));
  return { sets: new Set(items.map((c) => c.set)).size, nodes: state.node ? nodes.size : nodeCount(items), changes: items.length };
}

function nodeCount(items) {
  const nodes = new Set();
  for (const set of new Set(items.map((c) => c.set))) for (const n of set.nodes) nodes.add(n);
  return nodes.size + (filters(state) ? 0 : report.onlyOld.length + report.onlyNew.length + report.unchanged.length);
}

// rowOf returns the parts of the row of a set.
function rowOf({ set, items }) {
  const n = set.nodes.length;
  const name = [n > 1 ? plural(n, 'node') + ' ' : '', code(set.name)];
  const more = [set.normalized ? 'same but for the name of the node' : '', set.refreshes ? 'would refresh ' + set.refreshes : ''].filter(Boolean).join(' · ') || distinct(items, (c) => c.ref).slice(0, 3).map((c) => c.ref || 'the catalog').join(', ');
  const resources = new Set(items.map((c) => c.ref)).size;
  return { rank: set.rank, name, more, numbers: [numberOf(resources, 'resource'), numberOf(items.length, 'change')], card: () => cardOf(set, items), tone: markOf(set) };
}

// cardOf returns the content of the card of a set.
function cardOf(set, items) {
  const missing = set.items.length - items.length;
  const list = resourcesOf(items);
  const box = h('div', { class: 'resources' });
  const holder = h('div', {}, box);
  drawInSteps(box, list.length, 40, (i) => resourceOf(list[i]), 'resource');
  const nodes = h('details', { class: 'on' }, h('summary', {}, plural(set.nodes.length, 'node')));
  nodes.addEventListener('toggle', () => {
    if (nodes.childElementCount > 1) return;
    const ul = h('ul', { class: 'nodes' });
    nodes.append(ul);
    drawInSteps(ul, set.nodes.length, 200, (i) => h('li', {}, button(set.nodes[i], () => change({ node: set.nodes[i] }), { class: 'plain' })), 'node');
  });
  return [
    h('div', { class: 'actions' },
      button('Acknowledge', () => toggle(set, ACKNOWLEDGED), { class: 'acknowledge' }), button('Star', () => toggle(set, STARRED), { class: 'star' }),
      button('Copy ignore rules', () => copy(rulesText(set.items), 'The rules were copied: put them into .pcat-diff.yaml'))),
    set.nodes.length > 1 ? nodes : '',
    holder,
    missing ? h('p', { class: 'quiet' }, `${plural(missing, 'more change')} of this set ${missing === 1 ? 'does' : 'do'} not match the filters. `, button('Show all', clear, { class: 'plain' })) : '',
  ];
}

// showChange shows all of a change.
function showChange(c) {
  showDialog(c.ref || 'the catalog', c.rank,
    h('dl', { class: 'facts' }, fact('Nodes', plural(c.set.nodes.length, 'node') + ': ' + c.set.name), fact('Renamed from', c.from && code(c.from)), fact('Contained in', c.container), fact('Manifest', c.declared && declaredAt(c))),
    resourceOf([c]),
    h('div', { class: 'actions' }, button('Copy ignore rule', () => copy(rulesText([c]), 'The rule was copied: put it into .pcat-diff.yaml'))));
}

// toggle gives a set a mark, or takes it away.
function toggle(set, mark) {
  setMark(set, markOf(set) === mark ? OPEN : mark);
  if (state.mark || state.view !== 'sets') {
    const heads = [...document.querySelectorAll('.group .head')];
    const at = heads.indexOf(document.activeElement);
    draw();
    [...document.querySelectorAll('.group .head')].slice(0, at + 1).at(-1)?.focus();
    return;
  }
  const group = document.querySelector(`.group[data-key="${CSS.escape(set.key)}"]`);
  group?.classList.remove(OPEN, ACKNOWLEDGED, STARRED);
  group?.classList.add(markOf(set));
  selected = select(state);
  drawTools();
}

// toggleFocused gives the set with the focus a mark.
function toggleFocused(mark) {
  const key = document.activeElement.closest('.group')?.dataset.key;
  const set = report.sets.find((s) => s.key === key);
  if (set) toggle(set, mark);
}

function acknowledgeAll() {
  const sets = setsOf(selected.shown).map((g) => g.set).filter((s) => markOf(s) === OPEN);
  for (const set of sets) setMark(set, ACKNOWLEDGED);
  draw();
  toast(plural(sets.length, 'set') + ' acknowledged');
}

// showRules shows the rules that ignore what is acknowledged.
function showRules() {
  const text = rulesText(report.sets.filter((s) => markOf(s) === ACKNOWLEDGED).flatMap((s) => s.items));
  showDialog('Rules for .pcat-diff.yaml', '',
    h('p', { class: 'quiet' }, 'They ignore the changes that you acknowledged, on all nodes and for any value. Say in each why.'),
    h('pre', { class: 'rules' }, linesIn(text)),
    h('div', { class: 'actions' }, button('Copy', () => copy(text, 'The rules were copied')), button('Save', () => save('pcat-diff.yaml', 'text/yaml', text))));
}

byId('acknowledge-all').addEventListener('click', acknowledgeAll);
byId('rules').addEventListener('click', showRules);
startList({
  items: report.items, noun: 'change',
  facets: FACETS, ranked: 'rank', ranks: RANKS,
  segments: 'mark', labels: [[OPEN, 'To review'], [ACKNOWLEDGED, 'Acknowledged'], [STARRED, 'Starred']],
  bars: [['type', 'Types of resource'], ['node', 'Nodes'], ['effect', 'Effects']], nameOf: (facet, value) => (facet === 'effect' ? { label: value.replaceAll('-', ' ') } : undefined),
  testOf: (name, want) => (name === 'node' ? nodeTest(want) : undefined), wordsOf: wordTest,
  views: VIEWS, totals, sort: 'rank', orders: [...Object.keys(NODE_ORDERS), ...Object.keys(CHANGE_ORDERS)], show,
  keys: { a: () => toggleFocused(ACKNOWLEDGED), s: () => toggleFocused(STARRED) },
});
