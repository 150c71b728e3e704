// Forms that are derived from the schemas of the OpenAPI document which the instance serves.
import {Page, html, nothing, bad, problem, unsaved} from './page.js';
import {Refused, all, get} from './api.js';
import texts from './texts.js';

/** Fields that come first. Those on which others depend follow them. */
const FIRST = ['name', 'key'];
const MAX_CHECKBOXES = 12;
const LONG_TEXT = 1000;
const TIME_OF_DAY = '^\\d\\d:\\d\\d(:\\d\\d)?$';
/** The field with which a message of the API begins, such as `eventAttributes[0].attributeId`. */
const FIELD = /^[A-Za-z]\w*(?:\[\d+\]|\.\w+)*/;

let openApi;

/** The schema of this name: without references, `allOf` and null; a field that may be null has `isNullable`. */
export async function namedSchema(name) {
  openApi ??= get('/admin/v1/openapi');
  try {
    const {components} = await openApi;
    return flat(components.schemas[name], components.schemas);
  } catch (e) {
    openApi = undefined; // the next page tries again
    throw e;
  }
}

function flat(schema, schemas) {
  const {$ref, allOf = [], ...own} = schema;
  const bases = [...allOf, ...($ref === undefined ? [] : [schemas[$ref.split('/').at(-1)]])].map(base => flat(base, schemas));
  const merged = Object.assign({}, ...bases, own);
  const types = [merged.type].flat();
  merged.type = types.find(type => type !== 'null');
  merged.isNullable = types.includes('null') || bases.some(base => base.isNullable);
  if (merged.enum) {
    merged.enum = merged.enum.filter(word => word !== null);
  }
  if (merged.type === 'object') {
    merged.required = [...bases, own].flatMap(one => one.required ?? []);
    merged.properties = Object.assign(
      {},
      ...bases.map(base => base.properties ?? {}),
      Object.fromEntries(Object.entries(own.properties ?? {}).map(([name, property]) => [name, flat(property, schemas)])),
    );
  }
  if (merged.items) {
    merged.items = flat(merged.items, schemas);
  }
  return merged;
}

/** The schema without fields: their names, with dots into objects and lists. */
export function without(schema, names) {
  const properties = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const inner = names.filter(one => one.startsWith(`${name}.`)).map(one => one.slice(name.length + 1));
    if (!names.includes(name)) {
      properties[name] =
        inner.length === 0
          ? property
          : property.items
            ? {...property, items: without(property.items, inner)}
            : without(property, inner);
    }
  }
  return {...schema, properties};
}

/** The objects to which fields of the schema refer, by the value of `x-references`. */
export async function referencesOf(schema) {
  const kinds = new Set();
  const collect = one => {
    if (one['x-references']) {
      kinds.add(one['x-references']);
    }
    [one.items, ...Object.values(one.properties ?? {})].filter(Boolean).forEach(collect);
  };
  collect(schema);
  return Object.fromEntries(
    await Promise.all(
      [...kinds].map(async kind => {
        const [path, type] = kind.split('/');
        return [kind, (await all(`/admin/v1/${path}`)).filter(one => type === undefined || one.type === type)];
      }),
    ),
  );
}

/** Lists the values of an object for reading: pairs of label and text. */
export function described(schema, value, references) {
  const text = (property, one, refers = property['x-references']) =>
    one === null || one === undefined || one === ''
      ? texts.none
      : Array.isArray(one)
        ? one.length === 0
          ? texts.none
          : one.map(item => text(property.items, item, refers)).join('; ')
        : property.type === 'object'
          ? fieldsText(property, one, refers)
          : refers
            ? (references[refers]?.find(other => other.id === one)?.name ?? one)
            : typeof one === 'boolean'
              ? one
                ? texts.yes
                : texts.no
              : property.enum || texts.forms.words[property.name]
                ? wordOf(one, property.name)
                : String(one);
  /** Two fields explain each other, as in “Plan: pro”; more have labels. */
  const fieldsText = ({properties}, one, refers) => {
    const fields = Object.entries(one).filter(([name]) => properties[name]);
    const values = fields.map(([name, inner]) =>
      text({...properties[name], name}, inner, properties[name].format === 'uuid' ? refers : undefined),
    );
    return fields.length > 2 ? values.map((inner, i) => `${labelOf(fields[i][0])}: ${inner}`).join(', ') : values.join(': ');
  };
  return ordered(schema)
    .filter(([name]) => value[name] !== undefined)
    .map(([name, property]) => [
      labelOf(name),
      text({...property, name, items: property.items && {...property.items, name}}, value[name]),
    ]);
}

/** `metricThreshold` is “Metric threshold”, `metricId` is “Metric”, unless there is a better label. */
export function labelOf(name) {
  const words = name
    .replace(/Ids?$/, ids => (ids === 'Ids' && name !== 'Ids' ? 's' : name === 'Id' ? 'Id' : ''))
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase();
  return texts.forms.labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function wordOf(word, name) {
  const words = String(word).replaceAll('_', ' ');
  return texts.forms.words[name]?.[word] ?? texts.forms.words.any[word] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const isShown = ([name, property]) => name !== 'id' && !property.deprecated;

function ordered(schema) {
  const decide = new Set(Object.values(schema.properties).map(property => property['x-when']?.field));
  const rank = name =>
    FIRST.includes(name) ? FIRST.indexOf(name) : decide.has(name) || name === 'type' ? FIRST.length : FIRST.length + 1;
  return Object.entries(schema.properties)
    .filter(isShown)
    .sort(([a], [b]) => rank(a) - rank(b));
}

/** Whether the words of other fields allow this one. */
function applies(property, draft) {
  const when = property['x-when'];
  return when === undefined || !(when.field in draft) || when.words.includes(draft[when.field]);
}

const isRequired = (schema, name) => schema.required?.includes(name) || schema.properties[name]['x-when']?.required === true;

/** Few numbers or words of which any may be chosen. */
function choicesOf({type, items}) {
  if (type !== 'array') {
    return null;
  }
  return (
    items.enum ??
    (items.type === 'integer' && items.maximum - items.minimum < MAX_CHECKBOXES
      ? Array.from({length: items.maximum - items.minimum + 1}, (_, i) => items.minimum + i)
      : null)
  );
}

/** What is in the controls: texts, flags, and lists and objects of them. */
function draftOf(schema, value, isNew) {
  const given = value === undefined && isNew ? schema['x-initial'] : value;
  if (schema.type === 'object') {
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(isShown)
        .map(([name, property]) => [name, draftOf(property, given?.[name], isNew || given?.[name] === undefined)]),
    );
  }
  if (schema.type === 'array') {
    return choicesOf(schema) ? [...(given ?? [])] : (given ?? []).map(item => draftOf(schema.items, item, false));
  }
  return schema.type === 'boolean' ? (given ?? false) : given === undefined || given === null ? '' : String(given);
}

/** Reads a draft. Undefined and null: nothing is given. @param problems takes what is wrong, by path */
function read(schema, draft, path, problems, mustBeGiven) {
  const wrong = message => {
    problems.set(path, message);
    return undefined;
  };
  if (schema.type === 'object') {
    const value = {};
    for (const [name, property] of Object.entries(schema.properties)) {
      if (name in draft && applies(property, draft)) {
        const found = new Map();
        const inner = read(property, draft[name], path === '' ? name : `${path}.${name}`, found, isRequired(schema, name));
        found.forEach((message, at) => problems.set(at, message));
        if (inner !== undefined && inner !== null) {
          value[name] = inner;
        }
      }
    }
    // Initial values alone do not make an object that needs others.
    const isLeftOut = Object.entries(value).every(
      ([name, inner]) => schema.required?.length > 0 && inner === schema.properties[name]['x-initial'],
    );
    if (path !== '' && !mustBeGiven && isLeftOut && !isInList(path)) {
      [...problems.keys()].filter(at => at.startsWith(`${path}.`)).forEach(at => problems.delete(at));
      return schema.isNullable ? null : undefined;
    }
    return value;
  }
  if (schema.type === 'array') {
    const values = choicesOf(schema) ? draft : draft.map((item, i) => read(schema.items, item, `${path}.${i}`, problems, true));
    return mustBeGiven && values.length === 0 ? wrong(texts.forms.required) : values;
  }
  if (schema.type === 'boolean') {
    return draft;
  }
  const text = schema.type === 'string' ? draft : draft.trim();
  if (text === '') {
    return mustBeGiven ? wrong(texts.forms.required) : schema.isNullable ? null : undefined;
  }
  if (schema.type === 'string') {
    return text.length > (schema.maxLength ?? Infinity)
      ? wrong(texts.forms.tooLong(schema.maxLength))
      : schema.pattern && schema.pattern !== TIME_OF_DAY && !new RegExp(schema.pattern).test(text)
        ? wrong(texts.forms.characters)
        : text;
  }
  const number = Number(text);
  return Number.isNaN(number)
    ? wrong(texts.forms.number)
    : schema.type === 'integer' && !Number.isInteger(number)
      ? wrong(texts.forms.whole)
      : number < (schema.minimum ?? -Infinity) ||
          number <= (schema.exclusiveMinimum ?? -Infinity) ||
          number > (schema.maximum ?? Infinity) ||
          number >= (schema.exclusiveMaximum ?? Infinity)
        ? wrong(texts.forms.range(bounds(schema)))
        : schema.not?.const === number
          ? wrong(texts.forms.not(number))
          : number;
}

const isInList = path => /\.\d+$/.test(path);

function bounds({minimum, exclusiveMinimum, maximum, exclusiveMaximum}) {
  return [
    minimum !== undefined && texts.forms.atLeast(minimum),
    exclusiveMinimum !== undefined && texts.forms.above(exclusiveMinimum),
    maximum !== undefined && texts.forms.atMost(maximum),
    exclusiveMaximum !== undefined && texts.forms.below(exclusiveMaximum),
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * A form. `send` gets the fields that are given, or, of an object that exists, those that have changed; what it is refused for
 * is shown at the field that the message names. Everything typed stays until `send` succeeds. `back` is where Cancel leads.
 */
class SchemaForm extends Page {
  static properties = {
    schema: {attribute: false},
    value: {attribute: false},
    references: {attribute: false},
    send: {attribute: false},
    label: {},
    back: {},
    error: {state: true},
    isBusy: {state: true},
  };

  #draft;
  #before;
  #initial;
  #problems = new Map();
  #isKeyOwn = false;

  get isNew() {
    return this.value === undefined;
  }

  willUpdate(changed) {
    if (changed.has('schema') || changed.has('value')) {
      this.#draft = draftOf(this.schema, this.value, this.isNew);
      this.#before = JSON.stringify(this.#draft);
      this.#initial = read(this.schema, this.#draft, '', new Map(), false);
      this.#problems = new Map();
      this.#isKeyOwn = !this.isNew;
      this.error = null;
      unsaved.release(this);
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    unsaved.release(this);
  }

  render() {
    return html`<form class="form" novalidate autocomplete="off" aria-label=${this.label} @submit=${this.submit}>
      ${this.error !== null ? bad(this.error) : nothing}
      ${this.schema.required.length > 0 ? html`<p class="quiet small">${texts.forms.star}</p>` : nothing}
      ${this.fields(this.schema, this.#draft, '')}
      <div class="row bar">
        <button class="main" aria-busy=${this.isBusy ? 'true' : 'false'}>${this.isBusy ? texts.forms.saving : texts.forms.save}</button>
        <a class="button" href=${this.back}>${texts.cancel}</a>
      </div>
    </form>`;
  }

  /** @param mustBeGiven whether the object that has the fields is required; otherwise none of its fields is */
  fields(schema, draft, path, refers, mustBeGiven = true) {
    return ordered(schema)
      .filter(([, property]) => applies(property, draft))
      .map(([name, property]) =>
        this.field(
          name,
          property,
          draft,
          path === '' ? name : `${path}.${name}`,
          mustBeGiven && isRequired(schema, name),
          property['x-references'] ?? (property.format === 'uuid' ? refers : undefined),
        ),
      );
  }

  field(name, schema, draft, path, mustBeGiven, refers, label = labelOf(name)) {
    const id = `field-${path}`;
    const help = schema.description === undefined ? bounds(schema) : schema.description;
    const message = this.#problems.get(path);
    const about = [help && `${id}-help`, message && `${id}-problem`].filter(Boolean).join(' ') || nothing;
    const invalid = message ? 'true' : nothing;
    const explained = html`${help ? html`<p class="help" id="${id}-help">${prose(help)}</p>` : nothing}
      ${message ? html`<p class="bad-text small" id="${id}-problem">${message}</p>` : nothing}`;
    const take = value => this.take(draft, name, value, path);

    if (schema.type === 'object' || schema.type === 'array') {
      const choices = choicesOf(schema);
      return html`<fieldset id=${id} tabindex="-1" aria-describedby=${about} data-invalid=${invalid}>
        <legend class=${mustBeGiven ? 'required' : ''}>${label}</legend>
        ${explained}
        ${
          choices
            ? html`<div class="row">${choices.map(
                choice => html`<label class="check"><input type="checkbox" .checked=${draft[name].includes(choice)}
            @change=${e => take(choices.filter(one => (one === choice ? e.target.checked : draft[name].includes(one))))}>${wordOf(choice, name)}</label>`,
              )}</div>`
            : schema.type === 'object'
              ? this.fields(schema, draft[name], path, refers, mustBeGiven)
              : this.list(schema, draft, name, path, refers, label)
        }
      </fieldset>`;
    }
    if (schema.type === 'boolean') {
      return html`<div class="field"><label class="check"><input type="checkbox" id=${id} .checked=${draft[name]} aria-describedby=${about} aria-invalid=${invalid}
        @change=${e => take(e.target.checked)}>${label}</label>${explained}</div>`;
    }
    const required = mustBeGiven ? 'true' : nothing;
    const control =
      refers || schema.enum
        ? html`<select id=${id} name=${path} aria-describedby=${about} aria-invalid=${invalid} aria-required=${required} @change=${e => take(e.target.value)}>
        ${this.options(schema, draft[name], refers, name).map(([key, text]) => html`<option value=${key} .selected=${draft[name] === key}>${text}</option>`)}</select>`
        : schema.maxLength >= LONG_TEXT
          ? html`<textarea id=${id} name=${path} rows="3" .value=${draft[name]} aria-describedby=${about} aria-invalid=${invalid}
        aria-required=${required} @input=${e => take(e.target.value)}></textarea>`
          : html`<input id=${id} name=${path} type=${inputType(schema)} inputmode=${{integer: 'numeric', number: 'decimal'}[schema.type] ?? nothing} .value=${draft[name]}
        aria-describedby=${about} aria-invalid=${invalid} aria-required=${required} spellcheck=${name === 'key' ? 'false' : nothing} @input=${e => take(e.target.value)}>`;
    return html`<div class="field"><label for=${id} class=${mustBeGiven ? 'required' : ''}>${label}</label>${control}${explained}
      ${refers && this.references[refers].length === 0 ? html`<p class="help">${texts.forms.noneToChoose} <a href="#/${refers.split('/')[0]}/new">${texts.forms.createOne}</a></p>` : nothing}</div>`;
  }

  options(schema, chosen, refers, name) {
    const options = refers
      ? this.references[refers].map(one => [one.id, one.name])
      : schema.enum.map(word => [word, wordOf(word, name)]);
    if (chosen !== '' && !options.some(([key]) => key === chosen)) {
      options.push([chosen, chosen]);
    }
    return [['', texts.forms.choose], ...options];
  }

  list(schema, draft, name, path, refers, label) {
    const items = draft[name];
    return html`
      ${items.map(
        (item, i) => html`<div class="item" role="group" aria-label="${label} ${i + 1}">
        ${
          schema.items.type === 'object'
            ? this.fields(schema.items, item, `${path}.${i}`, refers)
            : this.field(i, schema.items, items, `${path}.${i}`, true, refers, texts.forms.nth(i + 1))
        }
        <button type="button" @click=${() => this.removeItem(draft, name, i, path)}>${texts.forms.remove}<span class="seen-by-readers"> ${label} ${i + 1}</span></button>
      </div>`,
      )}
      ${items.length < (schema.maxItems ?? Infinity) ? html`<div><button type="button" id="add-${path}" @click=${() => this.addItem(draft, name, schema, path)}>${texts.forms.add}<span class="seen-by-readers"> ${label}</span></button></div>` : nothing}`;
  }

  take(draft, name, value, path) {
    draft[name] = value;
    this.#problems.delete(path);
    if (path === 'key') {
      this.#isKeyOwn = value !== '';
    } else if (path === 'name' && !this.#isKeyOwn && 'key' in this.#draft) {
      this.#draft.key = value
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
    }
    this.changed();
  }

  async addItem(draft, name, schema, path) {
    draft[name] = [...draft[name], draftOf(schema.items, undefined, true)];
    this.changed();
    await this.updateComplete;
    this.at(`${path}.${draft[name].length - 1}`)?.focus();
  }

  async removeItem(draft, name, i, path) {
    draft[name] = draft[name].filter((_, at) => at !== i);
    this.#problems.forEach((_, at) => at.startsWith(`${path}.`) && this.#problems.delete(at)); // they have other places now
    this.changed();
    await this.updateComplete;
    this.querySelector(`#${CSS.escape(`add-${path}`)}`)?.focus();
  }

  changed() {
    if (JSON.stringify(this.#draft) === this.#before) {
      unsaved.release(this);
    } else {
      unsaved.hold(this);
    }
    this.requestUpdate();
  }

  /** The control of a path, or the first one in it. */
  at(path) {
    const own = this.querySelector(`#${CSS.escape(`field-${path}`)}`);
    return own?.matches('fieldset')
      ? (own.querySelector('input, select, textarea, button') ?? own)
      : (own ??
          [...this.querySelectorAll('[id^="field-"]')].find(
            control => control.id.startsWith(`field-${path}.`) && control.matches('input, select, textarea'),
          ) ??
          null);
  }

  async submit(event) {
    event.preventDefault();
    if (this.isBusy) {
      return;
    }
    this.error = null;
    this.#problems = new Map();
    const value = read(this.schema, this.#draft, '', this.#problems, true);
    if (this.#problems.size > 0) {
      await this.refuse();
      return;
    }
    this.isBusy = true;
    try {
      const changes = this.changes(value);
      unsaved.release(this); // so that `send` may leave the page
      await this.send(changes);
    } catch (e) {
      this.changed();
      this.place(problem(e), e instanceof Refused);
      await this.refuse();
    } finally {
      this.isBusy = false;
    }
  }

  /** Fields with a value, or, of an object that exists, those with another value than before. */
  changes(value) {
    const changes = {};
    for (const [name, property] of Object.entries(this.schema.properties)) {
      const [before, now] = [this.#initial[name], value[name]];
      if (
        this.isNew
          ? now !== undefined && !(Array.isArray(now) && now.length === 0)
          : JSON.stringify(now) !== JSON.stringify(before)
      ) {
        const isHidden = now === undefined && !applies(property, this.#draft);
        if (!isHidden) {
          changes[name] = now ?? (property.isNullable ? null : property.type === 'string' ? '' : undefined);
        }
      }
    }
    return changes;
  }

  /** Puts a message of the API at the field that it names. */
  place(message, isRefused) {
    const named = isRefused ? FIELD.exec(message)?.[0] : undefined;
    let path = named === undefined ? '' : (named.charAt(0).toLowerCase() + named.slice(1)).replace(/\[(\d+)\]/g, '.$1');
    while (path !== '' && this.querySelector(`#${CSS.escape(`field-${path}`)}`) === null) {
      path = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
    }
    if (path === '') {
      this.error = message;
    } else {
      const rest = message.slice(named.length).trim();
      const isOnlyName = /^[a-z]/.test(message) && rest !== '';
      this.#problems.set(path, isOnlyName ? `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` : message);
    }
  }

  async refuse() {
    if (this.#problems.size > 0) {
      this.error = texts.forms.refused(this.#problems.size);
    }
    this.requestUpdate();
    await this.updateComplete;
    const first = this.querySelector('[aria-invalid="true"], [data-invalid="true"]');
    (first?.matches('fieldset') ? this.at(first.id.slice('field-'.length)) : first)?.focus();
  }
}
customElements.define('schema-form', SchemaForm);

function inputType({format, pattern}) {
  return format === 'date' ? 'date' : format === 'uri' ? 'url' : pattern === TIME_OF_DAY ? 'time' : 'text';
}

/** Text with `words` of the API. */
function prose(text) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));
}
