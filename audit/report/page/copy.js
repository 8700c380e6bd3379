// Texts to copy and to save: allow entries, commands, CSV and JSON.

const MASK = '‹secret›';

// allowText returns entries of .pcat-audit.yaml for some kinds: one for each resource
// or, for many resources of one file, one for each parameter.
function allowText(kinds) {
  const many = new Set(kinds.map((k) => k.title)).size > 3 && kinds.every((k) => k.manifest);
  const entries = new Set(kinds.map((k) => entryText(k, !many)));
  return 'allow:\n' + [...entries].join('');
}

function entryText(kind, withTitle) {
  const conditions = [['rule', kind.rule.id]];
  if (kind.type) {
    conditions.push(['type', kind.type]);
    if (withTitle) conditions.push(['title', kind.title]);
    conditions.push(['parameter', kind.parameter], ['manifest', kind.manifest]);
  } else {
    conditions.push(['fingerprint', kind.fingerprint]);
  }
  const lines = conditions.filter(([, value]) => value).map(([key, value]) => `${key}: ${yaml(value.replaceAll(MASK, '*'))}`);
  lines.push('reason: "TODO: why this is accepted"');
  return '  - ' + lines.join('\n    ') + '\n';
}

// explainText returns the command that explains a finding.
function explainText(finding) {
  return `pcat explain ${shell(finding.catalog.name)} ${finding.kind.fingerprint}`;
}

// csvText returns the table that `--format csv` writes.
function csvText(findings) {
  const header = ['file', 'node', 'pointer', 'rule', 'class', 'severity', 'confidence', 'type', 'title', 'parameter', 'manifest', 'line', 'fingerprint', 'masked', 'message', 'repair', 'owner'];
  const rows = findings.map(({ kind: k, catalog, pointer }) => [
    catalog.name, catalog.node, pointer, k.rule.id, k.class, k.severity, k.confidence, k.type, k.title, k.parameter,
    k.manifest, k.line ? String(k.line) : '', k.fingerprint, k.masked, k.message, k.repair, k.owner,
  ].map((cell) => harmless(visible(cell))));
  return [header, ...rows].map((row) => row.map(quoted).join(',') + '\n').join('');
}

// jsonText returns the document that `--format json` writes. Findings that are filtered
// out are not counted as omitted.
function jsonText(report, findings) {
  const { tool, version, format_version, catalogs, unfollowed, omitted, accepted, failures, notes } = report.numbers;
  const members = { tool, version, format_version, catalogs, unfollowed, omitted, accepted, failures, notes };
  return JSON.stringify({ ...members, findings: findings.map(jsonOf) }, null, 2) + '\n';
}

// inResource returns the part of a pointer into a document that follows the resource.
const inResource = (pointer) => /\/resources\/(?:data\/)?[^/]*(.*)/s.exec(pointer)?.[1] ?? '';

function jsonOf({ kind: k, catalog, pointer, offset }) {
  const optional = (text) => text || undefined;
  const ref = k.type ? `${k.type}[${k.title}]` : undefined;
  return {
    file: catalog.name, node: optional(catalog.node),
    ref, path: ref && !k.hidden ? optional(inResource(pointer)) : undefined,
    pointer: k.hidden ? null : pointer, pointer_masked: k.hidden ? optional(pointer) : undefined, offset: k.hidden && offset >= 0 ? offset : undefined,
    rule: k.rule.id, class: k.class, severity: k.severity, confidence: k.confidence,
    type: optional(k.type), title: optional(k.title), parameter: optional(k.parameter), manifest: optional(k.manifest), line: k.line || undefined,
    fingerprint: k.fingerprint, repair: k.repair, owner: optional(k.owner), tag: optional(k.tag), encodings: k.encodings.length ? k.encodings : undefined, masked: k.masked, message: k.message,
    source: k.source && sourceOf(k.source),
  };
}

function sourceOf({ declared, ref, pointer, manifest, line, others }) {
  const optional = (value) => value || undefined;
  return { declared, ref: optional(ref), path: ref ? optional(inResource(pointer)) : undefined, pointer: ref ? undefined : optional(pointer), manifest: optional(manifest), line: optional(line), others: optional(others) };
}
