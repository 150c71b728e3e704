// Rulesets as YAML: what is read and written, and where in a text a place is.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {EditorState} from '@codemirror/state';
import {yaml} from '@codemirror/lang-yaml';
import {read, write, unquoted} from '../dev/laurel/console/yaml-text.js';
import {places, placeOf, cursorPlace} from '../dev/laurel/console/yaml-places.js';
import {RulesetSchema} from '../dev/laurel/console/schema.js';

test('reads dates as texts, and nothing as an empty document', () => {
  assert.deepEqual(read('start: 2026-03-04'), {value: {start: '2026-03-04'}});
  assert.deepEqual(read(''), {value: {}});
});

test('says where a text is wrong', () => {
  const {error} = read('a: 1\na: 2\n');

  assert.equal(error.from, 5);
  assert.match(error.message, /unique/);
});

test('refuses aliases that grow without end', () => {
  const levels = Array.from({length: 12}, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`)}]`);
  const {error} = read(`a0: &a0 [x]\n${levels.join('\n')}`);

  assert.match(error.message, /alias/);
});

test('writes sections with empty lines between them, without what is empty', () => {
  const document = {metrics: {laps: {name: 'Laps', units: null}}, attributes: {}, settings: {weekStartsOn: 'monday'}};

  assert.equal(write(document), 'metrics:\n  laps:\n    name: Laps\n\nsettings:\n  weekStartsOn: monday\n');
  assert.equal(write({}), '{}\n');
});

test('keeps an empty entry of a map, but no empty field', () => {
  const schema = new RulesetSchema({
    properties: {metrics: {additionalProperties: {properties: {texts: {type: 'object'}}}}},
  });

  assert.equal(write({metrics: {laps: {texts: {}}}}, schema), 'metrics:\n  laps: {}\n');
});

test('writes ids last', () => {
  assert.equal(write({metrics: {laps: {id: 'u', name: 'Laps'}}}), 'metrics:\n  laps:\n    name: Laps\n    id: u\n');
});

test('reads back what it writes', () => {
  const document = {metrics: {'a b': {name: "it's: #1", note: 'yes', list: ['1', 2, true]}}};

  assert.deepEqual(read(write(document)).value, document);
});

test('takes quotes off a key', () => {
  assert.deepEqual(['laps', '"a: b"', "'it''s'"].map(unquoted), ['laps', 'a: b', "it's"]);
});

/** The state of an editor with a text, and the position of `|` in it. */
function editor(text) {
  const position = text.indexOf('|');
  const doc = text.replace('|', '');
  return {state: EditorState.create({doc, extensions: [yaml()]}), position, doc};
}

test('finds the places of a document', () => {
  const {state, doc} = editor('metrics:\n  laps:\n    name: Laps\n  "a/b":\n    list: [1, 2]\n');
  const all = places(state);
  const textAt = path => doc.slice(all.get(path).from, all.get(path).to);

  assert.equal(textAt('/metrics/laps/name'), 'name: Laps');
  assert.equal(textAt('/metrics/a~1b/list/1'), '2');
  assert.deepEqual(placeOf(all, '/metrics/laps/none'), all.get('/metrics/laps'));
  assert.deepEqual(placeOf(all, '/none'), {from: 0, to: 0});
});

const cursors = [
  [
    'a new key',
    'metrics:\n  laps:\n    name: Laps\n    un|',
    {path: ['metrics', 'laps'], typed: 'un', isValue: false, siblings: ['name']},
  ],
  [
    'a value',
    'metrics:\n  laps:\n    unitType: nu|',
    {path: ['metrics', 'laps', 'unitType'], typed: 'nu', isValue: true, siblings: []},
  ],
  ['an item of a list', 'a:\n  - name: x\n    k|', {path: ['a', 0], typed: 'k', isValue: false, siblings: ['name']}],
  ['an item in brackets', 'a: [one, tw|', {path: ['a', 0], typed: 'tw', isValue: true, siblings: []}],
  ['the top', 'metrics: {}\nse|\nattributes: {}', {path: [], typed: 'se', isValue: false, siblings: ['metrics', 'attributes']}],
];

for (const [name, text, expected] of cursors) {
  test(`knows that the cursor is at ${name}`, () => {
    const {state, position} = editor(text);
    const {siblings, ...place} = cursorPlace(state, position);

    assert.deepEqual({...place, siblings: [...siblings]}, expected);
  });
}

test('offers nothing in a comment', () => {
  const {state, position} = editor('metrics: # la|');

  assert.equal(cursorPlace(state, position), null);
});
