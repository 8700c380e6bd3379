// The changes of a set: a block for each resource, with its lines side by side.

// plain returns a text whose tabs stay.
const plain = (text) => text.split('\t').flatMap((part, i) => (i ? [document.createTextNode('\t'), part] : [part]));

// markedText returns a text in parts, of which every second one is marked.
const markedText = (parts) => parts.map((part, i) => (part === '' ? '' : i % 2 && (parts[0] || parts.length > 2) ? h('mark', {}, plain(part)) : plain(part)));

// linesIn returns a text of several lines.
const linesIn = (text) => text.trimEnd().split('\n').flatMap((line, i) => (i ? [document.createTextNode('\n'), ...plain(line)] : plain(line)));

const SIGNS = { add: '+', remove: '−', move: '→', change: '~', grave: '!' };

// declaredAt returns the line of the manifest of a change, as a link if its address is known.
const declaredAt = (c) => (c.link ? h('a', { href: c.link, rel: 'noreferrer', target: '_blank' }, code(c.declared)) : code(c.declared));

// resourceOf returns the block of a resource.
function resourceOf(changes) {
  const c = changes[0];
  const rank = RANKS[Math.min(...changes.map((one) => RANKS.indexOf(one.rank)))];
  const kind = changes.some((one) => one.grave) ? 'grave' : c.path === '' ? c.op : 'change';
  const effects = distinct(changes.flatMap((one) => one.effects ?? []), (e) => e);
  return h('section', { class: 'resource' },
    h('h3', {},
      h('span', { class: 'sign ' + kind, 'aria-hidden': 'true' }, SIGNS[kind]), code(c.ref || 'the catalog'), badge(rank),
      h('span', { class: 'where quiet' }, c.op === 'move' ? h('span', {}, 'renamed from ', code(c.from)) : '', c.container ? h('span', {}, c.container) : '', c.declared ? declaredAt(c) : '')),
    changes.filter((one) => !one.hidden).map(bodyOf),
    effects.length ? h('ul', { class: 'effects' }, effects.slice(0, 12).map((e) => h('li', {}, e)), effects.length > 12 ? h('li', {}, `and ${number(effects.length - 12)} more`) : '') : '');
}

// bodyOf returns the values of a change.
function bodyOf(c) {
  if (c.path === '') return c.values ? pairs(c.values.map(([name, value]) => [name, value.includes('\n') ? h('pre', {}, linesIn(value)) : code(value)])) : '';
  const name = c.path.replace(/^\/parameters/, '').slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  const label = c.label ? quiet(' ' + c.label) : '';
  const head = (...more) => h('p', { class: 'entry' }, h('span', { class: 'parameter' }, name), label, ...more);
  if (c.note) return head(h('span', { class: c.grave ? 'note danger' : 'note' }, c.note));
  if (c.data) return [head(), pairs(c.data.map((d) => [d.path, valuesOf(d.old, d.new)])), h('details', { class: 'text' }, h('summary', {}, 'Lines'), linesOf(c))];
  if (c.hunks) return [head(), linesOf(c)];
  if (c.minus || c.plus) return head(h('span', { class: 'elements' }, (c.minus ?? []).map((e) => h('del', {}, code(e))), (c.plus ?? []).map((e) => h('ins', {}, code(e)))));
  return head(valuesOf(c.old, c.new));
}

const pairs = (rows) => h('dl', { class: 'pairs' }, rows.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));

// valuesOf returns an old and a new value.
function valuesOf(old, next) {
  const one = (tag, parts) => (parts ? h(tag, {}, h('code', {}, markedText(parts))) : '');
  return h('span', { class: 'values' }, one('del', old), old && next ? h('span', { class: 'quiet', 'aria-label': 'becomes' }, '→') : '', one('ins', next));
}

// linesOf returns the hunks of a text.
function linesOf(c) {
  const box = h('div', { class: 'lines', role: 'table', 'aria-label': 'Old and new lines' });
  for (const hunk of c.hunks ?? []) {
    let [old, next] = [hunk.old, hunk.new];
    box.append(h('div', { class: 'hunk' }, `line ${number(old)}` + (old === next ? '' : ` → ${number(next)}`)));
    for (const [a, b] of hunk.rows) {
      const same = Boolean(a && b && a.length === 1 && b.length === 1 && a[0] === b[0]);
      box.append(h('div', { class: same ? 'row same' : 'row', role: 'row' }, cell('old', a && old++, a, same), cell('new', b && next++, b, same)));
    }
  }
  if (c.more) box.append(h('div', { class: 'hunk' }, `… more of ${plural(c.more, 'changed line')}`));
  return box;
}

function cell(side, at, parts, same) {
  if (!parts) return h('span', { class: `side ${side} none`, role: 'cell' });
  return h('span', { class: `side ${side}`, role: 'cell' }, h('span', { class: 'at' }, String(at)), h('span', { class: 'content' }, same ? plain(parts[0]) : markedText(parts)));
}
