// Where in the text of a ruleset a place of the document is, and at which place the cursor is.
import {syntaxTree, ensureSyntaxTree} from '@codemirror/language';
import {pointer} from './schema.js';
import {unquoted} from './yaml-text.js';

const PARSE_MS = 200;

/** The range of each place by JSON pointer: of the key and of a value behind it; of a value of several lines, the key only. */
export function places(state) {
  const all = new Map();
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  const document = tree.topNode.getChild('Document');
  if (document !== null) {
    visit(document.firstChild, [], undefined);
  }
  return all;

  function visit(node, path, key) {
    if (node === null) {
      return;
    }
    const from = node.from + state.sliceDoc(node.from, node.to).search(/\S|$/);
    const first = state.doc.lineAt(key?.from ?? from);
    all.set(pointer(path), {from: key?.from ?? from, to: node.to <= first.to ? Math.max(from, node.to) : (key?.to ?? first.to)});
    if (node.name === 'BlockMapping' || node.name === 'FlowMapping') {
      for (const pair of node.getChildren('Pair')) {
        const name = pair.getChild('Key');
        if (name !== null) {
          const at = [...path, unquoted(state.sliceDoc(name.from, name.to))];
          const value = pair.lastChild;
          if (value.name === 'Key' || value.name === ':') {
            all.set(pointer(at), {from: name.from, to: name.to});
          } else {
            visit(value, at, name);
          }
        }
      }
    } else if (node.name === 'BlockSequence' || node.name === 'FlowSequence') {
      node.getChildren('Item').forEach((item, i) => visit(item.firstChild, [...path, i], undefined));
    } else if (node.name === 'Tagged' || node.name === 'Anchored') {
      visit(node.lastChild, path, key);
    }
  }
}

/** The range of `at`, or of the nearest thing around it. */
export function placeOf(all, at) {
  for (let path = at; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    if (all.has(path)) {
      return all.get(path);
    }
  }
  return {from: 0, to: 0};
}

const LINE = /^(\s*)((?:- +)*)(?:([\w-]+|"[^"]*"|'[^']*')\s*:(?:\s|$))?/;

/**
 * Where the cursor is, by the indentation of the lines above it: the syntax tree of a line that is being typed says little.
 *
 * @return `{path, typed, isValue, siblings}`: the path of the object or of the value, what of it is typed, and the keys that the object has
 */
export function cursorPlace(state, position) {
  const line = state.doc.lineAt(position);
  const before = line.text.slice(0, position - line.from);
  if (/(^|\s)#/.test(before)) {
    return null;
  }
  const [, spaces, dashes, key] = LINE.exec(before);
  const steps = [];
  const siblings = [];
  let depth = spaces.length + dashes.length;
  if (dashes !== '') {
    steps.push(...Array.from(dashes.matchAll(/-/g), () => 0));
    depth = spaces.length;
  }
  const isAbove = steps.length > 0;
  for (let number = line.number - 1; number > 0; number--) {
    const text = state.doc.line(number).text;
    const [, outer, items, name] = LINE.exec(text);
    if (/^\s*(#|$)/.test(text)) {
      continue;
    }
    if (steps.length === 0 && name !== undefined && outer.length + items.length === depth) {
      siblings.push(unquoted(name));
    }
    const isParent =
      outer.length < depth ||
      (outer.length === depth && isAbove && steps.every(step => step === 0) && items === '' && name !== undefined);
    if (!isParent) {
      continue;
    }
    if (items !== '') {
      if (outer.length + items.length < depth && name !== undefined) {
        steps.unshift(unquoted(name));
      }
      steps.unshift(0);
      depth = outer.length;
      continue;
    }
    if (name === undefined) {
      return null;
    }
    steps.unshift(unquoted(name));
    depth = outer.length;
    if (depth === 0) {
      break;
    }
  }
  if (key === undefined) {
    return {
      path: steps,
      typed: before.slice(spaces.length + dashes.length),
      isValue: false,
      siblings: new Set([...siblings, ...below(state, line.number, spaces.length + dashes.length)]),
    };
  }
  const rest = before.slice(before.indexOf(':', spaces.length + dashes.length) + 1).trimStart();
  const flow = /^\[(?:[^\]]*,)?\s*([^\],]*)$/.exec(rest);
  const path = [...steps, unquoted(key)];
  return flow === null
    ? {path, typed: rest, isValue: true, siblings: new Set()}
    : {path: [...path, 0], typed: flow[1], isValue: true, siblings: new Set()};
}

/** The keys of the same object in the lines after `number`. */
function below(state, number, depth) {
  const names = [];
  for (let next = number + 1; next <= state.doc.lines; next++) {
    const text = state.doc.line(next).text;
    const [, outer, items, name] = LINE.exec(text);
    if (/^\s*(#|$)/.test(text)) {
      continue;
    }
    if (outer.length < depth || (items !== '' && outer.length <= depth)) {
      break;
    }
    if (outer.length === depth && name !== undefined) {
      names.push(unquoted(name));
    }
  }
  return names;
}
