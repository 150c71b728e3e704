// Webhooks: addresses that receive events, and what became of each delivery.
import {Page, html, nothing, Loading, card, choice, table} from '../page.js';
import {all, call, get, json, page, query, report, session, single} from '../api.js';
import {attempt, field, results, secret, tick, whole} from '../parts.js';
import {formats, sum} from '../format.js';
import texts from '../texts.js';

const DELIVERIES = 25;
const MAX_RETRIES = 500;
const FAILED_PAGE = 100;
const STATUSES = ['pending', 'succeeded', 'failed'];

class WebhooksPage extends Page {
  static properties = {
    objectId: {},
    parameters: {attribute: false},
    done: {state: true},
    error: {state: true},
    secret: {state: true},
    retried: {state: true},
  };

  #list = new Loading(this);
  #one = new Loading(this);
  #deliveries = new Loading(this);
  #counts = new Loading(this);
  #types = new Loading(this);

  constructor() {
    super();
    Object.assign(this, {objectId: null, done: null, error: null, secret: null, retried: null});
  }

  get path() {
    return `/admin/v1/webhooks/${this.objectId}`;
  }

  get dialog() {
    return this.querySelector('confirm-dialog');
  }

  connectedCallback() {
    super.connectedCallback();
    // The types of events are listed in the schema of rulesets.
    this.#types.run(
      async signal => (await get('/v1/schemas/laurel-ruleset.schema.json', signal)).$defs.webhook.properties.events.items.enum,
    );
  }

  willUpdate(changed) {
    if (changed.has('objectId')) {
      Object.assign(this, {done: null, error: null, secret: this.objectId === null ? null : this.secret});
      this.load();
    }
    if (this.objectId !== null && (changed.has('objectId') || changed.has('parameters'))) {
      this.loadDeliveries();
    }
  }

  load() {
    this.#counts.run(signal => report('webhooks', {}, signal));
    return this.objectId === null
      ? this.#list.run(() => all('/admin/v1/webhooks'))
      : this.#one.run(signal => get(this.path, signal));
  }

  loadDeliveries() {
    const {parameters} = this;
    return this.#deliveries.run(signal =>
      page(
        query(`${this.path}/deliveries`, {
          status: parameters.get('status'),
          event: parameters.get('event'),
          after: parameters.get('after'),
          limit: DELIVERIES,
        }),
        signal,
      ),
    );
  }

  render() {
    return html`<div class="page">${this.objectId === null ? this.list() : this.one()}<confirm-dialog></confirm-dialog></div>`;
  }

  list() {
    return html`
      <div class="head"><h1 tabindex="-1">${texts.pages.webhooks}</h1>${session.may('editor') ? html`<button class="main" ?disabled=${this.#types.value === undefined} @click=${() => this.edit(null)}>${texts.webhooks.add}…</button>` : nothing}</div>
      ${results(this)}
      <section class="card" aria-label=${texts.pages.webhooks}>${this.#list.render(list =>
        list.length === 0
          ? html`<p class="quiet">${texts.webhooks.none}</p>`
          : table(
              texts.pages.webhooks,
              [
                {name: texts.webhooks.name},
                {name: texts.webhooks.url},
                {name: texts.webhooks.events},
                {name: texts.webhooks.status},
                {name: texts.webhooks.delivered, isNumber: true},
                {name: texts.webhooks.failed, isNumber: true},
              ],
              list.map(one => [
                html`<a href="#/webhooks/${one.id}">${one.name}</a>`,
                one.url,
                one.events.join(', '),
                whole(texts.statuses[one.status]),
                this.count(one, 'delivered'),
                this.count(one, 'failed'),
              ]),
            ),
      )}
        <p class="small quiet">${texts.webhooks.countsAbout}</p>
      </section>`;
  }

  /** The sum of a series of the report, or nothing while it cannot be read. */
  count({id, key}, name) {
    const series = this.#counts.value?.series.find(one => one.webhook === key || one.webhook === id);
    return series === undefined ? texts.none : formats.count(sum(series[name]));
  }

  one() {
    const isEditor = session.may('editor');
    return html`
      <p><a href="#/webhooks">${texts.webhooks.back}</a></p>
      <div class="head"><h1 tabindex="-1">${this.#one.value?.name ?? texts.waiting}</h1>
        ${
          this.#one.value !== undefined && isEditor
            ? html`<div class="row">
          <button @click=${() => this.edit(this.#one.value)}>${texts.webhooks.change}…</button>
          <button @click=${this.showSecret}>${texts.webhooks.showSecret}</button>
          <button @click=${this.askToRotate}>${texts.webhooks.rotate}…</button>
          <button @click=${this.askToTest}>${texts.webhooks.test}…</button>
          <button @click=${this.askToDelete}>${texts.webhooks.delete}…</button></div>`
            : nothing
        }</div>
      ${results(this)}
      ${this.secret === null ? nothing : secret(texts.webhooks.secret, this.secret, texts.webhooks.secretAbout)}
      ${this.#one.render(
        one => html`<div class="cards">
        ${card(
          texts.webhooks.endpoint,
          html`<dl class="facts"><dt>${texts.webhooks.url}</dt><dd>${one.url}</dd><dt>${texts.webhooks.status}</dt><dd>${texts.statuses[one.status]}</dd>
          ${one.description ? html`<dt>${texts.webhooks.description}</dt><dd>${one.description}</dd>` : nothing}<dt>${texts.webhooks.events}</dt><dd>${one.events.join(', ')}</dd></dl>`,
        )}
        ${card(
          texts.webhooks.failures,
          this.#deliveries.render(({items}) => failures(items)),
        )}
      </div>
      ${card(texts.webhooks.deliveries, this.deliveries(one))}`,
      )}`;
  }

  deliveries(one) {
    const given = name => this.parameters.get(name) ?? '';
    return html`
      <form class="row" role="search" @submit=${this.filter}>
        ${choice('status', texts.webhooks.status, given('status'), [['', texts.webhooks.any], ...STATUSES.map(status => [status, texts.webhooks.states[status]])])}
        ${choice('event', texts.webhooks.event, given('event'), [['', texts.webhooks.any], ...one.events.map(event => [event, event])])}
        <button>${texts.settings.show}</button>
        <button type="button" @click=${() => this.loadDeliveries()}>${texts.webhooks.reload}</button>
        ${session.may('editor') ? html`<button type="button" @click=${this.askToRetryAll}>${texts.webhooks.retryAll}…</button>` : nothing}</form>
      ${this.#deliveries.render(
        ({items, next}) => html`
        ${items.length === 0 ? html`<p class="quiet">${texts.webhooks.noDeliveries}</p>` : html`<ul class="deliveries">${items.map(one => this.delivery(one))}</ul>`}
        ${next === null ? nothing : html`<p><a class="button" href=${`#${query(`/webhooks/${this.objectId}`, {status: given('status'), event: given('event'), after: next})}`}>${texts.settings.older}</a></p>`}`,
      )}`;
  }

  delivery({id, event, status, attempts, payload, created}) {
    return html`<li><details>
      <summary class="summary"><span class="tag ${status}">${texts.webhooks.states[status]}</span> <b>${event}</b> <span class="quiet">${formats.dateTime(created)}${attempts.length === 0 ? nothing : ` · ${reason(attempts.at(-1))}`}</span></summary>
      <div class="part">
        ${
          attempts.length === 0
            ? nothing
            : table(
                texts.webhooks.attemptsOf(id),
                [{name: texts.webhooks.at}, {name: texts.webhooks.answer}, {name: texts.webhooks.duration, isNumber: true}],
                attempts.map(one => [formats.dateTime(one.at), reason(one), texts.webhooks.ms(one.durationMs)]),
              )
        }
        <h3>${texts.webhooks.request}</h3>
        <pre class="value" tabindex="0">${payload === null ? texts.webhooks.noPayload : JSON.stringify(payload, null, 2)}</pre>
        ${session.may('editor') ? html`<div class="row"><button @click=${() => this.retry(id)}>${texts.webhooks.retry}<span class="seen-by-readers"> ${event} ${formats.dateTime(created)}</span></button></div>` : nothing}
      </div></details></li>`;
  }

  filter(event) {
    event.preventDefault();
    location.hash = query(
      `/webhooks/${this.objectId}`,
      Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value !== '')),
    );
  }

  edit(one) {
    const types = this.#types.value ?? [];
    this.dialog.ask({
      title: one === null ? texts.webhooks.add : texts.webhooks.changeTitle(one.name),
      button: texts.settings.save,
      body: html`${field(texts.webhooks.name, {name: 'name', form: 'hook-', value: one?.name, required: true, maxLength: 255})}
        ${field(texts.webhooks.url, {name: 'url', form: 'hook-', type: 'url', value: one?.url, required: true, maxLength: 2000}, texts.webhooks.urlAbout)}
        ${field(texts.webhooks.description, {name: 'description', form: 'hook-', value: one?.description, maxLength: 2000})}
        <fieldset class="ticks"><legend>${texts.webhooks.events}</legend>${types.map(type => tick(type, {name: 'events', value: type, isTicked: one?.events.includes(type) ?? false}))}</fieldset>
        ${tick(texts.webhooks.isActive, {name: 'isActive', isTicked: one === null || one.status === 'active'})}`,
      act: async given => {
        const fields = {
          name: given.get('name'),
          url: given.get('url'),
          description: given.get('description'),
          events: given.getAll('events'),
          status: given.has('isActive') ? 'active' : 'inactive',
        };
        if (one === null) {
          const {created} = await single('POST', '/admin/v1/webhooks', [fields]);
          this.secret = created[0].secret;
          location.hash = `/webhooks/${created[0].id}`;
        } else {
          await single('PATCH', '/admin/v1/webhooks', [{id: one.id, ...fields}]);
          await this.finish(texts.settings.saved);
        }
      },
    });
  }

  async finish(done) {
    Object.assign(this, {done, error: null});
    await this.load();
  }

  showSecret() {
    attempt(this, null, async () => (this.secret = (await get(`${this.path}/secret`)).secret));
  }

  askToRotate() {
    this.dialog.ask({
      title: texts.webhooks.rotateTitle,
      body: html`<p>${texts.webhooks.rotateAbout}</p>`,
      button: texts.webhooks.rotate,
      isDanger: true,
      act: async () => {
        this.secret = (await json('POST', `${this.path}/rotate-secret`)).secret;
        Object.assign(this, {done: texts.webhooks.rotated, error: null});
      },
    });
  }

  askToTest() {
    this.dialog.ask({
      title: texts.webhooks.test,
      button: texts.webhooks.send,
      body: html`<p>${texts.webhooks.testAbout}</p>${choice(
        'test-event',
        texts.webhooks.event,
        this.#one.value.events[0],
        (this.#types.value ?? []).map(type => [type, type]),
      )}`,
      act: async given => {
        await json('POST', `${this.path}/test`, {event: given.get('test-event')});
        Object.assign(this, {done: texts.webhooks.tested, error: null});
        await this.loadDeliveries();
      },
    });
  }

  askToDelete() {
    this.dialog.ask({
      title: texts.webhooks.deleteTitle(this.#one.value.name),
      body: html`<p>${texts.webhooks.deleteAbout}</p>`,
      button: texts.webhooks.delete,
      isDanger: true,
      act: async () => {
        await single('DELETE', query('/admin/v1/webhooks', {ids: this.objectId}));
        location.hash = '/webhooks';
      },
    });
  }

  async retry(id) {
    await attempt(this, texts.webhooks.retried(1), () => call('POST', `${this.path}/deliveries/${id}/retry`));
    await this.loadDeliveries();
  }

  /** The API retries one delivery at a time: all failed ones are listed first, so that none is retried twice. */
  askToRetryAll() {
    this.dialog.ask({
      title: texts.webhooks.retryAll,
      body: html`<p>${texts.webhooks.retryAllAbout(MAX_RETRIES)}</p>`,
      button: texts.webhooks.retryAll,
      act: async () => {
        const failed = [];
        for (let after = null; failed.length < MAX_RETRIES;) {
          const {items, next} = await page(query(`${this.path}/deliveries`, {status: 'failed', limit: FAILED_PAGE, after}));
          failed.push(...items);
          after = next;
          if (next === null) {
            break;
          }
        }
        const some = failed.slice(0, MAX_RETRIES);
        for (const {id} of some) {
          await call('POST', `${this.path}/deliveries/${id}/retry`);
        }
        Object.assign(this, {done: texts.webhooks.retried(some.length), error: null});
        await this.loadDeliveries();
      },
    });
  }
}
customElements.define('webhooks-page', WebhooksPage);

function reason({responseStatus, error}) {
  return responseStatus === null
    ? (error ?? texts.webhooks.noAnswer)
    : error === null
      ? texts.webhooks.answered(responseStatus)
      : `${texts.webhooks.answered(responseStatus)}, ${error}`;
}

/** The failed ones of the deliveries that are shown, by the reason of the last attempt. */
function failures(items) {
  const counts = new Map();
  items
    .filter(one => one.attempts.length > 0 && one.status !== 'succeeded')
    .forEach(one => counts.set(reason(one.attempts.at(-1)), (counts.get(reason(one.attempts.at(-1))) ?? 0) + 1));
  return counts.size === 0
    ? html`<p class="quiet">${texts.webhooks.noFailures}</p>`
    : table(
        texts.webhooks.failures,
        [{name: texts.webhooks.reason}, {name: texts.webhooks.deliveries, isNumber: true}],
        [...counts].sort((a, b) => b[1] - a[1]).map(([text, count]) => [text, formats.count(count)]),
      );
}
