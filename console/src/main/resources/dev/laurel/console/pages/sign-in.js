// Sign-in: by key, by a one-time link, or by the company's provider.
import {Page, html, nothing, bad, problem} from '../page.js';
import {get, query, session} from '../api.js';
import texts from '../texts.js';

class SignInPage extends Page {
  static properties = {
    brand: {attribute: false},
    link: {},
    scheme: {attribute: false},
    provider: {state: true},
    error: {state: true},
    isBusy: {state: true},
  };

  constructor() {
    super();
    this.provider = null;
    this.error = null;
    this.isBusy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.askProviders();
    if (this.link) {
      // A link is good for one sign-in; the address must not keep it.
      history.replaceState(null, '', '#/overview');
      this.signIn({link: this.link});
    }
  }

  async askProviders() {
    try {
      this.provider = (await get('/admin/v1/session/providers')).oidc;
    } catch {
      this.provider = null; // a key is enough
    }
  }

  render() {
    return html`
      <main class="sign-in">
        <div class="brand">${this.brand}<span>${texts.brand}</span></div>
        <h1 tabindex="-1">${texts.signIn.title}</h1>
        ${this.error !== null ? html`<div id="sign-in-error">${bad(this.error)}</div>` : nothing}
        <form class="card" @submit=${this.submit}>
          <label class="field" for="key">${texts.signIn.key}
            <input id="key" name="key" type="password" autocomplete="current-password" required spellcheck="false"
              aria-describedby="key-help" aria-invalid=${this.error !== null ? 'true' : 'false'} ?disabled=${this.isBusy}></label>
          <p class="quiet small" id="key-help">${texts.signIn.help}</p>
          <button class="main" ?disabled=${this.isBusy}>${this.isBusy ? texts.signIn.busy : texts.signIn.button}</button>
        </form>
        ${this.provider ? html`<a class="button" href=${query(this.provider.url, {returnTo: `/console/${location.hash}`})} @click=${() => session.expect()}>${texts.signIn.provider(this.provider.name)}</a>` : nothing}
        ${this.scheme}
      </main>`;
  }

  submit(event) {
    event.preventDefault();
    const field = this.querySelector('#key');
    const key = field.value.trim();
    field.value = '';
    this.signIn({key});
  }

  async signIn(given) {
    this.error = null;
    this.isBusy = true;
    try {
      await session.signIn(given);
      if (location.hash.startsWith('#/sign-in')) {
        location.hash = '#/overview';
      }
    } catch (e) {
      this.error = e.status === 401 ? (given.link ? texts.signIn.badLink : texts.signIn.badKey) : problem(e);
      this.isBusy = false;
      await this.updateComplete;
      this.querySelector('#key').focus();
    }
  }
}
customElements.define('sign-in-page', SignInPage);
