// The frame: who has signed in, the menu, and the page that the fragment of the address names.
import {svg} from 'lit';
import {keyed} from 'lit/directives/keyed.js';
import {Page, html, nothing, bad, choice, problem, unsaved, waiting} from './page.js';
import {session} from './api.js';
import texts from './texts.js';
import './pages/sign-in.js';

const SCHEME = 'laurel.console.scheme';
const SCHEMES = ['system', 'light', 'dark'];

/**
 * The pages by the first part of the fragment. `load` imports the page, `show` renders it for `{id, parameters}`. Those with
 * a `role` are in the menu, for those who have it.
 */
const PAGES = {
  overview: {
    role: 'viewer',
    load: () => import('./pages/overview.js'),
    show: route => html`<overview-page .parameters=${route.parameters}></overview-page>`,
  },
  users: {
    role: 'viewer',
    load: () => Promise.all([import('./pages/users.js'), import('./pages/user.js')]),
    show: route =>
      route.id === undefined
        ? html`<users-page .parameters=${route.parameters}></users-page>`
        : html`<user-page .userId=${route.id}></user-page>`,
  },
  metrics: objects('metrics'),
  achievements: objects('achievements'),
  streaks: objects('streaks'),
  points: objects('points'),
  leaderboards: objects('leaderboards'),
  attributes: objects('attributes'),
  messages: {
    role: 'viewer',
    load: () => import('./pages/messages.js'),
    show: route => html`<messages-page .objectId=${route.id ?? null}></messages-page>`,
  },
  webhooks: {
    role: 'viewer',
    load: () => import('./pages/webhooks.js'),
    show: route => html`<webhooks-page .objectId=${route.id ?? null} .parameters=${route.parameters}></webhooks-page>`,
  },
  rules: {
    role: 'viewer',
    load: () => import('./pages/rules.js'),
    show: route => html`<rules-page .parameters=${route.parameters}></rules-page>`,
  },
  settings: {
    role: 'viewer',
    load: () => import('./pages/settings.js'),
    show: route => html`<settings-page .section=${route.id ?? 'account'} .parameters=${route.parameters}></settings-page>`,
  },
  system: {
    role: 'viewer',
    load: () => import('./pages/system.js'),
    show: route => html`<system-page .rejectionId=${route.id ?? null} .parameters=${route.parameters}></system-page>`,
  },
  'what-if': {
    role: 'viewer',
    load: () => import('./pages/what-if.js'),
    show: route => html`<what-if-page .replayId=${route.id ?? null} .parameters=${route.parameters}></what-if-page>`,
  },
};

/** A page of configured objects of one kind: `KINDS` of pages/kinds.js. */
function objects(kind) {
  return {
    role: 'viewer',
    load: () => import('./pages/objects.js'),
    show: route =>
      keyed(
        kind,
        html`<objects-page .kind=${kind} .objectId=${route.id ?? null} .parameters=${route.parameters}></objects-page>`,
      ),
  };
}

const FIRST_PAGE = 'overview';
const SIGN_IN = 'sign-in';

/** `#/users/swimmer-77?a=b` is the page `users`, the id `swimmer-77` and the parameter `a`. */
function currentRoute() {
  const [path, search] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [page, id] = path.split('/');
  return {page: page || FIRST_PAGE, id: id ? decoded(id) : undefined, parameters: new URLSearchParams(search ?? '')};
}

function decoded(id) {
  try {
    return decodeURIComponent(id);
  } catch {
    return id; // typed by hand
  }
}

const BRAND = html`<svg viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" aria-hidden="true">${svg`<path
  d="M16 28C8 26 4 20 6 10M16 28c8-2 12-8 10-18M6 16c3 0 5 1 6 4M6 10c2-3 2-5 1-7M26 16c-3 0-5 1-6 4M26 10c-2-3-2-5-1-7"/>`}</svg>`;

class Console extends Page {
  static properties = {route: {state: true}, isReady: {state: true}, error: {state: true}};

  #loaded = new Set();
  #view;
  #hash;
  #leave;

  constructor() {
    super();
    this.isReady = false;
    this.error = null;
  }

  async connectedCallback() {
    super.connectedCallback();
    applyScheme(localStorage.getItem(SCHEME) ?? SCHEMES[0]);
    session.addEventListener('changed', () => this.enter());
    addEventListener('hashchange', () => this.enter());
    this.addEventListener('click', event => this.followed(event), true);
    try {
      await session.resume();
    } catch (e) {
      this.error = problem(e);
    }
    this.isReady = true;
    await this.enter();
  }

  async enter() {
    if (unsaved.isThere && session.current !== null && location.hash !== this.#hash) {
      const asked = location.hash;
      history.replaceState(null, '', this.#hash);
      this.ask(() => (location.hash = asked));
      return;
    }
    this.#hash = location.hash;
    const route = currentRoute();
    if (session.current !== null && route.page === SIGN_IN && !route.parameters.has('link')) {
      location.replace('#/');
      return;
    }
    this.error = null;
    const isPage = Object.hasOwn(PAGES, route.page);
    const title = session.current === null ? texts.pages[SIGN_IN] : isPage ? texts.pages[route.page] : texts.frame.noPage;
    document.title = `${title} · ${texts.brand}`;
    if (session.current !== null && isPage && !this.#loaded.has(route.page)) {
      try {
        await PAGES[route.page].load();
        this.#loaded.add(route.page);
      } catch (e) {
        this.error = problem(e);
      }
    }
    this.route = route;
    this.requestUpdate();
    await this.updateComplete;
    await this.querySelector('main > *, sign-in-page')?.updateComplete;
    const view = JSON.stringify([session.current === null, route.page, route.id]);
    if (this.#view !== undefined && this.#view !== view) {
      this.querySelector('h1')?.focus(); // Screen readers read where they are now.
    }
    this.#view = view;
  }

  render() {
    if (!this.isReady || this.route === undefined) {
      return waiting();
    }
    if (session.current === null || this.route.page === SIGN_IN) {
      return html`<sign-in-page .brand=${BRAND} .link=${this.route.parameters.get('link')} .scheme=${this.scheme()}></sign-in-page>`;
    }
    const page = Object.hasOwn(PAGES, this.route.page) ? PAGES[this.route.page] : undefined;
    return html`
      <a class="skip" href="#main" @click=${this.skip}>${texts.frame.skip}</a>
      <div class="frame">
        <header class="side">
          <div class="brand">${BRAND}<span>${texts.brand}</span></div>
          <nav aria-label=${texts.frame.menu}><ul class="menu">${Object.entries(PAGES)
            .filter(([, {role}]) => session.may(role))
            .map(
              ([name]) => html`
            <li><a href="#/${name}" aria-current=${name === this.route.page ? 'page' : nothing}>${texts.pages[name]}</a></li>`,
            )}</ul></nav>
          <div class="person">
            ${
              session.tenants.length > 0
                ? html`
              ${choice(
                'tenant',
                texts.frame.tenant,
                session.tenant,
                session.tenants.map(tenant => [tenant.customerId, tenant.name]),
                tenant => this.ask(() => session.choose(tenant)),
              )}`
                : nothing
            }
            <p><b>${session.current.name}</b><span class="quiet">${texts.roles[session.current.role]}${session.current.tenant === null ? nothing : ` · ${session.current.tenant}`}</span></p>
            ${this.scheme()}
            <button @click=${() => this.ask(() => this.signOut())}>${texts.frame.signOut}</button>
          </div>
        </header>
        <main class="content" id="main" tabindex="-1">
          ${
            this.error !== null
              ? bad(this.error)
              : page === undefined
                ? html`<h1 tabindex="-1">${texts.frame.noPage}</h1>`
                : this.#loaded.has(this.route.page)
                  ? keyed(session.tenant, page.show(this.route))
                  : waiting()
          }
        </main>
      </div>
      <dialog class="leave" aria-labelledby="leave-title" @close=${this.answer}>
        <form method="dialog">
          <h2 id="leave-title">${texts.forms.leave}</h2>
          <p>${texts.forms.leaveAbout}</p>
          <div class="row"><button class="main" value="stay">${texts.forms.stay}</button><button value="leave">${texts.forms.leaveNow}</button></div>
        </form>
      </dialog>`;
  }

  /** Asks before a link is followed, so that the history does not have what was not left. */
  followed(event) {
    const link = event.target.closest('a[href^="#/"]');
    if (link !== null && unsaved.isThere && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      this.ask(() => (location.hash = link.hash));
    }
  }

  /** Leaves at once, or if unsaved input may be lost. */
  ask(leave) {
    if (!unsaved.isThere) {
      leave();
      return;
    }
    this.#leave = leave;
    const dialog = this.querySelector('.leave');
    dialog.returnValue = '';
    dialog.showModal();
  }

  answer(event) {
    if (event.target.returnValue === 'leave') {
      unsaved.drop();
      this.#leave();
    } else if (session.tenants.length > 0) {
      this.querySelector('#tenant').value = session.tenant; // as before
    }
  }

  scheme() {
    return choice(
      'scheme',
      texts.frame.scheme,
      localStorage.getItem(SCHEME) ?? SCHEMES[0],
      SCHEMES.map(scheme => [scheme, texts.schemes[scheme]]),
      applyScheme,
    );
  }

  skip(event) {
    event.preventDefault(); // the fragment is the address of the page
    this.querySelector('main').focus();
  }

  async signOut() {
    try {
      await session.signOut();
    } catch (e) {
      this.error = problem(e);
    }
  }
}

function applyScheme(scheme) {
  if (scheme === SCHEMES[0]) {
    localStorage.removeItem(SCHEME);
    delete document.documentElement.dataset.scheme;
  } else {
    localStorage.setItem(SCHEME, scheme);
    document.documentElement.dataset.scheme = scheme;
  }
  dispatchEvent(new Event('laurel-scheme'));
}

customElements.define('laurel-console', Console);
