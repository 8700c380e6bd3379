// The number of findings of each day.

const DAYS_SHOWN = 90;

// drawTrend draws a column for each of the last 90 days. Days on which nothing was recorded are empty.
function drawTrend(days, time) {
  if (days.length === 0) return;
  const known = new Map(days.map((d) => [d.day, d]));
  const sum = (d) => Object.values(d.findings).reduce((a, b) => a + b, 0);
  const most = Math.max(1, ...days.map(sum));
  const list = Array.from({ length: DAYS_SHOWN }, (_, i) => dayOf(time - (DAYS_SHOWN - 1 - i) * DAY));
  const columns = h('div', { id: 'columns', 'aria-hidden': 'true' }, list.map((day) => {
    const d = known.get(day);
    return h('div', { class: 'day', title: d ? `${day}: ${wordsOf(d)}` : `${day}: not recorded` }, d ? SEVERITIES.toReversed().filter((s) => d.findings[s]).map((s) => part(s, d.findings[s] / most)) : '');
  }));
  const [first, last] = [days[0], days.at(-1)];
  const change = sum(last) - sum(first);
  const summary = days.length === 1 ? `recorded since ${first.day}` : `${number(sum(first))} on ${first.day}, ${number(sum(last))} on ${last.day} (${change > 0 ? '+' : ''}${number(change)})`;
  const figure = byId('trend');
  figure.replaceChildren(h('figcaption', {}, h('span', {}, 'Findings a day'), quiet(`${summary}, at most ${number(Math.max(...days.map(sum)))}`)), columns,
    h('div', { class: 'dates quiet', 'aria-hidden': 'true' }, h('span', {}, list[0]), h('span', {}, list.at(-1))));
  figure.hidden = false;
}

function part(severity, share) {
  const element = h('span', { class: severity });
  element.style.height = `max(1px, ${100 * share}%)`;
  return element;
}

// wordsOf returns the numbers of a day in words.
function wordsOf(d) {
  const parts = SEVERITIES.toReversed().filter((s) => d.findings[s]).map((s) => `${number(d.findings[s])} ${s}`);
  return `${parts.length ? parts.join(', ') : 'no findings'}${d.accepted ? `; ${number(d.accepted)} accepted` : ''}`;
}
