// Numbers and texts as people read them.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {formats, sum} from '../dev/laurel/console/format.js';
import texts from '../dev/laurel/console/texts.js';
import * as elements from '../dev/laurel/elements/texts.js';

test('writes numbers', () => {
  assert.equal(formats.count(1234567), '1,234,567');
  assert.equal(formats.count(1.236), '1.24');
  assert.equal(formats.share(0.1234), '12.3%');
  assert.equal(formats.change(0.1), '+10%');
  assert.equal(formats.difference(-3), '-3');
});

test('says that there is no value', () => {
  for (const format of Object.values(formats)) {
    assert.equal(format(null), texts.none);
    assert.equal(format(undefined), texts.none);
  }
});

test('adds the numbers that there are', () => {
  assert.equal(sum([1, null, 2, undefined]), 3);
});

test('writes attributes of a query, whose values may have commas', () => {
  assert.equal(
    elements.attributesText([
      ['city', 'Turku, FI'],
      ['a', 'b\\c'],
    ]),
    'city:Turku\\, FI,a:b\\\\c',
  );
});

test('counts the units of a streak', () => {
  const {unit} = elements.texts.streak;

  assert.deepEqual([unit(1, 'weekly'), unit(2, 'weekly'), unit(2, 'yearly')], ['week', 'weeks', 'days']);
});
