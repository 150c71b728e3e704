// The text of a ruleset that somebody changes: an editor, what is wrong with the text, and what applying it would change.
import {Loading, html, nothing, problem, table} from './page.js';
import {Refused, get, json} from './api.js';
import {RulesetSchema} from './schema.js';
import {read, write} from './yaml-text.js';
import texts from './texts.js';
import './editor.js';

const TRY_MS = 600;
const MAX_DIFFERENCES = 200;

/** Belongs to a page, which shows `render` and `bar` once each, and whose `error` says what cannot be marked in the text. */
export class EditedRuleset {
  /** The number of problems that are marked in the text. */
  problems = 0;

  /** What applying the text would change; null while that is not known. */
  changes = null;
  #host;
  #schema;
  #issues = [];
  #timer;
  #tries = 0;

  constructor(host) {
    this.#host = host;
    this.#schema = new Loading(host);
    host.addController(this);
  }

  hostDisconnected() {
    clearTimeout(this.#timer);
  }

  /** Reads the schema of rulesets; without it, only the API finds problems. */
  async loadSchema() {
    if (this.#schema.value === undefined) {
      await this.#schema.run(signal => get('/v1/schemas/laurel-ruleset.schema.json', signal));
    }
  }

  asText(ruleset) {
    return write(ruleset, this.#schema.value === undefined ? null : new RulesetSchema(this.#schema.value));
  }

  get #editor() {
    return this.#host.querySelector('yaml-editor');
  }

  get text() {
    return this.#editor.text;
  }

  set text(text) {
    this.#editor.text = text;
  }

  /** What the text means; undefined while it is no YAML. */
  get ruleset() {
    return read(this.text).value;
  }

  render(label, isReadOnly, edited) {
    return html`<yaml-editor .label=${label} .schema=${this.#schema.value ?? null} .issues=${this.#issues} .readOnly=${isReadOnly}
      @edited=${edited} @checked=${event => this.#show({problems: event.detail})}></yaml-editor>`;
  }

  /** What is known about the text, with the buttons of the page. @param isInForce whether there is nothing to ask */
  bar(isInForce, buttons) {
    return html`<div class="row">
      <p class="grow" role="status">${
        this.problems > 0
          ? html`<span class="bad-text">${texts.rules.problems(this.problems)}</span>`
          : isInForce
            ? texts.rules.inForce
            : this.changes === null
              ? texts.rules.checking
              : texts.rules.wouldChange(this.changes.length)
      }</p>
      ${this.problems === 0 ? nothing : html`<button type="button" @click=${() => this.#editor.showNext()}>${texts.rules.nextProblem}</button>`}
      ${buttons}</div>`;
  }

  /** Call after each change of the text. @param isInForce whether it is what is in force, so that nothing has to be asked */
  changed(isInForce) {
    this.#tries++;
    clearTimeout(this.#timer);
    this.#issues = this.#issues.length > 0 ? [] : this.#issues;
    this.#show({changes: null});
    if (!isInForce) {
      this.#timer = setTimeout(() => this.try(), TRY_MS);
    }
  }

  /** Asks the API what the text would change, and what it finds wrong. What the schema does not permit is marked already. */
  async try() {
    const number = ++this.#tries;
    const ruleset = this.#editor === null ? undefined : this.ruleset;
    if (ruleset === undefined || this.problems > 0) {
      return;
    }
    try {
      const {changes} = await json('POST', '/admin/v1/ruleset/diff', ruleset);
      if (number === this.#tries) {
        this.#show({changes});
      }
    } catch (e) {
      if (number === this.#tries) {
        this.refused(e);
      }
    }
  }

  /** Marks what the API has found wrong. */
  refused(e) {
    if (e instanceof Refused && e.issues.length > 0) {
      this.#issues = e.issues;
      this.#host.requestUpdate();
    } else {
      this.#host.error = problem(e);
    }
  }

  #show(state) {
    Object.assign(this, state);
    this.#host.requestUpdate();
  }
}

/** The differences of two rulesets. @param changes `{change, path, before, after}` */
export function differences(caption, changes) {
  const value = one =>
    one === undefined
      ? texts.none
      : html`<pre class="value">${typeof one === 'object' && one !== null ? write(one).trimEnd() : String(one)}</pre>`;
  return changes.length === 0
    ? html`<p class="quiet">${texts.rules.same}</p>`
    : html`
    ${table(
      caption,
      [{name: texts.rules.place}, {name: texts.rules.change}, {name: texts.rules.before}, {name: texts.rules.after}],
      changes
        .slice(0, MAX_DIFFERENCES)
        .map(one => [html`<code>${one.path || '/'}</code>`, texts.rules.kinds[one.change], value(one.before), value(one.after)]),
    )}
    ${changes.length > MAX_DIFFERENCES ? html`<p class="quiet">${texts.rules.moreChanges(changes.length - MAX_DIFFERENCES)}</p>` : nothing}`;
}
