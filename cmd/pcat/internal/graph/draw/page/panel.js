// The parts of the page that are text: the panel at the side, the search, the table.

const LISTED = 40; // entries of a list before a button for the others

// listOf returns a list, with a button for the entries after the first ones.
function listOf(entries, make) {
  const ul = h('ul', {}, entries.slice(0, LISTED).map(make));
  if (entries.length > LISTED) {
    const more = h('li', {}, button(`${number(entries.length - LISTED)} more`, () => more.replaceWith(...entries.slice(LISTED).map(make)), { class: 'plain' }));
    ul.append(more);
  }
  return ul;
}

// nodeButton returns the name of a node, which shows it.
const nodeButton = (g, i, show) => button(code(g.ref[i]), () => show(i), { class: 'plain' });

// overview returns the content of the panel while nothing is selected.
function overview(g, kinds, { show, toggle, round }) {
  const resources = g.container.filter((c) => !c).length;
  const count = (state) => g.state.filter((s) => s === state).length;
  const check = (kind, label, dashed) => {
    const n = g.arrows.filter((a) => kindOf(a) === kind).length;
    if (n === 0) return '';
    const box = h('input', { type: 'checkbox', checked: !kinds.has(kind), onchange: () => toggle(kind) });
    return h('li', {}, h('label', {}, box, ' ', h('span', { class: `key ${kind}${dashed ? ' dashed' : ''}` }), label, h('span', { class: 'quiet' }, ' ' + number(n))));
  };
  return [
    h('h2', {}, plural(resources, 'resource')),
    h('p', { class: 'quiet' }, `in ${plural(g.n - resources, 'container')}, with ${plural(g.arrows.length, 'arrow')}. An arrow leads from a resource to one that is applied later.`),
    g.arrows.length ? h('h3', {}, 'Arrows') : '',
    h('ul', {}, check('refresh', 'a change refreshes'), check('order', 'order only'), check('auto', 'autorequire', true), check('contains', 'contains', true)),
    g.compared ? [h('h3', {}, 'Changes'), h('ul', {}, ['added', 'removed', 'changed'].map((s) => h('li', {}, h('span', { class: 'key box ' + s }), s + ' ', h('span', { class: 'quiet' }, number(count(s)))))),
      h('h3', {}, 'Resources with changes'), listOf(g.order.filter((i) => g.state[i]), (i) => h('li', { class: 'stated' }, h('span', { class: 'key box ' + g.state[i], title: g.state[i] }), nodeButton(g, i, show)))] : '',
    g.cycles.length ? [h('h3', { class: 'mark cycle' }, plural(g.cycles.length, 'dependency cycle')), h('ol', {}, g.cycles.map((list, k) => h('li', {}, button(['Cycle ', String(k + 1), ': ', code([...list, list[0]].map((i) => g.ref[i]).join(' → '))], () => round(k), { class: 'plain' }))))] : '',
  ];
}

// kindOf returns the kind of an arrow, as the panel lists it.
const kindOf = (a) => (a.refresh ? 'refresh' : a.auto ? 'auto' : a.kind === 'contains' ? 'contains' : 'order');

// details returns the content of the panel for a selected node.
function details(g, i, { show, clear, open, isOpen, inPicture, picture }) {
  const arrowRow = (other, a, owner) => h('li', {}, nodeButton(g, other, show), h('span', { class: 'why' }, ' ' + reason(a) + (owner === i ? '' : `, of ${g.ref[owner]}`)));
  const rows = (list, end) => [i, ...containersOf(g, i)].flatMap((owner) => list[owner].filter((a) => a.kind !== 'contains').map((a) => [a[end], a, owner]));
  const section = (title, entries, make) => (entries.length ? [h('h3', {}, `${title} (${number(entries.length)})`), listOf(entries, make)] : '');
  const up = containersOf(g, i);
  const refreshed = refreshedBy(g, i);
  const via = ({ path }) => { const list = path.slice(1, -1).map((k) => g.ref[k]); return list.length ? ' via ' + list.join(', ') : ''; };
  return [
    h('div', { class: 'row' }, h('h2', {}, code(g.ref[i])), button('×', clear, { class: 'plain', 'aria-label': 'Select nothing' })),
    g.place[i] ? h('p', { class: 'quiet' }, g.link[i] ? h('a', { href: g.link[i], rel: 'noreferrer', target: '_blank' }, code(g.place[i])) : code(g.place[i])) : '',
    g.state[i] ? h('p', { class: 'mark ' + g.state[i] }, g.state[i]) : '',
    g.was[i] ? h('p', {}, h('span', { class: 'quiet' }, 'was '), code(g.was[i])) : '',
    g.cycle[i] ? h('p', { class: 'mark cycle' }, `part of dependency cycle ${g.cycle[i]}`) : '',
    up.length ? h('p', {}, h('span', { class: 'quiet' }, 'in '), up.flatMap((p, k) => [k ? h('span', { class: 'quiet' }, ' in ') : '', nodeButton(g, p, show)])) : '',
    h('div', { class: 'actions' }, inPicture ? '' : button('Show in the picture', () => picture(i)), inPicture && g.inside[i].length ? button(isOpen ? 'Close' : 'Open', () => open(i)) : ''),
    section('Applied after', rows(g.into, 'from'), ([o, a, owner]) => arrowRow(o, a, owner)),
    section('Applied before', rows(g.from, 'to'), ([o, a, owner]) => arrowRow(o, a, owner)),
    section('Refreshed by a change of', refreshing(g, i), (r) => h('li', {}, nodeButton(g, r.node, show), h('span', { class: 'why' }, via(r)))),
    section('A change would refresh', refreshed, (r) => h('li', {}, nodeButton(g, r.node, show), h('span', { class: 'why' }, via(r)))),
    section('Contains', g.inside[i], (k) => h('li', {}, nodeButton(g, k, show))),
    inPicture ? h('p', { class: 'why actions' }, 'Shift-click another resource for the shortest path to it.') : '',
  ];
}

// pathOf returns the content of the panel for a path between two nodes.
function pathOf(g, path, a, b, { show, clear }) {
  const title = h('div', { class: 'row' }, h('h2', {}, path.length ? `Path of ${plural(path.length - 1, 'step')}` : 'No path'), button('×', clear, { class: 'plain', 'aria-label': 'Select nothing' }));
  if (!path.length) return [title, h('p', {}, 'The order of ', code(g.ref[a]), ' and ', code(g.ref[b]), ' is not determined: no arrows connect them.')];
  const step = (i, k) => {
    const arrow = k && g.from[path[k - 1]].find((one) => one.to === i);
    const text = !k ? '' : arrow ? reason(arrow) : g.parent[i] === path[k - 1] ? 'contains' : g.parent[path[k - 1]] === i ? 'end of the container' : '';
    return h('li', {}, text ? h('span', { class: 'why' }, '↓ ' + text, h('br')) : '', nodeButton(g, i, show));
  };
  return [title, h('ol', {}, path.map(step))];
}

const RESULTS = 50;

// startSearch connects the search field.
function startSearch(g, show) {
  const field = byId('search');
  const list = byId('results');
  let found = [];
  let at = 0;
  const close = () => { list.hidden = true; field.setAttribute('aria-expanded', 'false'); field.removeAttribute('aria-activedescendant'); };
  const choose = (i) => { close(); field.blur(); show(i); };
  const mark = () => [...list.children].forEach((li, k) => {
    li.setAttribute('aria-selected', String(k === at));
    if (k === at) { li.scrollIntoView({ block: 'nearest' }); if (li.id) field.setAttribute('aria-activedescendant', li.id); }
  });
  const draw = () => {
    found = search(g, field.value);
    at = 0;
    const option = (i, k) => h('li', { role: 'option', id: 'result-' + k, onmousedown: (e) => { e.preventDefault(); choose(i); } }, code(g.ref[i]), g.place[i] ? h('span', { class: 'quiet more' }, g.place[i]) : '');
    const note = (text) => h('li', { class: 'note' }, text);
    list.replaceChildren(...found.slice(0, RESULTS).map(option), ...(found.length > RESULTS ? [note(`${number(found.length - RESULTS)} more`)] : found.length ? [] : [note('No resource has these words.')]));
    list.hidden = !field.value.trim();
    field.setAttribute('aria-expanded', String(!list.hidden));
    mark();
  };
  field.addEventListener('input', draw);
  field.addEventListener('focus', () => { if (field.value) draw(); });
  field.addEventListener('blur', close);
  field.addEventListener('keydown', (e) => {
    const last = Math.min(found.length, RESULTS) - 1;
    if (e.key === 'Enter' && found.length) choose(found[at]);
    else if (e.key === 'ArrowDown' || e.key === 'ArrowUp') { at = Math.max(0, Math.min(last, at + (e.key === 'ArrowDown' ? 1 : -1))); mark(); }
    else if (e.key === 'Escape') { field.value = ''; close(); field.blur(); focusView(); }
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
}

const ROWS = 200;

// fillTable draws the table: the same content as the picture, as text.
function fillTable(g, show) {
  const cell = (name, ...content) => h('td', { 'data-name': name }, ...content);
  const names = (name, list, end) => cell(name, list.filter((a) => a.kind !== 'contains').slice(0, 8).map((a, k) => [k ? ', ' : '', g.ref[a[end]], h('span', { class: 'quiet' }, ` (${reason(a)})`)]), list.length > 8 ? `, and ${number(list.length - 8)} more` : '');
  const row = (i) => h('tr', {}, h('th', { scope: 'row' }, nodeButton(g, i, show)), cell('In', g.parent[i] < 0 ? '' : g.ref[g.parent[i]]), names('Applied after', g.into[i], 'from'), names('Applied before', g.from[i], 'to'), cell('Manifest', g.place[i]),
    cell('Remarks', [g.state[i], g.was[i] && `was ${g.was[i]}`, g.cycle[i] ? `cycle ${g.cycle[i]}` : ''].filter(Boolean).join(', ')));
  const body = h('tbody');
  const more = button('', () => draw());
  let drawn = 0;
  const draw = () => {
    body.append(...g.order.slice(drawn, drawn + ROWS).map(row));
    drawn = Math.min(g.n, drawn + ROWS);
    more.textContent = `Show ${number(Math.min(ROWS, g.n - drawn))} more of ${number(g.n)}`;
    more.hidden = drawn === g.n;
  };
  draw();
  byId('table').replaceChildren(h('table', {}, h('caption', {}, `The resources of ${g.name || 'the catalog'}, and the arrows between them.`),
    h('thead', {}, h('tr', {}, ['Resource', 'In', 'Applied after', 'Applied before', 'Manifest', 'Remarks'].map((text) => h('th', { scope: 'col' }, text)))), body), more);
}
