// The list of a page: its state, which is the fragment of the address; filters, views,
// groups, and keys. The script of the page calls startList with a description of its list:
//
//   items     the items, such as findings; noun is their name
//   facets    functions by name that return the value, or the values, of an item; a
//             filter selects one
//   ranked    the facet of the tiles, and ranks its values, the highest first; its
//             filter selects several
//   segments  the facet of the buttons beside the search, and labels its values with names
//   bars      the facets with bars, with names
//   nameOf    returns the label, title and tone of a value of a facet, if it is not the value
//   testOf    returns the test for a filter that is not equality, or undefined
//   wordsOf   returns the test for a list of words
//   views     the views with names and explanations; totals returns the number in each
//   sort      the column by which tables are sorted, and orders the others that there are
//   show      draws a view with drawGroups or drawTable
//   keys      functions for more keys
//   standard  the filters that apply if no other value is chosen, or undefined
//   drawn     is called after the list was drawn, if it is a function

let list;
let state;
let selected = { shown: [], counts: {} };
let table; // while it is shown
let drawForPrint = () => {}; // draws all of the list, within limits
const opened = new Set(); // the keys of groups with an open card
const unfolded = new Set(); // the panels that show all their bars

const BARS_SHOWN = 5;
const BARS_MAX = 200;
const GROUPS_SHOWN = 50;
const GROUPS_PRINTED = 500;

// The part of the state that is a filter; the others are the view and its order.
const noFilter = () => ({ text: '', ...Object.fromEntries(Object.keys(list.facets).map((name) => [name, name === list.ranked ? [] : ''])), ...list.standard });

const filters = (state) => state.text.trim() !== '' || Object.keys(list.facets).some((name) => state[name].length > 0);

const isStandard = (state, name) => String(state[name]) === String(noFilter()[name]);

// select returns the items that match all filters and, for each facet that is shown, the number
// of items by value that match all other filters: what a click on the value would show.
function select(state) {
  const tests = Object.entries(list.facets).filter(([name]) => state[name].length > 0).map(([name, of]) => [name, of, testOf(name, state)]);
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  const hasWords = words.length ? list.wordsOf(words) : () => true;
  const counted = [list.ranked, list.segments, ...list.bars.map(([name]) => name)];
  const counts = Object.fromEntries(counted.map((name) => [name, new Map()]));
  const add = (name, value) => counts[name].set(value, (counts[name].get(value) ?? 0) + 1);
  const count = (name, item) => {
    const value = list.facets[name](item);
    if (Array.isArray(value)) for (const one of value) add(name, one);
    else add(name, value);
  };
  const shown = [];
  for (const item of list.items) {
    if (!hasWords(item)) continue;
    const failed = tests.filter(([, of, test]) => !test(of(item)));
    if (failed.length === 0) {
      shown.push(item);
      for (const name of counted) count(name, item);
    } else if (failed.length === 1 && counts[failed[0][0]]) {
      count(failed[0][0], item);
    }
  }
  return { shown, counts };
}

// testOf returns the test for the value, or the values, of a facet.
function testOf(name, state) {
  const want = state[name];
  if (name === list.ranked) return (value) => want.includes(value);
  const one = list.testOf?.(name, want) ?? ((value) => value === want);
  return (value) => (Array.isArray(value) ? value.some(one) : one(value));
}

// order returns items in an order; equal ones keep theirs.
function order(items, value, descending) {
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const keyed = items.map((item, i) => [value(item), i, item]);
  keyed.sort((a, b) => (descending ? compare(b[0], a[0]) : compare(a[0], b[0])) || a[1] - b[1]);
  return keyed.map(([, , item]) => item);
}

// fragment returns the state as the fragment of an address, and stateOf the reverse.
function fragment(state) {
  const q = new URLSearchParams();
  if (state.view !== list.views[0][0]) q.set('view', state.view);
  for (const name of Object.keys(noFilter())) if (!isStandard(state, name)) q.set(name, String(state[name]));
  if (state.sort !== list.sort || !state.descending) q.set('sort', (state.descending ? '-' : '') + state.sort);
  return q.toString();
}

function stateOf(text) {
  const q = new URLSearchParams(text);
  const state = { view: list.views[0][0], sort: list.sort, descending: true, ...noFilter() };
  for (const name of Object.keys(noFilter())) state[name] = q.get(name) ?? noFilter()[name];
  state[list.ranked] = String(state[list.ranked]).split(',').filter((s) => list.ranks.includes(s));
  const view = q.get('view') ?? '';
  if (list.views.some(([name]) => name === view)) state.view = view;
  const sort = q.get('sort') ?? '';
  if (list.orders.includes(sort.replace(/^-/, ''))) [state.sort, state.descending] = [sort.replace(/^-/, ''), sort.startsWith('-')];
  return state;
}

// change sets a part of the state, and draws the page.
function change(part) {
  state = { ...state, ...part };
  try { history.replaceState(null, '', '#' + fragment(state)); } catch { /* a page in a sandbox has no history */ }
  draw();
}

const clear = () => change(noFilter());

function draw() {
  selected = select(state);
  drawTiles();
  drawBars();
  drawTools();
  drawViews();
  drawList();
  list.drawn?.();
}

function drawTiles() {
  const counts = selected.counts[list.ranked];
  const tile = (rank) => {
    const n = counts.get(rank) ?? 0;
    const on = state[list.ranked].includes(rank);
    const toggle = () => change({ [list.ranked]: on ? state[list.ranked].filter((one) => one !== rank) : [...state[list.ranked], rank] });
    return button([h('b', {}, number(n)), h('span', {}, rank)], toggle, { class: `tile ${rank}${n ? '' : ' none'}`, 'aria-pressed': String(on), 'aria-label': `${plural(n, list.noun)} of ${list.ranked} ${rank}`, 'data-key': rank });
  };
  replace(byId('tiles'), ...list.ranks.map(tile));
  const shares = new Map(list.ranks.map((rank) => [rank, 0]));
  for (const item of selected.shown) shares.set(list.facets[list.ranked](item), shares.get(list.facets[list.ranked](item)) + 1);
  byId('share').replaceChildren(...list.ranks.map((rank) => {
    const part = h('span', { class: rank });
    part.style.flexGrow = shares.get(rank);
    return part;
  }));
}

function drawBars() {
  replace(byId('bars'), ...list.bars.map(([facet, label]) => panel(facet, label)));
}

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
  const { label = value, title = value, tone } = list.nameOf?.(facet, value) ?? {};
  const element = button([h('span', { class: 'fill' }), h('span', { class: 'label' }, label), h('span', { class: 'n' }, number(n))], () => change({ [facet]: on ? '' : value }),
    { class: 'bar', 'aria-pressed': String(on), title: visible(title), 'data-key': facet + ' ' + value });
  if (tone) element.classList.add(tone);
  element.firstChild.style.width = Math.max(1, 100 * share) + '%';
  return h('li', {}, element);
}

function drawTools() {
  if (document.activeElement !== byId('search')) byId('search').value = state.text;
  const counts = selected.counts[list.segments];
  const n = (value) => (value ? counts.get(value) ?? 0 : [...counts.values()].reduce((a, b) => a + b, 0));
  const segment = ([value, label]) => button([label, ' ', quiet(number(n(value)))], () => change({ [list.segments]: value }), { 'aria-pressed': String(state[list.segments] === value), 'data-key': list.segments + ' ' + value });
  replace(byId('segments'), ...[['', 'All'], ...list.labels].map(segment));
  byId('count').textContent = filters(state) ? `${number(selected.shown.length)} of ${plural(list.items.length, list.noun)} shown` : `${plural(list.items.length, list.noun)} shown`;
  replace(byId('chips'), ...chips());
}

// chips returns the active filters, each of which is a button that removes it.
function chips() {
  const chip = (name, value, part) => button([quiet(name + ' '), h('span', {}, value), h('span', { class: 'x', 'aria-hidden': 'true' }, '×')], () => change(part), { class: 'chip', 'aria-label': visible(`Remove the filter ${name} ${value}`) });
  const all = state[list.ranked].map((rank) => chip(list.ranked, rank, { [list.ranked]: state[list.ranked].filter((one) => one !== rank) }));
  for (const name of [...Object.keys(list.facets), 'text']) if (name !== list.ranked && state[name].trim() && !isStandard(state, name)) all.push(chip(name, state[name].trim(), { [name]: '' }));
  return all.length ? [...all, button('Clear all', clear, { class: 'plain', id: 'clear' })] : [];
}

function drawViews() {
  const counts = list.totals(selected.shown);
  const tab = ([view, label]) => button([label, ' ', h('span', { class: 'n' }, number(counts[view]))], () => change({ view }), { 'aria-pressed': String(state.view === view), 'data-key': view });
  replace(byId('views'), ...list.views.map(tab));
  byId('explain').textContent = list.views.find(([view]) => view === state.view)[2];
}

function drawList() {
  table = undefined;
  drawForPrint = () => {};
  if (selected.shown.length > 0) list.show(state.view);
  else replace(byId('list'), h('div', { class: 'empty' }, h('p', {}, `No ${list.noun} matches the filters.`), button('Clear all', clear)));
}

// drawTable draws a table of rows. label is its name, and open the function for a row.
function drawTable(rows, columns, label, open) {
  const sort = (name) => change({ sort: name, descending: state.sort === name ? !state.descending : name === list.sort });
  table = tableOf(rows, columns, state, { label, sort, open });
  replace(byId('list'), table.element);
  table.draw();
  drawForPrint = table.drawForPrint;
}

// drawGroups draws groups as they come into view. part returns the parts of the row of a
// group: its rank, name, second line, numbers, and a function for the content of its card.
function drawGroups(groups, noun, part) {
  const box = h('div', { class: 'groups' });
  replace(byId('list'), box);
  const one = groups.length === 1; // there is no choice: it is open
  const make = (i) => groupRow(groups[i].key, 'card-' + i, one || opened.has(groups[i].key), part(groups[i]));
  const steps = drawInSteps(box, groups.length, GROUPS_SHOWN, make, noun);
  drawForPrint = () => { while (steps.left() && box.childElementCount < GROUPS_PRINTED) steps.draw(); };
  const seen = (entries) => { if (entries.some((e) => e.isIntersecting) && steps.left()) steps.draw(); };
  if (steps.left()) new IntersectionObserver(seen, { rootMargin: '400px' }).observe(steps.more);
}

// groupRow returns the element of a group. The card is made when it opens first.
function groupRow(key, id, isOpen, { rank, name, more, numbers, card, tone }) {
  const box = h('div', { id, class: 'card', hidden: true });
  const head = h('button', { type: 'button', class: 'head', 'aria-expanded': 'false', 'aria-controls': id },
    badge(rank), h('span', { class: 'name' }, h('span', { class: 'title' }, name), h('span', { class: 'more quiet' }, more)), h('span', { class: 'numbers' }, numbers));
  const open = (on) => {
    if (on && !box.hasChildNodes()) box.append(...[card()].flat(Infinity).filter(Boolean));
    box.hidden = !on;
    head.setAttribute('aria-expanded', String(on));
  };
  head.addEventListener('click', () => {
    open(box.hidden);
    box.hidden ? opened.delete(key) : opened.add(key);
  });
  open(isOpen);
  return h('article', { class: `group ${rank} ${tone ?? ''}`, 'data-key': key }, h('h2', {}, head), box);
}

// numberOf returns a number in the row of a group.
const numberOf = (n, noun) => h('span', { class: n ? 'number' : 'number none' }, h('b', {}, number(n)), ` ${noun}${n === 1 ? '' : 's'}`);

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
  const view = list.views[Number(e.key) - 1];
  if (view) change({ view: view[0] });
  else if (e.key === '/') byId('search').focus();
  else if (e.key === 'j' || e.key === 'k') move(e.key === 'j' ? 1 : -1);
  else if (e.key === 'o') document.activeElement.closest('.group, tr')?.querySelector('.head, button')?.click();
  else if (Object.hasOwn(list.keys ?? {}, e.key)) list.keys[e.key]();
  else return;
  e.preventDefault();
}

// startList shows the list of a page, unless it is empty.
function startList(described) {
  list = described;
  state = stateOf('');
  byId('static')?.remove();
  if (list.items.length === 0) return;
  state = stateOf(location.hash.slice(1));
  for (const [id, label] of [['tiles', list.ranked], ['segments', list.segments]]) byId(id).setAttribute('aria-label', 'Filter by ' + label);
  byId('list').setAttribute('aria-label', `${list.noun[0].toUpperCase()}${list.noun.slice(1)}s`);
  byId('app').hidden = false;
  byId('breakdown').open = matchMedia('(min-width: 45rem)').matches;
  draw();
  let typed;
  byId('search').addEventListener('input', (e) => { clearTimeout(typed); typed = setTimeout(() => change({ text: e.target.value }), list.items.length > 5000 ? 150 : 0); });
  addEventListener('hashchange', () => { if (location.hash.includes('=')) { state = stateOf(location.hash.slice(1)); draw(); } });
  addEventListener('keydown', onKey);
  addEventListener('beforeprint', () => drawForPrint());
  addEventListener('afterprint', () => table?.draw());
  byId('dialog').addEventListener('click', (e) => { if (e.target === byId('dialog')) e.target.close(); });
}
