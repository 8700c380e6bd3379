// The list of groups: each is a row that opens to a card with its places and the fix.

// nameOf returns the name of a group as a heading, and its second line.
function nameOf(g) {
  const k = g.first.kind;
  switch (g.by) {
    case 'location': return [code(whereOf(g)), [g.rules.map((r) => r.name).join('; '), k.owner ? ` · ${k.owner}` : '']];
    case 'secret': return k.shown ? [code(k.shown), distinct(g.findings, (f) => f.kind.name).slice(0, 3).map((f) => f.kind.name).join(', ')] : [k.rule.name, 'a practice'];
    case 'node': return [code(g.key), plural(g.rules.length, 'rule')];
    default: return [k.rule.name, code(k.rule.id)];
  }
}

// whereOf returns the line of a manifest or, if it is unknown, what is known of the place.
function whereOf(g) {
  const k = g.first.kind;
  const resource = k.resource || g.first.pointer;
  if (!k.declared) return resource;
  return k.line ? k.declared : `${k.declared}, ${resource}`;
}

// cardOf returns the content of a card: the fix, or one for each rule, then the places.
function cardOf(g) {
  const { rules } = g;
  const list = spots(g.by === 'location' ? g.findings.filter((f) => !f.kind.repeats) : g.findings);
  const links = g.by === 'location' ? distinct(list.filter((s) => s.kind.link), (s) => s.kind.link).slice(0, 3) : [];
  const fixes = rules.length === 1 ? [fixOf(rules[0], g.by === 'location' ? list[0].kind.fix : '')] : [];
  const actions = h('div', { class: 'actions' },
    g.by === 'location' ? button('Copy allow entry', () => copy(allowText(spots(g.findings).map((s) => s.kind)), 'The entry was copied: put it into .pcat-audit.yaml')) : '',
    g.findings.length > 1 ? button('Show in the table', () => showInTable(g)) : '');
  return [
    links.length ? h('p', {}, links.map((s) => [manifestOf(s.kind), ' '])) : '',
    fixes,
    h('h3', {}, g.by === 'location' ? 'Resources' : 'Locations'), spotList(list, g), repetitionsOf(g),
    rules.length > 1 ? [h('h3', {}, 'How to repair'), rules.map(fixDetails)] : '',
    actions,
  ];
}

// repetitionsOf returns the numbers of edges and tags that repeat the title of a place.
function repetitionsOf(g) {
  const parts = Object.entries(g.repeated).filter(([, n]) => n).map(([noun, n]) => plural(n, noun));
  return parts.length ? h('p', { class: 'quiet' }, 'The title is also in ', parts.join(' and '), '.') : '';
}

// spotList returns a list that is drawn ten by ten.
function spotList(list, g) {
  const ol = h('ol', { class: 'spots' });
  const box = h('div', {}, ol);
  drawInSteps(ol, list.length, 10, (i) => spot(list[i], g), g.by === 'location' ? 'resource' : 'location');
  return box;
}

// spot returns a parameter with a secret, and its nodes.
function spot({ kind, findings }, g) {
  const named = g.rules.length === 1 && (g.by === 'location' || g.by === 'rule'); // by the group
  const severity = named && kind.rank === g.rank ? '' : [badge(kind.severity), ' '];
  return h('li', { class: 'spot' },
    h('div', { class: 'facts' },
      named ? '' : h('p', {}, severity, kind.rule.name),
      h('p', {}, named ? severity : '', code(kind.resource || findings[0].pointer)),
      h('p', { class: 'quiet pair' },
        g.by !== 'secret' && kind.masked ? code(kind.masked) : '',
        g.by !== 'location' && kind.declared ? manifestOf(kind) : '',
        g.by !== 'location' ? kind.owner : '',
        h('span', {}, `confidence ${kind.confidence}`)),
      messageOf(kind),
      g.by === 'location' && !named ? changeOf(kind.fix) : '',
      g.by === 'node' ? '' : nodesOf(findings)),
    h('div', { class: 'actions' },
      button('Details', () => showFinding(findings[0]), { 'aria-label': 'Details of ' + visible(kind.resource) }),
      button('Copy fingerprint', () => copy(kind.fingerprint, 'The fingerprint was copied'))));
}

// nodesOf returns the nodes of some findings: a few at once, the others on demand.
function nodesOf(findings) {
  const nodes = [...new Set(findings.map((f) => f.catalog.label))].sort();
  if (nodes.length <= 3) return h('p', { class: 'quiet' }, 'on ', nodes.join(', '));
  const details = h('details', { class: 'on' }, h('summary', {}, `on ${number(nodes.length)} nodes: ${visible(nodes.slice(0, 2).join(', '))} and ${number(nodes.length - 2)} more`));
  details.addEventListener('toggle', () => {
    if (details.childElementCount > 1) return;
    const ul = h('ul', { class: 'nodes' });
    details.append(ul);
    drawInSteps(ul, nodes.length, 100, (i) => h('li', {}, button(nodes[i], () => change({ node: nodes[i] }), { class: 'plain' })), 'node');
  });
  return details;
}

// showFinding shows all facts of one finding.
function showFinding(finding) {
  const { kind, catalog, pointer } = finding;
  showDialog(kind.rule.name, kind.severity,
    h('dl', { class: 'facts' },
      fact('Resource', kind.resource && code(kind.resource)), fact('Manifest', kind.declared && manifestOf(kind)), fact('Value', kind.masked && code(kind.masked)),
      fact('Message', kind.message), fact('Confidence', kind.confidence), fact('Node', catalog.node), fact('Catalog', code(catalog.name)), fact('Pointer', code(pointer)),
      fact('Encodings', kind.encodings.join(', ')), fact('Owner', kind.owner), fact('Fingerprint', code(kind.fingerprint))),
    h('div', { class: 'actions' },
      button('Copy allow entry', () => copy(allowText([kind]), 'The entry was copied: put it into .pcat-audit.yaml')),
      button('Copy fingerprint', () => copy(kind.fingerprint, 'The fingerprint was copied')),
      button('Copy pcat explain', () => copy(explainText(finding), 'The command was copied'))),
    fixOf(kind.rule, kind.fix));
}
