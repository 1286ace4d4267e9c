// Elements are made of texts: nothing that a document holds is ever read as markup.

/** An element with attributes, handlers (onclick and the like) and children; strings are text. */
export function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  return fill(e, attributes, children);
}

const svgSpace = 'http://www.w3.org/2000/svg';

/** The same for a part of a drawing. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

function fill(e, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (name === 'width%') e.style.width = `${value}%`;
    else e.setAttribute(name, value === true ? '' : String(value));
  }
  for (const c of children.flat()) {
    if (c !== null && c !== undefined && c !== false) e.append(c);
  }
  return e;
}

export const $ = (id) => document.getElementById(id);

/** A whole number as people read it. Digits that a double does not hold come as texts and stay. */
export function grouped(n) {
  const text = typeof n === 'number' ? String(Math.round(n)) : String(n);
  return /^-?\d+$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, '\u202f') : text;
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Bytes as people read them. */
export function bytes(n) {
  let unit = 0;
  for (n = Number(n); n >= 1024 && unit < units.length - 1; n /= 1024) unit++;
  return `${n >= 100 || unit === 0 ? Math.round(n) : n.toFixed(1)} ${units[unit]}`;
}

/** Seconds as people read them. */
export function seconds(s) {
  if (s >= 1) return `${s.toFixed(2)} s`;
  if (s >= 1e-3) return `${(s * 1e3).toFixed(s >= 0.1 ? 0 : 1)} ms`;
  return `${Math.round(s * 1e6)} µs`;
}

/** A name as SQL takes it. */
export const quote = (name) => '`' + name.replaceAll('`', '``') + '`';

/** A text as SQL takes it. */
export const literal = (text) => "'" + text.replaceAll('\\', '\\\\').replaceAll("'", "''") + "'";

/** Gives a file to the browser to keep. */
export function save(name, type, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const a = el('a', { href: url, download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The head of a table, of names and of elements. */
export const head = (...names) => el('thead', {}, el('tr', {}, names.map((n) =>
  (typeof n === 'string' ? el('th', { scope: 'col' }, n) : n))));

/** A part that scrolls by itself, also with the keys. */
export const scroller = (label, ...children) => el('div', { class: 'scroll', tabindex: 0, role: 'region',
  'aria-label': label }, ...children);

/** A group of choices of which one holds, as a row of radio buttons. */
export function choice(label, options, chosen, onchoose) {
  const name = `choice-${++choices}`;
  return el('fieldset', { class: 'choice' }, el('legend', { class: 'quiet-label' }, label),
    options.map((o) => el('label', {},
      el('input', { type: 'radio', name, checked: o === chosen, onchange: () => onchoose(o) }), el('span', {}, o))));
}
let choices = 0;
