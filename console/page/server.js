// What the server does: plots of its figures, background work, statements that run.

import { figures, rows } from './api.js';
import { $, bytes, el, grouped, head, scroller, seconds, svg } from './dom.js';

const every = 2000;
const points = 300; // ten minutes
const width = 300;
const height = 90;
const few = { rows: 200, watching: true };

const history = []; // {at, of: Map of name to figures}
let timer = null;
let plots, jobsBox, processesBox, notice, range;

/** The sum of a figure over its labels, those with a label alone if one is given. */
function sum(sample, name, field = 'value', match = () => true) {
  const all = sample.of.get(name);
  if (!all) return undefined;
  return all.filter((f) => match(f.labels ?? {})).reduce((s, f) => s + (f[field] ?? 0), 0);
}

/** How much a figure has grown for each second. */
function rate(name, field) {
  return (now, before) => {
    const n = sum(now, name, field);
    const b = sum(before, name, field);
    if (n === undefined || b === undefined) return undefined;
    return Math.max(0, n - b) / ((now.at - before.at) / 1000);
  };
}

/** How much one figure has grown for each unit of another. */
function each(of, by, byField) {
  return (now, before) => {
    const grown = sum(now, by, byField) - sum(before, by, byField);
    return grown > 0 ? (sum(now, of) - sum(before, of)) / grown : grown === 0 ? 0 : undefined;
  };
}

const gauge = (name) => (now) => sum(now, name);
const plain = (n) => (n >= 100 || Number.isInteger(n) ? grouped(Math.round(n)) : n.toFixed(1));

function hits(now, before) {
  const h = sum(now, 'sqlfdb_store_cache_hits_total') - sum(before, 'sqlfdb_store_cache_hits_total');
  const m = sum(now, 'sqlfdb_store_cache_misses_total') - sum(before, 'sqlfdb_store_cache_misses_total');
  return h + m > 0 ? 100 * h / (h + m) : undefined;
}

/** Whether a job waits or runs. The sweep always does, and is no work of anybody's. */
const waits = (l) => l.kind !== 'sweep' && ['queued', 'running', 'held'].includes(l.state);

const shown = [
  { name: 'Statements', unit: 'each second', of: rate('sqlfdb_statement_seconds', 'count'), spell: plain },
  { name: 'Time of a statement', unit: 'mean',
    of: each('sqlfdb_statement_seconds', 'sqlfdb_statement_seconds', 'count'), spell: seconds, floor: 1e-4 },
  { name: 'Rows', unit: 'each second', of: rate('sqlfdb_rows_total'), spell: plain },
  { name: 'Index keys read', unit: 'each second', of: rate('sqlfdb_keys_read_total'), spell: plain },
  { name: 'Documents read', unit: 'each second', of: rate('sqlfdb_documents_read_total'), spell: plain },
  { name: 'Commits', unit: 'each second', of: rate('sqlfdb_store_commits_total'), spell: plain },
  { name: 'Time of a sync', unit: 'mean', of: each('sqlfdb_store_sync_seconds', 'sqlfdb_store_sync_seconds', 'count'),
    spell: seconds, floor: 1e-4 },
  { name: 'Conflicts', unit: 'each second', of: rate('sqlfdb_conflicts_total'), spell: plain },
  { name: 'Errors', unit: 'each second', of: rate('sqlfdb_statement_errors_total'), spell: plain },
  { name: 'Background work', unit: 'jobs',
    of: (now) => sum(now, 'sqlfdb_jobs', 'value', waits) ?? 0,
    spell: plain },
  { name: 'Connections', unit: 'open', of: gauge('sqlfdb_connections'), spell: plain },
  { name: 'Cache hits', unit: 'of blocks', of: hits, spell: (n) => `${n.toFixed(n >= 99.95 ? 0 : 1)} %`, most: 100 },
  { name: 'Heap', unit: 'in use', of: gauge('go_memstats_heap_inuse_bytes'), spell: bytes },
  { name: 'Disk', unit: 'used by the store', of: gauge('sqlfdb_store_disk_bytes'), spell: bytes },
];

export function start() {
  plots = el('div', { class: 'plots' });
  jobsBox = el('div');
  processesBox = el('div');
  notice = el('p', { class: 'error', role: 'alert' });
  range = el('p', { class: 'help' });
  $('view-server').append(el('h1', {}, 'Server'), range, notice, plots, el('h2', {}, 'Background work'), jobsBox,
    el('h2', {}, 'Statements that run'), processesBox);
  for (const p of shown) {
    p.now = el('span', { class: 'plot-now' }, '–');
    p.least = el('span', {}, '0');
    p.top = el('span', {});
    p.line = svg('path', { class: 'plot-line' });
    p.area = svg('path', { class: 'plot-area' });
    p.drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img' },
      [0.25, 0.5, 0.75].map((y) => y * height).map((y) =>
        svg('line', { class: 'plot-grid', x1: 0, x2: width, y1: y, y2: y })),
      p.area, p.line);
    p.element = el('figure', { class: 'plot' }, el('figcaption', {}, el('span', {}, el('b', {}, p.name),
      el('span', { class: 'note' }, ` ${p.unit}`)), p.now), el('div', { class: 'plot-box' }, p.drawing,
      el('span', { class: 'plot-axis', 'aria-hidden': 'true' }, p.top, p.least)));
    plots.append(p.element);
  }
}

/** Asks for figures while the view is seen. */
export function show() {
  if (timer) return;
  sample();
  timer = setInterval(sample, every);
}

export function hide() {
  clearInterval(timer);
  timer = null;
}

/** Forgets what was seen by the user before. */
export function clear() {
  hide();
  history.length = 0;
}

let asking = false;

async function sample() {
  if (asking || document.hidden) return;
  asking = true;
  try {
    const of = new Map();
    for (const f of await figures()) {
      if (!of.has(f.name)) of.set(f.name, []);
      of.get(f.name).push(f);
    }
    history.push({ at: performance.now(), of });
    if (history.length > points) history.shift();
    const [jobs, processes] = await Promise.all([
      rows('SELECT kind, `database`, `table`, state, done, total, failed, message, error FROM sqlfdb.jobs', few),
      rows('SELECT id, user, `database`, seconds, keys_read, documents_read, statement FROM sqlfdb.processes', few)]);
    notice.textContent = '';
    draw();
    showJobs(jobs);
    showProcesses(processes);
  } catch (e) {
    if (e.status !== 401) notice.textContent = e.message;
    if (e.status === 401) hide();
  }
  asking = false;
}

function draw() {
  const end = history.at(-1).at;
  // What has been seen so far fills the width, from a minute on.
  const span = Math.max(60_000, end - history[0].at);
  range.textContent = `The last ${Math.max(1, Math.round(span / 60_000))} min, a point every ${every / 1000} s. ` +
    'What this page asks is counted, too.';
  for (const p of shown) {
    const found = [];
    for (let i = 0; i < history.length; i++) {
      const v = i ? p.of(history[i], history[i - 1]) : p.of.length === 1 ? p.of(history[i]) : undefined;
      if (v !== undefined && Number.isFinite(v)) found.push([history[i].at, v]);
    }
    p.element.hidden = history.length > 2 && !found.length && p.of !== hits;
    if (!found.length) continue;
    const values = found.map(([, v]) => v);
    const most = p.most ?? nice(Math.max(...values, p.floor ?? 1), p.spell === bytes ? 1024 : 1000);
    const x = (t) => width - (end - t) / span * width;
    const y = (v) => height - 2 - v / most * (height - 6);
    const path = found.map(([t, v], i) => `${i ? 'L' : 'M'}${x(t).toFixed(1)} ${y(v).toFixed(1)}`).join('');
    p.line.setAttribute('d', path);
    p.area.setAttribute('d',
      `${path}L${x(found.at(-1)[0]).toFixed(1)} ${height}L${x(found[0][0]).toFixed(1)} ${height}Z`);
    p.now.textContent = p.spell(values.at(-1));
    p.top.textContent = p.spell(most);
    p.drawing.setAttribute('aria-label', `${p.name}, ${p.unit}: now ${p.spell(values.at(-1))}, between ` +
      `${p.spell(Math.min(...values))} and ${p.spell(Math.max(...values))} in the last ` +
      `${Math.max(1, Math.round((end - found[0][0]) / 60000))} minutes`);
  }
}

/** The least of 1, 2 and 5 with zeros behind it, in a unit, that is not less. */
function nice(n, unit) {
  const whole = unit ** Math.floor(Math.log(n) / Math.log(unit));
  const ten = whole * 10 ** Math.floor(Math.log10(n / whole));
  return ten * [1, 2, 5, 10].find((m) => m * ten >= n * 0.999999);
}

function showJobs(all) {
  if (!all.length) {
    jobsBox.replaceChildren(el('p', {}, 'There is none.'));
    return;
  }
  jobsBox.replaceChildren(scroller('Background work', el('table', { class: 'figures' },
    head('Work', 'Table', 'State', 'Progress', 'Failed', 'Message'),
    el('tbody', {}, all.map(([kind, database, table, state, done, total, failed, message, error]) => el('tr', {},
      el('th', { scope: 'row' }, kind), el('td', {}, table ? `${database}.${table}` : ''), el('td', {}, state),
      el('td', {}, Number(total) ? el('span', { class: 'bar-line' },
        el('progress', { max: Number(total), value: Number(done ?? 0), 'aria-label': `${kind}: progress` }),
        el('span', { class: 'bar-count' }, `${grouped(done ?? 0)} of ${grouped(total)}`)) :
        Number(done) ? grouped(done) : ''),
      el('td', { class: 'number' }, Number(failed) ? grouped(failed) : ''),
      el('td', { class: error ? 'error' : null }, error || message || '')))))));
}

function showProcesses(all) {
  const others = all.filter((p) => !/FROM sqlfdb\.processes$/.test(p[6] ?? ''));
  if (!others.length) {
    processesBox.replaceChildren(el('p', {}, 'There is none, but for what this page asks.'));
    return;
  }
  const kind = (i) => (i === 6 ? 'code' : i > 2 || !i ? 'number' : null);
  processesBox.replaceChildren(scroller('Statements that run', el('table', { class: 'figures' },
    head('Connection', 'User', 'Database', 'Seconds', 'Keys read', 'Documents read', 'Statement'),
    el('tbody', {}, others.map((p) => el('tr', {}, p.map((v, i) =>
      el('td', { class: kind(i) }, i > 2 && i < 6 ? grouped(v ?? '') : (v ?? '').slice(0, 300)))))))));
}
