// A table that draws only the rows that are in view.

const MARGIN = 10; // rows drawn above and below the view
const ROWS_PRINTED = 500;

// tableOf returns a box with a table of rows, which draw fills when it is in the document.
// A column is a name, a label, a function that returns the content of a cell for a row,
// and whether the cell is a button that opens the row. by has the column by which the
// rows are sorted, and label, sort and open the name of the table, the function for the
// name of another column, and the one for a row.
function tableOf(rows, columns, by, { label, sort, open }) {
  const body = h('tbody');
  const box = h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': label },
    h('table', { 'aria-rowcount': String(rows.length + 1) }, h('thead', {}, h('tr', { 'aria-rowindex': '1' }, columns.map(([name, text]) => heading(name, text, by, sort)))), body));
  let active = 0; // the row that the Tab key reaches
  let drawn = '';

  const height = () => Number.parseFloat(getComputedStyle(box).getPropertyValue('--row'));
  const draw = () => {
    const size = height();
    const first = Math.max(0, Math.floor(box.scrollTop / size) - MARGIN);
    const last = Math.min(rows.length, Math.ceil((box.scrollTop + box.clientHeight) / size) + MARGIN);
    if (drawn === `${first} ${last} ${active}`) return;
    drawn = `${first} ${last} ${active}`;
    const hadFocus = body.contains(document.activeElement);
    drawRows(first, last);
    if (hadFocus) (body.querySelector('[tabindex="0"]') ?? box).focus({ preventScroll: true });
  };
  const space = (height) => {
    const td = h('td', { colspan: String(columns.length) });
    td.style.height = height + 'px';
    return h('tr', { class: 'space', 'aria-hidden': 'true' }, td);
  };
  const drawRows = (first, last) => {
    const size = height();
    body.replaceChildren(space(first * size), ...rows.slice(first, last).map((f, i) => tableRow(columns, f, first + i, active)), space((rows.length - last) * size));
  };
  const drawForPrint = () => { drawn = ''; drawRows(0, Math.min(rows.length, ROWS_PRINTED)); };
  const go = (to) => {
    active = Math.max(0, Math.min(rows.length - 1, to));
    const size = height();
    const view = box.clientHeight - 2 * size; // without the heading
    if (active * size < box.scrollTop) box.scrollTop = active * size;
    if (active * size > box.scrollTop + view) box.scrollTop = active * size - view;
    draw();
    (body.querySelector('[tabindex="0"]') ?? box).focus({ preventScroll: true });
  };
  const page = () => Math.max(1, Math.floor(box.clientHeight / height()) - 2);
  const keys = { ArrowDown: () => active + 1, ArrowUp: () => active - 1, PageDown: () => active + page(), PageUp: () => active - page(), Home: () => 0, End: () => rows.length - 1 };

  box.addEventListener('scroll', () => requestAnimationFrame(draw), { passive: true });
  box.addEventListener('keydown', (e) => {
    if (!keys[e.key] || e.target.closest('thead')) return;
    go(keys[e.key]());
    e.preventDefault();
  });
  body.addEventListener('click', (e) => {
    const tr = e.target.closest('tr[data-row]');
    if (tr) open(rows[Number(tr.dataset.row)]);
  });
  new ResizeObserver(draw).observe(box);
  return { element: box, draw, drawForPrint, go: (step) => go(active + step) };
}

function heading(name, label, by, sort) {
  const sorted = by.sort === name;
  const direction = by.descending ? 'descending' : 'ascending';
  return h('th', { scope: 'col', class: name, 'aria-sort': sorted ? direction : undefined },
    button([label, h('span', { class: 'arrow', 'aria-hidden': 'true' }, sorted ? (by.descending ? '▾' : '▴') : '')], () => sort(name), { 'data-key': 'sort ' + name }));
}

function tableRow(columns, row, index, active) {
  const cells = columns.map(([name, , content, opens]) => {
    const text = content(row);
    const title = visible(typeof text[0] === 'string' ? text[0] : text[0].textContent);
    const inside = opens ? button(text, undefined, { class: 'plain', tabindex: index === active ? '0' : '-1' }) : text;
    return h('td', { class: name, title }, inside);
  });
  return h('tr', { 'data-row': String(index), 'aria-rowindex': String(index + 2) }, cells);
}
