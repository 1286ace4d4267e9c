// What the page asks the server for.

const keyHeader = 'X-Sqlfdb-Key';
const kept = 'sqlfdb-log-in';

/** An error that the server tells. */
export class Refusal extends Error {
  constructor(told, status) {
    super(told.number ? `Error ${told.number} (${told.state}): ${told.message}` : told.message);
    this.status = status;
  }
}

let ended = () => {};

/** Says what is done when the log-in has ended. */
export function onEnd(f) { ended = f; }

/** Who is logged in, in this tab; null for nobody. */
export function who() {
  try {
    return JSON.parse(sessionStorage.getItem(kept));
  } catch {
    return null;
  }
}

async function post(name, body, signal) {
  const response = await fetch(`/api/${name}`, {
    method: 'POST', credentials: 'same-origin', cache: 'no-store', signal,
    headers: { 'Content-Type': 'application/json', [keyHeader]: who()?.key ?? 'login' },
    body: JSON.stringify(body),
  });
  if (response.ok) return response;
  let told = { message: `${response.status} ${response.statusText}` };
  try {
    told = (await response.json()).error ?? told;
  } catch { /* it is no JSON: the status says it */ }
  if (response.status === 401 && name !== 'login' && name !== 'logout') {
    forget();
    ended();
  }
  throw new Refusal(told, response.status);
}

function forget() { sessionStorage.removeItem(kept); }

export async function logIn(user, password) {
  const told = await (await post('login', { user, password })).json();
  sessionStorage.setItem(kept, JSON.stringify(told));
}

export async function logOut() {
  try {
    await post('logout', {});
  } finally {
    forget();
  }
}

export const figures = async () => (await post('figures', {})).json();

/** The lines of an answer as they come. */
export async function* lines(name, body, signal) {
  const reader = (await post(name, body, signal)).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).split('\n');
      rest = parts.pop();
      for (const part of parts) yield JSON.parse(part);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The rows of one statement, asked beside the user's session. Values are texts, or null. */
export async function rows(sql, { database = '', rows: most = 10_000, watching = false } = {}) {
  const found = [];
  for await (const line of lines('run', { sql, database, rows: most, side: true, watching })) {
    if (line.error) throw new Refusal(line.error, 200);
    if (line.rows) found.push(...line.rows);
    if (line.end?.cut) found.cut = line.end.cut;
  }
  return found;
}
