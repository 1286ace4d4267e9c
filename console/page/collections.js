// Collections: all of them by size, and one with its keypaths, their counts and types.

import { rows } from './api.js';
import { $, bytes, el, grouped, head, literal, quote, scroller } from './dom.js';
import { split, treeOf, walk } from './keypath.js';
import { keypathsOf } from './tree.js';

const types = ['string', 'number', 'boolean', 'null', 'object', 'array', 'omitted'];
const mostShown = 1000;

let open = {};
let at = null; // what is shown
let turn = 0;

/** Begins the view. to has what leads elsewhere: query(text, database) and follow(database, table). */
export function start(to) { open = to; }

/** Says what is shown from now on: a table, with a keypath marked; without one, all tables. */
export function choose(what) { at = what; }

export async function show() {
  const mine = ++turn;
  const view = $('view-collections');
  view.ariaBusy = 'true';
  try {
    const parts = at?.table ? await one(at) : await all();
    if (mine === turn) view.replaceChildren(...parts);
    view.querySelector('.marked')?.scrollIntoView({ block: 'center' });
  } catch (e) {
    if (mine === turn) view.replaceChildren(el('p', { class: 'error', role: 'alert' }, e.message));
  }
  view.ariaBusy = 'false';
}

async function all() {
  const found = await rows('SELECT `database`, `table`, kind, documents, bytes, entries, entry_bytes, keypaths ' +
    'FROM sqlfdb.tables ORDER BY bytes + entry_bytes DESC', { rows: mostShown });
  const most = Math.max(1, ...found.map((r) => Number(r[4]) + Number(r[6])));
  return [el('h1', {}, 'Collections'),
    found.length ? null : el('p', {}, 'There is no table yet.'),
    scroller('All tables',
      el('table', { class: 'figures tables' }, head('Table', number('Documents'), number('Keypaths'),
        'Documents + index keys'),
      el('tbody', {}, found.map(([database, table, , documents, size, , entrySize, keypaths]) => el('tr', {},
        el('th', { scope: 'row' }, el('button', { type: 'button', class: 'link', onclick: () => {
          choose({ database, table });
          show();
        } },
          `${database}.${table}`)),
        el('td', { class: 'number' }, grouped(documents)), el('td', { class: 'number' }, grouped(keypaths)),
        el('td', {}, el('span', { class: 'bar-line' }, el('span', { class: 'bar-box', 'aria-hidden': 'true' },
          el('span', { class: 'bar read', 'width%': 100 * size / most }),
          el('span', { class: 'bar fetched', 'width%': 100 * entrySize / most })),
        el('span', { class: 'bar-count' }, bytes(size), el('span', { class: 'note' }, ` + ${bytes(entrySize)}`))))))))),
    found.cut ? el('p', { class: 'cut' }, `This is not all: ${found.cut}.`) : null].filter(Boolean);
}

async function one({ database, table, keypath }) {
  const where = ` WHERE \`database\` = ${literal(database)} AND \`table\` = ${literal(table)}`;
  const [[facts], found, indexes] = await Promise.all([
    rows(`SELECT documents, bytes, entries, entry_bytes, keypaths, kind, key_scheme FROM sqlfdb.tables${where}`),
    rows(keypathsOf(database, table), { rows: 5 * mostShown }),
    rows(`SELECT \`index\`, columns, is_unique, state, progress FROM sqlfdb.indexes${where}`)]);
  if (!facts) return [el('p', { class: 'error', role: 'alert' }, `${database}.${table} is gone.`)];
  const [documents, size, entries, entrySize, keypaths, kind] = facts;
  const nodes = [...walk(treeOf(found))];
  const present = types.filter((t) => nodes.some(([n]) => n.types.some((x) => x.type === t)));
  return [
    el('p', { class: 'crumbs' }, el('button', { type: 'button', class: 'link', onclick: () => {
      choose(null);
      show();
    } }, 'All collections'), ` › ${database} › ${table}`),
    el('h1', {}, `${database}.${table}`),
    el('dl', { class: 'facts-row' }, [['documents', grouped(documents)], ['of text', bytes(size)],
      ['entries', grouped(entries)], ['of index keys', bytes(entrySize)],
      ['keypaths', grouped(keypaths)], ['kind', kind]]
      .map(([name, value]) => el('div', {}, el('dd', {}, value), el('dt', {}, name)))),
    el('div', { class: 'tools' },
      el('button', { type: 'button', onclick: () => open.query(
        `SELECT * FROM ${quote(database)}.${quote(table)} LIMIT 20;`, database) }, 'Query it'),
      el('button', { type: 'button', onclick: () => open.follow(database, table) }, 'Follow its changes'),
      el('button', { type: 'button', onclick: () => show() }, 'Refresh')),
    el('h2', {}, 'Keypaths'),
    nodes.length ? el('p', { class: 'legend', 'aria-hidden': 'true' }, present.map((t) => el('span', {},
      el('span', { class: `swatch type-${t}` }), t))) : el('p', {}, 'No document has been stored.'),
    nodes.length ? keypathTable(nodes.slice(0, mostShown), Number(documents), { database, table, kind, keypath }) :
      null,
    found.cut || nodes.length > mostShown ? el('p', { class: 'cut' },
      `This is not all: there are more keypaths than the ${grouped(mostShown)} that are shown.`) : null,
    indexes.length ? el('h2', {}, 'Declared indexes') : null,
    indexes.length ? el('table', { class: 'figures' }, head('Index', 'Columns', 'Unique', 'State', 'Progress'),
    el('tbody', {}, indexes.map((r) => el('tr', {}, r.map((v, i) =>
      el('td', {}, i === 2 ? (v === '1' ? 'yes' : 'no') : v ?? '')))))) : null,
  ].filter(Boolean);
}

const number = (name) => el('th', { scope: 'col', class: 'number' }, name);

function keypathTable(nodes, documents, { database, table, kind, keypath: marked }) {
  return scroller('Keypaths with counts and types',
    el('table', { class: 'figures keypaths' }, head('Keypath',
      `In how many of ${grouped(documents)} documents`, 'Types', number('Entries'), number('Index keys')),
    el('tbody', {}, nodes.map(([n, depth]) => {
      const sum = (of) => n.types.reduce((s, t) => s + t[of], 0);
      // Of an array's elements a document may have several types: then the bar is of what they add up to.
      const all = Math.max(documents, sum('documents'), 1);
      const most = Math.max(0, ...n.types.map((t) => t.documents));
      return el('tr', { class: n.keypath === marked ? 'marked' : null },
        el('th', { scope: 'row', class: 'code' }, el('span', { class: 'indent', 'aria-hidden': 'true' },
          '\u2007\u2007'.repeat(depth)), el('button', { type: 'button', class: 'link', title: n.keypath,
          'aria-label': `Query ${n.keypath}`,
          onclick: () => open.query(statementFor(n, database, table, kind), database) }, n.name)),
        el('td', {}, el('span', { class: 'bar-line' }, el('span', { class: 'bar-box', 'aria-hidden': 'true' },
          n.types.map((t) => el('span', { class: `bar type-${t.type}`, 'width%': 100 * t.documents / all }))),
        el('span', { class: 'bar-count' }, grouped(n.types.length > 1 ? Math.min(sum('documents'), documents || most) :
          most)))),
        el('td', {}, n.types.flatMap((t, i) => [i ? ', ' : '', el('span', { class: `swatch type-${t.type}`,
          'aria-hidden': 'true' }), t.type,
        n.types.length > 1 ? el('span', { class: 'note' }, ` ${grouped(t.documents)}`) : null])),
        el('td', { class: 'number' }, grouped(sum('entries'))), el('td', { class: 'number' }, bytes(sum('bytes'))));
    }))));
}

/** A statement about a keypath: how often each value is there. What lies in arrays is shown with its array. */
function statementFor(n, database, table, kind) {
  const of = `${quote(database)}.${quote(table)}`;
  const array = n.keypath.indexOf('[*]');
  if (array >= 0) return `SELECT ${quote(n.keypath.slice(0, array))} FROM ${of} LIMIT 20;`;
  if (n.types.some((t) => t.type === 'object')) {
    return kind === 'open' ? `SELECT _doc->${literal(`$.${n.keypath}`)} FROM ${of} LIMIT 20;` :
      `SELECT ${quote(split(n.keypath)[0])} FROM ${of} LIMIT 20;`;
  }
  return `SELECT ${quote(n.keypath)}, COUNT(*) FROM ${of}\nGROUP BY ${quote(n.keypath)} ORDER BY 2 DESC LIMIT 20;`;
}
