// Messages: the templates, what a user gets, and what became of the messages.
import {Page, html, nothing, Loading, card, choice, table} from '../page.js';
import {all, call, get, query, report, session, single} from '../api.js';
import {attempt, field, results, whole} from '../parts.js';
import {formats, sum} from '../format.js';
import texts from '../texts.js';

const CHANNELS = ['email', 'push'];
const TYPES = ['achievement_completed', 'recap', 'reactivation', 'streak_reminder'];
const MAX_VARIATIONS = 10;
const COUNTS = ['due', 'sent', 'failed', 'bounced', 'opened', 'clicked', 'returned'];

class MessagesPage extends Page {
  static properties = {
    objectId: {},
    done: {state: true},
    error: {state: true},
    userId: {state: true},
    variation: {state: true},
    variations: {state: true},
  };

  #list = new Loading(this);
  #channels = new Loading(this);
  #counts = new Loading(this);
  #one = new Loading(this);
  #preview = new Loading(this);

  constructor() {
    super();
    Object.assign(this, {objectId: null, done: null, error: null, userId: '', variation: 0, variations: []});
  }

  get path() {
    return `/admin/v1/notifications/templates/${this.objectId}`;
  }

  get dialog() {
    return this.querySelector('confirm-dialog');
  }

  willUpdate(changed) {
    if (changed.has('objectId')) {
      Object.assign(this, {done: null, error: null, variation: 0});
      this.load();
    }
  }

  async load() {
    if (this.objectId === null) {
      this.#list.run(() => all('/admin/v1/notifications/templates'));
      this.#channels.run(signal => get('/admin/v1/notifications/channels', signal));
      this.#counts.run(signal => report('messages', {}, signal));
      return;
    }
    await this.#one.run(signal => get(this.path, signal));
    this.variations = this.#one.value?.variations ?? [];
    this.loadPreview();
  }

  loadPreview() {
    return this.#preview.run(signal =>
      get(query(`${this.path}/preview`, {userId: this.userId, variation: this.variation}), signal),
    );
  }

  render() {
    return html`<div class="page">${this.objectId === null ? this.list() : this.one()}<confirm-dialog></confirm-dialog></div>`;
  }

  list() {
    return html`
      <div class="head"><h1 tabindex="-1">${texts.pages.messages}</h1>${session.may('editor') ? html`<button class="main" @click=${this.askForNew}>${texts.messages.add}…</button>` : nothing}</div>
      ${results(this)}
      ${CHANNELS.map(channel =>
        card(
          texts.messages.channels[channel],
          html`
        <p class="quiet">${this.#channels.render(channels => channelState(channel, channels))}</p>
        ${this.#list.render(list =>
          this.templates(
            list.filter(one => one.channel === channel),
            texts.messages.channels[channel],
          ),
        )}`,
        ),
      )}
      <p class="small quiet">${texts.messages.countsAbout}</p>`;
  }

  templates(list, caption) {
    return list.length === 0
      ? html`<p class="quiet">${texts.messages.none}</p>`
      : table(
          caption,
          [
            {name: texts.messages.name},
            {name: texts.messages.type},
            {name: texts.webhooks.status},
            ...COUNTS.map(name => ({name: texts.messages.counts[name], isNumber: true})),
          ],
          list.map(one => {
            const series = this.#counts.value?.series.find(row => row.template === one.key || row.template === one.id);
            return [
              html`<a href="#/messages/${one.id}">${one.name}</a>`,
              texts.messages.types[one.type],
              whole(texts.statuses[one.status]),
              ...COUNTS.map(name => (series === undefined ? texts.none : formats.count(sum(series[name])))),
            ];
          }),
        );
  }

  one() {
    return html`
      <p><a href="#/messages">${texts.messages.back}</a></p>
      <div class="head"><h1 tabindex="-1">${this.#one.value?.name ?? texts.waiting}</h1>${this.#one.value !== undefined && session.may('editor') ? html`<button @click=${this.askToDelete}>${texts.messages.delete}…</button>` : nothing}</div>
      ${results(this)}
      ${this.#one.render(
        one => html`<div class="cards">
        ${card(texts.messages.template, this.form(one))}
        ${card(
          texts.messages.preview,
          html`
          <form class="row" role="search" @submit=${this.choose}>
            ${field(texts.messages.user, {name: 'userId', value: this.userId, maxLength: 255}, texts.messages.userAbout)}
            ${one.variations.length === 0 ? nothing : choice('variation', texts.messages.text, this.variation, [[0, texts.messages.own], ...one.variations.map((_, i) => [i + 1, texts.messages.variation(i + 1)])])}
            <button>${texts.settings.show}</button>
            ${session.may('editor') ? html`<button type="button" @click=${this.askToSend}>${texts.messages.send}…</button>` : nothing}</form>
          ${this.#preview.render(message => preview(one.channel, message))}`,
        )}
      </div>`,
      )}`;
  }

  form(one) {
    const isReadOnly = !session.may('editor');
    const title = one.channel === 'email' ? 'subject' : 'title';
    return html`<form class="part" @submit=${this.save}>
      <p class="quiet">${texts.messages.types[one.type]} · ${texts.messages.channels[one.channel]}</p>
      ${field(texts.messages.name, {name: 'name', value: one.name, required: true, maxLength: 255, readOnly: isReadOnly})}
      ${field(texts.messages[title], {name: 'title', value: one[title], required: true, readOnly: isReadOnly})}
      ${field(texts.messages.body, {name: 'body', value: one.body, rows: 10, required: true, readOnly: isReadOnly}, texts.messages.bodyAbout)}
      ${this.variations.map(
        (variation, i) => html`<fieldset class="part"><legend>${texts.messages.variation(i + 1)}</legend>
        ${field(texts.messages[title], {name: `title-${i}`, value: variation[title], required: true, readOnly: isReadOnly})}
        ${field(texts.messages.body, {name: `body-${i}`, value: variation.body, rows: 5, required: true, readOnly: isReadOnly})}
        ${isReadOnly ? nothing : html`<div class="row"><button type="button" @click=${() => this.dropVariation(i)}>${texts.messages.dropVariation(i + 1)}</button></div>`}</fieldset>`,
      )}
      ${choice(
        'status',
        texts.webhooks.status,
        one.status,
        ['active', 'inactive'].map(status => [status, texts.statuses[status]]),
      )}
      ${
        isReadOnly
          ? nothing
          : html`<div class="row"><button class="main">${texts.settings.save}</button>
        ${this.variations.length < MAX_VARIATIONS ? html`<button type="button" @click=${this.addVariation}>${texts.messages.addVariation}</button>` : nothing}</div>`
      }
    </form>`;
  }

  /** What is typed in the form, so that it is not lost when variations come and go. */
  typed() {
    const title = this.#one.value.channel === 'email' ? 'subject' : 'title';
    const given = new FormData(this.querySelector('form.part'));
    return this.variations.map((_, i) => ({[title]: given.get(`title-${i}`), body: given.get(`body-${i}`)}));
  }

  addVariation() {
    this.variations = [...this.typed(), {subject: '', title: '', body: ''}];
  }

  dropVariation(dropped) {
    this.variations = this.typed().filter((_, i) => i !== dropped);
  }

  async save(event) {
    event.preventDefault();
    const given = new FormData(event.target);
    const title = this.#one.value.channel === 'email' ? 'subject' : 'title';
    const change = {
      id: this.objectId,
      name: given.get('name'),
      [title]: given.get('title'),
      body: given.get('body'),
      status: given.get('status'),
      variations: this.typed(),
    };
    await attempt(this, texts.messages.saved, async () => {
      await single('PATCH', '/admin/v1/notifications/templates', [change]);
      this.variation = Math.min(this.variation, change.variations.length);
      // Before it is said: the form shows what it loads, and replaces what has been typed since.
      await this.load();
    });
  }

  choose(event) {
    event.preventDefault();
    const given = new FormData(event.target);
    this.userId = given.get('userId').trim();
    this.variation = Number(given.get('variation') ?? 0);
    this.loadPreview();
  }

  askForNew() {
    this.dialog.ask({
      title: texts.messages.add,
      button: texts.settings.create,
      body: html`${field(texts.messages.name, {name: 'name', form: 'new-', required: true, maxLength: 255})}
        ${choice(
          'new-type',
          texts.messages.type,
          TYPES[0],
          TYPES.map(type => [type, texts.messages.types[type]]),
        )}
        ${choice(
          'new-channel',
          texts.messages.channel,
          CHANNELS[0],
          CHANNELS.map(channel => [channel, texts.messages.channels[channel]]),
        )}
        ${field(texts.messages.subjectOrTitle, {name: 'title', form: 'new-', required: true})}
        ${field(texts.messages.body, {name: 'body', form: 'new-', rows: 5, required: true})}`,
      act: async given => {
        const channel = given.get('new-channel');
        const {created} = await single('POST', '/admin/v1/notifications/templates', [
          {
            name: given.get('name'),
            type: given.get('new-type'),
            channel,
            [channel === 'email' ? 'subject' : 'title']: given.get('title'),
            body: given.get('body'),
            status: 'inactive',
          },
        ]);
        location.hash = `/messages/${created[0].id}`;
      },
    });
  }

  askToSend() {
    this.dialog.ask({
      title: texts.messages.sendTitle,
      button: texts.messages.send,
      body: html`<p>${texts.messages.sendAbout}</p>${field(texts.messages.user, {name: 'userId', form: 'send-', value: this.userId, required: true, maxLength: 255})}`,
      act: async given => {
        await call('POST', `${this.path}/test`, {body: {userId: given.get('userId')}});
        Object.assign(this, {done: texts.messages.sent(given.get('userId')), error: null});
      },
    });
  }

  askToDelete() {
    this.dialog.ask({
      title: texts.messages.deleteTitle(this.#one.value.name),
      body: html`<p>${texts.messages.deleteAbout}</p>`,
      button: texts.messages.delete,
      isDanger: true,
      act: async () => {
        await single('DELETE', query('/admin/v1/notifications/templates', {ids: this.objectId}));
        location.hash = '/messages';
      },
    });
  }
}
customElements.define('messages-page', MessagesPage);

function channelState(channel, {email, push}) {
  if (channel === 'email') {
    return email.smtpConfigured ? texts.messages.emailFrom(email.fromName, email.from) : texts.messages.noSmtp;
  }
  const on = ['apns', 'fcm', 'expo'].filter(service => push[service].configured);
  return on.length === 0 ? texts.messages.noPush : texts.messages.pushBy(on.join(', '));
}

function preview(channel, message) {
  return channel === 'push'
    ? html`<div class="push"><b>${message.title}</b><p>${message.body}</p></div>`
    : html`<dl class="facts"><dt>${texts.messages.subject}</dt><dd>${message.subject}</dd></dl>
      <iframe class="mail" title=${texts.messages.html} sandbox="allow-same-origin" .srcdoc=${inert(message.html)} @load=${applyStyles}></iframe>
      <details><summary>${texts.messages.plain}</summary><pre class="value" tabindex="0">${message.text}</pre></details>`;
}

/**
 * The document without what runs or loads something. The frame permits no scripts in any case, and the policy of the page
 * holds in it: so inline styles wait in another attribute until they are set one by one, which the policy permits, and handlers of
 * events get other names before the text is read: to read them is reported already.
 */
function inert(text) {
  const waiting = text
    .replace(/<style\b[\s\S]*?<\/style\s*>/gi, '')
    .replace(/<[a-z][^<>]*>/gi, tag => tag.replace(/([\s"'/])(style|on[a-z]+)(?=\s*=)/gi, '$1data-$2'));
  const parsed = new DOMParser().parseFromString(waiting, 'text/html');
  parsed
    .querySelectorAll('script, style, link, base, iframe, frame, object, embed, svg, math, form, audio, video, meta[http-equiv]')
    .forEach(element => element.remove());
  parsed.querySelectorAll('*').forEach(element => {
    [...element.attributes]
      .filter(
        ({name}) => name.startsWith('on') || ['style', 'srcset', 'background', 'ping', 'action', 'formaction'].includes(name),
      )
      .forEach(({name}) => element.removeAttribute(name));
    if (element.hasAttribute('href')) {
      element.title = element.getAttribute('href');
      element.removeAttribute('href');
    }
    if (element.hasAttribute('src') && !element.getAttribute('src').startsWith('data:image/')) {
      element.title = element.getAttribute('src');
      element.removeAttribute('src');
    }
  });
  return `<!doctype html>${parsed.documentElement.outerHTML}`;
}

function applyStyles(event) {
  event.target.contentDocument
    .querySelectorAll('[data-style]')
    .forEach(element => (element.style.cssText = element.dataset.style.replace(/url\([^)]*\)/gi, 'none')));
}
