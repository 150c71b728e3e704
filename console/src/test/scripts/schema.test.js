// The part of JSON Schema that the editor of rulesets checks.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {RulesetSchema, pointer} from '../dev/laurel/console/schema.js';
import texts from '../dev/laurel/console/texts.js';

const says = texts.editor.problems;

/** The problems of a value by their places. */
function problems(schema, value) {
  return Object.fromEntries(new RulesetSchema(schema).problems(value).map(({path, message}) => [path, message]));
}

test('escapes the steps of a pointer', () => {
  assert.equal(pointer(['a/b', 'c~d', 0]), '/a~1b/c~0d/0');
});

test('finds the schema of a place', () => {
  const schema = new RulesetSchema({
    $defs: {metric: {type: 'object', properties: {name: {type: 'string'}}}},
    properties: {metrics: {additionalProperties: {$ref: '#/$defs/metric'}}, list: {items: {type: 'number'}}},
  });

  assert.deepEqual(schema.at(['metrics', 'laps', 'name']), {type: 'string'});
  assert.deepEqual(schema.at(['list', 3]), {type: 'number'});
  assert.equal(schema.at(['metrics', 'laps', 'unknown']), null);
  assert.equal(schema.at(['constructor']), null);
});

const cases = [
  ['a value of another type', {type: 'string'}, 5, {'': says.type(['string'])}],
  ['nothing where null is allowed', {type: ['string', 'null']}, null, {}],
  ['a word that is not allowed', {enum: ['day', 'week']}, 'month', {'': says.oneOf(['day', 'week'])}],
  ['a number below its minimum', {minimum: 1, maximum: 9}, 0, {'': says.range(1, false, 9)}],
  ['a number at an exclusive minimum', {exclusiveMinimum: 0}, 0, {'': says.range(0, true, undefined)}],
  ['the largest number', {minimum: 1, maximum: 9}, 9, {}],
  ['a text that is too long', {maxLength: 2}, 'abc', {'': says.length(0, 2)}],
  ['a text of another form', {pattern: '^[a-z]+$', description: 'letters'}, 'A', {'': says.form('letters')}],
  ['a list that is too long', {maxItems: 1}, [1, 2], {'': says.items(0, 1)}],
  ['an item of another type', {items: {type: 'number'}}, [1, 'b'], {'/1': says.type(['number'])}],
  ['a field that is missing', {required: ['name']}, {}, {'': says.required('name')}],
  [
    'a field that does not exist',
    {properties: {name: {}}, additionalProperties: false},
    {nam: 1},
    {'/nam': says.unknown('nam', ['name'])},
  ],
  ['a bad key', {propertyNames: {pattern: '^[a-z]+$'}}, {'a b': 1}, {'/a b': says.key}],
  ['an optional field that is null', {properties: {name: {type: 'string'}}}, {name: null}, {}],
  ['a field that another one needs', {dependentRequired: {every: ['unit']}}, {every: 1}, {'': says.required('unit')}],
];

for (const [name, schema, value, expected] of cases) {
  test(`judges ${name}`, () => assert.deepEqual(problems(schema, value), expected));
}

test('needs a field only under its condition', () => {
  const schema = {allOf: [{if: {properties: {type: {const: 'metric'}}, required: ['type']}, then: {required: ['metric']}}]};

  assert.deepEqual(problems(schema, {type: 'metric'}), {'': says.required('metric')});
  assert.deepEqual(problems(schema, {type: 'streak'}), {});
  assert.deepEqual(problems(schema, {}), {});
});

test('says no more than a hundred problems', () => {
  assert.equal(new RulesetSchema({items: {type: 'number'}}).problems(Array(200).fill('a')).length, 100);
});
