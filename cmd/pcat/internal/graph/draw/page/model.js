// The graph: nodes, arrows, and the questions about them. Nothing here draws.

const STATES = ['', 'added', 'removed', 'changed'];
const HEADER = 28; // the height of the title of a container
const VISIBLE = 300; // more nodes than these are not legible: containers close
const AUTOMATIC = new Set(['autorequire', 'autobefore']);

// read returns the graph of the data of the page. A node is a number.
function read(data) {
  const n = data.title.length;
  const g = {
    n, name: data.name, compared: data.compared === true, width: data.size[0], height: data.size[1],
    ref: data.title.map((title, i) => visible(`${data.types[data.type[i]]}[${title}]`)),
    parent: data.parent, cycle: data.cycle, cycles: data.cycles ?? [],
    state: data.flags.map((f) => STATES[f & 3]), was: data.title.map((_, i) => visible(data.was[i] ?? '')), container: data.flags.map((f) => (f & 4) > 0), refreshes: data.flags.map((f) => (f & 8) > 0),
    place: data.title.map((_, i) => { const file = visible(data.files[data.file[i]]); return file && data.line[i] ? `${file}:${data.line[i]}` : file; }),
    link: data.title.map((_, i) => data.links?.[i] ?? ''),
    x: new Float64Array(n), y: new Float64Array(n), w: new Float64Array(n), h: new Float64Array(n), // x and y of the page
    inside: Array.from({ length: n }, () => []), roots: [], order: [], // order: containers before their content
    arrows: [], into: Array.from({ length: n }, () => []), from: Array.from({ length: n }, () => []),
  };
  for (let i = 0; i < n; i++) (g.parent[i] < 0 ? g.roots : g.inside[g.parent[i]]).push(i);
  const down = [...g.roots].reverse();
  while (down.length) {
    const i = down.pop();
    const p = g.parent[i];
    g.order.push(i);
    g.x[i] = data.positions[4 * i] + (p < 0 ? 0 : g.x[p]);
    g.y[i] = data.positions[4 * i + 1] + (p < 0 ? 0 : g.y[p]);
    g.w[i] = data.positions[4 * i + 2];
    g.h[i] = data.positions[4 * i + 3];
    for (let k = g.inside[i].length - 1; k >= 0; k--) down.push(g.inside[i][k]);
  }
  const list = data.arrows ?? [];
  for (let k = 0, last = 0; k < list.length; k += 4) {
    const from = last + list[k];
    const flags = list[k + 2];
    const kind = data.kinds[flags & 7];
    const arrow = { from, to: from + list[k + 1], kind, refresh: (flags & 8) > 0, state: STATES[flags >> 4], count: list[k + 3], auto: AUTOMATIC.has(kind) };
    arrow.cycle = g.cycle[arrow.from] > 0 && g.cycle[arrow.from] === g.cycle[arrow.to];
    g.arrows.push(arrow);
    g.from[arrow.from].push(arrow);
    g.into[arrow.to].push(arrow);
    last = from;
  }
  g.changed = changesIn(g);
  g.words = g.ref.map((ref, i) => `${ref} ${g.place[i]}`.toLowerCase());
  return g;
}

// changesIn returns the number of resources with changes in each container, without itself.
function changesIn(g) {
  const list = new Int32Array(g.n);
  for (const i of [...g.order].reverse()) if (g.parent[i] >= 0) list[g.parent[i]] += list[i] + (g.state[i] ? 1 : 0);
  return list;
}

const containersOf = (g, i) => { const list = []; for (let p = g.parent[i]; p >= 0; p = g.parent[p]) list.push(p); return list; };

// reason returns the reason for an arrow, in words.
const reason = (a) => (a.count > 1 ? `${a.count} relationships` : a.kind) + (a.state ? `, ${a.state}` : '');

// search returns the nodes with all words of a text. Titles that begin with the text come first.
function search(g, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const first = [];
  const rest = [];
  for (let i = 0; i < g.n; i++) {
    const line = g.words[i];
    if (!words.every((w) => line.includes(w))) continue;
    const at = line.indexOf('[' + words[0]);
    (line.startsWith(words[0]) || at >= 0 ? first : rest).push(i);
  }
  return first.concat(rest);
}

// The vertices of a search: 2i is a resource or the beginning of a container, 2i+1 the
// end of a container. A container is complete when all its content is.
const begin = (i) => 2 * i;
const end = (g, i) => 2 * i + (g.inside[i].length ? 1 : 0);

// after calls visit for the vertices after v, with the arrow that leads there.
function after(g, v, visit) {
  const i = v >> 1;
  if (v !== end(g, i)) {
    for (const k of g.inside[i]) visit(begin(k));
    return;
  }
  for (const a of g.from[i]) if (a.kind !== 'contains') visit(begin(a.to), a);
  const p = g.parent[i];
  if (p >= 0) visit(end(g, p));
}

// walk returns the vertices that follow start, each with the one before it, nearest
// first. passes decides about each step.
function walk(g, start, passes) {
  const before = new Map([[start, -1]]);
  for (const v of before.keys()) after(g, v, (w, arrow) => { if (!before.has(w) && passes(w, arrow)) before.set(w, v); });
  return before;
}

// pathTo returns the nodes from the start of a walk to a vertex.
function pathTo(before, v) {
  const path = [];
  for (; v >= 0; v = before.get(v)) if (path.at(-1) !== v >> 1) path.push(v >> 1);
  return path.reverse();
}

// shortest returns the nodes of the shortest path between two nodes, in the direction in
// which there is one, or else an empty list.
function shortest(g, a, b) {
  for (const [from, to] of [[a, b], [b, a]]) {
    const before = walk(g, end(g, from), () => true);
    if (before.has(begin(to))) return pathTo(before, begin(to));
  }
  return [];
}

// refreshedBy returns the resources that a change of a node would refresh, with the path
// to each, as pcat why does. A resource that cannot be refreshed does not pass it on.
function refreshedBy(g, node) {
  const passes = (w, arrow) => {
    if (arrow && !arrow.refresh) return false;
    return passesOn(g, w >> 1);
  };
  const before = walk(g, end(g, node), passes);
  const list = [];
  for (const v of before.keys()) if (v >> 1 !== node && !g.container[v >> 1]) list.push({ node: v >> 1, path: pathTo(before, v) });
  return list;
}

// refreshing returns the resources of which a change would refresh a node, with the path
// from each.
function refreshing(g, node) {
  const next = new Map([[begin(node), -1]]);
  for (const w of next.keys()) {
    const i = w >> 1;
    if (w !== begin(i)) {
      for (const k of g.inside[i]) if (!next.has(end(g, k)) && passesOn(g, i)) next.set(end(g, k), w);
      continue;
    }
    if (!passesOn(g, i) && !(i === node && g.container[i])) continue;
    for (const a of g.into[i]) if (a.refresh && a.kind !== 'contains' && !next.has(end(g, a.from))) next.set(end(g, a.from), w);
    const p = g.parent[i];
    if (p >= 0 && !next.has(begin(p))) next.set(begin(p), w);
  }
  const list = [];
  for (const v of next.keys()) if (v >> 1 !== node && !g.container[v >> 1] && !g.inside[v >> 1].length) list.push({ node: v >> 1, path: pathTo(next, v).reverse() });
  return list;
}

// passesOn reports whether a refresh reaches what is after a node: through a container with
// content, or a resource that does something when it is refreshed.
const passesOn = (g, i) => g.inside[i].length > 0 || g.refreshes[i];

// contentsOf returns all nodes in a container.
function contentsOf(g, node) {
  const list = [...g.inside[node]];
  for (let k = 0; k < list.length; k++) list.push(...g.inside[list[k]]);
  return list;
}

// neighbours returns a node, its content, and the nodes at the other ends of its arrows
// and of those of its containers.
function neighbours(g, node) {
  const near = new Set([node, ...contentsOf(g, node)]);
  for (const i of [node, ...containersOf(g, node)]) for (const a of [...g.from[i], ...g.into[i]]) near.add(a.from === i ? a.to : a.from);
  return near;
}

const READABLE = 11; // the height in pixels from which a node can be read
const ROOM = 44; // the height from which a container has room for its title and content

// inView returns the nodes that are drawn in a part of the plane, containers before their
// content, and which containers are open. A container is open if most of its content is
// large enough, and as long as there are at most VISIBLE nodes; the smallest ones first.
function inView(g, view, scale, choice) {
  const hits = (i) => g.x[i] < view.right && g.x[i] + g.w[i] > view.left && g.y[i] < view.bottom && g.y[i] + g.h[i] > view.top;
  const open = new Uint8Array(g.n);
  const nodes = [];
  let level = g.roots.filter(hits);
  const readable = (i) => g.inside[i].filter((k) => g.h[k] * scale >= READABLE).length * 2 >= g.inside[i].length;
  let left = choice.all ? Infinity : VISIBLE - level.length;
  while (level.length) {
    const next = [];
    const closed = [];
    for (const i of level) {
      nodes.push(i);
      if (g.inside[i].length === 0) continue;
      const chosen = choice.open.get(i);
      const content = chosen === false ? [] : g.inside[i].filter(hits);
      if (chosen === true || left === Infinity && chosen !== false) { open[i] = 1; next.push(...content); left -= content.length; continue; }
      if (chosen === undefined && g.h[i] * scale >= ROOM && readable(i)) closed.push([i, content]);
    }
    closed.sort((a, b) => a[1].length - b[1].length);
    for (const [i, content] of closed) {
      if (content.length > left) break;
      open[i] = 1;
      left -= content.length;
      next.push(...content);
    }
    level = next;
  }
  return { nodes, open };
}

// shownBy returns for each node the one that is drawn for it: itself, or the outermost
// closed container around it.
function shownBy(g, open) {
  const shown = new Int32Array(g.n);
  for (const i of g.order) {
    const p = g.parent[i];
    shown[i] = p < 0 || (shown[p] === p && open[p]) ? i : shown[p];
  }
  return shown;
}

// merged returns the arrows between the nodes that are drawn.
function merged(g, shown, wanted) {
  const known = new Map();
  for (const a of g.arrows) {
    const from = shown[a.from];
    const to = shown[a.to];
    if (from === to || !wanted(a)) continue;
    const key = from * g.n + to;
    const m = known.get(key);
    if (!m) {
      known.set(key, { from, to, count: a.count, refresh: a.refresh, auto: a.auto, contains: a.kind === 'contains', cycle: a.cycle, state: a.state });
      continue;
    }
    m.count += a.count;
    m.refresh ||= a.refresh;
    m.auto &&= a.auto;
    m.cycle ||= a.cycle;
    if (m.state !== a.state) m.state = '';
  }
  return [...known.values()];
}
