// Elements of the page, texts to copy, and files to save.

// HIDDEN are characters that a reader cannot see; `·` appears in their place.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]/gu;
const visible = (text) => text.replace(HIDDEN, '·');

const byId = (id) => document.getElementById(id);

// readData returns the data of the page.
const readData = () => JSON.parse(byId('data').textContent);

// h returns an element. Properties that are functions are listeners, and children
// are elements or text, which is never interpreted as markup.
function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === false || value === null) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== '').map((c) => (typeof c === 'string' ? visible(c) : c)));
  return element;
}

const numbers = new Intl.NumberFormat('en');
const number = (n) => numbers.format(n);
const plural = (n, noun) => `${number(n)} ${noun}${n === 1 ? '' : 's'}`;
const code = (text) => h('code', {}, text);
const quiet = (...children) => h('span', { class: 'quiet' }, ...children);
const badge = (tone) => h('span', { class: 'badge ' + tone }, tone);
const button = (label, onclick, properties) => h('button', { type: 'button', onclick, ...properties }, label);
const fact = (name, value) => (value ? [h('dt', {}, name), h('dd', {}, value)] : []);

// distinct returns the elements of a list with different keys.
const distinct = (list, key) => [...new Map(list.map((one) => [key(one), one])).values()];

// drawInSteps appends elements to a list, and a button after it for the next ones.
function drawInSteps(list, total, step, make, noun) {
  let drawn = 0;
  const more = button('', () => draw(), { class: 'further' });
  const draw = () => {
    const until = Math.min(drawn + step, total);
    for (; drawn < until; drawn++) list.append(make(drawn));
    const left = total - drawn;
    more.textContent = left > step ? `${number(step)} more of ${plural(left, noun)}` : plural(left, 'more ' + noun);
    more.hidden = left === 0;
  };
  draw();
  if (drawn < total) list.after(more);
  return { more, draw, left: () => total - drawn };
}

// replace replaces the children of an element. The focus stays on the child with the
// same key, or else goes to the list.
function replace(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : undefined;
  element.replaceChildren(...children);
  if (!focused) return;
  const again = focused.dataset.key && element.querySelector(`[data-key="${CSS.escape(focused.dataset.key)}"]`);
  (again || byId('list')).focus({ preventScroll: true });
}

// showDialog shows elements in the dialog, below a title and a badge.
function showDialog(title, tone, ...children) {
  const dialog = byId('dialog');
  const header = h('header', {}, tone ? badge(tone) : '', h('h2', { id: 'dialog-title' }, title), button('×', () => dialog.close(), { class: 'close', 'aria-label': 'Close' }));
  dialog.replaceChildren(header, ...children.flat(Infinity).filter(Boolean));
  dialog.showModal();
  dialog.scrollTop = 0;
}

// yaml returns a scalar: plain if it cannot be anything else, otherwise in quotes.
function yaml(text) {
  if (/^[A-Za-z/][\w./:-]*\w$/.test(text) && !/^(true|false|yes|no|on|off|null)$/i.test(text)) return text;
  return JSON.stringify(text).replace(HIDDEN, (c) => '\\U' + c.codePointAt(0).toString(16).padStart(8, '0'));
}

async function copy(text, message) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyBySelection(text)) message = 'The browser does not allow copying: ' + text;
  }
  toast(message);
}

// copyBySelection is for browsers that give a local page no clipboard.
function copyBySelection(text) {
  const area = h('textarea', { class: 'offscreen', readonly: true });
  area.value = text;
  (byId('dialog').open ? byId('dialog') : document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}

let toastEnd;
function toast(message) {
  const box = byId('toast');
  (byId('dialog').open ? byId('dialog') : document.body).append(box); // a dialog covers all else
  box.textContent = message;
  box.classList.add('on');
  clearTimeout(toastEnd);
  toastEnd = setTimeout(() => box.classList.remove('on'), 4000);
}

function save(name, type, text) {
  const link = h('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
