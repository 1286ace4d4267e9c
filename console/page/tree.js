// The tree of databases, tables and keypaths, by the pattern of ARIA for trees: one stop of the tab key, arrows inside.

import { rows } from './api.js';
import { $, el, grouped, literal } from './dom.js';
import { treeOf } from './keypath.js';

const mostKeypaths = 2000;

let chosen = () => {};
let at = null; // the item that has the tab stop
let filter = '';

/** Begins the tree. onchoose is told {database, table, keypath} as far as they are chosen. */
export function start(onchoose) {
  chosen = onchoose;
  const tree = $('tree');
  tree.addEventListener('keydown', keydown);
  tree.addEventListener('click', click);
  tree.addEventListener('focusin', (e) => {
    const item = e.target.closest('[role=treeitem]');
    if (item) stop(item);
  });
  $('tree-refresh').addEventListener('click', load);
  $('tree-filter').addEventListener('input', (e) => {
    filter = e.target.value.toLowerCase();
    show();
  });
}

/** Reads databases and tables anew. What was open opens again. */
export async function load() {
  const open = new Set(items().filter((i) => i.ariaExpanded === 'true').map((i) => i.dataset.id));
  const selected = $('tree').querySelector('[aria-selected=true]')?.dataset.id;
  try {
    const tables = await rows('SELECT `database`, `table`, documents FROM sqlfdb.tables ORDER BY 1, 2');
    const databases = new Map((await rows('SHOW DATABASES')).map(([name]) => [name, []]));
    for (const name of ['information_schema', 'mysql', 'performance_schema', 'sys', 'sqlfdb']) databases.delete(name);
    for (const [database, table, documents] of tables) {
      if (!databases.has(database)) databases.set(database, []);
      databases.get(database).push({ table, documents });
    }
    $('tree').replaceChildren(...[...databases].map(([name, of]) => {
      const id = JSON.stringify([name]);
      const group = el('ul', { role: 'group' }, of.map((t) => tableItem(name, t)));
      return item({ id, level: 1, text: name, note: of.length === 1 ? '1 table' : `${of.length} tables`, group,
        open: open.has(id) || databases.size <= 3 });
    }));
    $('tree-error').textContent = databases.size ? '' : 'There is no database yet.';
    for (const i of items()) {
      if (i.dataset.id === selected) select(i);
      if (open.has(i.dataset.id) && i.ariaLevel === '2') await expand(i);
    }
    stop(items()[0]);
    show();
  } catch (e) {
    if (e.status !== 401) $('tree-error').textContent = e.message;
  }
}

function item({ id, level, text, note, group, open, kind }) {
  return el('li', { role: 'treeitem', 'aria-level': level, 'aria-expanded': group ? String(Boolean(open)) : null,
    'aria-selected': 'false', 'aria-label': note ? `${text}, ${note}` : text, tabindex: -1, 'data-id': id, 'data-text': text.toLowerCase(), class: kind },
  el('span', { class: 'row' }, el('span', { class: 'twist', 'aria-hidden': 'true' }),
    el('span', { class: 'name' }, text), note ? el('span', { class: 'note' }, note) : null), group);
}

function tableItem(database, { table, documents }) {
  return item({ id: JSON.stringify([database, table]), level: 2, text: table, note: grouped(documents), kind: 'table',
    group: el('ul', { role: 'group' }) });
}

function keypathItems(database, table, node, level) {
  return [...node.children.values()].map((k) => item({ id: JSON.stringify([database, table, k.keypath]), level,
    text: k.name, note: k.types.map((t) => t.type).join(', '), kind: 'keypath', open: level < 4,
    group: k.children.size ? el('ul', { role: 'group' }, keypathItems(database, table, k, level + 1)) : null }));
}

async function expand(i) {
  if (!i.hasAttribute('aria-expanded')) return;
  const [database, table, keypath] = JSON.parse(i.dataset.id);
  const group = i.querySelector(':scope > [role=group]');
  if (table && !keypath && !group.hasChildNodes()) {
    i.ariaBusy = 'true';
    try {
      const found = await rows(keypathsOf(database, table), { rows: mostKeypaths });
      group.replaceChildren(...keypathItems(database, table, treeOf(found), 3));
      if (!found.length) i.querySelector('.note').textContent = 'empty';
      if (found.cut) {
        group.append(el('li', { role: 'none', class: 'note' }, `The first ${mostKeypaths} rows: ${found.cut}.`));
      }
    } catch (e) {
      if (e.status !== 401) $('tree-error').textContent = e.message;
    }
    i.ariaBusy = null;
  }
  i.ariaExpanded = 'true';
}

/** The statement that reads a table's keypaths. */
export const keypathsOf = (database, table) => 'SELECT keypath, type, documents, entries, bytes FROM sqlfdb.keypaths ' +
  `WHERE \`database\` = ${literal(database)} AND \`table\` = ${literal(table)}`;

function items() { return [...$('tree').querySelectorAll('[role=treeitem]')]; }

function visible() {
  return items().filter((i) => !i.hidden && !i.parentElement.closest('[role=treeitem][aria-expanded=false]') &&
    !i.parentElement.closest('[role=treeitem][hidden]'));
}

/** Hides what does not match the filter: an item stays if it matches, or something below or above it does. */
function show() {
  const matches = (i) => i.dataset.text.includes(filter);
  for (const i of items().reverse()) {
    const below = [...i.querySelectorAll('[role=treeitem]')].some((c) => !c.hidden && matches(c));
    let above = i.parentElement.closest('[role=treeitem]');
    while (above && !(filter && above.ariaLevel !== '1' && matches(above))) {
      above = above.parentElement.closest('[role=treeitem]');
    }
    i.hidden = Boolean(filter) && !matches(i) && !below && !above;
  }
}

function stop(i) {
  if (!i) return;
  if (at) at.tabIndex = -1;
  at = i;
  at.tabIndex = 0;
}

function focus(i) {
  if (!i) return;
  stop(i);
  i.focus();
  i.querySelector('.row').scrollIntoView({ block: 'nearest' });
}

function select(i) {
  for (const s of $('tree').querySelectorAll('[aria-selected=true]')) s.ariaSelected = 'false';
  i.ariaSelected = 'true';
}

function choose(i) {
  select(i);
  const [database, table, keypath] = JSON.parse(i.dataset.id);
  chosen({ database, table, keypath });
}

function click(e) {
  const i = e.target.closest('[role=treeitem]');
  if (!i || !e.target.closest('.row')) return;
  focus(i);
  const [, table] = JSON.parse(i.dataset.id);
  if (e.target.closest('.twist') || !table) toggle(i);
  if (table && !e.target.closest('.twist')) {
    if (i.ariaExpanded === 'false') expand(i);
    choose(i);
  }
}

function toggle(i) {
  if (i.ariaExpanded === 'true') i.ariaExpanded = 'false';
  else expand(i);
}

let typed = '';
let typedAt = 0;

function keydown(e) {
  if (e.altKey || e.ctrlKey || e.metaKey) return;
  const i = e.target.closest('[role=treeitem]');
  const all = visible();
  const n = all.indexOf(i);
  switch (e.key) {
    case 'ArrowDown': focus(all[n + 1]); break;
    case 'ArrowUp': focus(all[n - 1]); break;
    case 'Home': focus(all[0]); break;
    case 'End': focus(all[all.length - 1]); break;
    case 'ArrowRight':
      if (i.ariaExpanded === 'false') expand(i);
      else if (i.ariaExpanded === 'true') focus(visible().find((c) => c !== i && i.contains(c)));
      break;
    case 'ArrowLeft':
      if (i.ariaExpanded === 'true') i.ariaExpanded = 'false';
      else focus(i.parentElement.closest('[role=treeitem]'));
      break;
    case 'Enter': case ' ':
      if (JSON.parse(i.dataset.id).length > 1) choose(i);
      else toggle(i);
      break;
    default: {
      if (e.key.length !== 1) return;
      typed = e.timeStamp - typedAt < 800 ? typed + e.key.toLowerCase() : e.key.toLowerCase();
      typedAt = e.timeStamp;
      const from = typed.length > 1 ? n : n + 1;
      focus([...all.slice(from), ...all.slice(0, from)].find((c) => c.dataset.text.startsWith(typed)));
    }
  }
  e.preventDefault();
}
