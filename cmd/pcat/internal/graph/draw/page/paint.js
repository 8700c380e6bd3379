// Drawing: the same function draws on the canvas and into an SVG file.

const COLORS = ['ground', 'card', 'text', 'quiet', 'box', 'box-line', 'group', 'group-line', 'closed', 'arrow', 'auto', 'refresh', 'cycle', 'path', 'chosen', 'added', 'removed', 'changed', 'added-fill', 'removed-fill', 'changed-fill', 'line'];
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

// colors returns the colours of the style, which depend on the scheme.
function colors() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue('--' + name).trim()]));
}

const LEGIBLE = 0.45; // the scale from which nodes have labels
const DOTS = 0.4; // the scale below which nodes are dots

// paint draws a scene: the camera {x, y, scale}, the size, the nodes in view, the arrows
// between them, and the marked ones.
function paint(ctx, g, scene, color) {
  const { camera, width, height, nodes, open, arrows, marked } = scene;
  const s = camera.scale;
  const X = (x) => (x - camera.x) * s;
  const Y = (y) => (y - camera.y) * s;
  ctx.fillStyle = color.ground;
  ctx.fillRect(0, 0, width, height);
  const faded = (i) => marked && !marked.nodes.has(i);
  for (const i of nodes) if (open[i]) paintGroup(ctx, g, i, X, Y, s, color, scene);
  paintArrows(ctx, g, arrows, X, Y, s, color, scene);
  for (const fade of marked ? [true, false] : [false]) {
    ctx.globalAlpha = fade ? 0.3 : 1;
    for (const i of nodes) if (!open[i] && faded(i) === fade || !open[i] && !marked) paintNode(ctx, g, i, X, Y, s, color, scene);
  }
  ctx.globalAlpha = 1;
  const labels = []; // the rectangles of titles
  for (const i of nodes) if (open[i]) paintTitle(ctx, g, i, X, Y, s, color, scene, labels);
}

const outline = (g, i, color, otherwise) => (g.state[i] ? color[g.state[i]] : g.cycle[i] ? color.cycle : otherwise);

function paintGroup(ctx, g, i, X, Y, s, color, { marked }) {
  ctx.beginPath();
  ctx.roundRect(X(g.x[i]), Y(g.y[i]), g.w[i] * s, g.h[i] * s, Math.min(8, 8 * s));
  ctx.fillStyle = color.group;
  ctx.fill();
  const chosen = marked?.chosen.has(i);
  ctx.lineWidth = chosen ? 2 : 1;
  ctx.strokeStyle = chosen ? color.chosen : outline(g, i, color, color['group-line']);
  ctx.stroke();
}

// paintTitle draws the title of an open container, over arrows: in its first line, or on
// its border if there is too little space. A title on a border that would cover another one is
// left out.
function paintTitle(ctx, g, i, X, Y, s, color, { marked, width, measure }, labels) {
  const band = HEADER * s;
  const inside = band >= 14;
  const left = Math.max(X(g.x[i]), 0) + 8;
  const right = Math.min(X(g.x[i] + g.w[i]), width) - 8;
  const size = inside ? Math.max(10, Math.min(13, band * 0.6, (right - left) / measure(g.ref[i], 600))) : 10;
  const text = inside ? fitted(g.ref[i], right - left, size, measure, 600) : shortened(nameOf(g.ref[i]), right - left, size, measure);
  if (!text) return;
  const long = measure(text, 600) * size;
  const from = !inside && containersOf(g, i).length % 2 ? right - long : left; // beside the title of its own container
  const middle = inside ? Y(g.y[i]) + band / 2 + 1 : Y(g.y[i]);
  if (!inside) {
    const box = [from - 3, middle - 6, from + long + 3, middle + 6];
    if (labels.some((b) => box[0] < b[2] && b[0] < box[2] && box[1] < b[3] && b[1] < box[3])) return;
    labels.push(box);
    ctx.fillStyle = color.ground;
    ctx.fillRect(from - 3, middle - 6, long + 6, 12);
  }
  ctx.globalAlpha = marked && !marked.nodes.has(i) ? 0.55 : 1;
  ctx.font = `600 ${size}px ${FONT}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = marked?.chosen.has(i) ? color.chosen : outline(g, i, color, color.quiet);
  ctx.fillText(text, from, middle);
  ctx.globalAlpha = 1;
}

function paintNode(ctx, g, i, X, Y, s, color, { marked, measure, counts }) {
  const x = X(g.x[i]);
  const y = Y(g.y[i]);
  const w = g.w[i] * s;
  const h = g.h[i] * s;
  const closed = g.inside[i].length > 0;
  const chosen = marked?.chosen.has(i);
  const state = g.state[i] || (closed && g.changed[i] ? 'changed' : '');
  const edge = chosen ? color.chosen : state ? color[state] : outline(g, i, color, color['box-line']);
  const fill = state ? color[state + '-fill'] : closed || g.container[i] ? color.closed : color.box;
  if (!closed && s < DOTS) {
    ctx.fillStyle = chosen || g.state[i] || g.cycle[i] ? edge : color['box-line'];
    ctx.fillRect(x, y, Math.max(w, 1.5), Math.max(h, 1.5));
    return;
  }
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, closed ? Math.min(8, 8 * s + 2) : Math.min(5, 5 * s));
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.lineWidth = chosen ? 2 : 1;
  ctx.strokeStyle = edge;
  ctx.stroke();
  if (closed) return paintClosed(ctx, g, i, x, y, w, h, color, measure, counts);
  if (s < LEGIBLE) return;
  const space = w - Math.min(8, 8 * s);
  const size = Math.max(SMALLEST, Math.min(12 * s, 18, space / measure(g.ref[i], 400)));
  const text = (g.container[i] ? shortened : fitted)(g.ref[i], space, size, measure, 400);
  if (!text) return;
  ctx.font = `${size}px ${FONT}`;
  ctx.fillStyle = color.text;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x + w / 2, y + h / 2 + 0.5);
}

// paintClosed draws the name of a closed container and the number of resources in it, as
// large as the box allows.
function paintClosed(ctx, g, i, x, y, w, h, color, measure, counts) {
  if (w < 34 || h < 13) return;
  const name = nameOf(g.ref[i]);
  const largest = Math.min(15, h / 2.5, (w - 8) / measure(name, 600));
  const size = Math.max(SMALLEST, largest);
  const lines = measure(name, 600) * size <= w - 6 ? [name] : wrapped(name, w - 6, size, measure, Math.floor(h / size / 1.2)) ?? [shortened(name, w - 6, size, measure) || `${name.slice(0, 3)}…`];
  if (!lines[0]) return;
  const left = h - lines.length * size * 1.2;
  const texts = g.changed[i] ? [`${plural(counts[i], 'resource')}, ${g.changed[i]} changed`, `${g.changed[i]} changed`, String(g.changed[i])] : [plural(counts[i], 'resource'), String(counts[i])];
  const small = Math.max(SMALLEST - 1, size * 0.85);
  const fits = (text, at) => left > 1.4 * at && measure(text, 400) * at <= w - 6;
  const under = texts.find((text) => fits(text, small)) === texts.at(-1) && fits(texts.at(-2), SMALLEST - 1) ? [texts.at(-2), SMALLEST - 1] : [texts.find((text) => fits(text, small)), small];
  const number = under[0];
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.font = `600 ${size}px ${FONT}`;
  ctx.fillStyle = color.text;
  const top = y + h / 2 - ((lines.length - 1) * 0.6 + (number ? 0.55 : 0)) * size;
  lines.forEach((line, k) => ctx.fillText(line, x + w / 2, top + k * size * 1.2));
  if (!number) return;
  ctx.font = `${under[1]}px ${FONT}`;
  ctx.fillStyle = g.changed[i] ? color.changed : color.quiet;
  ctx.fillText(number, x + w / 2, top + (lines.length - 1) * 1.2 * size + 1.2 * size);
}

const SMALLEST = 9; // the size of the names of closed containers

// wrapped returns the lines of a name that is broken between its words, or undefined if it
// needs more lines than there is room for.
function wrapped(name, space, size, measure, most) {
  const lines = [''];
  for (const word of name.split(/(?<=[:_\-/.[\]])(?![:])|(?<=[a-z])(?=[A-Z0-9])/)) {
    const longer = lines.at(-1) + word;
    if (measure(longer, 600) * size <= space) lines[lines.length - 1] = longer;
    else if (measure(word, 600) * size <= space && lines.length < most) lines.push(word);
    else return undefined;
  }
  return lines;
}

// nameOf returns a reference, and of a class its name.
const nameOf = (ref) => /^Class\[(.*)\]$/.exec(ref)?.[1] ?? ref;

// shortened returns the name of a container that fits: without the first parts of a class
// or a type.
function shortened(ref, space, size, measure, weight = 600) {
  if (measure(ref, weight) * size < space) return ref;
  const name = nameOf(ref);
  const [words, title] = [name.split('[')[0].split('::'), name.slice(name.split('[')[0].length)];
  for (let k = 0; k < words.length; k++) {
    const text = (k ? '…' : '') + words.slice(k).join('::') + title;
    if (measure(text, weight) * size < space) return text;
  }
  return fitted(words.at(-1) + title, space, size, measure, weight);
}

// fitted returns a text that is at most as wide as the space, without its middle if
// necessary. It is empty if there is too little space. measure returns the width of a
// text of size 1.
function fitted(text, space, size, measure, weight) {
  const width = measure(text, weight) * size;
  if (width <= space) return text;
  const all = [...text];
  const most = Math.floor(all.length * space / width) - 1; // characters
  if (most < 4) return '';
  const head = Math.ceil(most * 0.45);
  return all.slice(0, head).join('').trimEnd() + '…' + all.slice(all.length - most + head).join('');
}

// strokeOf returns the style of an arrow: colour, width and dashes.
function strokeOf(a, color, s) {
  const width = Math.min(1 + Math.log2(a.count) / 3, 3) * (s < 0.25 ? 0.7 : 1);
  if (a.state === 'added' || a.state === 'removed') return [color[a.state], width + 0.5, a.state === 'removed' ? [6, 3] : []];
  if (a.cycle) return [color.cycle, width + 0.5, []];
  if (a.refresh) return [color.refresh, width + 0.3, []];
  if (a.contains) return [color['group-line'], width, [2, 3]];
  if (a.auto) return [color.auto, width, [4, 3]];
  return [color.arrow, width, []];
}

// paintArrows draws the arrows of one style together, the marked ones last.
function paintArrows(ctx, g, arrows, X, Y, s, color, { marked, open, width, height }) {
  const groups = new Map();
  const straight = arrows.length > MAX_ROUTES;
  const inside = ([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height;
  for (const a of arrows) {
    const line = routeOf(g, a, straight).map(([x, y]) => [X(x), Y(y)]);
    if (!inside(line[0]) && !inside(line.at(-1)) && !(marked?.arrows(a))) continue; // it only passes through
    const on = marked?.arrows(a);
    const [stroke, thick, dash] = on === 'path' ? [color.path, 3, []] : strokeOf(a, color, s);
    const key = `${on ? 1 : 0} ${stroke} ${thick.toFixed(1)} ${dash}`;
    if (!groups.has(key)) groups.set(key, { on, stroke, thick: on && on !== 'path' ? thick + 0.7 : thick, dash, lines: [] });
    groups.get(key).lines.push(line);
  }
  const heads = s > 0.3;
  const clear = Math.max(0.12, Math.min(0.9, 150 / arrows.length)); // many arrows are pale
  for (const group of [...groups.values()].sort((a, b) => Boolean(a.on) - Boolean(b.on))) {
    ctx.globalAlpha = marked ? (group.on ? 1 : 0.12) : clear;
    ctx.strokeStyle = group.stroke;
    ctx.fillStyle = group.stroke;
    ctx.lineWidth = group.thick;
    ctx.setLineDash(s < 0.3 || group.lines.length > 1500 ? [] : group.dash);
    for (let from = 0; from < group.lines.length; from += 256) { // a path of many lines is slow
      ctx.beginPath();
      for (const l of group.lines.slice(from, from + 256)) trace(ctx, l, 8 * s);
      ctx.stroke();
    }
    if (!heads || group.lines.length > 2000) continue;
    const size = Math.min(7, 4 + 4 * s);
    ctx.beginPath();
    for (const l of group.lines) head(ctx, l, size);
    ctx.fill();
  }
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}

// toward returns the point at which a bend at p begins on the way to q.
function toward(p, q, radius) {
  const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
  const part = Math.min(radius, length / 2) / length;
  return [p[0] + (q[0] - p[0]) * part, p[1] + (q[1] - p[1]) * part];
}

// trace adds a line with round bends to the path.
function trace(ctx, points, radius) {
  ctx.moveTo(...points[0]);
  for (let k = 1; k < points.length - 1; k++) {
    ctx.lineTo(...toward(points[k], points[k - 1], radius));
    ctx.quadraticCurveTo(...points[k], ...toward(points[k], points[k + 1], radius));
  }
  ctx.lineTo(...points.at(-1));
}

// head draws the head of an arrow.
function head(ctx, points, size) {
  const [[cx, cy], [x, y]] = points.slice(-2);
  const dx = x - cx;
  const dy = y - cy;
  const length = Math.hypot(dx, dy) || 1;
  const ux = dx / length;
  const uy = dy / length;
  ctx.moveTo(x, y);
  ctx.lineTo(x - ux * size - uy * size * 0.45, y - uy * size + ux * size * 0.45);
  ctx.lineTo(x - ux * size + uy * size * 0.45, y - uy * size - ux * size * 0.45);
  ctx.closePath();
}

// SVG has the methods of a canvas that paint calls, and writes elements.
class SVG {
  constructor(width, height) { Object.assign(this, { width, height, out: [], d: '', dash: [], globalAlpha: 1, lineWidth: 1, font: '', fillStyle: '', strokeStyle: '', textAlign: 'left' }); }
  static n(x) { return String(Math.round(x * 10) / 10); }
  static escape(text) { return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`); }
  put(name, attributes, text = '') {
    const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${SVG.escape(String(value))}"`).join('');
    this.out.push(text ? `<${name}${list}>${SVG.escape(text)}</${name}>` : `<${name}${list}/>`);
  }
  points(letter, ...numbers) { this.d += letter + numbers.map(SVG.n).join(' '); }
  beginPath() { this.d = ''; }
  moveTo(...p) { this.points('M', ...p); }
  lineTo(...p) { this.points('L', ...p); }
  quadraticCurveTo(...p) { this.points('Q', ...p); }
  closePath() { this.d += 'Z'; }
  roundRect(x, y, w, h, radius) {
    const r = Math.min(radius, w / 2, h / 2);
    this.d += `M${SVG.n(x + r)} ${SVG.n(y)}h${SVG.n(w - 2 * r)}a${SVG.n(r)} ${SVG.n(r)} 0 0 1 ${SVG.n(r)} ${SVG.n(r)}v${SVG.n(h - 2 * r)}a${SVG.n(r)} ${SVG.n(r)} 0 0 1 ${SVG.n(-r)} ${SVG.n(r)}h${SVG.n(2 * r - w)}a${SVG.n(r)} ${SVG.n(r)} 0 0 1 ${SVG.n(-r)} ${SVG.n(-r)}v${SVG.n(2 * r - h)}a${SVG.n(r)} ${SVG.n(r)} 0 0 1 ${SVG.n(r)} ${SVG.n(-r)}Z`;
  }
  setLineDash(dash) { this.dash = dash; }
  opacity() { return this.globalAlpha < 1 ? { opacity: this.globalAlpha } : {}; }
  fill() { this.put('path', { d: this.d, fill: this.fillStyle, ...this.opacity() }); }
  stroke() { this.put('path', { d: this.d, fill: 'none', stroke: this.strokeStyle, 'stroke-width': SVG.n(this.lineWidth), ...(this.dash.length ? { 'stroke-dasharray': this.dash.join(' ') } : {}), ...this.opacity() }); }
  fillRect(x, y, w, h) { this.put('rect', { x: SVG.n(x), y: SVG.n(y), width: SVG.n(w), height: SVG.n(h), fill: this.fillStyle, ...this.opacity() }); }
  fillText(text, x, y) {
    const [, weight, size] = /^(\d{3})? ?([\d.]+)px/.exec(this.font);
    this.put('text', { x: SVG.n(x), y: SVG.n(y), fill: this.fillStyle, 'font-size': SVG.n(Number(size)), 'font-weight': weight ?? '400', 'text-anchor': this.textAlign === 'center' ? 'middle' : 'start', 'dominant-baseline': 'central', ...this.opacity() }, text);
  }
  text(title) {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.width} ${this.height}" width="${this.width}" height="${this.height}" font-family="system-ui, sans-serif">\n<title>${SVG.escape(title)}</title>\n${this.out.join('\n')}\n</svg>\n`;
  }
}
