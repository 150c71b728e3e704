// Numbers, shares and times as people read them.
import texts from './texts.js';

const language = document.documentElement.lang;
const whole = new Intl.NumberFormat(language, {maximumFractionDigits: 0});
const decimal = new Intl.NumberFormat(language, {maximumFractionDigits: 2});
const percent = new Intl.NumberFormat(language, {style: 'percent', maximumFractionDigits: 1});
const signedPercent = new Intl.NumberFormat(language, {style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero'});
const signed = new Intl.NumberFormat(language, {maximumFractionDigits: 2, signDisplay: 'exceptZero'});
const dateTime = new Intl.DateTimeFormat(language, {dateStyle: 'medium', timeStyle: 'short'});
const time = new Intl.DateTimeFormat(language, {timeStyle: 'medium', hourCycle: 'h23'});

const orNone = format => value => (value === null || value === undefined ? texts.none : format(value));

export const formats = {
  count: orNone(value => (Number.isInteger(value) ? whole.format(value) : decimal.format(value))),
  share: orNone(value => percent.format(value)),
  change: orNone(value => signedPercent.format(value)),
  difference: orNone(value => signed.format(value)),
  dateTime: orNone(value => dateTime.format(new Date(value))),
  time: orNone(value => time.format(new Date(value))),
  text: orNone(value => String(value)),
};

/** The sum of the numbers that there are. */
export function sum(values) {
  return values.reduce((a, b) => a + (b ?? 0), 0);
}
