// The model: findings, filters and groups. Nothing in this file touches the document.

const DAY = 86_400;
const AGES = [[1, 'today'], [7, 'up to 7 days'], [30, 'up to 30 days'], [90, 'up to 90 days'], [Infinity, 'more than 90 days']];

// read returns the findings of a fleet. Each refers to its kind (the facts that it shares with the
// same finding on other nodes) and to its node.
function read(data) {
  const { texts, rules, time } = data;
  for (const r of rules) r.name = ruleName(r);
  const sources = data.sources.map(([resource, manifest, line, link, others]) => ({ resource: texts[resource], declared: declaredIn(texts[manifest], line), link: texts[link], others }));
  const kinds = data.kinds.map((row) => new Kind(row, texts, rules, sources));
  const nodes = data.nodes.map((row) => nodeOf(texts[row[0]], texts[row[1]], row[2]));
  const findings = data.findings.map((row) => {
    const days = Math.max(0, Math.floor((time - row[2]) / DAY));
    return { kind: kinds[row[0]], node: nodes[row[1]], first: row[2], last: row[3], count: row[4], accepted: row[5], reason: row.length > 6 ? texts[row[6]] : '', days, age: ageClass(days) };
  });
  for (const f of findings) if (!f.accepted) f.node.findings++;
  return { time, days: data.days, rules: new Map(rules.map((r) => [r.id, r])), kinds, nodes, findings };
}

// declaredIn returns the line of a manifest.
const declaredIn = (manifest, line) => (manifest && line ? `${manifest}:${line}` : manifest);

function ageClass(days) {
  for (const [most, name] of AGES) if (days < most) return name;
  return '';
}

// Kind is what the same finding on several nodes has in common. The texts that are searched are made
// by the first search: they are most of the work of reading a page with many kinds.
class Kind {
  constructor(row, texts, rules, sources) {
    this.rule = rules[row[0]];
    this.rank = row[1];
    this.severity = SEVERITIES[this.rank];
    this.confidence = texts[row[2]];
    this.resource = texts[row[3]];
    this.type = texts[row[4]];
    this.manifest = texts[row[5]];
    this.line = row[6];
    this.link = texts[row[7]];
    this.fingerprint = texts[row[8]];
    this.tag = texts[row[9]];
    this.masked = texts[row[10]];
    this.message = texts[row[11]];
    this.repair = texts[row[12]];
    this.owner = texts[row[13]];
    this.source = sources[row[14] - 1]; // where its secret is declared, or undefined
    this.owners = this.owner.includes(' ') ? this.owner.split(' ') : this.owner || NO_OWNER;
    this.group = this.owner ? `${this.repair || this.fingerprint} ${this.owner}` : this.repair || this.fingerprint;
    this.searched = undefined;
  }

  get declared() { return declaredIn(this.manifest, this.line); }

  get words() {
    return (this.searched ??= [this.rule.id, this.rule.name, this.resource, this.declared, this.masked, this.message, this.fingerprint, this.repair, this.owner].join('\n').toLowerCase());
  }
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

// eachKey calls use with the groups of a finding.
function eachKey(f, by, use) {
  const key = FACETS[by](f);
  if (Array.isArray(key)) key.forEach(use);
  else if (key) use(key);
}

// Group is a group of findings. What only its row and its card show is found when they are drawn.
class Group {
  constructor(key, by, first) {
    this.key = key;
    this.by = by;
    this.first = first; // of the most severe ones
    this.rank = first.kind.rank;
    this.days = 0;
    this.findings = [];
    this.known = undefined;
  }

  add(f) {
    this.findings.push(f);
    if (f.kind.rank > this.rank) [this.rank, this.first] = [f.kind.rank, f];
    if (f.days > this.days) this.days = f.days;
  }

  get nodes() { return (this.known ??= new Set(this.findings.map((f) => f.node))); }

  get breadth() { return this.findings.length === 1 ? 1 : this.nodes.size; }

  get repairs() { return new Set(this.findings.map((f) => f.kind.group)); }

  get secrets() { return new Set(this.findings.map((f) => f.kind.tag).filter(Boolean)); }

  // The rules of the findings, the most severe first.
  get rules() {
    const ranks = new Map();
    for (const { kind } of this.findings) ranks.set(kind.rule, Math.max(ranks.get(kind.rule) ?? 0, kind.rank));
    return [...ranks].sort((a, b) => b[1] - a[1]).map(([rule]) => rule);
  }
}

// group returns the groups of findings, the most urgent first: by severity, number of nodes and age.
function group(findings, by) {
  const groups = new Map();
  for (const f of findings) {
    eachKey(f, by, (key) => {
      let g = groups.get(key);
      if (!g) groups.set(key, (g = new Group(key, by, f)));
      g.add(f);
    });
  }
  return [...groups.values()].sort((a, b) => b.rank - a.rank || b.breadth - a.breadth || b.days - a.days || b.findings.length - a.findings.length);
}

// totals returns the number of groups of each kind, and of findings.
function totals(findings) {
  const sizes = GROUPS.map((by) => {
    const keys = new Set();
    for (const f of findings) eachKey(f, by, (key) => keys.add(key));
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
