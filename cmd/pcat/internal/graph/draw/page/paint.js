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
  for (const i of nodes) if (open[i]) paintTitle(ctx, g, i, X, Y, s, color, scene);
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
// its border if there is too little space.
function paintTitle(ctx, g, i, X, Y, s, color, { marked, width, measure }) {
  const band = HEADER * s;
  const inside = band >= 14;
  const size = inside ? Math.min(13, band * 0.6) : 10;
  const left = Math.max(X(g.x[i]), 0) + 8;
  const right = Math.min(X(g.x[i] + g.w[i]), width) - 8;
  const text = inside ? fitted(g.ref[i], right - left, size, measure, 600) : shortened(nameOf(g.ref[i]), right - left, size, measure);
  if (!text) return;
  const long = measure(text, 600) * size;
  const from = !inside && containersOf(g, i).length % 2 ? right - long : left; // beside the title of its own container
  const middle = inside ? Y(g.y[i]) + band / 2 + 1 : Y(g.y[i]);
  ctx.globalAlpha = marked && !marked.nodes.has(i) ? 0.55 : 1;
  if (!inside) {
    ctx.fillStyle = color.ground;
    ctx.fillRect(from - 3, middle - 6, long + 6, 12);
  }
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
  const edge = chosen ? color.chosen : outline(g, i, color, color['box-line']);
  const fill = g.state[i] ? color[g.state[i] + '-fill'] : closed || g.container[i] ? color.closed : color.box;
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
  const size = Math.max(9, Math.min(12 * s, 18));
  const text = (g.container[i] ? shortened : fitted)(g.ref[i], w - Math.min(14, 14 * s), size, measure, 400);
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
  const largest = Math.min(15, h / 2.5, (w - 8) / measure(nameOf(g.ref[i]), 600));
  const size = Math.max(10, largest);
  const title = shortened(nameOf(g.ref[i]), w - 8, size, measure);
  if (!title) return;
  const fits = (text) => h > 2.6 * size && measure(text, 400) * size * 0.85 <= w - 8;
  const number = [counts[i] + (counts[i] === 1 ? ' resource' : ' resources'), String(counts[i])].find(fits);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.font = `600 ${size}px ${FONT}`;
  ctx.fillStyle = color.text;
  ctx.fillText(title, x + w / 2, y + h / 2 - (number ? size * 0.6 : 0));
  if (!number) return;
  ctx.font = `${size * 0.85}px ${FONT}`;
  ctx.fillStyle = color.quiet;
  ctx.fillText(number, x + w / 2, y + h / 2 + size * 0.7);
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
  const inside = (x, y) => x >= 0 && x <= width && y >= 0 && y <= height;
  for (const a of arrows) {
    const line = curve(g, a, open, X, Y, s);
    if (!inside(line[0], line[1]) && !inside(line[6], line[7])) continue; // it only passes through
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
      for (const l of group.lines.slice(from, from + 256)) {
        ctx.moveTo(l[0], l[1]);
        if (group.lines.length > 2000) ctx.lineTo(l[6], l[7]);
        else ctx.bezierCurveTo(l[2], l[3], l[4], l[5], l[6], l[7]);
      }
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

// curve returns the points of an arrow: from the right side of a node to the left side
// of the other. One of an open container touches its title.
function curve(g, a, open, X, Y, s) {
  const middle = (i) => g.y[i] + (open[i] ? HEADER / 2 : g.h[i] / 2);
  const inner = g.parent[a.to] === a.from; // from a container to its content
  const x1 = X(g.x[a.from] + (inner ? 0 : g.w[a.from]));
  const y1 = Y(middle(a.from));
  const x2 = X(g.x[a.to]);
  const y2 = Y(middle(a.to));
  const reach = x2 > x1 ? Math.min(Math.max((x2 - x1) / 2, 12), 160) : Math.min(40 + (x1 - x2) / 4, 160);
  const bow = x2 < x1 && Math.abs(y2 - y1) < 20 * s ? 60 * s : 0; // not through its own nodes
  return [x1, y1, x1 + reach, y1 + bow, x2 - reach, y2 + bow, x2, y2];
}

// head draws the head of an arrow.
function head(ctx, [, , , , cx, cy, x, y], size) {
  const dx = x - cx;
  const dy = (y - cy) * 0.5;
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
  bezierCurveTo(...p) { this.points('C', ...p); }
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
