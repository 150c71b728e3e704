// What the elements have in common: where the data comes from, when it is asked for again, and what a reader sees without it.
import {LitElement, css, html, nothing} from 'lit';
import {texts} from './texts.js';

export {css, html, nothing};

/** The server that this file comes from. */
const HERE = new URL('..', import.meta.url).href;
const APPLICATION_KEY = /^app_[^.\s]+\.\S+$/;
const TIMEOUT_MS = 15_000;
const MAX_TRIES = 3;
const MAX_PAUSE_S = 10;
const MIN_REFRESH_S = 5;
const MAX_REFRESH_S = 3600;

/** After an error it is asked less often, however short `refresh` is. */
const ERROR_REFRESH_S = 60;

/** A request without an answer to show. `status` is 0 if there was no request, or no answer. */
class Unavailable extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Shows `data`, or else what it reads for `user` with `apiKey`. An element has `content(data)`, which renders, and
 * `async read()`, which answers the data. Dispatches `laurel-load` with the data and `laurel-error` with `{status, message}`.
 */
export class LaurelElement extends LitElement {
  /** @type {Record<string, object>} */
  static properties = {
    server: {},
    apiKey: {attribute: 'api-key'},
    user: {},
    refresh: {type: Number},
    label: {},
    data: {attribute: false},
    loaded: {state: true},
    hasFailed: {state: true},
  };

  /** Names of the properties that say what to read. */
  static inputs = ['server', 'apiKey', 'user'];

  /** Those that may be missing. */
  static optional = ['server'];

  static styles = css`
    :host {
      all: initial; color-scheme: inherit; display: block;
      --_text: var(--laurel-text, light-dark(#17201c, #e7ece9));
      --_quiet: var(--laurel-quiet, light-dark(#55615b, #a3aea8));
      --_surface: var(--laurel-surface, light-dark(#ffffff, #181c1b));
      --_track: var(--laurel-track, light-dark(#e3e8e5, #2c3431));
      --_line: var(--laurel-line, light-dark(#dbe0dd, #2f3734));
      --_accent: var(--laurel-accent, light-dark(#1b6b4a, #63c79b));
      --_on-accent: var(--laurel-on-accent, light-dark(#ffffff, #0d1a14));
      --_freeze: var(--laurel-freeze, light-dark(#2b62b8, #8fb6f5));
      --_space: var(--laurel-space, 0.75rem);
      --_radius: var(--laurel-radius, 0.75rem);
    }
    :host([hidden]) { display: none; }
    *, *::before, *::after { box-sizing: border-box; }
    .card {
      font-family: var(--laurel-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
      font-size: var(--laurel-font-size, 1rem); line-height: 1.4; color: var(--_text); background: var(--_surface);
      border: 1px solid var(--_line); border-radius: var(--_radius); padding: var(--laurel-padding, 1rem);
      display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--_space); overflow-wrap: anywhere; min-height: 6.5rem; align-content: start;
    }
    p, ol, ul { margin: 0; padding: 0; list-style: none; }
    .label { font-weight: 600; font-size: 0.875em; color: var(--_quiet); display: flex; justify-content: space-between; gap: var(--_space); }
    .figure { font-size: 2em; font-weight: 650; line-height: 1.1; font-variant-numeric: tabular-nums; }
    .figure small { font-size: 0.5em; font-weight: 500; color: var(--_quiet); }
    .quiet { color: var(--_quiet); font-size: 0.875em; }
    .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .seen-by-readers { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    .bar { display: block; inline-size: 100%; block-size: 0.625rem; border-radius: 1rem; background: var(--_track); overflow: hidden; }
    .bar rect { fill: var(--_accent); }
    @media (prefers-reduced-motion: no-preference) { .bar rect { transition: width 0.4s ease-out; } }
    @media (forced-colors: active) { .bar { border: 1px solid CanvasText; } .bar rect { fill: CanvasText; } }
  `;

  #abort = null;
  #timer;
  #wasAsked = false;
  #onVisible = () => document.hidden || (this.isDue && this.reload());

  constructor() {
    super();
    this.hasFailed = false;
    this.isDue = false;
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onVisible);
    if (this.hasUpdated) {
      this.reload();
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onVisible);
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  updated(changed) {
    if (
      this.constructor.inputs.some(name => changed.has(name)) ||
      !this.#wasAsked ||
      (changed.has('data') && changed.get('data') !== undefined)
    ) {
      this.loaded = undefined;
      this.reload();
    } else if (changed.has('refresh')) {
      this.#plan();
    }
  }

  /** Reads the data now. Does nothing if the page gives `data`. */
  async reload() {
    this.#wasAsked = true;
    this.#abort?.abort();
    clearTimeout(this.#timer);
    this.isDue = false;
    if (this.data !== undefined && this.data !== null) {
      this.hasFailed = false;
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    try {
      this.#expectInputs();
      const loaded = await this.read(path => this.#get(path, abort.signal));
      if (abort.signal.aborted) {
        return;
      }
      this.loaded = loaded;
      this.hasFailed = false;
      this.#tell('laurel-load', loaded);
    } catch (e) {
      if (abort.signal.aborted) {
        return;
      }
      this.#fail(e);
    }
    this.#plan();
  }

  #fail(e) {
    this.hasFailed = true;
    this.#tell('laurel-error', {status: e.status ?? 0, message: e.message});
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, {detail, bubbles: true, composed: true}));
  }

  #expectInputs() {
    const missing = this.constructor.inputs.filter(name => !this.constructor.optional.includes(name) && !this[name]);
    if (missing.length > 0) {
      throw new Unavailable(0, `${this.localName} has no data, and lacks ${missing.join(', ')}.`);
    }
    if (!APPLICATION_KEY.test(this.apiKey)) {
      // It is not sent: whoever opens the page could read it, and an admin key reaches every user.
      throw new Unavailable(0, 'api-key must be an application key (app_…): no other key belongs in a page.');
    }
  }

  /** Plans the next request. A page that nobody sees asks for nothing until it is seen. */
  #plan() {
    clearTimeout(this.#timer);
    if (!(this.refresh > 0) || !this.isConnected) {
      return;
    }
    const seconds = Math.min(MAX_REFRESH_S, Math.max(this.hasFailed ? ERROR_REFRESH_S : MIN_REFRESH_S, this.refresh));
    this.#timer = setTimeout(() => {
      this.isDue = true;
      this.#onVisible();
    }, seconds * 1000);
  }

  /** Reads a path of the application API, again after a pause if the server is busy. */
  async #get(path, signal) {
    const base = new URL(this.server || HERE, document.baseURI);
    base.pathname = base.pathname.replace(/\/*$/, '/');
    for (let tries = 1; ; tries++) {
      let answer;
      try {
        answer = await fetch(new URL(`v1/${path}`, base), {
          headers: {'X-API-KEY': this.apiKey, Accept: 'application/json'},
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        });
        if (answer.ok) {
          return await answer.json();
        }
      } catch (e) {
        throw new Unavailable(0, `${base.host} does not answer: ${e.message}`);
      }
      if (![429, 503].includes(answer.status) || tries === MAX_TRIES) {
        const {error} = await answer.json().catch(() => ({}));
        throw new Unavailable(answer.status, error ?? `The server answered ${answer.status}.`);
      }
      const pauseS = Math.min(MAX_PAUSE_S, Math.max(1, Number(answer.headers.get('Retry-After')) || 1));
      await new Promise(resolve => setTimeout(resolve, pauseS * 1000));
      signal.throwIfAborted();
    }
  }

  /** The path of the user. */
  get ofUser() {
    return `users/${encodeURIComponent(this.user)}`;
  }

  render() {
    const data = this.data ?? this.loaded;
    let content;
    if (data === undefined) {
      content = html`<p class="quiet" role="status">${this.hasFailed ? texts.unavailable : texts.waiting}</p>`;
    } else {
      try {
        content = this.content(data);
      } catch (e) {
        content = html`<p class="quiet" role="status">${texts.unavailable}</p>`;
        queueMicrotask(() =>
          this.#tell('laurel-error', {status: 0, message: `${this.localName} cannot show its data: ${e.message}`}),
        );
      }
    }
    return html`<section class="card" part="card" aria-labelledby="label" aria-busy=${data === undefined && !this.hasFailed ? 'true' : 'false'}>
      <p class="label" part="label"><span id="label">${this.label || this.titleOf(data) || this.constructor.texts.label}</span>${data === undefined ? nothing : (this.aside?.(data) ?? nothing)}</p>
      ${content}
    </section>`;
  }

  /** The label without the attribute, if the data has one. */
  titleOf(_data) {
    return null;
  }

  get #language() {
    return this.closest('[lang]')?.lang || undefined;
  }

  #formatted(format) {
    try {
      return format(this.#language);
    } catch {
      return format(undefined); // the page names a language that there is not
    }
  }

  count(value) {
    return this.#formatted(language => new Intl.NumberFormat(language, {maximumFractionDigits: 2}).format(value));
  }

  share(value) {
    return this.#formatted(language =>
      new Intl.NumberFormat(language, {style: 'percent', maximumFractionDigits: 1}).format(value),
    );
  }

  difference(value) {
    return this.#formatted(language =>
      new Intl.NumberFormat(language, {maximumFractionDigits: 2, signDisplay: 'exceptZero'}).format(value),
    );
  }

  /** A date as `YYYY-MM-DD`, which has no zone, or a time. */
  date(value) {
    const timeZone = /^\d{4}-\d\d-\d\d$/.test(value) ? 'UTC' : undefined;
    return this.#formatted(language =>
      new Intl.DateTimeFormat(language, {dateStyle: 'medium', timeZone}).format(new Date(value)),
    );
  }

  /** A bar. @param text what it says to readers */
  bar(value, target, text) {
    const percent = target > 0 ? Math.max(0, Math.min(100, (100 * value) / target)) : 100;
    return html`<div role="progressbar" aria-label=${text} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(percent)} aria-valuetext=${text}>
      <svg class="bar" part="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect height="1" width=${percent}></rect></svg></div>`;
  }
}

/** The answer, or something else if there is no such thing: a user who has done nothing yet is unknown. */
export async function orIfUnknown(answer, otherwise) {
  try {
    return await answer;
  } catch (e) {
    if (e.status !== 404) {
      throw e;
    }
    return otherwise();
  }
}

/** Also if a page loads the elements of two servers: the first ones stay. */
export function define(name, element) {
  if (customElements.get(name) === undefined) {
    customElements.define(name, element);
  }
}
