// Parts of pages that change something: a question before it, and what is shown only once after it.
import {keyed} from 'lit/directives/keyed.js';
import {Page, html, nothing, bad, problem} from './page.js';
import texts from './texts.js';

/** A word or two that a narrow column must not break. */
export const whole = text => html`<span class="whole">${text}</span>`;

/** Says to screen readers whose button it is. */
export const named = ({name}) => html`<span class="seen-by-readers"> ${name}</span>`;

/** A key or secret to copy. @param about what the reader has to know of it */
export function secret(heading, text, about) {
  return html`<section class="note good part" aria-label=${heading}><api-call .heading=${heading} .text=${text}></api-call><p class="small">${about}</p></section>`;
}

/**
 * What has been done and what was refused, told to screen readers, too.
 *
 * @param {any} host with `done` and `error`, null or absent if there is nothing to tell
 */
export function results({done, error}) {
  return html`<div role="status">${done ? html`<p class="note good">${done}</p>` : nothing}</div>${error ? bad(error) : nothing}`;
}

/** Says what was wrong with what `act` did, in `host.error`, and `done` if it went well. @return whether it did */
export async function attempt(host, done, act) {
  host.done = null;
  host.error = null;
  try {
    await act();
    host.done = done;
    return true;
  } catch (e) {
    host.error = problem(e);
    return false;
  }
}

/** A labelled field with an explanation. @param attributes of the input: `name`, `value`, `type`, `min`, `max`, `step`, `required`, `rows` */
export function field(label, attributes, about = null) {
  const {
    name,
    value = '',
    type = 'text',
    min,
    max,
    step,
    required = false,
    rows,
    readOnly = false,
    maxLength,
    form = '',
  } = attributes;
  const id = `${form}${name}`;
  const help = about === null ? nothing : `${id}-about`;
  return html`<div class="field"><label for=${id}>${label}</label>${
    rows !== undefined
      ? html`<textarea id=${id} name=${name} rows=${rows} ?required=${required} ?readonly=${readOnly} maxlength=${maxLength ?? nothing} aria-describedby=${help} spellcheck="false" .value=${String(value ?? '')}></textarea>`
      : html`<input id=${id} name=${name} type=${type} min=${min ?? nothing} max=${max ?? nothing} step=${step ?? nothing} maxlength=${maxLength ?? nothing} ?required=${required} ?readonly=${readOnly} aria-describedby=${help} autocomplete="off" spellcheck="false" .value=${String(value ?? '')}>`
  }
    ${about === null ? nothing : html`<p class="small quiet" id=${help}>${about}</p>`}</div>`;
}

/** A box to tick. */
export function tick(label, {name, isTicked = false, value = 'on', isDisabled = false}, about = null) {
  return html`<div class="tick"><label><input type="checkbox" name=${name} value=${value} .checked=${isTicked} ?disabled=${isDisabled} aria-describedby=${about === null ? nothing : `${name}-about`}>${label}</label>
    ${about === null ? nothing : html`<p class="small quiet" id=${`${name}-about`}>${about}</p>`}</div>`;
}

/**
 * Asks before something is done. `ask({title, body, button, isDanger, typed, act})` opens it; what is refused is said in it. `typed`
 * is a text that has to be typed before.
 */
class ConfirmDialog extends Page {
  static properties = {question: {state: true}, error: {state: true}, isBusy: {state: true}, isTyped: {state: true}};

  #asked = 0;

  constructor() {
    super();
    this.question = null;
    this.error = null;
    this.isBusy = false;
    this.isTyped = false;
  }

  async ask(question) {
    this.#asked++;
    this.question = question;
    this.isTyped = question.typed === undefined;
    this.error = null;
    await this.updateComplete;
    this.querySelector('dialog').showModal();
  }

  render() {
    if (this.question === null) {
      return nothing;
    }
    const {title, body, button, isDanger, typed} = this.question;
    return html`<dialog aria-labelledby="confirm-title">
      <form @submit=${this.act} @input=${this.type}>
        <h2 id="confirm-title">${title}</h2>
        ${keyed(this.#asked, html`${body}${typed === undefined ? nothing : field(texts.typeToConfirm(typed), {name: 'typed', form: 'confirm-', required: true})}`)}
        ${this.error === null ? nothing : bad(this.error)}
        <div class="row"><button class=${isDanger ? 'danger' : 'main'} ?disabled=${this.isBusy || !this.isTyped}>${button}</button>
          <button type="button" @click=${this.close}>${texts.cancel}</button></div>
      </form>
    </dialog>`;
  }

  type(event) {
    if (event.target.name === 'typed') {
      this.isTyped = event.target.value === this.question.typed;
    }
  }

  close() {
    this.querySelector('dialog').close();
  }

  async act(event) {
    event.preventDefault();
    this.isBusy = true;
    this.error = null;
    try {
      await this.question.act(new FormData(event.target));
      this.close();
    } catch (e) {
      this.error = problem(e);
    }
    this.isBusy = false;
  }
}
customElements.define('confirm-dialog', ConfirmDialog);
