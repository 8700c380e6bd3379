// The model: findings, filters and groups. Nothing in this file touches the document.

const CONFIDENCES = ['low', 'medium', 'high'];
const CLASSES = ['leak', 'policy'];
const REPEATS = ['', '', 'tag', 'edge']; // of the title of a place

// read returns the report with its findings, each of which refers to its kind (the
// facts that it shares with the same finding on other nodes) and its catalog.
function read(data) {
  const text = (i) => data.texts[i];
  for (const r of data.rules) r.name = ruleName(r);
  const rules = new Map(data.rules.map((r) => [r.id, r]));
  const sources = data.sources.map(([declared, ref, pointer, manifest, line, others]) => ({ declared: declared === 1, ref: text(ref), pointer: text(pointer), manifest: text(manifest), line, others }));
  const kinds = data.kinds.map((row) => kindOf(row, text, data.rules, sources));
  const catalogs = data.catalogNames.map(([name, node]) => ({
    name: text(name), node: text(node), label: text(node) || text(name), words: (text(name) + '\n' + text(node)).toLowerCase(),
  }));
  const findings = data.findings.map(([kind, catalog, pointer, offset], index) => ({
    index, kind: kinds[kind], catalog: catalogs[catalog], pointer: text(pointer), offset,
  }));
  return { numbers: data, rules, kinds, catalogs, findings };
}

function kindOf(row, text, rules, sources) {
  const [rule, kind, severity, confidence, type, title, parameter, manifest, line, fingerprint, tag, name, shown, message, encodings, hidden, fix, link, place, repeats, repair, owner, source] = row;
  const k = {
    rule: rules[rule], class: CLASSES[kind], rank: severity, severity: SEVERITIES[severity], confidence: CONFIDENCES[confidence],
    type: text(type), title: text(title), parameter: text(parameter), manifest: text(manifest), line,
    fingerprint: text(fingerprint), tag: text(tag), name: text(name), shown: text(shown), message: text(message),
    encodings: text(encodings) ? text(encodings).split(' ') : [], hidden: hidden === 1, fix: text(fix), link: text(link), place: text(place), repeats: REPEATS[repeats],
    repair: text(repair), owner: text(owner), source: sources[source - 1],
  };
  k.masked = k.name && k.shown ? k.name + '=' + k.shown : k.name + k.shown;
  k.resource = k.type ? `${k.type}[${k.title}]${k.parameter ? '/' + k.parameter : ''}` : '';
  k.declared = k.manifest && line ? `${k.manifest}:${line}` : k.manifest;
  k.words = [k.rule.id, k.rule.name, k.resource, k.declared, k.masked, k.message, k.fingerprint, k.owner].join('\n').toLowerCase();
  return k;
}

// The values that a filter can select.
const FACETS = {
  severity: (f) => f.kind.severity,
  rule: (f) => f.kind.rule.id,
  node: (f) => f.catalog.label,
  owner: (f) => (f.kind.owner || NO_OWNER).split(' '),
  type: (f) => f.kind.type,
  class: (f) => f.kind.class,
  location: (f) => f.kind.place,
  secret: (f) => f.kind.shown || f.kind.rule.id,
};

// The facets that group findings.
const GROUPS = ['location', 'secret', 'node', 'rule'];

// group returns the groups of findings, by descending severity, number of nodes and
// number of findings.
function group(findings, by) {
  const groups = new Map();
  for (const f of findings) {
    const key = FACETS[by](f);
    let g = groups.get(key);
    if (!g) groups.set(key, (g = { key, by, first: f, repeated: { edge: 0, tag: 0 }, findings: [], rank: 0, nodes: new Set(), secrets: new Set(), locations: new Set(), ranks: new Map() }));
    g.findings.push(f);
    g.rank = Math.max(g.rank, f.kind.rank);
    g.nodes.add(f.catalog.label);
    if (f.kind.shown) g.secrets.add(f.kind.shown);
    g.locations.add(f.kind.place);
    if (by === 'location' && f.kind.repeats) g.repeated[f.kind.repeats]++;
    else g.ranks.set(f.kind.rule, Math.max(g.ranks.get(f.kind.rule) ?? 0, f.kind.rank));
  }
  for (const g of groups.values()) g.rules = [...g.ranks].sort((a, b) => b[1] - a[1]).map(([rule]) => rule);
  return [...groups.values()].sort((a, b) => b.rank - a.rank || b.nodes.size - a.nodes.size || b.findings.length - a.findings.length);
}

// totals returns the number of groups of each kind, and of findings.
function totals(findings) {
  const sizes = GROUPS.map((by) => [by, new Set(findings.map(FACETS[by])).size]);
  return { ...Object.fromEntries(sizes), table: findings.length };
}

// spots returns the kinds of a list of findings with the findings of each, the most
// severe first.
function spots(findings) {
  const byKind = new Map();
  for (const f of findings) {
    if (!byKind.has(f.kind)) byKind.set(f.kind, []);
    byKind.get(f.kind).push(f);
  }
  return [...byKind].map(([kind, list]) => ({ kind, findings: list })).sort((a, b) => b.kind.rank - a.kind.rank || b.findings.length - a.findings.length);
}

// The orders of the table.
const ORDERS = {
  severity: (f) => f.kind.rank,
  rule: (f) => f.kind.rule.name,
  resource: (f) => f.kind.resource,
  manifest: (f) => f.kind.manifest + ':' + String(f.kind.line).padStart(8, '0'),
  value: (f) => f.kind.masked,
  owner: (f) => f.kind.owner,
  node: (f) => f.catalog.label,
};
