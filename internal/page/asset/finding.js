// The parts that pages of findings share: severities, rules and how to repair.

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'];
const NO_OWNER = 'none';

// ruleName returns the title of a rule, with the member of a family.
function ruleName(rule) {
  const [family, member] = rule.id.split('/');
  return member && family !== 'own' ? `${rule.title}: ${member}` : rule.title;
}

// prose returns a text with its parts between backquotes as code.
const prose = (text) => text.split('`').map((part, i) => (i % 2 ? code(part) : part));

// fixOf returns the meaning of a rule, its remedy with the change to one finding, and its
// wrong and right code.
function fixOf(rule, example) {
  return h('div', { class: 'fix' },
    h('p', {}, prose(rule.doc ?? rule.title)),
    rule.remedy ? h('p', {}, h('strong', {}, 'To repair: '), prose(rule.remedy)) : '',
    changeOf(example),
    rule.wrong ? h('div', { class: 'codes' }, sample('Wrong', rule.wrong), sample('Right', rule.right)) : '',
    h('p', { class: 'quiet id' }, 'Rule ', code(rule.id), rule.cwe ? `, CWE-${rule.cwe}` : ''));
}

// changeOf returns the change that repairs one finding.
const changeOf = (fix) => (fix ? h('p', { class: 'change' }, h('span', { class: 'quiet' }, 'For example, here: '), code(fix)) : '');

const sample = (label, text) => h('figure', { class: label.toLowerCase() }, h('figcaption', {}, label), h('pre', {}, ...lines(text)));

// lines returns a text of several lines, without hidden characters in them.
const lines = (text) => text.trimEnd().split('\n').flatMap((line, i) => (i ? [document.createTextNode('\n'), line] : [line]));

function fixDetails(rule) {
  const details = h('details', { class: 'fixes' }, h('summary', {}, badge(rule.severity), ' ', rule.name));
  details.addEventListener('toggle', () => { if (details.childElementCount === 1) details.append(fixOf(rule)); });
  return details;
}

// detailOf returns the message of a finding without the title of its rule.
const detailOf = (kind) => (kind.message.startsWith(kind.rule.title) ? kind.message.slice(kind.rule.title.length).replace(/^[;:, ]+/, '') : kind.message);

// messageOf returns the element of the message, if it says more than the title.
function messageOf(kind) {
  const rest = detailOf(kind);
  return rest ? h('p', { class: 'quiet' }, rest) : '';
}

// harmless prevents spreadsheets from interpreting a cell as a formula.
const harmless = (cell) => (/^\s*[=+\-@＝＋－＠]/u.test(cell) ? "'" + cell : cell);

const quoted = (cell) => (/[",\r\n]|^\s|^\\\.$/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell);

// shell returns a text as a word of a shell.
const shell = (text) => (/^[\w./@%+=:,-]+$/.test(text) && !text.startsWith('-') ? text : "'" + text.replaceAll("'", "'\\''") + "'");

// manifestOf returns the line of a manifest, as a link if its address is known.
function manifestOf(kind) {
  const text = code(kind.declared);
  return kind.link ? h('a', { href: kind.link, rel: 'noreferrer', target: '_blank', class: 'source' }, text) : text;
}

// rowOf returns the parts of the row of a group. A page has nameOf and cardOf.
function rowOf(g) {
  const [name, more] = nameOf(g);
  return { rank: SEVERITIES[g.rank], name, more, numbers: numbersOf(g), card: () => cardOf(g) };
}

// numbersOf returns the numbers of a group besides those in its name. The first view of a page is that of its repairs or places.
function numbersOf(g) {
  const main = VIEWS[0][0];
  const all = { [main]: [g[`${main}s`].size, main], secret: [g.secrets.size, 'secret'], node: [g.nodes.size, 'node'], finding: [g.findings.length, 'finding'] };
  delete all[g.by];
  if (g.by === 'owner' || g.by === 'rule') delete all.secret;
  return Object.values(all).map(([n, noun]) => numberOf(n, noun));
}

// testOfNode returns the test for the name of a node, which can be given in part.
function testOfNode(nodes, name, want) {
  if (name !== 'node' || nodes.some((n) => n.label === want)) return undefined;
  return (value) => value.includes(want);
}

// wordTest returns the test for words: each is in the kind of a finding, in its node, or in its reason. Kinds and nodes are
// searched once, because many findings share them.
function wordTest(kinds, nodes, nodeOf, words) {
  const search = (list) => new Map(list.map((one) => [one, words.map((w) => one.words.includes(w))]));
  const inKinds = search(kinds);
  const inNodes = search(nodes);
  return (f) => {
    const inKind = inKinds.get(f.kind);
    const inNode = inNodes.get(nodeOf(f));
    return words.every((w, i) => inKind[i] || inNode[i] || f.reason?.toLowerCase().includes(w));
  };
}
