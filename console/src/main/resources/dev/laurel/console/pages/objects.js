// Configured objects of one kind: their list, one of them with its analytics, and the forms that create and change them.
import {Page, html, nothing, Loading, bad, table} from '../page.js';
import {Refused, all, call, get, query, report, session} from '../api.js';
import {described, namedSchema, referencesOf, without} from '../form.js';
import {attempt, results} from '../parts.js';
import texts from '../texts.js';
import {KINDS} from './kinds.js';
import '../chart.js';

const EDITOR = 'editor';
const NEW = 'new';

class ObjectsPage extends Page {
  static properties = {
    kind: {},
    objectId: {},
    parameters: {attribute: false},
    done: {state: true},
    error: {state: true},
  };

  #list = new Loading(this);
  #counts = new Loading(this);
  #one = new Loading(this);
  #report = new Loading(this);
  #form = new Loading(this);
  #shown;

  constructor() {
    super();
    this.done = null;
    this.error = null;
  }

  get what() {
    return KINDS[this.kind];
  }

  /** The part that the address names: `?triggers=new` or `?levels=ID`. */
  get chosenPart() {
    const name = Object.keys(this.what.parts ?? {}).find(one => this.parameters.has(one));
    return name === undefined ? null : {name, id: this.parameters.get(name)};
  }

  get isForm() {
    return session.may(EDITOR) && (this.objectId === NEW || this.chosenPart !== null || this.parameters.has('edit'));
  }

  /** Those who may create nothing see the list instead of the form. */
  get isList() {
    return !this.what.isSettings && (this.objectId === null || this.objectId === NEW);
  }

  willUpdate(changed) {
    if (!changed.has('kind') && !changed.has('objectId') && !changed.has('parameters')) {
      return;
    }
    this.error = null;
    if (this.#shown !== undefined && this.#shown !== this.address()) {
      this.done = null;
    }
    this.#shown = this.address();
    if (this.isForm) {
      this.#form.value = undefined;
      this.#form.run(signal => this.loadForm(signal));
    } else if (this.isList) {
      this.loadList();
    } else {
      if (changed.has('objectId')) {
        this.#one.value = undefined;
        this.#report.value = undefined;
      }
      this.loadOne();
    }
  }

  address(objectId = this.objectId) {
    return objectId === null ? `#/${this.kind}` : `#/${this.kind}/${objectId}`;
  }

  loadList() {
    this.#list.run(() => all(this.what.path));
    if (this.what.report) {
      this.#counts.run(async signal => {
        const {series} = await report(this.what.report, {}, signal);
        // The newest run of a leaderboard comes first.
        return Object.fromEntries(
          series
            .filter(one => one[this.what.by] !== undefined)
            .reverse()
            .map(one => [one[this.what.by], one]),
        );
      });
    }
  }

  async loadOne() {
    const {what} = this;
    await this.#one.run(async signal => {
      const schema = await schemaOf(what, false, []);
      const [one, references, parts] = await Promise.all([
        read(what, this.objectId, signal),
        referencesOf(schema),
        this.loadParts(),
      ]);
      return {one, parts, schema: withKey(schema, one), references};
    });
    const one = this.#one.value?.one;
    if (one === undefined || this.#one.error !== null) {
      return; // left, or refused
    }
    if (what.report && (what.isReported?.(one) ?? true)) {
      await this.#report.run(signal => report(what.report, what.by ? {[what.by]: one.key} : {}, signal));
    } else {
      await this.#report.run(async () => null);
    }
  }

  async loadParts() {
    const parts = Object.entries(this.what.parts ?? {});
    const lists = await Promise.all(parts.map(([, part]) => all(part.path.replace('{id}', this.objectId))));
    const objects =
      parts.length === 0
        ? []
        : (await Promise.all(['metrics', 'achievements', 'leaderboards'].map(kind => all(KINDS[kind].path)))).flat();
    return {
      names: Object.fromEntries(objects.map(one => [one.id, one.name])),
      ...Object.fromEntries(parts.map(([name, {sort}], i) => [name, sort ? lists[i].toSorted(sort) : lists[i]])),
    };
  }

  async loadForm(signal) {
    const part = this.chosenPart;
    const what =
      part === null
        ? this.what
        : {...this.what.parts[part.name], path: this.what.parts[part.name].path.replace('{id}', this.objectId)};
    const id = part === null ? this.objectId : part.id;
    const isNew = id === NEW;
    const [schema, value, names] = await Promise.all([
      schemaOf(what, isNew, what.omitChanged ?? []),
      isNew ? undefined : read(what, id, signal),
      part === null ? {names: {}} : this.loadParts(),
    ]);
    return {
      what,
      value,
      schema,
      references: await referencesOf(schema),
      name: isNew ? null : titleOf(what, value, names.names),
    };
  }

  updated() {
    const view = `${this.isForm} ${this.chosenPart?.name} ${this.chosenPart?.id}`;
    if (this.view !== undefined && this.view !== view) {
      this.querySelector('h1')?.focus();
    }
    this.view = view;
  }

  render() {
    return html`<div class="page">
      ${this.isForm ? this.form() : this.isList ? this.list() : this.one()}
      <confirm-dialog></confirm-dialog>
    </div>`;
  }

  list() {
    const {columns, report: reportName} = this.what;
    const title = texts.pages[this.kind];
    const counts = this.#counts.value ?? {};
    return html`
      <div class="head"><div><h1 tabindex="-1">${title}</h1><p class="quiet">${texts.objects.about[this.kind]}</p></div>
        ${session.may(EDITOR) ? html`<a class="button main" href="#/${this.kind}/new">${texts.objects.create[this.kind]}</a>` : nothing}</div>
      ${results(this)}
      ${reportName && this.#counts.error !== null ? bad(this.#counts.error) : nothing}
      <section class="card" aria-label=${title}>
        ${this.#list.render(list =>
          list.length === 0
            ? html`<p class="quiet">${texts.objects.none[this.kind]}</p>`
            : table(
                title,
                [{name: texts.objects.columns.name}, ...columns()],
                list.map(one => [
                  html`<a href="#/${this.kind}/${one.id}">${titleOf(this.what, one)}</a>`,
                  ...columns().map(({cell}) => cell(one, counts[one.key])),
                ]),
              ),
        )}
      </section>`;
  }

  one() {
    const {what} = this;
    const loaded = this.#one.error === null ? this.#one.value : undefined;
    const title = what.isSettings ? texts.pages[this.kind] : loaded === undefined ? texts.waiting : titleOf(what, loaded.one);
    const about = what.isSettings ? texts.objects.about[this.kind] : loaded?.one.description;
    return html`
      ${what.isSettings ? nothing : html`<p><a href="#/${this.kind}">${texts.objects.back[this.kind]}</a></p>`}
      <div class="head">
        <div><div class="row"><h1 tabindex="-1">${title}</h1>${loaded?.one.status ? html`<span class="tag">${texts.statuses[loaded.one.status]}</span>` : nothing}</div>
          ${about ? html`<p class="quiet">${about}</p>` : nothing}</div>
        ${
          loaded !== undefined && session.may(EDITOR)
            ? html`<div class="row">
          ${this.statusButtons(what, loaded.one, this.kind)}
          <a class="button" href="${this.address()}?edit">${texts.objects.change}</a>
          ${what.isSettings ? nothing : html`<button @click=${() => this.confirmDelete(what, loaded.one, this.kind)}>${texts.objects.delete}…</button>`}</div>`
            : nothing
        }
      </div>
      ${results(this)}
      ${this.#one.render(({one, parts, schema, references}) => {
        const counts = this.#report.value;
        const figures = what.figures && counts !== undefined ? what.figures(counts?.series[0], one) : [];
        const charts = counts ? what.charts(counts, one, parts) : [];
        return html`
        ${figures.length > 0 ? html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>` : nothing}
        ${this.#report.error !== null ? bad(this.#report.error) : nothing}
        <div class="cards">
          ${charts.map(
            ([
              name,
              chart,
            ]) => html`<report-chart .heading=${texts.objects.charts[name].heading} .about=${texts.objects.charts[name].about} .chart=${chart}
            .csv=${query(`/admin/v1/analytics/${what.report}`, what.by ? {[what.by]: one.key} : {})}></report-chart>`,
          )}
          ${what.more?.(one, this.parameters) ?? nothing}
          <section class="card" aria-label=${texts.objects.settings}><h2>${texts.objects.settings}</h2>
            <dl class="facts">${described(schema, one, references).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>
        </div>
        ${Object.entries(what.parts ?? {}).map(([name, part]) => this.partList(name, part, parts))}`;
      })}`;
  }

  partList(name, part, parts) {
    const title = texts.objects.parts[name];
    const isEditor = session.may(EDITOR);
    return html`<section class="card" aria-label=${title}>
      <div class="title"><h2>${title}</h2>${isEditor ? html`<a class="button" href="${this.address()}?${name}=new">${texts.objects.create[name]}</a>` : nothing}</div>
      <p class="quiet small">${texts.objects.about[name]}</p>
      ${
        parts[name].length === 0
          ? html`<p class="quiet">${texts.objects.none[name]}</p>`
          : table(
              title,
              [
                {name: texts.objects.columns.name},
                ...part.columns(),
                ...(isEditor ? [{name: texts.objects.columns.actions}] : []),
              ],
              parts[name].map(one => {
                const label = titleOf(part, one, parts.names);
                const what = {...part, path: part.path.replace('{id}', this.objectId)};
                return [
                  isEditor ? html`<a href="${this.address()}?${name}=${one.id}">${label}</a>` : label,
                  ...part.columns().map(({cell}) => cell(one)),
                  ...(isEditor
                    ? [
                        html`<div class="row">${this.statusButtons(what, one, name, label)}
                <button @click=${() => this.confirmDelete(what, one, name, label)}>${texts.objects.delete}…<span class="seen-by-readers"> ${label}</span></button></div>`,
                      ]
                    : []),
                ];
              }),
            )
      }
    </section>`;
  }

  statusButtons(what, one, kind, label) {
    return (what.next?.(one) ?? []).map(
      status =>
        html`<button @click=${() => this.askStatus(what, one, kind, status)}>${texts.objects.to[status]}${
          texts.objects.consequences[kind]?.[status] ? '…' : ''
        }${label ? html`<span class="seen-by-readers"> ${label}</span>` : nothing}</button>`,
    );
  }

  form() {
    const loaded = this.#form.error === null ? this.#form.value : undefined;
    const kind = this.chosenPart?.name ?? this.kind;
    const isNew = (this.chosenPart?.id ?? this.objectId) === NEW;
    const title = isNew
      ? texts.objects.create[kind]
      : this.what.isSettings
        ? texts.objects.changeSettings[kind]
        : loaded === undefined
          ? texts.waiting
          : texts.objects.changeOne(loaded.name);
    return html`
      <p><a href=${this.formBack}>${this.chosenPart === null && this.objectId === NEW ? texts.objects.back[this.kind] : texts.objects.backToOne}</a></p>
      <div><h1 tabindex="-1">${title}</h1><p class="quiet">${texts.objects.about[kind]}</p></div>
      ${this.#form.render(
        ({what, schema, value, references}) => html`
        <schema-form class="card" .label=${title} .schema=${schema} .value=${value} .references=${references}
          .send=${changes => this.save(what, isNew, value, changes)} .back=${this.formBack}></schema-form>`,
      )}`;
  }

  /** Where a form leads when it is done. */
  get formBack() {
    return this.what.isSettings || this.objectId === NEW ? `#/${this.kind}` : this.address();
  }

  async save(what, isNew, value, changes) {
    let {formBack} = this;
    if (what.isSettings) {
      await send('PATCH', what.path, {enabled: value.enabled, ...changes}); // without a name of ours, an empty list is refused
    } else if (isNew) {
      const answer = await send('POST', what.path, [changes]);
      if (this.chosenPart === null && answer.created) {
        formBack = this.address(answer.created[0].id);
      }
    } else if (Object.keys(changes).length > 0) {
      await send('PATCH', what.path, [{id: value.id, ...changes}]);
    }
    location.hash = formBack;
    await new Promise(resolve => addEventListener('hashchange', resolve, {once: true}));
    await this.updateComplete;
    this.done = texts.objects.saved;
  }

  // Deletion and statuses.

  askStatus(what, one, kind, status) {
    const about = texts.objects.consequences[kind]?.[status];
    const done = texts.objects.now(texts.statuses[status]);
    const change = async () => {
      await send('PATCH', what.path, [{id: one.id, status}]);
      await this.loadOne();
    };
    if (about) {
      this.ask({
        title: `${texts.objects.to[status]}: ${titleOf(what, one)}?`,
        about,
        button: texts.objects.to[status],
        done,
        act: change,
      });
    } else {
      attempt(this, done, change);
    }
  }

  confirmDelete(what, one, kind, label = titleOf(what, one)) {
    this.ask({
      title: texts.objects.deleteTitle(label),
      about: texts.objects.deletion[kind],
      button: texts.objects.delete,
      done: texts.objects.deleted(label),
      act: async () => {
        await send('DELETE', query(what.path, {ids: one.id}));
        if (kind === this.kind) {
          location.hash = `#/${kind}`;
          await new Promise(resolve => addEventListener('hashchange', resolve, {once: true}));
          await this.updateComplete;
        } else {
          await this.loadOne();
        }
      },
    });
  }

  ask({title, about, button, done, act}) {
    this.querySelector('confirm-dialog').ask({
      title,
      body: html`<p>${about}</p>`,
      button,
      isDanger: true,
      act: async () => {
        await act();
        this.error = null;
        this.done = done;
      },
    });
  }
}
customElements.define('objects-page', ObjectsPage);

/** The schema of a form. */
async function schemaOf(what, isNew, omitted) {
  const schema = await namedSchema(what.isSettings ? `${what.schema}Changes` : `${isNew ? 'New' : 'Changed'}${what.schema}`);
  return without({...schema, required: schema.required.filter(name => name !== 'id')}, [...(what.omit ?? []), ...omitted]);
}

/** The schema of a change, with the fields that a change does not have, for reading. */
function withKey(schema, one) {
  const properties = Object.fromEntries(['name', 'description', 'status'].map(name => [name, undefined]));
  const rest = Object.entries(schema.properties).filter(([name]) => !(name in properties));
  return {
    ...schema,
    properties: {
      ...(one.key ? {key: {type: 'string'}} : {}),
      ...(one.type ? {type: {type: 'string', enum: [one.type]}} : {}),
      ...Object.fromEntries(rest),
    },
  };
}

async function read(what, id, signal) {
  const one = await get(pathOf(what, id), signal);
  return what.exact ? what.exact(one) : one;
}

const pathOf = (what, id) => (what.isSettings ? what.path : `${what.path}/${id}`);

function titleOf(what, one, names) {
  return what.title && names ? what.title(one, names) : (one.name ?? texts.objects.columns.unnamed);
}

/** Sends a change. What the API says about the only item is thrown, unless it was done in spite of it. */
async function send(method, path, body) {
  const answer = await (await call(method, path, {body})).json();
  const issue = answer.issues?.find(({severity}) => severity === 'error');
  if (issue) {
    throw new Refused(422, issue.message);
  }
  return answer;
}
