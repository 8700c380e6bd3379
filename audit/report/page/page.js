(() => {
  'use strict';
  const form = document.getElementById('filters');
  const count = document.getElementById('count');
  const places = [...document.querySelectorAll('.place')].map((element) => {
    const secret = element.closest('.secret');
    return {
      element, secret,
      ...element.dataset,
      nodes: new Set([...element.querySelectorAll('.nodes li')].map((li) => li.textContent)),
      text: (secret.querySelector('h3').textContent + ' ' + element.textContent).toLowerCase(),
    };
  });
  const secrets = [...document.querySelectorAll('.secret')];
  const fields = ['text', 'rule', 'type', 'node'];
  const boxes = [...form.querySelectorAll('[name=severity]')];
  const known = new Set(places.flatMap((p) => [...p.nodes]));

  const matches = (p, want) =>
    want.severities.has(p.severity) &&
    (!want.rule || p.rule === want.rule) &&
    (!want.type || p.type === want.type) &&
    (!want.node || (known.has(want.node) ? p.nodes.has(want.node) : [...p.nodes].some((n) => n.includes(want.node)))) &&
    want.text.toLowerCase().split(/\s+/).every((word) => p.text.includes(word));

  const apply = () => {
    const want = { severities: new Set(boxes.filter((b) => b.checked).map((b) => b.value)) };
    for (const f of fields) want[f] = form.elements[f].value.trim();
    const shown = new Set();
    let n = 0;
    for (const p of places) {
      const ok = matches(p, want);
      p.element.hidden = !ok;
      if (ok) { n++; shown.add(p.secret); }
    }
    for (const s of secrets) s.hidden = !shown.has(s);
    count.textContent = `${shown.size} of ${secrets.length} shown, in ${n} ${n === 1 ? 'place' : 'places'}`;
    document.getElementById('none').hidden = shown.size > 0 || secrets.length === 0;
  };

  // What is asked for stands in the address, so that it can be given to others.
  const save = () => {
    const q = new URLSearchParams();
    for (const f of fields) if (form.elements[f].value.trim()) q.set(f, form.elements[f].value.trim());
    const off = boxes.filter((b) => !b.checked);
    if (off.length) q.set('severity', boxes.filter((b) => b.checked).map((b) => b.value).join(','));
    try { history.replaceState(null, '', '#' + q); } catch { /* the page works without */ }
  };
  const load = () => {
    const text = location.hash.slice(1);
    if (text && !text.includes('=')) return;
    const q = new URLSearchParams(text);
    for (const f of fields) form.elements[f].value = q.get(f) ?? '';
    const list = q.has('severity') ? q.get('severity').split(',') : null;
    for (const b of boxes) b.checked = !list || list.includes(b.value);
    apply();
  };

  const move = (step) => {
    const list = secrets.filter((s) => !s.hidden);
    if (!list.length) return;
    const at = list.indexOf(document.activeElement.closest('.secret'));
    const next = list[at < 0 ? (step > 0 ? 0 : list.length - 1) : Math.min(Math.max(at + step, 0), list.length - 1)];
    next.focus();
    next.scrollIntoView({ block: 'nearest' });
  };
  const toggle = (s) => {
    if (!s) return;
    const all = [...s.querySelectorAll('details')];
    const open = all.every((d) => d.open);
    for (const d of all) d.open = !open;
  };
  const clear = () => { form.reset(); apply(); save(); };

  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = e.target.matches('input:not([type=checkbox]), select');
    if (e.key === 'Escape') { clear(); if (typing) e.target.blur(); return; }
    if (typing) return;
    switch (e.key) {
      case '/': form.elements.text.focus(); break;
      case 'j': move(1); break;
      case 'k': move(-1); break;
      case 'o': toggle(document.activeElement.closest('.secret')); break;
      default: return;
    }
    e.preventDefault();
  });
  form.addEventListener('input', () => { apply(); save(); });
  form.addEventListener('submit', (e) => e.preventDefault());
  form.addEventListener('reset', (e) => { e.preventDefault(); for (const f of fields) form.elements[f].value = ''; for (const b of boxes) b.checked = true; apply(); save(); });
  addEventListener('hashchange', load);
  for (const e of document.querySelectorAll('.keys')) e.hidden = false;
  form.hidden = false;
  load();
  apply();
})();
