// The model: findings, filters and groups. Nothing in this file touches the document.

const DAY = 86_400;
const AGES = [[1, 'today'], [7, 'up to 7 days'], [30, 'up to 30 days'], [90, 'up to 90 days'], [Infinity, 'more than 90 days']];

// read returns the findings of a fleet. Each refers to its kind (the facts that it shares with the
// same finding on other nodes) and to its node.
function read(data) {
  const text = (i) => data.texts[i];
  for (const r of data.rules) r.name = ruleName(r);
  const kinds = data.kinds.map((row) => kindOf(row, text, data.rules));
  const nodes = data.nodes.map(([feed, name, seen]) => nodeOf(text(feed), text(name), seen));
  const findings = data.findings.map(([kind, node, first, last, count, accepted, reason]) => {
    const days = Math.max(0, Math.floor((data.time - first) / DAY));
    return { kind: kinds[kind], node: nodes[node], first, last, count, accepted, reason: reason === undefined ? '' : text(reason), days, age: AGES.find(([most]) => days < most)[1] };
  });
  for (const f of findings) if (!f.accepted) f.node.findings++;
  return { time: data.time, days: data.days, rules: new Map(data.rules.map((r) => [r.id, r])), kinds, nodes, findings };
}

function kindOf(row, text, rules) {
  const [rule, rank, confidence, resource, type, manifest, line, link, fingerprint, tag, masked, message, repair, owner] = row;
  const k = {
    rule: rules[rule], rank, severity: SEVERITIES[rank], confidence: text(confidence), resource: text(resource), type: text(type), manifest: text(manifest), line, link: text(link),
    fingerprint: text(fingerprint), tag: text(tag), masked: text(masked), message: text(message), repair: text(repair), owner: text(owner),
  };
  k.declared = k.manifest && line ? `${k.manifest}:${line}` : k.manifest;
  k.group = `${k.repair || k.fingerprint} ${k.owner}`.trim();
  k.owners = (k.owner || NO_OWNER).split(' ');
  k.words = [k.rule.id, k.rule.name, k.resource, k.declared, k.masked, k.message, k.fingerprint, k.repair, k.owner].join('\n').toLowerCase();
  return k;
}

function nodeOf(feed, name, seen) {
  const label = `${feed}/${name}`;
  return { feed, name, label, seen, words: label.toLowerCase(), findings: 0 };
}

// The values that a filter can select.
const FACETS = {
  severity: (f) => f.kind.severity,
  owner: (f) => f.kind.owners,
  age: (f) => f.age,
  rule: (f) => f.kind.rule.id,
  node: (f) => f.node.label,
  state: (f) => (f.accepted ? 'accepted' : 'open'),
  repair: (f) => f.kind.group,
  secret: (f) => f.kind.tag,
};

// cleanNodes returns the nodes without open findings whose names have all words.
function cleanNodes(fleet, words) {
  return words.length ? fleet.nodes.filter((n) => n.findings === 0 && n.seen && words.every((w) => n.words.includes(w))) : [];
}

// The facets that group findings. A finding without a secret is in no group of secrets.
const GROUPS = ['repair', 'owner', 'secret', 'node', 'rule'];

const keysOf = (f, by) => [FACETS[by](f)].flat().filter(Boolean);

// group returns the groups of findings, the most urgent first: by severity, number of nodes and age.
function group(findings, by) {
  const groups = new Map();
  for (const f of findings) {
    for (const key of keysOf(f, by)) {
      let g = groups.get(key);
      if (!g) groups.set(key, (g = { key, by, first: f, findings: [], rank: 0, days: 0, nodes: new Set(), repairs: new Set(), secrets: new Set(), rules: new Map() }));
      g.findings.push(f);
      if (f.kind.rank > g.rank) [g.rank, g.first] = [f.kind.rank, f];
      g.days = Math.max(g.days, f.days);
      g.nodes.add(f.node);
      g.repairs.add(f.kind.group);
      if (f.kind.tag) g.secrets.add(f.kind.tag);
      g.rules.set(f.kind.rule, Math.max(g.rules.get(f.kind.rule) ?? 0, f.kind.rank));
    }
  }
  for (const g of groups.values()) g.rules = [...g.rules].sort((a, b) => b[1] - a[1]).map(([rule]) => rule);
  return [...groups.values()].sort((a, b) => b.rank - a.rank || b.nodes.size - a.nodes.size || b.days - a.days || b.findings.length - a.findings.length);
}

// totals returns the number of groups of each kind, and of findings.
function totals(findings) {
  const sizes = GROUPS.map((by) => {
    const keys = new Set();
    for (const f of findings) for (const key of keysOf(f, by)) keys.add(key);
    return [by, keys.size];
  });
  return { ...Object.fromEntries(sizes), table: findings.length };
}

// spots returns the kinds of a list of findings with the findings of each: the most severe first, or the oldest.
function spots(findings, oldest) {
  const byKind = new Map();
  for (const f of findings) {
    if (!byKind.has(f.kind)) byKind.set(f.kind, { kind: f.kind, findings: [], since: f.first });
    const s = byKind.get(f.kind);
    s.findings.push(f);
    s.since = Math.min(s.since, f.first);
  }
  const list = [...byKind.values()];
  return oldest ? list.sort((a, b) => a.since - b.since) : list.sort((a, b) => b.kind.rank - a.kind.rank || b.findings.length - a.findings.length);
}

// The orders of the table.
const ORDERS = {
  severity: (f) => f.kind.rank,
  resource: (f) => f.kind.resource,
  rule: (f) => f.kind.rule.name,
  manifest: (f) => f.kind.manifest + ':' + String(f.kind.line).padStart(8, '0'),
  owner: (f) => f.kind.owner,
  node: (f) => f.node.label,
  age: (f) => f.days,
};

const dayOf = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);
const ageOf = (days) => (days === 0 ? 'today' : days === 1 ? '1 day' : `${days.toLocaleString('en')} days`);
