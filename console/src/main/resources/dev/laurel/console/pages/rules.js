// The whole ruleset as YAML: what is in force, what would change, and its versions.
import {Page, html, nothing, Loading, card, choice, table} from '../page.js';
import {call, get, json, query, save, session, Refused} from '../api.js';
import {attempt, results} from '../parts.js';
import {EditedRuleset, differences} from '../edited-ruleset.js';
import {formats} from '../format.js';
import texts from '../texts.js';

const VERSIONS = 25;
const MAX_FILE_BYTES = 5_000_000;

/** What was typed and not applied, by tenant: `{text, base}`. It is kept while the console is open. */
const drafts = new Map();

class RulesPage extends Page {
  static properties = {
    parameters: {attribute: false},
    done: {state: true},
    error: {state: true},
    base: {state: true},
    isEdited: {state: true},
    conflict: {state: true},
    skip: {state: true},
  };

  #rules = new EditedRuleset(this);
  #newest = new Loading(this);
  #history = new Loading(this);
  #compared = new Loading(this);
  #leaving = event => this.isEdited && event.preventDefault();

  constructor() {
    super();
    Object.assign(this, {done: null, error: null, base: null, isEdited: false, conflict: null, skip: 0});
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('beforeunload', this.#leaving);
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('beforeunload', this.#leaving);
  }

  willUpdate(changed) {
    if (changed.has('parameters') && this.parameters.get('from')) {
      const [from, to] = [this.parameters.get('from'), this.parameters.get('to')];
      this.#compared.run(signal => get(query('/admin/v1/ruleset/diff', {from, to}), signal));
    }
  }

  /** Reads what is in force; a draft stays. */
  async load() {
    this.loadHistory();
    await this.#rules.loadSchema();
    await this.loadNewest();
    const draft = drafts.get(session.tenant);
    if (this.#newest.error !== null || this.#newest.value === undefined) {
      // refused, or the page was left
      return;
    }
    this.base = draft?.base ?? this.#newest.value.version;
    await this.updateComplete;
    this.#rules.text = draft?.text ?? this.#newest.value.text;
    this.isEdited = draft !== undefined;
    this.#rules.changed(!this.isEdited);
  }

  loadNewest() {
    return this.#newest.run(async signal => {
      const answer = await call('GET', '/admin/v1/ruleset', {signal});
      return {version: Number(answer.headers.get('X-Laurel-Ruleset-Version')), text: this.#rules.asText(await answer.json())};
    });
  }

  loadHistory() {
    this.#history.run(signal => get(query('/admin/v1/ruleset/history', {limit: VERSIONS, skip: this.skip}), signal));
  }

  render() {
    return html`<div class="page">
      <div class="head"><div><h1 tabindex="-1">${texts.pages.rules}</h1>
        <p class="quiet">${this.base === null ? texts.waiting : texts.rules.basedOn(this.base, this.isEdited)}</p></div>
        <div class="row">
          <button @click=${this.download} ?disabled=${this.base === null}>${texts.rules.download}</button>
          ${session.may('editor') ? html`<label class="button">${texts.rules.open}<input class="seen-by-readers" type="file" accept=".yaml,.yml,.json" @change=${this.openFile}></label>` : nothing}
        </div></div>
      ${results(this)}
      ${this.conflict === null ? nothing : this.showConflict()}
      ${this.#newest.render(
        () => html`<section class="card" aria-label=${texts.rules.editor}>
        <div class="title"><h2>${texts.rules.editor}</h2><p class="small quiet">${texts.rules.keys}</p></div>
        ${this.#rules.render(texts.rules.editor, !session.may('editor'), this.edited)}
        ${this.#rules.bar(!this.isEdited, session.may('editor') ? this.buttons() : nothing)}
      </section>`,
      )}
      ${this.isEdited && this.#rules.changes !== null && this.#rules.problems === 0 ? card(texts.rules.changes, differences(texts.rules.changes, this.#rules.changes)) : nothing}
      ${
        this.parameters.get('from')
          ? card(
              texts.rules.between(this.parameters.get('from'), this.parameters.get('to')),
              html`
        ${this.#compared.render(diff => differences(texts.rules.differences, diff.changes))}
        <p><a href="#/rules">${texts.rules.closeComparison}</a></p>`,
            )
          : nothing
      }
      ${card(
        texts.rules.versions,
        this.#history.render(list => this.versions(list)),
      )}
      <confirm-dialog></confirm-dialog>
    </div>`;
  }

  buttons() {
    const {problems, changes} = this.#rules;
    const canApply = this.isEdited && problems === 0 && changes !== null && changes.length > 0;
    return html`<button ?disabled=${!this.isEdited} @click=${this.discard}>${texts.rules.discard}</button>
      <button class="main" ?disabled=${!canApply} @click=${this.askToApply}>${texts.rules.apply}…</button>`;
  }

  showConflict() {
    const {version, changes} = this.conflict;
    return html`<section class="note bad part" aria-label=${texts.rules.conflict}>
      <h2>${texts.rules.conflict}</h2>
      <p role="alert">${texts.rules.conflictAbout(version.version, version.author?.name ?? texts.rules.unknownAuthor, formats.dateTime(version.published), this.base)}</p>
      ${differences(texts.rules.theirChanges, changes)}
      <div class="row"><button @click=${() => this.rebase(version.version)}>${texts.rules.keepMine(version.version)}</button>
        <button @click=${this.takeNewest}>${texts.rules.takeTheirs(version.version)}</button></div>
    </section>`;
  }

  versions(list) {
    const newestVersion = this.#newest.value?.version;
    if (list.length === 0 && this.skip === 0) {
      return html`<p class="quiet">${texts.rules.noVersions}</p>`;
    }
    const numbers = list.map(one => one.version);
    return html`
      <form class="row" @submit=${this.compare}>
        ${choice(
          'from',
          texts.rules.from,
          this.parameters.get('from') ?? numbers[1] ?? numbers[0],
          numbers.map(n => [n, n]),
        )}
        ${choice(
          'to',
          texts.rules.to,
          this.parameters.get('to') ?? numbers[0],
          numbers.map(n => [n, n]),
        )}
        <button>${texts.rules.compare}</button></form>
      ${table(
        texts.rules.versions,
        [
          {name: texts.rules.version, isNumber: false},
          {name: texts.rules.published},
          {name: texts.rules.author},
          {name: texts.rules.changed},
          {name: texts.rules.actions},
        ],
        list.map(one => [
          html`${one.version}${one.version === newestVersion ? html` <span class="tag whole">${texts.rules.isInForce}</span>` : nothing}`,
          formats.dateTime(one.published),
          one.author?.name ?? texts.none,
          this.summary(one),
          html`<div class="row tight"><a href="#/rules?from=${one.version - 1}&to=${one.version}">${texts.rules.showChanges}<span class="seen-by-readers"> ${one.version}</span></a>
            ${
              session.may('editor') && one.version !== newestVersion
                ? html`<button class="plain" @click=${() => this.openVersion(one.version)}>${texts.rules.openVersion}<span class="seen-by-readers"> ${one.version}</span></button>
            <button class="plain" @click=${() => this.askToRollBack(one.version)}>${texts.rules.rollBack}…<span class="seen-by-readers"> ${one.version}</span></button>`
                : nothing
            }</div>`,
        ]),
      )}
      <div class="row">
        ${this.skip > 0 ? html`<button @click=${() => this.move(-VERSIONS)}>${texts.rules.newer}</button>` : nothing}
        ${list.length === VERSIONS ? html`<button @click=${() => this.move(VERSIONS)}>${texts.rules.older}</button>` : nothing}</div>`;
  }

  summary({added, changed, removed, objects}) {
    const named = objects
      .slice(0, 3)
      .map(one => texts.rules.object(one.change, one.object))
      .join(', ');
    const more = added + changed + removed - Math.min(3, objects.length);
    return more > 0 ? texts.rules.andMore(named, more) : named || texts.rules.counts(added, changed, removed);
  }

  move(count) {
    this.skip += count;
    this.loadHistory();
  }

  edited() {
    this.done = null;
    this.isEdited = this.#rules.text !== this.#newest.value.text || this.base !== this.#newest.value.version;
    if (this.isEdited) {
      drafts.set(session.tenant, {text: this.#rules.text, base: this.base});
    } else {
      drafts.delete(session.tenant);
    }
    this.#rules.changed(!this.isEdited);
  }

  async askToApply() {
    const {changes} = this.#rules;
    await this.querySelector('confirm-dialog').ask({
      title: texts.rules.applyTitle(changes.length),
      button: texts.rules.apply,
      body: html`<p>${texts.rules.applyAbout(this.base)}</p>${differences(texts.rules.changes, changes)}`,
      act: () => this.apply(),
    });
  }

  async apply() {
    try {
      const {version} = await json('PUT', query('/admin/v1/ruleset', {base: this.base}), this.#rules.ruleset);
      await this.finish(version === undefined ? texts.rules.pending : texts.rules.applied(version));
    } catch (e) {
      const [latest] = e instanceof Refused ? await get('/admin/v1/ruleset/history?limit=1') : [];
      if (latest === undefined || latest.version <= this.base) {
        this.#rules.refused(e);
        return;
      }
      const {changes} = await get(query('/admin/v1/ruleset/diff', {from: this.base, to: latest.version}));
      this.conflict = {version: latest, changes};
      await this.updateComplete;
      this.querySelector('.note.part').scrollIntoView({block: 'start'});
    }
  }

  async finish(done) {
    drafts.delete(session.tenant);
    Object.assign(this, {done, error: null, conflict: null, skip: 0});
    await this.load();
  }

  /** Keeps the text, as a change of a newer version. */
  async rebase(version) {
    this.conflict = null;
    await this.loadNewest();
    this.base = version;
    this.edited();
  }

  takeNewest() {
    return this.finish(null);
  }

  discard() {
    this.querySelector('confirm-dialog').ask({
      title: texts.rules.discardTitle,
      body: html`<p>${texts.rules.discardAbout}</p>`,
      button: texts.rules.discard,
      isDanger: true,
      act: () => this.finish(null),
    });
  }

  async askToRollBack(version) {
    await attempt(this, null, async () => {
      const {version: current} = this.#newest.value;
      const {changes} = await get(query('/admin/v1/ruleset/diff', {from: current, to: version}));
      await this.querySelector('confirm-dialog').ask({
        title: texts.rules.rollBackTitle(version),
        button: texts.rules.rollBack,
        isDanger: true,
        body: html`<p>${texts.rules.rollBackAbout(version)}</p>${differences(texts.rules.changes, changes)}`,
        act: async () => {
          const {version: made} = await json('POST', '/admin/v1/ruleset/rollback', {version, baseVersion: current});
          await this.finish(made === undefined ? texts.rules.pending : texts.rules.rolledBack(version, made));
        },
      });
    });
  }

  compare(event) {
    event.preventDefault();
    location.hash = query('/rules', Object.fromEntries(new FormData(event.target)));
  }

  async openVersion(version) {
    await attempt(this, texts.rules.opened(version), async () =>
      this.put(this.#rules.asText(await get(`/admin/v1/ruleset/versions/${version}`))),
    );
  }

  async openFile(event) {
    const [file] = event.target.files;
    event.target.value = '';
    if (file.size > MAX_FILE_BYTES) {
      this.error = texts.rules.tooLarge;
      return;
    }
    this.error = null;
    this.put(await file.text());
    this.done = texts.rules.openedFile(file.name);
  }

  put(text) {
    this.#rules.text = text;
    this.edited();
    this.querySelector('yaml-editor').scrollIntoView({block: 'nearest'});
  }

  download() {
    save(new Blob([this.#rules.text], {type: 'application/yaml'}), 'laurel.yaml');
  }
}
customElements.define('rules-page', RulesPage);
