// Rulesets as YAML: reading and writing.
import {parseDocument, stringify} from 'yaml/browser';

/** Without dates, which are texts in JSON, and with the limit of the library on aliases. */
const OPTIONS = {version: '1.2', schema: 'core', merge: false, uniqueKeys: true, prettyErrors: false};

/** @return `{value}`, or `{error: {from, message}}` */
export function read(text) {
  const document = parseDocument(text, OPTIONS);
  if (document.errors.length > 0) {
    const [{pos, message}] = document.errors;
    return {error: {from: Math.min(pos[0], text.length), message}};
  }
  try {
    return {value: document.toJS() ?? {}};
  } catch (e) {
    return {error: {from: 0, message: e.message}}; // too many aliases
  }
}

/**
 * The sections of a document, with an empty line between them; fields without a value are left out. With the schema, so are
 * empty maps that are fields; those that are entries of a map say that there is such an entry.
 */
export function write(document, schema = null) {
  const sections = Object.entries(withoutEmpty(document, [], schema)).filter(
    ([, value]) => value !== null && !(typeof value === 'object' && Object.keys(value).length === 0),
  );
  return sections.length === 0
    ? '{}\n'
    : sections
        .map(([name, value]) => stringify({[name]: value}, {...OPTIONS, lineWidth: 0, aliasDuplicateObjects: false}))
        .join('\n');
}

function withoutEmpty(value, path, schema) {
  if (Array.isArray(value)) {
    return value.map((item, i) => withoutEmpty(item, [...path, i], schema));
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  const known = schema?.at(path)?.properties ?? {};
  const fields = Object.entries(value)
    .filter(([, field]) => field !== null)
    .map(([name, field]) => [name, withoutEmpty(field, [...path, name], schema)])
    .filter(
      ([name, field]) =>
        !Object.hasOwn(known, name) || typeof field !== 'object' || Array.isArray(field) || Object.keys(field).length > 0,
    );
  // Ids last: they are there for programs.
  return Object.fromEntries([
    ...fields.filter(([name, field]) => name !== 'id' || typeof field !== 'string'),
    ...fields.filter(([name, field]) => name === 'id' && typeof field === 'string'),
  ]);
}

/** The key that is written in a text, perhaps in quotes. */
export function unquoted(key) {
  return /^(".*"|'.*')$/s.test(key) ? String(read(key).value) : key;
}
