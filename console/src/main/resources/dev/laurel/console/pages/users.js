// The list of users: search, and the most recently active first.
import {Page, html, nothing, Loading, table} from '../page.js';
import {page, query} from '../api.js';
import {formats} from '../format.js';
import texts from '../texts.js';

const PAGE_SIZE = 50;
const TYPING_MS = 250;

class UsersPage extends Page {
  static properties = {parameters: {attribute: false}};

  #users = new Loading(this);
  #typing;

  get search() {
    return this.parameters.get('search') ?? '';
  }

  willUpdate(changed) {
    if (changed.has('parameters')) {
      const search = this.search.trim();
      this.#users.run(signal =>
        page(
          query('/admin/v1/users', {
            search,
            sort: search === '' ? 'lastActivity' : 'match',
            cursor: this.parameters.get('cursor'),
            limit: PAGE_SIZE,
          }),
          signal,
        ),
      );
    }
  }

  type(event) {
    clearTimeout(this.#typing);
    const search = event.target.value;
    this.#typing = setTimeout(() => {
      // Each letter would otherwise be a step back.
      history.replaceState(null, '', query('#/users', {search}));
      dispatchEvent(new HashChangeEvent('hashchange'));
    }, TYPING_MS);
  }

  render() {
    return html`
      <div class="page">
        <div class="head"><h1 tabindex="-1">${texts.pages.users}</h1>
          <form role="search" @submit=${e => e.preventDefault()}><label class="field">${texts.users.search}
            <input type="search" value=${this.search} @input=${this.type} autocomplete="off" spellcheck="false"></label></form></div>
        <section class="card" aria-label=${texts.pages.users}>
          ${this.#users.render(
            ({items, next}) => html`
            <p class="seen-by-readers" role="status">${texts.users.found(items.length)}</p>
            ${
              items.length === 0
                ? html`<p class="quiet">${this.search === '' ? html`${texts.users.none} <a href="#/overview">${texts.users.first}</a>` : texts.users.notFound(this.search)}</p>`
                : table(
                    texts.pages.users,
                    [{name: texts.user.id}, {name: texts.user.name}, {name: texts.user.email}, {name: texts.user.lastActivity}],
                    items.map(user => [
                      html`<a href="#/users/${encodeURIComponent(user.id)}">${user.id}</a>`,
                      user.name ?? texts.none,
                      user.email ?? texts.none,
                      formats.dateTime(user.lastActivity),
                    ]),
                  )
            }
            ${next === null ? nothing : html`<p><a class="button" href=${query('#/users', {search: this.search, cursor: next})}>${texts.users.next}</a></p>`}`,
          )}
        </section>
      </div>`;
  }
}
customElements.define('users-page', UsersPage);
