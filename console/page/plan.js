// A plan, drawn: the steps as boxes below one another, the ways to read a table as bars.

import { el, grouped, seconds } from './dom.js';

/** Draws a plan as EXPLAIN FORMAT=JSON tells it. */
export function draw(plan) {
  const s = plan.statement;
  return el('div', { class: 'plan' },
    s ? el('p', { class: 'plan-sum' }, [['rows', s.rows], ['keys read', s.keys], ['documents read', s.documents],
      ['counters read', s.counters], ['conflicts', s.conflicts], ['retries', s.retries]]
      .map(([name, n]) => el('span', {}, el('b', {}, grouped(n)), ` ${name}`)),
    el('span', {}, el('b', {}, seconds(s.seconds)))) : null,
    s ? ratio(s) : null,
    plan.query_plan ? el('ul', { class: 'steps', 'aria-label': 'Steps, the last one first' },
      step(plan.query_plan)) : null,
    plan.program ? el('p', { class: 'help' }, `Program: ${plan.program}`) : null);
}

/** Keys and documents read against the rows that came of them. */
function ratio(s) {
  const most = Math.max(s.keys, s.documents, s.rows, 1);
  return el('div', { class: 'bars', role: 'group', 'aria-label': 'Read against rows' },
    bar('keys read', s.keys, most, 'read'), bar('documents read', s.documents, most, 'fetched'),
    bar('rows', s.rows, most, 'out'));
}

function bar(name, n, most, kind, note) {
  return el('div', { class: 'bar-line' }, el('span', { class: 'bar-name' }, name),
    el('span', { class: 'bar-box', 'aria-hidden': 'true' },
      el('span', { class: `bar ${kind}`, 'width%': share(n, most) })),
    el('span', { class: 'bar-count' }, grouped(n), note ? el('span', { class: 'note' }, ` ${note}`) : null));
}

/** The length of a bar. What is not nothing is seen. */
const share = (n, most) => (n > 0 ? Math.max(100 * n / most, 0.5) : 0);

const roots = { ALL: 'scan', index: 'scan' };

function step(node) {
  const a = node.actual;
  return el('li', {},
    el('div', { class: `step ${roots[node.access_type] ?? ''}` },
      el('p', { class: 'step-name' }, el('b', {}, node.operation),
        node.detail ? el('span', { class: 'code' }, ` ${node.detail}`) : null),
      a ? el('p', { class: 'actual' }, [`${grouped(a.rows)} rows`, a.loops > 1 ? `${grouped(a.loops)} times` : null,
        a.keys ? `${grouped(a.keys)} keys read` : null, a.documents ? `${grouped(a.documents)} documents read` : null,
        seconds(a.last_row_ms / 1000)].filter(Boolean).join(' · ')) : null,
      ways(node),
      facts(node)),
    node.inputs?.length ? el('ul', { class: 'steps' }, node.inputs.map(step)) : null);
}

/** The ways to read a table: the chosen one with its ranges, and those that lost. */
function ways(node) {
  const read = node.ranges || node.keys || node.cost !== undefined || node.lost_candidates;
  if (!node.table_name || !read) return null;
  const chosen = { name: (node.ranges ?? []).map((r) => `\`${r.key}\` in ${r.spans}`).join(' and ') || node.operation,
    keys: node.keys, cost: node.cost };
  const lost = node.lost_candidates ?? [];
  const counts = [node.keys, ...lost.map((l) => l.keys)].filter(Boolean)
    .map((k) => Math.max(k.estimated, k.bound ?? 0));
  const most = Math.max(1, node.documents ?? 0, ...counts);
  return el('div', { class: 'ways' },
    el('table', {}, el('caption', { class: 'quiet-label' }, `Ways to read ${node.table_name}`),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Way'),
        el('th', { scope: 'col' }, 'Index keys, exact or about'), el('th', { scope: 'col' }, 'Cost'))),
      el('tbody', {},
        way('chosen', chosen.name, chosen.keys, most, chosen.cost === undefined ? '' : cost(chosen.cost), 'chosen'),
        lost.map((l) => way('lost', l.candidate, l.keys, most, costIn(l.why), l.why)),
        node.full_scan_cost !== undefined && node.access_type !== 'ALL' ? way('lost', 'a full scan',
          node.documents === undefined ? undefined : { estimated: node.documents, counted: true, documents: true },
          most, cost(node.full_scan_cost), 'costs more') : null)));
}

const cost = (n) => grouped(n >= 100 ? Math.round(n) : n.toFixed(1));

/** What the reason of a candidate that lost says of its cost. */
const costIn = (why) => {
  const found = /^cost ([\d.]+)/.exec(why);
  return found ? cost(Number(found[1])) : '';
};

function way(kind, name, keys, most, what, why) {
  return el('tr', { class: kind }, el('th', { scope: 'row' },
    el('span', { class: `mark ${kind}` }, kind === 'chosen' ? '✓ chosen' : '✗ lost'), ' ',
    el('span', { class: 'code' }, name),
    kind === 'lost' && why ? el('span', { class: 'why' }, why) : null),
  el('td', {}, keys ? el('span', { class: 'bar-line' }, el('span', { class: 'bar-box', 'aria-hidden': 'true' },
    el('span', { class: `bar ${kind}`, 'width%': share(keys.estimated, most) })),
  el('span', { class: 'bar-count' }, (keys.counted ? '' : 'about ') + grouped(keys.estimated),
    keys.documents ? el('span', { class: 'note' }, ' documents') : el('span', { class: 'note' },
      keys.bound === undefined ? '' : ` of ${grouped(keys.bound)}`))) : null),
  el('td', { class: 'number' }, what));
}

function facts(node) {
  const all = [];
  if (node.tight === true) all.push('tight: the ranges are exactly their conditions');
  if (node.residual) all.push(`tested on each row: ${node.residual}`);
  if (node.index_only) all.push('entries only: no document is read');
  if (node.empty) all.push(node.empty);
  for (const c of node.certain ?? []) all.push(`every document satisfies ${c}`);
  for (const r of node.no_range ?? []) all.push(`no range: ${r}`);
  if (node.value !== undefined) all.push(`value: ${node.value}`);
  all.push(...node.facts ?? [], ...node.extra ?? []);
  return all.length ? el('ul', { class: 'facts' }, all.map((f) => el('li', {}, f))) : null;
}
