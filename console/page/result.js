// Results: as a table, as JSON, as files. Numbers are texts all the way: no digit is lost.

import { choice, el, grouped, save } from './dom.js';

const shownAtOnce = 200;
const cellText = 300;
const wideText = 40; // beyond it a text may be broken into lines

/** A result that grows: columns come first, then rows. */
export class Result {
  constructor(columns) {
    this.columns = columns;
    this.rows = [];
    this.as = 'Table';
    this.shown = 0;
    this.body = el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Rows' });
    this.tools = el('div', { class: 'tools' });
    this.element = el('div', { class: 'result' }, this.tools, this.body);
    this.begin();
  }

  add(rows) {
    const before = this.rows.length;
    this.rows.push(...rows);
    if (this.as === 'Table' && before < shownAtOnce) this.more(shownAtOnce - before);
    else if (this.as === 'JSON' && before < shownAtOnce) this.begin();
    this.tell();
  }

  /** All rows are there. */
  end() {
    this.tools.replaceChildren(
      choice('Show as', ['Table', 'JSON'], this.as, (as) => {
        this.as = as;
        this.begin();
      }),
      el('button', { type: 'button', onclick: () => save('result.csv', 'text/csv', this.csv()) }, 'Download CSV'),
      el('button', { type: 'button', onclick: () => save('result.json', 'application/json', this.json()) },
        'Download JSON'));
    this.tell();
  }

  begin() {
    this.shown = 0;
    if (this.as === 'JSON') {
      this.shown = Math.min(this.rows.length, shownAtOnce);
      this.pre = el('pre', { class: 'json' }, this.rows.slice(0, this.shown).map((r) => this.document(r, true) + '\n'));
      this.body.replaceChildren(this.pre);
    } else {
      this.lines = el('tbody');
      this.body.replaceChildren(el('table', { class: 'rows' },
        el('thead', {}, el('tr', {}, this.columns.map((c) => el('th', { scope: 'col', title: c.type,
          class: c.kind }, c.name)))), this.lines));
      this.more(shownAtOnce);
    }
    this.moreButton = el('button', { type: 'button', class: 'more', hidden: true, onclick: () => {
      const from = this.shown;
      if (this.as === 'Table') this.more(1000);
      else {
        this.shown = Math.min(this.rows.length, from + 1000);
        this.pre.append(...this.rows.slice(from, this.shown).map((r) => this.document(r, true) + '\n'));
      }
      this.tell();
    } });
    this.body.append(this.moreButton);
    this.tell();
  }

  more(count) {
    const end = Math.min(this.rows.length, this.shown + count);
    for (; this.shown < end; this.shown++) {
      this.lines.append(el('tr', {}, this.rows[this.shown].map((v, i) => cell(v, this.columns[i].kind))));
    }
  }

  tell() {
    if (!this.moreButton) return;
    const left = this.rows.length - this.shown;
    this.moreButton.hidden = left <= 0;
    this.moreButton.textContent = `Show ${grouped(Math.min(left, 1000))} more of ${grouped(left)}`;
  }

  /** A row as JSON text. */
  document(row, pretty) {
    const gap = pretty ? ' ' : '';
    const members = this.columns.map((c, i) => {
      let v = row[i];
      if (v === null) v = 'null';
      else if (c.kind === 'json') v = pretty ? indent(v, 1) : v;
      else if (c.kind !== 'number' || !/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(v)) v = JSON.stringify(v);
      return `${pretty ? '\n  ' : ''}${JSON.stringify(c.name)}:${gap}${v}`;
    });
    return `{${members.join(',')}${pretty ? '\n' : ''}}`;
  }

  json() {
    const parts = ['['];
    this.rows.forEach((r, i) => parts.push(i ? ',\n' : '\n', this.document(r, false)));
    parts.push('\n]\n');
    return parts;
  }

  csv() {
    const field = (v) => (v === null ? '' : v === '' || /[",\r\n]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v);
    return [this.columns.map((c) => field(c.name)).join(',') + '\r\n',
      ...this.rows.map((r) => r.map(field).join(',') + '\r\n')];
  }
}

/** A value in a table. Long ones are cut until they are asked for. */
export function cell(v, kind) {
  if (v === null) return el('td', { class: 'null' }, 'NULL');
  if (v.length <= cellText) return el('td', { class: `${kind}${v.length > wideText ? ' wide' : ''}` }, v);
  const text = el('span', {}, v.slice(0, cellText) + '…');
  const button = el('button', { type: 'button', class: 'link', 'aria-expanded': 'false', onclick: () => {
    const open = button.ariaExpanded !== 'true';
    button.ariaExpanded = String(open);
    button.textContent = open ? 'less' : 'all';
    text.textContent = open ? v : v.slice(0, cellText) + '…';
  } }, 'all');
  return el('td', { class: `${kind} long` }, text, ' ', button);
}

/** JSON text with its structure shown. Only blanks are added: each number keeps its digits. */
export function indent(text, depth = 0) {
  let out = '';
  const line = () => '\n' + '  '.repeat(depth);
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      let end = i + 1;
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      out += text.slice(i, end + 1);
      i = end;
    } else if (c === '{' || c === '[') {
      const close = c === '{' ? '}' : ']';
      let next = i + 1;
      while (/\s/.test(text[next] ?? '')) next++;
      if (text[next] === close) {
        out += c + close;
        i = next;
        continue;
      }
      depth++;
      out += c + line();
    } else if (c === '}' || c === ']') {
      depth--;
      out += line() + c;
    } else if (c === ',') out += c + line();
    else if (c === ':') out += ': ';
    else if (!/\s/.test(c)) out += c;
  }
  return out;
}
