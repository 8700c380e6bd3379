// The ways of arrows: straight lines, round the nodes that are in the way. The same search as
// in route.go, which draws the files of SVG.

const CLEARANCE = 2; // an arrow at a smaller distance from a node touches it
const DISTANCE = 5; // of the corners round which arrows lead
const BEND = 20; // the length that an arrow may be longer to have a bend less
const LEAST_SHARED = 12; // the part of two sides that a horizontal or vertical arrow needs
const MAX_TURNS = 100; // corners that are tried in one search
const MAX_ROUNDS = 12; // searches for one arrow
const MAX_ROUTES = 2000; // more arrows than these are straight

const boxOf = (g, i, by) => [g.x[i] - by, g.y[i] - by, g.x[i] + g.w[i] + by, g.y[i] + g.h[i] + by];
const middle = (a, b) => (a + b) / 2;

// enters returns the part of the way from p to q at which it enters a box, or Infinity.
function enters([left, top, right, bottom], p, q) {
  let at = 0;
  let until = 1;
  for (const [from, step, low, high] of [[p[0], q[0] - p[0], left, right], [p[1], q[1] - p[1], top, bottom]]) {
    if (step === 0) {
      if (from <= low || from >= high) return Infinity;
      continue;
    }
    const first = (low - from) / step;
    const last = (high - from) / step;
    at = Math.max(at, Math.min(first, last));
    until = Math.min(until, Math.max(first, last));
  }
  return at < until ? at : Infinity;
}

// ends returns the first and the last point of an arrow between two nodes: on the sides that
// face each other, if possible so that the arrow is horizontal or vertical.
function ends(g, from, to) {
  const [a, b] = [boxOf(g, from, 0), boxOf(g, to, 0)];
  const facing = (low, high, otherLow, otherHigh) => {
    const first = Math.max(low, otherLow);
    const last = Math.min(high, otherHigh);
    return last - first >= LEAST_SHARED ? [middle(first, last), middle(first, last)] : [middle(low, high), middle(otherLow, otherHigh)];
  };
  const across = facing(a[1], a[3], b[1], b[3]);
  const down = facing(a[0], a[2], b[0], b[2]);
  if (b[0] >= a[2]) return [[a[2], across[0]], [b[0], across[1]]];
  if (b[1] >= a[3]) return [[down[0], a[3]], [down[1], b[1]]];
  if (a[1] >= b[3]) return [[down[0], a[1]], [down[1], b[3]]];
  return [[a[0], across[0]], [b[2], across[1]]];
}

// routeOf returns the points of an arrow in the plane. They do not depend on the camera.
function routeOf(g, { from, to }, straight) {
  const known = straight ? (g.lines ??= new Map()) : (g.routes ??= new Map());
  const key = from * g.n + to;
  let points = known.get(key);
  if (!points) {
    points = route(g, from, to, straight);
    known.set(key, points);
  }
  return points;
}

function route(g, from, to, straight) {
  const own = new Set([from, to, ...containersOf(g, from), ...containersOf(g, to)]);
  if (containersOf(g, from).includes(to) || containersOf(g, to).includes(from)) return [[g.x[from] + 6, g.y[from] + HEADER / 2], [g.x[to], g.y[to] + g.h[to] / 2]];
  const [p, q] = ends(g, from, to);
  if (straight) return [p, q];
  const obstacles = [];
  for (const parent of new Set([...own].map((i) => g.parent[i]))) for (const i of parent < 0 ? g.roots : g.inside[parent]) if (!own.has(i)) obstacles.push(boxOf(g, i, CLEARANCE));
  return roundOf(p, q, obstacles, [boxOf(g, from, -1), boxOf(g, to, -1)]);
}

// roundOf returns the way from p to q round obstacles and other boxes. It searches with the few
// obstacles that are met.
function roundOf(p, q, obstacles, met) {
  let points = [p, q];
  for (let k = 0; k < MAX_ROUNDS; k++) {
    const more = obstacles.filter((box) => !met.includes(box) && points.slice(1).some((to, n) => enters(box, points[n], to) < 1));
    if (!more.length) break;
    met.push(...more);
    points = way(p, q, met);
  }
  return points;
}

// way returns the shortest way round obstacles: A*, along the corners of the obstacles that
// are met. A straight line if it finds none.
function way(p, q, obstacles) {
  const first = (a, b) => {
    let hit;
    let near = Infinity;
    for (const box of obstacles) {
      const at = enters(box, a, b);
      if (at < near) [hit, near] = [box, at];
    }
    return hit;
  };
  const length = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  if (!first(p, q)) return [p, q];
  const known = new Map([[String(p), { at: p, cost: 0, length: length(p, q) }]]);
  for (let tried = 0; tried < MAX_TURNS; tried++) {
    let best;
    for (const turn of known.values()) if (!turn.done && (!best || turn.length < best.length)) best = turn;
    if (!best) break;
    if (best.at === q) {
      const points = [];
      for (let turn = best; turn; turn = turn.before) points.unshift(turn.at);
      return points;
    }
    best.done = true;
    const met = new Set();
    const targets = [q];
    for (const to of targets) { // which grows
      if (known.get(String(to))?.done) continue;
      const hit = first(best.at, to);
      if (hit) {
        const [left, top, right, bottom] = [hit[0] - DISTANCE, hit[1] - DISTANCE, hit[2] + DISTANCE, hit[3] + DISTANCE];
        if (!met.has(hit)) targets.push([left, top], [right, top], [right, bottom], [left, bottom]);
        met.add(hit);
        continue;
      }
      const cost = best.cost + length(best.at, to) + BEND;
      const turn = known.get(String(to));
      if (!turn || cost < turn.cost) known.set(String(to), { at: to, cost, length: cost + length(to, q), before: best });
    }
  }
  return [p, q];
}
