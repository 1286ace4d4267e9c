// Keypaths, as the server spells them: a.b, a[*].b, and a."b.c" for keys that are no plain words.

/** The parts of a keypath. "[*]" stands for the elements of an array. */
export function split(keypath) {
  const parts = [];
  let i = 0;
  while (i < keypath.length) {
    if (keypath[i] === '.') i++;
    if (keypath.startsWith('[*]', i)) {
      parts.push('[*]');
      i += 3;
      continue;
    }
    let end = i;
    if (keypath[i] === '"') {
      for (end++; end < keypath.length && keypath[end] !== '"'; end++) if (keypath[end] === '\\') end++;
      end++;
    } else {
      while (end < keypath.length && keypath[end] !== '.' && !keypath.startsWith('[*]', end)) end++;
    }
    if (end === i) end++;
    parts.push(keypath.slice(i, end));
    i = end;
  }
  return parts;
}

/** A table's keypaths as a tree of nodes {name, keypath, types, children}, of the rows of sqlfdb.keypaths. */
export function treeOf(rows) {
  const root = { children: new Map() };
  for (const [keypath, type, documents, entries, bytes] of rows) {
    let node = root;
    let at = '';
    for (const part of split(keypath)) {
      at += part === '[*]' || at === '' ? part : `.${part}`;
      if (!node.children.has(part)) {
        node.children.set(part, { name: part, keypath: at, types: [], children: new Map() });
      }
      node = node.children.get(part);
    }
    node.types.push({ type, documents: Number(documents), entries: Number(entries), bytes: Number(bytes) });
  }
  return root;
}

/** The nodes of a tree, each before those below it, with their depth. */
export function* walk(node, depth = 0) {
  for (const child of node.children.values()) {
    yield [child, depth];
    yield* walk(child, depth + 1);
  }
}
