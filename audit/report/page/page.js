// The page: its state, which is the fragment of the address, and the parts that show it.

const report = read(JSON.parse(document.getElementById('data').textContent));
const byId = (id) => document.getElementById(id);
const all = totals(report.findings);
const opened = new Set(); // the keys of groups with an open card
let state = stateOf('');
let selected = { shown: [], counts: {} };
let table; // while it is shown
let drawForPrint = () => {}; // draws all of the list, within limits

const VIEWS = [
  ['place', 'Places', 'A place is a line of a manifest and a rule: one change there repairs all its findings. Without a line, it is a parameter.'],
  ['secret', 'Secrets', 'Equal values have the same tag, such as #1, on all nodes. Only a range of the length and the kind of characters are shown.'],
  ['node', 'Nodes', 'The nodes with findings, the most severe first.'],
  ['rule', 'Rules', 'The rules with findings, with their meaning and the fix.'],
  ['table', 'Findings', 'A finding is one secret or practice at one location on one node. Click a row for all its facts, and a heading to sort.'],
];

const BARS = [['rule', 'Rules'], ['node', 'Nodes'], ['type', 'Types of resource']];
const BARS_SHOWN = 5;
const BARS_MAX = 200;
const GROUPS_SHOWN = 50;
const GROUPS_PRINTED = 500;

// change sets a part of the state, and draws the page.
function change(part) {
  state = { ...state, ...part };
  try { history.replaceState(null, '', '#' + fragment(state)); } catch { /* a page in a sandbox has no history */ }
  draw();
}

const clear = () => change(noFilter());

function draw() {
  selected = select(report, state);
  drawTiles();
  drawBars();
  drawTools();
  drawViews();
  drawList();
}

function drawTiles() {
  const tile = (s) => {
    const n = selected.counts.severity.get(s) ?? 0;
    const on = state.severity.includes(s);
    const toggle = () => change({ severity: on ? state.severity.filter((one) => one !== s) : [...state.severity, s] });
    return button([h('b', {}, number(n)), h('span', {}, s)], toggle, { class: `tile ${s}${n ? '' : ' none'}`, 'aria-pressed': String(on), 'aria-label': `${plural(n, 'finding')} of severity ${s}`, 'data-key': s });
  };
  replace(byId('tiles'), ...[...SEVERITIES].reverse().map(tile));
  byId('share').replaceChildren(...[...SEVERITIES].reverse().map((s) => {
    const part = h('span', { class: s });
    part.style.flexGrow = selected.shown.reduce((n, f) => n + (f.kind.severity === s), 0);
    return part;
  }));
}

function drawBars() {
  replace(byId('bars'), ...BARS.map(([facet, label]) => panel(facet, label)));
}

const unfolded = new Set(); // the panels that show all their bars

// panel returns the bars of a facet, the longest first.
function panel(facet, label) {
  const counts = [...selected.counts[facet]].filter(([value]) => value).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const most = counts.length ? counts[0][1] : 1;
  const isOpen = unfolded.has(facet);
  const bars = counts.slice(0, isOpen ? BARS_MAX : BARS_SHOWN).map(([value, n]) => bar(facet, value, n, n / most));
  const fold = () => { isOpen ? unfolded.delete(facet) : unfolded.add(facet); drawBars(); };
  const rest = counts.length - bars.length;
  return h('section', { class: 'panel', 'aria-label': label },
    h('h2', {}, label, ' ', quiet(number(counts.length))),
    h('ul', { class: isOpen ? 'all' : '' }, bars),
    counts.length > BARS_SHOWN ? button(isOpen ? (rest ? `Fewer (${number(rest)} more: search for them)` : 'Fewer') : `${number(rest)} more`, fold, { class: 'further', 'aria-expanded': String(isOpen), 'data-key': facet }) : '');
}

function bar(facet, value, n, share) {
  const on = state[facet] === value;
  const label = facet === 'rule' ? report.rules.get(value).name : value;
  const element = button([h('span', { class: 'fill' }), h('span', { class: 'label' }, label), h('span', { class: 'n' }, number(n))], () => change({ [facet]: on ? '' : value }),
    { class: 'bar', 'aria-pressed': String(on), title: visible(facet === 'rule' ? `${label} (${value})` : value), 'data-key': facet + ' ' + value });
  if (facet === 'rule') element.classList.add(report.rules.get(value).severity);
  element.firstChild.style.width = Math.max(1, 100 * share) + '%';
  return h('li', {}, element);
}

function drawTools() {
  if (document.activeElement !== byId('search')) byId('search').value = state.text;
  const n = (c) => (c ? selected.counts.class.get(c) ?? 0 : [...selected.counts.class.values()].reduce((a, b) => a + b, 0));
  const segment = ([value, label]) => button([label, ' ', quiet(number(n(value)))], () => change({ class: value }), { 'aria-pressed': String(state.class === value), 'data-key': 'class ' + value });
  replace(byId('classes'), ...[['', 'All'], ['leak', 'Leaks'], ['policy', 'Practices']].map(segment));
  byId('count').textContent = filters(state) ? `${number(selected.shown.length)} of ${plural(report.findings.length, 'finding')} shown` : `${plural(report.findings.length, 'finding')} shown`;
  replace(byId('chips'), ...chips());
}

// chips returns the active filters, each of which is a button that removes it.
function chips() {
  const chip = (name, value, part) => button([quiet(name + ' '), h('span', {}, value), h('span', { class: 'x', 'aria-hidden': 'true' }, '×')], () => change(part), { class: 'chip', 'aria-label': visible(`Remove the filter ${name} ${value}`) });
  const list = state.severity.map((s) => chip('severity', s, { severity: state.severity.filter((one) => one !== s) }));
  for (const name of ['rule', 'node', 'type', 'class', 'place', 'secret', 'text']) if (state[name].trim()) list.push(chip(name, state[name].trim(), { [name]: '' }));
  return list.length ? [...list, button('Clear all', clear, { class: 'plain', id: 'clear' })] : [];
}

function drawViews() {
  const counts = totals(selected.shown);
  const tab = ([view, label]) => button([label, ' ', h('span', { class: 'n' }, number(counts[view]))], () => change({ view }), { 'aria-pressed': String(state.view === view), 'data-key': view });
  replace(byId('views'), ...VIEWS.map(tab));
  byId('explain').textContent = VIEWS.find(([view]) => view === state.view)[2];
}

// drawList draws the groups or the table. Groups are drawn as they come into view.
function drawList() {
  table = undefined;
  drawForPrint = () => {};
  if (selected.shown.length === 0) {
    replace(byId('list'), h('div', { class: 'empty' }, h('p', {}, 'No finding matches the filters.'), button('Clear all', clear)));
  } else if (state.view === 'table') {
    table = tableOf(selected.shown, state, (name) => change({ sort: name, descending: state.sort === name ? !state.descending : name === 'severity' }));
    replace(byId('list'), table.element);
    table.draw();
    drawForPrint = table.drawForPrint;
  } else {
    drawGroups(group(selected.shown, state.view));
  }
}

function drawGroups(groups) {
  const box = h('div', { class: 'groups' });
  replace(byId('list'), box);
  const remember = (key, on) => { on ? opened.add(key) : opened.delete(key); };
  const one = groups.length === 1; // there is no choice: it is open
  const make = (i) => row(groups[i], 'card-' + i, one || opened.has(groups[i].key), remember);
  const steps = drawInSteps(box, groups.length, GROUPS_SHOWN, make, state.view);
  drawForPrint = () => { while (steps.left() && box.childElementCount < GROUPS_PRINTED) steps.draw(); };
  const seen = (entries) => { if (entries.some((e) => e.isIntersecting) && steps.left()) steps.draw(); };
  if (steps.left()) new IntersectionObserver(seen, { rootMargin: '400px' }).observe(steps.more);
}

// replace replaces the children of an element. The focus stays on the child with the
// same key, or else goes to the list.
function replace(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : undefined;
  element.replaceChildren(...children);
  if (!focused) return;
  const again = focused.dataset.key && element.querySelector(`[data-key="${CSS.escape(focused.dataset.key)}"]`);
  (again || byId('list')).focus({ preventScroll: true });
}

// showInTable shows the findings of a group in the table.
function showInTable(g) {
  change({ view: 'table', [g.by]: g.key });
  byId('views').scrollIntoView({ block: 'nearest' });
}

function showFinding(finding) {
  const dialog = byId('dialog');
  dialog.replaceChildren(...findingCard(finding));
  dialog.showModal();
  dialog.scrollTop = 0;
}

async function copy(text, message) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyBySelection(text)) message = 'The browser does not allow copying: ' + text;
  }
  toast(message);
}

// copyBySelection is for browsers that give a local page no clipboard.
function copyBySelection(text) {
  const area = h('textarea', { class: 'offscreen', readonly: true });
  area.value = text;
  (byId('dialog').open ? byId('dialog') : document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}

let toastEnd;
function toast(message) {
  const box = byId('toast');
  (byId('dialog').open ? byId('dialog') : document.body).append(box); // a dialog covers all else
  box.textContent = message;
  box.classList.add('on');
  clearTimeout(toastEnd);
  toastEnd = setTimeout(() => box.classList.remove('on'), 4000);
}

function save(name, type, text) {
  const link = h('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// move focuses the next or the previous group, or row of the table.
function move(step) {
  if (table) return table.go(step);
  const heads = [...document.querySelectorAll('.group .head')];
  const at = heads.indexOf(document.activeElement.closest('.group')?.querySelector('.head'));
  const next = heads[Math.max(0, Math.min(heads.length - 1, at < 0 && step < 0 ? heads.length - 1 : at + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || byId('dialog').open) return;
  const typing = e.target.matches('input');
  if (e.key === 'Escape') { clear(); if (typing) { e.target.value = ''; e.target.blur(); } return; }
  if (typing) return;
  const view = VIEWS[Number(e.key) - 1];
  if (view) change({ view: view[0] });
  else if (e.key === '/') byId('search').focus();
  else if (e.key === 'j' || e.key === 'k') move(e.key === 'j' ? 1 : -1);
  else if (e.key === 'o') document.activeElement.closest('.group, tr')?.querySelector('.head, button')?.click();
  else return;
  e.preventDefault();
}

function legend() {
  const term = (name, n, text) => [h('dt', {}, name, ' ', quiet(number(n))), h('dd', {}, text)];
  byId('legend').append(...[
    term('Findings', all.table, 'One secret, or one practice, at one location on one node. The tiles and the bars count findings: those that a click shows.'),
    term('Places', all.place, VIEWS[0][2]),
    term('Secrets', all.secret, VIEWS[1][2] + ' Practices without a value count once for each rule.'),
    term('Nodes', all.node, 'Nodes with findings. Several catalogs of one node count once; a catalog without a node counts as one.'),
    term('Leaks', report.findings.filter((f) => f.kind.class === 'leak').length, 'Secrets in plain text. Practices make leaks likely, such as weak passwords.'),
  ].flat());
}

function start() {
  byId('static')?.remove();
  if (report.findings.length === 0) return;
  state = stateOf(location.hash.slice(1));
  byId('app').hidden = false;
  byId('breakdown').open = matchMedia('(min-width: 45rem)').matches;
  legend();
  draw();
  let typed;
  byId('search').addEventListener('input', (e) => { clearTimeout(typed); typed = setTimeout(() => change({ text: e.target.value }), report.findings.length > 5000 ? 150 : 0); });
  byId('export-csv').addEventListener('click', () => save('audit.csv', 'text/csv', csvText(selected.shown)));
  byId('export-json').addEventListener('click', () => save('audit.json', 'application/json', jsonText(report, selected.shown)));
  addEventListener('hashchange', () => { if (location.hash.includes('=')) { state = stateOf(location.hash.slice(1)); draw(); } });
  addEventListener('keydown', onKey);
  addEventListener('beforeprint', () => drawForPrint());
  addEventListener('afterprint', () => table?.draw());
  byId('dialog').addEventListener('click', (e) => { if (e.target === byId('dialog')) e.target.close(); });
}

start();
