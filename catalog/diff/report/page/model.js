// The model: changes with their sets, marks of sets, and the rules that ignore changes.

const RANKS = ['danger', 'restart', 'write', 'info'];
const OPEN = 'open';
const ACKNOWLEDGED = 'acknowledged';
const STARRED = 'starred';

// read returns the report with its sets, and an item for each change.
function read(data) {
  const sets = data.sets.map((s, index) => ({ ...s, index, nodes: s.nodes.map((n) => data.nodes[n]), rankIndex: RANKS.indexOf(s.rank) }));
  const items = [];
  for (const set of sets) {
    set.words = (set.name + '\n' + (set.refreshes ?? '')).toLowerCase();
    set.items = set.changes.map((i) => {
      const c = data.changes[i];
      const names = [...new Set(c.names ?? [])];
      const item = { ...c, index: items.length, set, names, words: wordsOf(c) };
      items.push(item);
      return item;
    });
  }
  return { sets, items, nodes: data.nodes, unchanged: data.unchanged, onlyOld: data.onlyOld, onlyNew: data.onlyNew, alone: data.alone };
}

const wordsOf = (c) => [c.ref, c.from, c.path, c.kind, c.op, c.declared, c.container, c.summary, c.note, ...(c.effects ?? [])].filter(Boolean).join('\n').toLowerCase();

// The marks of sets, which the browser keeps under their keys.
const PREFIX = 'pcat-diff ';
const marks = new Map();

function markOf(set) {
  if (!marks.has(set.key)) {
    let stored;
    try { stored = localStorage.getItem(PREFIX + set.key); } catch { /* a page in a sandbox has no storage */ }
    marks.set(set.key, stored === ACKNOWLEDGED || stored === STARRED ? stored : OPEN);
  }
  return marks.get(set.key);
}

function setMark(set, mark) {
  marks.set(set.key, mark);
  try {
    if (mark === OPEN) localStorage.removeItem(PREFIX + set.key);
    else localStorage.setItem(PREFIX + set.key, mark);
  } catch { /* as above */ }
}

// The values that a filter can select.
const FACETS = {
  rank: (c) => c.rank,
  mark: (c) => markOf(c.set),
  node: (c) => c.set.nodes,
  type: (c) => c.type,
  effect: (c) => c.names,
  kind: (c) => c.kind,
};

// wordTest returns the test for words: each is in the change, in its set, or in the name
// of one of its nodes.
function wordTest(words) {
  const inSet = new Map();
  return (c) => {
    if (!inSet.has(c.set)) inSet.set(c.set, words.map((w) => c.set.words.includes(w) || c.set.nodes.some((n) => n.toLowerCase().includes(w))));
    const found = inSet.get(c.set);
    return words.every((w, i) => c.words.includes(w) || found[i]);
  };
}

// setsOf returns the sets of changes, in their order, each with its changes in the list.
function setsOf(items) {
  const groups = new Map();
  for (const c of items) {
    if (!groups.has(c.set)) groups.set(c.set, { key: c.set.key, set: c.set, items: [] });
    groups.get(c.set).items.push(c);
  }
  return [...groups.values()];
}

// nodesOf returns a row for each node: with its changes in the list, or without changes
// if others is set.
function nodesOf(items, only, others) {
  const rows = new Map();
  for (const { set, items: changes } of setsOf(items)) {
    const worst = changes.reduce((top, c) => Math.min(top, RANKS.indexOf(c.rank)), RANKS.length - 1);
    const open = markOf(set) === ACKNOWLEDGED ? 0 : changes.length;
    for (const name of set.nodes) {
      if (only && !only(name)) continue;
      if (!rows.has(name)) rows.set(name, { name, state: 'changed', rankIndex: worst, changes: 0, sets: 0, open: 0 });
      const row = rows.get(name);
      row.rankIndex = Math.min(row.rankIndex, worst);
      row.changes += changes.length;
      row.sets++;
      row.open += open;
    }
  }
  const bare = (state) => (name) => ({ name, state, rankIndex: RANKS.length, changes: 0, sets: 0, open: 0 });
  return [...rows.values(), ...(others ? [...report.onlyOld.map(bare(report.alone[0])), ...report.onlyNew.map(bare(report.alone[1])), ...report.unchanged.map(bare('unchanged'))] : [])];
}

// resourcesOf returns the changes of a set by resource: those of parts of one resource
// are together.
function resourcesOf(items) {
  const list = [];
  for (const c of items) {
    const last = list.at(-1);
    if (last && last[0].ref === c.ref && last[0].path !== '' && c.path !== '') last.push(c);
    else list.push([c]);
  }
  return list;
}

// placeOf returns a change as `at` of a rule selects it, or '' for a change of the catalog.
function placeOf(c) {
  if (!c.ref) return '';
  const hidden = (text) => text.replaceAll(/redacted-\d+-by-pcat/g, '*');
  const steps = c.path.replace(/^\/parameters/, '').split('/').slice(1);
  return hidden(c.ref) + steps.map((step) => '/' + (/[~\]]/.test(step) ? '*' : hidden(step))).join('');
}

// rulesText returns the content of .pcat-diff.yaml that ignores some changes.
function rulesText(items) {
  const places = [...new Set(items.map(placeOf))].filter(Boolean);
  const rule = (place) => `  - at: ${yaml(place)}\n    reason: "TODO: why this change does not count"\n`;
  return 'version: 1\nignore:' + (places.length ? '\n' + places.map(rule).join('') : ' []\n');
}
