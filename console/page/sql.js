// Statements: written, run, stopped, explained.

import { lines, Refusal } from './api.js';
import { $, el, grouped, seconds } from './dom.js';
import { draw } from './plan.js';
import { Result } from './result.js';

let editor, databases, limit, status, output, run, stopButton, explainButton, analyzeButton;
let running = null; // what aborts it
let changed = () => {};

/** Begins the view. onchange is told when a statement may have changed what there is. */
export function start(onchange) {
  changed = onchange;
  editor = el('textarea', { id: 'editor', rows: 5, spellcheck: false, autocapitalize: 'off', autocomplete: 'off',
    'aria-describedby': 'editor-help', onkeydown: keydown });
  databases = el('select', { id: 'database' });
  limit = el('select', { id: 'limit' }, ['100', '1000', '10000', '100000'].map((n) =>
    el('option', { value: n, selected: n === '1000' }, grouped(n))));
  run = el('button', { type: 'button', class: 'primary', onclick: () => go('') }, 'Run');
  stopButton = el('button', { type: 'button', disabled: true, onclick: () => running?.abort() }, 'Stop');
  explainButton = el('button', { type: 'button', onclick: () => go('plan') }, 'Plan');
  analyzeButton = el('button', { type: 'button', onclick: () => go('analyze'),
    title: 'Runs the statement, and shows what it has read' }, 'Run and plan');
  status = el('p', { class: 'status', role: 'status' });
  output = el('div', { class: 'results' });
  $('view-sql').append(
    el('h1', { class: 'quiet-label' }, 'SQL'),
    el('label', { for: 'editor', class: 'field' }, 'Statements'),
    editor,
    el('p', { id: 'editor-help', class: 'help' },
      el('kbd', {}, 'Ctrl'), '+', el('kbd', {}, 'Enter'), ' runs, ',
      el('kbd', {}, 'Ctrl'), '+', el('kbd', {}, 'Shift'), '+', el('kbd', {}, 'Enter'), ' shows the plan, ',
      el('kbd', {}, 'Esc'), ' stops. What is selected runs alone.'),
    el('div', { class: 'tools' }, run, stopButton, explainButton, analyzeButton,
      el('span', { class: 'pair' }, el('label', { for: 'database' }, 'Database'), databases),
      el('span', { class: 'pair' }, el('label', { for: 'limit' }, 'Rows at most'), limit)),
    status, output);
}

/** Says which databases there are. */
export function offer(names) {
  const now = databases.value || names[0] || '';
  databases.replaceChildren(el('option', { value: '' }, '(none)'), ...names.map((n) => el('option', { value: n }, n)));
  databases.value = names.includes(now) ? now : '';
}

/** Puts a statement into the editor. */
export function write(text, database) {
  editor.value = text;
  if (database) use(database);
  editor.focus();
}

/** Whether nothing was written yet. */
export const isEmpty = () => editor.value === '';

function use(database) {
  if (database && ![...databases.options].some((o) => o.value === database)) {
    databases.append(el('option', { value: database }, database));
  }
  databases.value = database;
}

function keydown(e) {
  if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
    e.preventDefault();
    go(e.shiftKey ? 'plan' : '');
  } else if (e.key === 'Escape') running?.abort();
}

function busy(is) {
  for (const b of [run, explainButton, analyzeButton]) b.disabled = is;
  stopButton.disabled = !is;
  $('view-sql').ariaBusy = String(is);
}

async function go(explain) {
  const from = editor.selectionStart;
  const to = editor.selectionEnd;
  const sql = from < to ? editor.value.slice(from, to) : editor.value;
  if (!sql.trim() || running) return;
  running = new AbortController();
  busy(true);
  output.replaceChildren();
  const began = performance.now();
  const clock = setInterval(() => {
    status.textContent = `Runs: ${Math.round((performance.now() - began) / 1000)} s`;
  }, 1000);
  status.textContent = 'Runs…';
  let shown = null;
  let count = 0;
  let failed = false;
  let last = null;
  try {
    const body = { sql, database: databases.value, rows: Number(limit.value), explain };
    for await (const line of lines('run', body, running.signal)) {
      if (line.statement !== undefined) {
        count++;
        shown = new Shown(line.statement, explain);
        output.append(shown.element);
      }
      if (line.columns) shown.begin(line.columns);
      if (line.rows) shown.add(line.rows);
      if (line.end) shown.end(last = line.end);
      if (line.error) {
        failed = true;
        const e = new Refusal(line.error, 200);
        if (shown) shown.fail(e);
        else output.append(el('p', { class: 'error', role: 'alert' }, e.message));
      }
      if (line.database !== undefined) use(line.database);
    }
    status.textContent = failed ? 'It failed.' : explain && last ? `The plan took ${seconds(last.seconds)}` :
      count === 1 && last ? summary(last) :
      `${count} statements in ${seconds((performance.now() - began) / 1000)}`;
  } catch (e) {
    if (e.name === 'AbortError') {
      status.textContent = `Stopped after ${seconds((performance.now() - began) / 1000)}.`;
      shown?.stopped();
    } else {
      status.textContent = '';
      output.append(el('p', { class: 'error', role: 'alert' }, e.message));
    }
  }
  clearInterval(clock);
  running = null;
  busy(false);
  if (/\b(create|drop|alter|rename|truncate|insert|replace|delete|load)\b/i.test(sql)) changed();
}

const plural = (n, unit) => `${grouped(n)} ${unit}${Number(n) === 1 ? '' : 's'}`;

function summary(end) {
  const parts = [end.affected >= 0 ? `${plural(end.affected, 'row')} affected` : plural(end.rows, 'row'),
    seconds(end.seconds)];
  const f = end.figures ?? {};
  if (Number(f.keys)) parts.push(`${plural(f.keys, 'key')} read`);
  if (Number(f.documents)) parts.push(`${plural(f.documents, 'document')} read`);
  return parts.join(' · ');
}

/** What one statement has given. */
class Shown {
  constructor(text, explain) {
    this.explain = explain;
    this.foot = el('div', { class: 'foot' });
    this.place = el('div');
    this.element = el('article', { class: 'statement' },
      el('h2', { class: 'code', title: text }, text.length > 200 ? text.slice(0, 200) + '…' : text),
      this.place, this.foot);
  }

  begin(columns) {
    this.result = new Result(columns);
    if (!this.explain) this.place.append(this.result.element);
  }

  add(rows) { this.result.add(rows); }

  end(end) {
    if (this.explain && this.result?.rows.length) this.plan();
    else {
      this.result?.end();
      this.foot.append(el('p', { class: 'sum' }, summary(end)));
    }
    if (end.cut) this.foot.append(el('p', { class: 'cut', role: 'alert' }, `This is not all: ${end.cut}.`));
    for (const [level, code, message] of end.warnings ?? []) {
      if (!this.explain) this.foot.append(el('p', { class: 'warning' }, `${level} ${code}: ${message}`));
    }
  }

  plan() {
    const text = this.result.rows.map((r) => r[0]).join('\n');
    this.place.append(draw(JSON.parse(text)));
    this.foot.append(el('details', {}, el('summary', {}, 'The plan as JSON'), el('pre', { class: 'json' }, text)));
  }

  fail(e) {
    this.result?.end();
    this.foot.append(el('p', { class: 'error', role: 'alert' }, e.message));
  }

  stopped() {
    this.result?.end();
    this.foot.append(el('p', { class: 'warning' }, 'It was stopped: there may be more rows.'));
  }
}
