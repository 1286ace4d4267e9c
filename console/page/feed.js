// The changes of a table, as they are committed.

import { lines, Refusal } from './api.js';
import { $, el, grouped, head, scroller } from './dom.js';
import { cell } from './result.js';

const mostShown = 500;

let tables, toggle, status, body;
let following = null; // what aborts it
let count = 0;

export function start() {
  tables = el('select', { id: 'feed-table', onchange: begin });
  toggle = el('button', { type: 'button', class: 'primary', onclick: () => (following ? end() : begin()) }, 'Follow');
  status = el('p', { class: 'status', role: 'status' });
  body = el('tbody');
  $('view-changes').append(
    el('h1', {}, 'Changes'),
    el('p', { class: 'help' }, 'Every commit to a table, in order, as it comes. A document stands at its last change.'),
    el('div', { class: 'tools' }, el('label', { for: 'feed-table' }, 'Table'), tables, toggle,
      el('button', { type: 'button', onclick: () => {
        body.replaceChildren();
        count = 0;
        tell();
      } }, 'Clear')),
    status,
    scroller('Changes, the newest first', el('table', { class: 'rows feed' },
      head('Came at', 'Sequence', 'Key', 'Revision', 'Document'), body)));
}

/** Says which tables there are: pairs of database and table. */
export function offer(names) {
  const now = tables.value;
  tables.replaceChildren(...names.map((n) => el('option', { value: JSON.stringify(n) }, n.join('.'))));
  if (now) tables.value = now;
}

/** Follows a table. */
export function follow(database, table) {
  tables.value = JSON.stringify([database, table]);
  begin();
}

/** Ends what is followed. */
export function end() {
  following?.abort();
  following = null;
  toggle.textContent = 'Follow';
  tell();
}

function tell(more) {
  const of = tables.value ? JSON.parse(tables.value).join('.') : '';
  status.textContent = more ?? (following ? `Following ${of}: ${grouped(count)} changes` :
    count ? `Stopped: ${grouped(count)} changes` : '');
}

async function begin() {
  if (!tables.value) return;
  following?.abort();
  const mine = new AbortController();
  following = mine;
  const [database, table] = JSON.parse(tables.value);
  body.replaceChildren();
  count = 0;
  toggle.textContent = 'Stop';
  tell();
  let first = true;
  let failed = '';
  try {
    for await (const line of lines('feed', { database, table, before: 20 }, mine.signal)) {
      if (line.error) throw new Refusal(line.error, 200);
      const rows = (line.changes ?? []).map((c) => row(c, first)).reverse();
      first = false;
      if (!rows.length) continue;
      count += rows.length;
      body.prepend(...rows);
      while (body.children.length > mostShown) body.lastChild.remove();
      tell();
    }
    failed = 'The server has ended the feed.';
  } catch (e) {
    if (e.name !== 'AbortError') failed = e.message;
  }
  if (following === mine) {
    end();
    tell(failed);
  }
}

function row(c, before) {
  const time = before ? 'before' : new Date().toLocaleTimeString();
  const doc = c.deleted ? el('td', {}, el('b', { class: 'deleted' }, 'deleted')) : cell(c.doc, 'json');
  if (c.cut) doc.append(el('span', { class: 'note' }, ' (the document is longer)'));
  return el('tr', { class: before ? null : 'new' }, el('td', {}, time), el('td', { class: 'code seq', title: c.seq },
    c.seq.replace(/^0+(?=.)/, '')), el('td', {}, c.key.map((k) => k ?? 'NULL').join(', ')),
  el('td', { class: 'code', title: c.rev }, c.rev.replace(/^(\d+-.{6}).*$/, '$1…')), doc);
}
