// What pages have in common: they render into the document itself, so that one stylesheet and all labels reach them.
import {LitElement, html, nothing} from 'lit';
import {Refused} from './api.js';
import texts from './texts.js';

export {html, nothing};

export class Page extends LitElement {
  createRenderRoot() {
    return this;
  }
}

/** Something that a page loads: shows that it waits, then the value or what was wrong. Only the newest request counts. */
export class Loading {
  value = undefined;
  error = null;
  #host;
  #abort = null;

  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected() {
    this.#abort?.abort();
  }

  /** @param {(signal: AbortSignal) => Promise<unknown>} load */
  async run(load) {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    this.error = null;
    this.#host.requestUpdate();
    try {
      const value = await load(abort.signal);
      if (!abort.signal.aborted) {
        this.value = value;
      }
    } catch (e) {
      if (!abort.signal.aborted) {
        this.error = problem(e);
      }
    }
    this.#host.requestUpdate();
  }

  render(show) {
    return this.error !== null ? bad(this.error) : this.value === undefined ? waiting() : show(this.value);
  }
}

export function problem(e) {
  if (e instanceof Refused) {
    return e.message;
  }
  console.error(e);
  return texts.errors.fault;
}

export const bad = message => html`<p class="note bad" role="alert">${message}</p>`;
export const waiting = () => html`<p class="waiting">${texts.waiting}</p>`;

/** One of several. @param options pairs of value and text */
export function choice(id, label, value, options, choose) {
  return html`<div class="field"><label for=${id}>${label}</label><select id=${id} name=${id} @change=${e => choose?.(e.target.value)}>${options.map(
    ([key, text]) => html`
    <option value=${key} .selected=${String(value) === String(key)}>${text}</option>`,
  )}</select></div>`;
}

/** A table whose cells are texts or templates. @param columns `{name, isNumber}` */
export function table(caption, columns, rows) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table>
        <caption class="seen-by-readers">${caption}</caption>
        <thead><tr>${columns.map(column => html`<th scope="col" class=${column.isNumber ? 'number' : ''}>${column.name}</th>`)}</tr></thead>
        <tbody>${rows.map(
          row =>
            html`<tr>${row.map((cell, i) =>
              i === 0 ? html`<th scope="row">${cell}</th>` : html`<td class=${columns[i].isNumber ? 'number' : ''}>${cell}</td>`,
            )}</tr>`,
        )}</tbody>
      </table>
    </div>`;
}

/** A section of a page, with its heading as its name. */
export function card(heading, content, size = '') {
  return html`<section class="card ${size}" aria-label=${heading}><h2>${heading}</h2>${content}</section>`;
}

/** A call of the API to copy, where the connection is secure: browsers permit it only there. */
export class ApiCall extends Page {
  static properties = {heading: {}, text: {}, isCopied: {state: true}};

  render() {
    return html`
      <div class="call">
        <div class="title"><h3>${this.heading}</h3>
          ${navigator.clipboard ? html`<button class="plain" @click=${this.copy}>${this.isCopied ? texts.copied : texts.copy}<span class="seen-by-readers"> ${this.heading}</span></button>` : nothing}</div>
        <pre tabindex="0">${this.text}</pre>
      </div>`;
  }

  async copy() {
    await navigator.clipboard.writeText(this.text);
    this.isCopied = true;
    setTimeout(() => (this.isCopied = false), 2000);
  }
}
customElements.define('api-call', ApiCall);

/** The form, if there is one, whose input would be lost. The frame asks before it leaves the page. */
class Unsaved {
  #form = null;

  constructor() {
    addEventListener('beforeunload', event => this.isThere && event.preventDefault());
  }

  get isThere() {
    return this.#form !== null;
  }

  hold(form) {
    this.#form = form;
  }

  release(form) {
    if (this.#form === form) {
      this.#form = null;
    }
  }

  drop() {
    this.#form = null;
  }
}
export const unsaved = new Unsaved();
