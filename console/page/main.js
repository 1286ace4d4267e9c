// The page: who is logged in, and which view is seen.

import { logIn, logOut, onEnd, rows, who } from './api.js';
import * as collections from './collections.js';
import { $, quote } from './dom.js';
import * as feed from './feed.js';
import * as server from './server.js';
import * as sql from './sql.js';
import * as tree from './tree.js';

const views = ['sql', 'collections', 'changes', 'server'];

function seen() {
  const name = location.hash.slice(1);
  return views.includes(name) ? name : views[0];
}

function route() {
  if (!who()) return;
  const name = seen();
  for (const v of views) $(`view-${v}`).hidden = v !== name;
  for (const a of document.querySelectorAll('nav a')) {
    if (a.hash === `#${name}`) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  }
  document.title = `sqlfdb: ${{ sql: 'SQL', collections: 'Collections', changes: 'Changes', server: 'Server' }[name]}`;
  if (name === 'collections') collections.show();
  if (name === 'server') server.show();
  else server.hide();
}

function go(name) {
  if (seen() !== name) history.pushState(null, '', `#${name}`);
  route();
}

async function load() {
  await tree.load();
  try {
    const names = (await rows('SHOW DATABASES')).map(([n]) => n);
    const tables = await rows('SELECT `database`, `table` FROM sqlfdb.tables ORDER BY 1, 2');
    const own = new Set(tables.map(([d]) => d));
    sql.offer([...names.filter((n) => own.has(n)), ...names.filter((n) => !own.has(n))]);
    feed.offer(tables);
    if (sql.isEmpty() && tables.length) sql.write(`SELECT * FROM ${quote(tables[0][1])} LIMIT 20;`, tables[0][0]);
  } catch { /* the tree has told it */ }
}

function enter() {
  const w = who();
  $('login').hidden = Boolean(w);
  $('app').hidden = !w;
  $('skip').hidden = !w;
  if (!w) {
    document.title = 'sqlfdb: log in';
    ($('user').value ? $('password') : $('user')).focus();
    return;
  }
  $('who').textContent = w.user;
  $('who').title = `sqlfdb ${w.version}`;
  route();
  load();
}

$('login').addEventListener('submit', async (e) => {
  e.preventDefault();
  const button = e.submitter ?? $('login').querySelector('button');
  button.disabled = true;
  $('login-error').textContent = '';
  try {
    await logIn($('user').value, $('password').value);
    $('password').value = '';
    enter();
    $('editor').focus();
  } catch (error) {
    $('login-error').textContent = error.message;
    $('password').select();
  }
  button.disabled = false;
});

$('logout').addEventListener('click', () => {
  feed.end();
  logOut().catch(() => {}).finally(() => location.reload());
});

$('skip').addEventListener('click', (e) => {
  e.preventDefault();
  $('main').focus();
});

onEnd(() => {
  feed.end();
  server.clear();
  $('login-error').textContent = 'The log-in has ended.';
  enter();
});

sql.start(load);
collections.start({
  query: (text, database) => {
    go('sql');
    sql.write(text, database);
  },
  follow: (database, table) => {
    go('changes');
    feed.follow(database, table);
  },
});
feed.start();
server.start();
tree.start((what) => {
  if (seen() === 'changes') {
    if (!what.keypath) feed.follow(what.database, what.table);
    return;
  }
  collections.choose(what);
  go('collections');
});
window.addEventListener('hashchange', route);
const narrow = matchMedia('(max-width: 760px)');
const fold = () => { $('tree-box').open = !narrow.matches; };
narrow.addEventListener('change', fold);
fold();
enter();
