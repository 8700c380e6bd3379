// The list of groups: each is a row that opens to a card with its locations, flow and fix.

// HIDDEN_PLACE is the location of a finding whose texts contain a secret together.
const HIDDEN_PLACE = '(hidden)';

const whereOf = (kind) => kind.declared || kind.resource || HIDDEN_PLACE;

// nameOf returns the name of a group as a heading, and its second line.
function nameOf(g) {
  const k = g.first.kind;
  const rules = g.rules.map((r) => r.name).join('; ');
  switch (g.by) {
    case 'repair': return [code(k.line ? k.declared : k.resource || k.declared || HIDDEN_PLACE), [rules, k.owner ? ` · ${k.owner}` : '', ` · ${sinceOf(g)}`]];
    case 'owner': return [g.key === NO_OWNER ? 'No owner' : code(g.key), `oldest: ${ageOf(g.days)}`];
    case 'secret': return [code(k.masked || k.tag), [rules, ` · ${sinceOf(g)}`]];
    case 'node': return [code(g.key), `last catalog ${dayOf(g.first.node.seen || g.first.last)}, oldest finding: ${ageOf(g.days)}`];
    default: return [k.rule.name, code(k.rule.id)];
  }
}

const sinceOf = (g) => (g.days === 0 ? 'since today' : `for ${ageOf(g.days)}`);

// cardOf returns the content of a card.
function cardOf(g) {
  const { rules } = g;
  const k = g.first.kind;
  return [
    g.by === 'repair' && (k.link || k.line) ? h('p', {}, manifestOf(k)) : '',
    g.by === 'owner' ? ownerCard(g) : [
      rules.length === 1 ? fixOf(rules[0]) : '',
      g.by === 'secret' ? [h('h3', {}, 'Where it is'), flowOf(g.first.kind.tag)] : [h('h3', {}, 'Locations'), spotList(spots(g.findings), g)],
      g.by === 'repair' && g.secrets.size === 1 ? [h('h3', {}, 'Where this secret is'), flowOf(k.tag, k)] : '',
      rules.length > 1 ? [h('h3', {}, 'How to repair'), rules.map(fixDetails)] : '',
    ],
    h('div', { class: 'actions' },
      g.by === 'repair' ? button('Copy acceptance', () => copy(acceptText(g), 'The command was copied'), { title: 'Copy the command that accepts these findings' }) : '',
      g.findings.length > 1 ? button('Show in the table', () => showInTable(g)) : ''),
  ];
}

// ownerCard returns the repairs of an owner, ten by ten.
function ownerCard(g) {
  const list = group(g.findings, 'repair');
  const ol = h('ol', { class: 'spots' });
  const box = h('div', {}, ol);
  drawInSteps(ol, list.length, 10, (i) => {
    const r = list[i];
    return h('li', { class: 'spot' },
      h('div', { class: 'facts' },
        h('p', {}, badge(SEVERITIES[r.rank]), ' ', code(whereOf(r.first.kind))),
        h('p', { class: 'quiet' }, `${r.rules.map((one) => one.name).join('; ')} · on ${plural(r.nodes.size, 'node')} · ${sinceOf(r)}`)),
      h('div', { class: 'actions' }, button('Details', () => showFinding(r.first))));
  }, 'repair');
  return box;
}

// acceptText returns the command that accepts a group: its fingerprint if it has only one, or else its resource and manifest.
function acceptText(g) {
  const { kind, node } = g.first;
  const one = new Set(g.findings.map((f) => f.kind.fingerprint)).size === 1;
  const at = /^([A-Z][\w:]*)\[(.*)\](?:\/([^\]]*))?$/s.exec(kind.resource);
  const conditions = () => [['--rule', kind.rule.id], ['--type', at[1]], ['--title', withoutNode(withoutSecrets(at[2]), node.name)], ['--manifest', withoutSecrets(kind.manifest)]];
  const on = one || !at ? kind.fingerprint : conditions().filter(([, value]) => value).map(([flag, value]) => `${flag} ${shell(value)}`).join(' ');
  return `pcatd accept ${on} --reason 'TODO: why this is accepted'`;
}

const withoutSecrets = (text) => text.replaceAll('‹secret›', '*');

// withoutNode replaces the name of a node in a title by "*", and its first label if that has a digit. The identifier of
// a repair ignores them in the same way: see audit/repair.go.
function withoutNode(title, name) {
  const host = name.split('.')[0];
  for (const word of /\d/.test(host) ? [name, host] : [name]) {
    if (word) title = title.replace(new RegExp(`(?<!\\w)${word.replace(/\W/g, '\\$&')}(?!\\w)`, 'g'), '*');
  }
  return title;
}

// spotList returns a list that is drawn ten by ten.
function spotList(list, g) {
  const ol = h('ol', { class: 'spots' });
  const box = h('div', {}, ol);
  drawInSteps(ol, list.length, 10, (i) => spot(list[i], g), 'location');
  return box;
}

// spot returns a parameter with a secret, and its nodes.
function spot({ kind, findings }, g) {
  const named = g.rules.length === 1 && (g.by === 'repair' || g.by === 'rule'); // by the group
  const severity = named && kind.rank === g.rank ? '' : [badge(kind.severity), ' '];
  return h('li', { class: 'spot' },
    h('div', { class: 'facts' },
      named ? '' : h('p', {}, severity, kind.rule.name),
      h('p', {}, named ? severity : '', code(kind.resource || HIDDEN_PLACE)),
      h('p', { class: 'quiet pair' },
        kind.masked ? code(kind.masked) : '',
        g.by !== 'repair' && kind.declared ? manifestOf(kind) : '',
        g.by !== 'repair' && kind.owner ? h('span', {}, kind.owner) : '',
        h('span', {}, `confidence ${kind.confidence}`)),
      messageOf(kind),
      reasonsOf(findings),
      g.by === 'node' ? h('p', { class: 'quiet' }, seenOf(findings[0])) : nodesOf(findings)),
    h('div', { class: 'actions' },
      button('Details', () => showFinding(findings[0]), { 'aria-label': 'Details of ' + visible(kind.resource) }),
      button('Copy fingerprint', () => copy(kind.fingerprint, 'The fingerprint was copied'))));
}

const seenOf = (f) => `first seen ${dayOf(f.first)} (${ageOf(f.days)}), last seen ${dayOf(f.last)}`;

// reasonsOf returns why findings are accepted.
function reasonsOf(findings) {
  const reasons = [...new Set(findings.filter((f) => f.accepted).map((f) => f.reason || 'no reason is given'))];
  return reasons.slice(0, 3).map((reason) => h('p', { class: 'reason' }, quiet('Accepted: '), reason));
}

// nodesOf returns the nodes of some findings: a few at once, the others on demand.
function nodesOf(findings) {
  const nodes = distinct(findings, (f) => f.node.label).sort((a, b) => (a.node.label < b.node.label ? -1 : 1));
  const link = (f) => button(f.node.label, () => { byId('dialog').close(); change({ node: f.node.label }); }, { class: 'plain' });
  if (nodes.length <= 3) return h('p', { class: 'quiet' }, 'on ', nodes.map((f, i) => [i ? ', ' : '', link(f), ` (${ageOf(f.days)})`]));
  const details = h('details', { class: 'on' }, h('summary', {}, `on ${plural(nodes.length, 'node')}: ${visible(nodes.slice(0, 2).map((f) => f.node.label).join(', '))} and ${number(nodes.length - 2)} more`));
  details.addEventListener('toggle', () => {
    if (details.childElementCount > 1) return;
    const ul = h('ul', { class: 'nodes' });
    details.append(ul);
    drawInSteps(ul, nodes.length, 100, (i) => h('li', {}, link(nodes[i]), quiet(` (${ageOf(nodes[i].days)})`)), 'node');
  });
  return details;
}

// flowOf returns where a secret is: its declaration, if it has one, and then the locations with it in
// plain text, in the order in which they appeared. here is the kind to point out, or undefined.
function flowOf(tag, here) {
  const list = spots(fleet.findings.filter((f) => f.kind.tag === tag), true);
  const origin = list.map((s) => s.kind.source).find(Boolean);
  const ol = h('ol', { class: 'flow' });
  if (origin) ol.append(h('li', { class: 'origin' }, quiet('Declared: '), code(origin.resource || HIDDEN_PLACE), origin.declared ? [' in ', manifestOf(origin)] : '', origin.others ? quiet(` and ${origin.others} more`) : ''));
  const box = h('div', {}, ol);
  drawInSteps(ol, list.length, 10, (i) => {
    const { kind, findings, since } = list[i];
    const accepted = findings.every((f) => f.accepted);
    return h('li', { class: kind === here ? 'here' : '' }, code(kind.resource || HIDDEN_PLACE), kind.declared ? [' in ', manifestOf(kind)] : '', quiet(` · ${kind.rule.name}`),
      h('div', {}, quiet(`since ${dayOf(since)}${accepted ? ' · accepted' : ''}`), nodesOf(findings)));
  }, 'location');
  return box;
}

// showFinding shows all facts of one finding.
function showFinding(finding) {
  const { kind, node } = finding;
  showDialog(kind.rule.name, kind.severity,
    h('dl', { class: 'facts' },
      fact('Resource', kind.resource && code(kind.resource)), fact('Manifest', kind.declared && manifestOf(kind)), fact('Owner', kind.owner), fact('Value', kind.masked && code(kind.masked)),
      fact('Message', kind.message), fact('Confidence', kind.confidence), fact('Node', code(node.label)), fact('Seen', seenOf(finding)),
      fact('Locations', finding.count > 1 && number(finding.count)),
      finding.accepted ? fact('Accepted', `since ${dayOf(finding.accepted)}: ${finding.reason || 'no reason is given'}`) : [],
      fact('Fingerprint', code(kind.fingerprint)), fact('Repair', kind.repair && code(kind.repair))),
    h('div', { class: 'actions' },
      button('Copy fingerprint', () => copy(kind.fingerprint, 'The fingerprint was copied')),
      finding.accepted ? '' : button('Copy acceptance', () => copy(acceptText({ first: finding, findings: [finding] }), 'The command was copied'))),
    kind.tag ? [h('h3', {}, 'Where this secret is'), flowOf(kind.tag, kind)] : '',
    fixOf(kind.rule));
}
