// The page: the camera, the selection, mouse and keys.

const g = read(readData());
const canvas = byId('canvas');
const overviewMap = byId('map');
const ctx = canvas.getContext('2d', { alpha: false });
const counts = countResources();
const hiddenKinds = new Set(); // the kinds of arrows that are not drawn
const choice = { open: new Map(), all: false }; // the containers that the user opened or closed
const camera = { x: 0, y: 0, scale: 1 };
const still = matchMedia('(prefers-reduced-motion: reduce)');
const MAX_SCALE = 2.5;
const SLOW = 12; // milliseconds for a frame from which the last picture is moved instead

let color = colors();
let size = { width: 0, height: 0 };
let scene; // the last one that was drawn
let chosen = { node: -1, other: -1, path: [] };
let minScale = 0.01;

// countResources returns the number of resources in each container.
function countResources() {
  const list = new Array(g.n).fill(0);
  for (const i of [...g.order].reverse()) {
    if (!g.container[i] && !g.inside[i].length) list[i] = 1;
    if (g.parent[i] >= 0) list[g.parent[i]] += list[i];
  }
  return list;
}

// measure returns the width of a text of size 1.
const measure = (() => {
  const known = { 400: new Map(), 600: new Map() };
  return (text, weight) => {
    let width = known[weight].get(text);
    if (width === undefined) {
      ctx.font = `${weight} 100px ${FONT}`;
      width = ctx.measureText(text).width / 100;
      known[weight].set(text, width);
    }
    return width;
  };
})();

// The arrows between drawn nodes change only when a container is opened or closed.
const arrowsOf = (() => {
  let key = '';
  let list = [];
  return (open) => {
    const now = `${open.join('')} ${[...hiddenKinds]}`;
    if (now !== key) [key, list] = [now, merged(g, shownBy(g, open), (a) => !hiddenKinds.has(kindOf(a)))];
    return list;
  };
})();

// sceneOf returns the scene of the camera.
function sceneOf() {
  const view = { left: camera.x, top: camera.y, right: camera.x + size.width / camera.scale, bottom: camera.y + size.height / camera.scale };
  const { nodes, open } = inView(g, view, camera.scale, choice);
  return { camera: { ...camera }, ...size, nodes, open, arrows: arrowsOf(open), marked: marks(open), measure, counts };
}

// marks returns the nodes and arrows that do not fade, or nothing if all of them are equal.
function marks(open) {
  if (chosen.node < 0 && !chosen.path.length) return undefined;
  const shown = shownBy(g, open);
  const path = chosen.path.length > 0;
  const near = path ? new Set(chosen.path) : neighbours(g, chosen.node);
  const nodes = new Set();
  for (const i of near) for (const k of [shown[i], ...containersOf(g, i)]) nodes.add(k);
  const steps = new Set(chosen.path.slice(1).map((i, k) => shown[chosen.path[k]] * g.n + shown[i]));
  const own = new Set(path ? [] : [chosen.node, ...containersOf(g, chosen.node), ...contentsOf(g, chosen.node)].map((i) => shown[i]));
  const center = path ? -1 : shown[chosen.node];
  const arrows = (a) => {
    if (path) return steps.has(a.from * g.n + a.to) ? 'path' : '';
    return a.from === center || a.to === center || own.has(a.from) !== own.has(a.to) && (own.has(a.from) || own.has(a.to)) ? 'near' : '';
  };
  return { nodes, arrows, chosen: new Set(path ? [chosen.path[0], chosen.path.at(-1)] : [chosen.node]) };
}

// Drawing. While the view moves and drawing is slow, the last picture moves.
const draw = (() => {
  const last = document.createElement('canvas');
  let took = 0;
  let asked = false;
  let moving = false;
  let settled;
  const whole = () => {
    const start = performance.now();
    const ratio = devicePixelRatio || 1;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    scene = sceneOf();
    paint(ctx, g, scene, color);
    if (isOpen(chosen.node) !== panelOpen) drawSide();
    took = performance.now() - start;
    if (took > SLOW) {
      last.width = canvas.width;
      last.height = canvas.height;
      last.getContext('2d').drawImage(canvas, 0, 0);
    }
  };
  const moved = () => {
    const ratio = devicePixelRatio || 1;
    const factor = camera.scale / scene.camera.scale;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = color.ground;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(last, (scene.camera.x - camera.x) * camera.scale * ratio, (scene.camera.y - camera.y) * camera.scale * ratio, last.width * factor, last.height * factor);
  };
  const frame = () => {
    asked = false;
    if (moving && took > SLOW && last.width === canvas.width && last.height === canvas.height) {
      moved();
      clearTimeout(settled);
      settled = setTimeout(() => { moving = false; ask(); }, 120);
    } else {
      whole();
    }
    drawMap();
  };
  const ask = () => { if (!asked) { asked = true; requestAnimationFrame(frame); } };
  return Object.assign((move) => { moving = move === true; ask(); }, { now: frame });
})();

// The small map: the outermost containers, and the part in view.
const mapPicture = document.createElement('canvas');
function layMap() {
  const width = 180;
  const most = Math.max(g.width / width, g.height / 130, 0.001);
  overviewMap.width = mapPicture.width = Math.max(40, Math.ceil(g.width / most));
  overviewMap.height = mapPicture.height = Math.max(24, Math.ceil(g.height / most));
  const c = mapPicture.getContext('2d');
  const s = 1 / most;
  c.fillStyle = color.card;
  c.fillRect(0, 0, mapPicture.width, mapPicture.height);
  for (const i of g.order) {
    if (g.inside[i].length) { c.fillStyle = color.closed; c.fillRect(g.x[i] * s, g.y[i] * s, g.w[i] * s, g.h[i] * s); }
    else { c.fillStyle = g.state[i] ? color[g.state[i]] : g.cycle[i] ? color.cycle : color['box-line']; c.fillRect(g.x[i] * s, g.y[i] * s, Math.max(1, g.w[i] * s), Math.max(1, g.h[i] * s)); }
  }
}

function drawMap() {
  const s = overviewMap.width / Math.max(g.width, 1);
  if (view !== 'picture') return;
  const all = camera.x <= 0 && camera.y <= 0 && camera.x + size.width / camera.scale >= g.width && camera.y + size.height / camera.scale >= g.height;
  overviewMap.hidden = all;
  if (all) return;
  const c = overviewMap.getContext('2d');
  c.drawImage(mapPicture, 0, 0);
  c.strokeStyle = color.chosen;
  c.lineWidth = 1.5;
  c.strokeRect(camera.x * s, camera.y * s, size.width / camera.scale * s, size.height / camera.scale * s);
}

// The camera.
const clamp = (scale) => Math.max(minScale, Math.min(MAX_SCALE, scale));

// side returns the space that the panel takes: at the right, or at the bottom.
function side() {
  const box = byId('side').getBoundingClientRect();
  return box.width > size.width * 0.7 ? { right: 0, bottom: box.height + 8 } : { right: box.width + 12, bottom: 0 };
}

function zoomAt(x, y, factor) {
  const scale = clamp(camera.scale * factor);
  camera.x += x / camera.scale - x / scale;
  camera.y += y / camera.scale - y / scale;
  camera.scale = scale;
  draw(true);
}

const pan = (dx, dy) => { camera.x += dx / camera.scale; camera.y += dy / camera.scale; draw(true); };

// around returns the camera that shows a part of the plane beside the panel.
function around({ left, top, right, bottom }, most) {
  const used = side();
  const width = Math.max(100, size.width - used.right);
  const height = Math.max(100, size.height - used.bottom);
  const margin = size.width < 720 ? 12 : 48;
  const scale = clamp(Math.min((width - 2 * margin) / Math.max(right - left, 1), (height - 2 * margin) / Math.max(bottom - top, 1), most));
  return { x: (left + right) / 2 - width / 2 / scale, y: (top + bottom) / 2 - height / 2 / scale, scale };
}

const boundsOf = (nodes) => ({ left: Math.min(...nodes.map((i) => g.x[i])), top: Math.min(...nodes.map((i) => g.y[i])), right: Math.max(...nodes.map((i) => g.x[i] + g.w[i])), bottom: Math.max(...nodes.map((i) => g.y[i] + g.h[i])) });

let flight = 0;
function fly(to) {
  cancelAnimationFrame(flight);
  const from = { ...camera };
  const start = performance.now();
  const time = still.matches ? 0 : 220;
  const step = (now) => {
    const t = time ? Math.min(1, Math.max(0, now - start) / time) : 1;
    const part = t * t * (3 - 2 * t);
    camera.scale = from.scale * (to.scale / from.scale) ** part;
    const at = camera.scale === from.scale || to.scale === from.scale ? part : (1 / from.scale - 1 / camera.scale) / (1 / from.scale - 1 / to.scale);
    camera.x = from.x + (to.x - from.x) * at;
    camera.y = from.y + (to.y - from.y) * at;
    draw(t < 1);
    if (t < 1) flight = requestAnimationFrame(step);
  };
  step(start);
}

const whole = () => around({ left: 0, top: 0, right: g.width, bottom: g.height }, 1);
const fit = () => fly(whole());

// Selection.
const announce = (text) => { byId('status').textContent = text; };

function openTo(i) {
  for (const p of containersOf(g, i)) if (scene && !scene.open[p]) choice.open.set(p, true);
}

// select selects a node, and moves it into view if asked to.
function select(i, move) {
  chosen = { node: i, other: -1, path: [] };
  if (i >= 0) announce(`${g.ref[i]}, ${plural(g.into[i].length, 'arrow')} to it, ${plural(g.from[i].length, 'arrow')} from it`);
  if (i >= 0 && move && view === 'table') showView(first());
  drawSide();
  if (i >= 0 && move && view === 'picture') {
    openTo(i);
    fly(around(boundsOf([i]), g.inside[i].length ? 1 : Math.max(camera.scale, 0.9)));
  }
  draw();
}

const show = (i) => select(i, true);
const clear = () => select(-1);

// showInPicture selects a node and shows the picture.
function showInPicture(i) {
  showView('picture');
  show(i);
}

// connect selects the path between the selected node and another one.
function connect(i) {
  const path = shortest(g, chosen.node, i);
  chosen = { node: chosen.node, other: i, path };
  announce(path.length ? `Path of ${plural(path.length - 1, 'step')}` : 'No path');
  showPath(path);
}

function showPath(path) {
  drawSide();
  if (path.length) {
    path.forEach(openTo);
    fly(around(boundsOf(path.filter((i, k) => k === 0 || k === path.length - 1 || !g.inside[i].length)), 1));
  }
  drawSide();
  draw();
}

// round selects a cycle.
function round(k) {
  chosen = { node: -1, other: -1, path: [...g.cycles[k], g.cycles[k][0]] };
  showView('picture');
  announce(`Cycle ${k + 1}`);
  showPath(chosen.path);
}

function toggleOpen(i) {
  if (!g.inside[i].length) return;
  choice.open.set(i, !scene.open[i]);
  scene.open[i] = scene.open[i] ? 0 : 1;
  drawSide();
  draw();
}

function toggleKind(kind) {
  hiddenKinds.has(kind) ? hiddenKinds.delete(kind) : hiddenKinds.add(kind);
  draw();
}

function openAll() {
  choice.all = !choice.all;
  choice.open.clear();
  drawButtons();
  draw();
}

// The button of the panel opens or closes the selected container.
const isOpen = (i) => view === 'picture' && i >= 0 && scene?.open[i] === 1;
let panelOpen = false;

function drawSide() {
  panelOpen = isOpen(chosen.node);
  const nothing = chosen.node < 0 && !chosen.path.length;
  const actions = { show, clear, open: toggleOpen, toggle: toggleKind, round, isOpen: panelOpen, inPicture: view === 'picture', picture: showInPicture };
  const box = byId('side');
  box.hidden = view === 'table' || nothing && view !== 'picture';
  document.body.classList.toggle('chosen', !nothing);
  box.replaceChildren(...[
    chosen.path.length || chosen.other >= 0 ? pathOf(g, chosen.path, chosen.node, chosen.other, actions)
      : chosen.node >= 0 ? details(g, chosen.node, actions) : overview(g, hiddenKinds, actions),
  ].flat(Infinity).filter(Boolean));
  box.scrollTop = 0;
}

// The views: the list of refreshes, the picture, and the table.
const VIEWS = { list: 'Refreshes', picture: 'Picture', table: 'Table' };
let view = 'list';

// first returns the view in which the page begins: the list if it has content.
const first = () => (byId('list').querySelector('li') ? 'list' : matchMedia('(max-width: 45rem)').matches ? 'table' : 'picture');

function showView(name) {
  view = name;
  document.body.dataset.view = name;
  for (const id of Object.keys(VIEWS)) byId(id).hidden = id !== name;
  if (name === 'table' && !byId('table').childElementCount) fillTable(g, show);
  drawButtons();
  drawSide();
  if (name === 'picture') { resize(); draw.now(); }
}

// focusView moves the focus to the view, for keys.
const focusView = () => byId(view === 'picture' ? 'canvas' : view).focus({ preventScroll: true });

function changeView(name) {
  showView(name);
  focusView();
}

function saveSVG() {
  const svg = new SVG(size.width, size.height);
  paint(svg, g, sceneOf(), color);
  save('graph.svg', 'image/svg+xml', svg.text(`Graph of ${g.name}`));
}

function drawButtons() {
  byId('views').replaceChildren(...Object.entries(VIEWS).map(([id, name]) => button(name, () => changeView(id), { 'aria-pressed': String(view === id), title: `${name} (${id === 'list' ? 'r' : id[0]})` })));
  byId('buttons').replaceChildren(...view === 'picture' ? [
    g.order.some((i) => g.inside[i].length) ? button('Open all', openAll, { 'aria-pressed': String(choice.all), title: 'Open all containers, or only as many as can be read (e)' }) : '',
    button('SVG', saveSVG, { class: 'wide', title: 'Save the visible part as an SVG file' })] : [],
    button('?', () => byId('help').showModal(), { class: 'wide', 'aria-label': 'Keys and mouse', title: 'Keys and mouse (?)' }));
  byId('zoom').replaceChildren(
    button('+', () => zoomAt(size.width / 2, size.height / 2, 1.4), { 'aria-label': 'Zoom in' }),
    button('−', () => zoomAt(size.width / 2, size.height / 2, 1 / 1.4), { 'aria-label': 'Zoom out' }),
    button('⤢', fit, { 'aria-label': 'Show all', title: 'Show all (0)' }));
}

// nodeAt returns the node at a point of the canvas, or -1. Of an open container, only the
// title counts.
function nodeAt(x, y) {
  const px = camera.x + x / camera.scale;
  const py = camera.y + y / camera.scale;
  const hits = (i) => px >= g.x[i] && px <= g.x[i] + g.w[i] && py >= g.y[i] && py <= g.y[i] + (scene.open[i] ? HEADER : g.h[i]);
  for (let k = scene.nodes.length - 1; k >= 0; k--) if (hits(scene.nodes[k])) return scene.nodes[k];
  return -1;
}

// Mouse and fingers.
function startPointers() {
  const down = new Map(); // pointers and where they are
  let moved = 0;
  const at = (e) => { const box = canvas.getBoundingClientRect(); return [e.clientX - box.left, e.clientY - box.top]; };
  canvas.addEventListener('pointerdown', (e) => {
    cancelAnimationFrame(flight);
    canvas.setPointerCapture(e.pointerId);
    down.set(e.pointerId, at(e));
    if (down.size === 1) moved = 0;
  });
  canvas.addEventListener('pointermove', (e) => {
    const [x, y] = at(e);
    const before = down.get(e.pointerId);
    if (!before) {
      const i = nodeAt(x, y);
      canvas.classList.toggle('over', i >= 0);
      canvas.title = i >= 0 ? g.ref[i] + (g.place[i] ? '\n' + g.place[i] : '') : '';
      return;
    }
    moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
    if (down.size === 2) {
      const other = [...down].find(([id]) => id !== e.pointerId)[1];
      const distance = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      zoomAt(other[0], other[1], distance([x, y]) / distance(before));
    } else if (moved > 4) {
      canvas.classList.add('drag');
      pan(before[0] - x, before[1] - y);
    }
    down.set(e.pointerId, [x, y]);
  });
  const up = (e) => {
    if (!down.delete(e.pointerId)) return;
    canvas.classList.remove('drag');
    if (e.type !== 'pointerup' || moved > 4) return;
    const i = nodeAt(...at(e));
    if (i >= 0 && e.shiftKey && chosen.node >= 0 && i !== chosen.node) connect(i);
    else select(i);
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('dblclick', (e) => {
    const i = nodeAt(...at(e));
    if (i >= 0 && g.inside[i].length) toggleOpen(i);
    else if (i >= 0) show(i);
  });
  canvas.addEventListener('wheel', (e) => {
    e.preventDefault();
    cancelAnimationFrame(flight);
    const unit = e.deltaMode === 1 ? 16 : 1;
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan((e.deltaX || e.deltaY) * unit, e.shiftKey ? 0 : e.deltaY * unit);
    else zoomAt(...at(e), Math.exp(-e.deltaY * unit * (e.ctrlKey ? 0.01 : 0.0016)));
  }, { passive: false });
  const jump = (e) => {
    if (!e.buttons) return;
    const box = overviewMap.getBoundingClientRect();
    camera.x = (e.clientX - box.left) / box.width * g.width - size.width / camera.scale / 2;
    camera.y = (e.clientY - box.top) / box.height * g.height - size.height / camera.scale / 2;
    draw(true);
  };
  overviewMap.addEventListener('pointerdown', (e) => { overviewMap.setPointerCapture(e.pointerId); jump(e); });
  overviewMap.addEventListener('pointermove', jump);
}

// Keys.
const STEP = 80;
const KEYS = {
  '/': () => { byId('search').focus(); byId('search').select(); },
  '?': () => byId('help').showModal(),
  r: () => changeView('list'), p: () => changeView('picture'), t: () => changeView('table'),
  e: openAll, 0: fit,
  '+': () => zoomAt(size.width / 2, size.height / 2, 1.3), '=': () => zoomAt(size.width / 2, size.height / 2, 1.3), '-': () => zoomAt(size.width / 2, size.height / 2, 1 / 1.3),
  ArrowLeft: () => pan(-STEP, 0), ArrowRight: () => pan(STEP, 0), ArrowUp: () => pan(0, -STEP), ArrowDown: () => pan(0, STEP),
  o: () => { if (chosen.node >= 0) toggleOpen(chosen.node); },
  j: () => next(1), k: () => next(-1),
  '[': () => along(g.into, 'from'), ']': () => along(g.from, 'to'),
  Escape: clear,
};

const TEXT_KEYS = new Set(['/', '?', 'r', 'p', 't', '[', ']', 'Escape']); // keys of all views

// next selects the next or the previous node, in the order of the containers.
function next(step) {
  if (!g.n) return;
  const at = g.order.indexOf(chosen.node);
  show(g.order[at < 0 ? (step > 0 ? 0 : g.n - 1) : (at + step + g.n) % g.n]);
}

// along selects the first node at the other ends of the arrows of the selected node.
function along(arrows, end) {
  const a = chosen.node >= 0 && arrows[chosen.node].find((one) => one.kind !== 'contains');
  if (a) show(a[end]);
}

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || byId('help').open || e.target.matches('input[type=search]')) return;
  const act = KEYS[e.key];
  if (!act || view !== 'picture' && !TEXT_KEYS.has(e.key)) return;
  e.preventDefault();
  act();
}

function resize() {
  const box = canvas.getBoundingClientRect();
  if (!box.width || !box.height) return;
  const ratio = devicePixelRatio || 1;
  const first = size.width === 0;
  const [width, height] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
  if (canvas.width === width && canvas.height === height && !first) return;
  const center = { x: camera.x + size.width / camera.scale / 2, y: camera.y + size.height / camera.scale / 2 };
  size = { width: Math.round(box.width), height: Math.round(box.height) };
  canvas.width = width; // which clears it
  canvas.height = height;
  minScale = Math.min(0.5, 0.5 * size.width / Math.max(g.width, 1), 0.5 * size.height / Math.max(g.height, 1));
  if (first) return;
  camera.x = center.x - size.width / camera.scale / 2;
  camera.y = center.y - size.height / camera.scale / 2;
  draw.now();
}

// startLinks makes the links of the list show their nodes.
function startLinks() {
  byId('list').addEventListener('click', (e) => {
    const link = e.target.closest('a[href]');
    if (!link) return;
    e.preventDefault();
    show(Number(link.hash.slice(1)));
  });
}

function start() {
  byId('finder').hidden = false;
  showView('picture'); // which has to be measured
  layMap();
  Object.assign(camera, whole());
  changeView(first());
  startSearch(g, show);
  startPointers();
  addEventListener('keydown', onKey);
  new ResizeObserver(resize).observe(byId('picture'));
  startLinks();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { color = colors(); layMap(); draw(); });
}

start();
