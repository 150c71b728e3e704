// What the JSON Schema of rulesets says: which schemas hold at a place of a document, and what in a document it does not permit.
// Libraries that check all of JSON Schema compile it to code, which the policy of the page forbids, or their messages name the
// schema instead of the mistake. This is the part that the schema uses; the API checks everything again.
import texts from './texts.js';

const MAX_PROBLEMS = 100;
const TYPES = {
  object: value => value !== null && typeof value === 'object' && !Array.isArray(value),
  array: Array.isArray,
  string: value => typeof value === 'string',
  number: value => typeof value === 'number',
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
};

export const pointer = path => path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const typesOf = schema => [schema.type ?? []].flat();

export class RulesetSchema {
  /** @param root the document of the schema */
  constructor(root) {
    this.root = root;
  }

  /** The schema of the value at `path`, an array of keys and positions; null if there can be none, or nothing is said about it. */
  at(path) {
    let schema = this.#resolved(this.root);
    for (const step of path) {
      const isNamed = schema.properties !== undefined && Object.hasOwn(schema.properties, step);
      const next = isNamed ? schema.properties[step] : typeof step === 'number' ? schema.items : schema.additionalProperties;
      if (next === undefined || typeof next === 'boolean') {
        return null;
      }
      schema = this.#resolved(next);
    }
    return schema;
  }

  /** @return `{path, message}` for what is not permitted, with `path` as a JSON pointer */
  problems(value) {
    const found = [];
    this.#check(this.root, value, [], found);
    return found;
  }

  #resolved(schema) {
    if (schema.$ref === undefined) {
      return schema;
    }
    const target = schema.$ref
      .slice(2)
      .split('/')
      .reduce((at, name) => at[name], this.root);
    return {...this.#resolved(target), ...schema, $ref: undefined};
  }

  #check(given, value, path, found) {
    const schema = this.#resolved(given);
    const say = (message, at = path) => found.length < MAX_PROBLEMS && found.push({path: pointer(at), message});
    if (schema.type !== undefined && !typesOf(schema).some(type => TYPES[type](value))) {
      say(texts.editor.problems.type(typesOf(schema).filter(type => type !== 'null')));
      return;
    }
    if (schema.enum !== undefined && !schema.enum.includes(value)) {
      say(texts.editor.problems.oneOf(schema.enum));
    }
    if (typeof value === 'number') {
      const isBelow =
        (schema.minimum !== undefined && value < schema.minimum) ||
        (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum);
      if (isBelow || (schema.maximum !== undefined && value > schema.maximum)) {
        say(
          texts.editor.problems.range(
            schema.minimum ?? schema.exclusiveMinimum,
            schema.exclusiveMinimum !== undefined,
            schema.maximum,
          ),
        );
      }
    } else if (typeof value === 'string') {
      if (value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? Infinity)) {
        say(texts.editor.problems.length(schema.minLength ?? 0, schema.maxLength));
      }
      if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
        say(texts.editor.problems.form(schema.description));
      }
    } else if (Array.isArray(value)) {
      if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)) {
        say(texts.editor.problems.items(schema.minItems ?? 0, schema.maxItems));
      }
      if (schema.items !== undefined) {
        value.forEach((item, i) => this.#check(schema.items, item, [...path, i], found));
      }
    } else if (TYPES.object(value)) {
      this.#checkFields(schema, value, path, found, say);
    }
  }

  #checkFields(schema, value, path, found, say) {
    const names = Object.keys(value);
    const needed = (schema.allOf ?? [])
      .filter(rule => rule.if !== undefined && this.#holds(rule.if, value))
      .map(rule => rule.then ?? {})
      .concat(schema.if !== undefined && this.#holds(schema.if, value) ? (schema.then ?? {}) : {})
      .concat(names.map(name => ({required: schema.dependentRequired?.[name] ?? []})))
      .flatMap(rule => rule.required ?? [])
      .concat(schema.required ?? []);
    [...new Set(needed)].filter(name => !Object.hasOwn(value, name)).forEach(name => say(texts.editor.problems.required(name)));
    const keys = schema.propertyNames && this.#resolved(schema.propertyNames);
    for (const name of names) {
      const at = [...path, name];
      const known =
        schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : schema.additionalProperties;
      if (keys?.pattern !== undefined && !new RegExp(keys.pattern, 'u').test(name)) {
        say(texts.editor.problems.key, at);
      } else if (known === false) {
        say(texts.editor.problems.unknown(name, Object.keys(schema.properties)), at);
      } else if (known !== undefined && known !== true && !(value[name] === null && !this.#isRequired(schema, name))) {
        this.#check(known, value[name], at, found);
      }
    }
  }

  /** A field that is null counts as left out. */
  #isRequired(schema, name) {
    return (schema.required ?? []).includes(name);
  }

  /** Whether a condition is met: those of the schema compare fields with constants. */
  #holds(condition, value) {
    return (
      (condition.required ?? []).every(name => Object.hasOwn(value, name)) &&
      Object.entries(condition.properties ?? {}).every(
        ([name, {const: only, enum: several}]) =>
          !Object.hasOwn(value, name) ||
          ((only === undefined || value[name] === only) && (several === undefined || several.includes(value[name]))),
      ) &&
      (condition.not === undefined || !this.#holds(condition.not, value))
    );
  }
}
