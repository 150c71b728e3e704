// The system: what runs where, what is wrong with it, and the records of the log that could not be used.
import {Page, html, nothing, Loading, bad, card, table} from '../page.js';
import {call, get, page, query, save, session} from '../api.js';
import {attempt, results} from '../parts.js';
import {formats} from '../format.js';
import texts from '../texts.js';

const REJECTIONS = 25;
const SHOWN_PAYLOAD = 160;
const SHOWN_KEY = 40;
const SEVERITIES = ['fail', 'warn', 'ok'];

class SystemPage extends Page {
  static properties = {rejectionId: {}, parameters: {attribute: false}, done: {state: true}, error: {state: true}};

  #system = new Loading(this);
  #health = new Loading(this);
  #rejections = new Loading(this);
  #one = new Loading(this);

  constructor() {
    super();
    this.done = null;
    this.error = null;
  }

  /** Whether the session may see what concerns all tenants. */
  get isOfInstance() {
    return session.current.tenant === null;
  }

  /** Of the rejected record. */
  get path() {
    return `/admin/v1/rejections/${encodeURIComponent(this.rejectionId)}`;
  }

  willUpdate(changed) {
    if (this.rejectionId === null && changed.has('rejectionId')) {
      this.load();
    }
    if (this.rejectionId === null && (changed.has('rejectionId') || changed.has('parameters'))) {
      this.loadRejections();
    }
    if (this.rejectionId !== null && changed.has('rejectionId')) {
      this.done = null;
      this.error = null;
      this.#one.run(signal => get(this.path, signal));
    }
  }

  load() {
    if (this.isOfInstance) {
      this.#system.run(signal => get('/admin/v1/system', signal));
      if (session.may('admin')) {
        this.#health.run(signal => get('/admin/v1/health', signal));
      }
    }
  }

  loadRejections() {
    if (session.may('admin')) {
      const chosen = Object.fromEntries(['reason', 'from', 'to', 'after'].map(name => [name, this.parameters.get(name)]));
      this.#rejections.run(signal => page(query('/admin/v1/rejections', {...chosen, limit: REJECTIONS}), signal));
    }
  }

  render() {
    return this.rejectionId === null ? this.overview() : this.one();
  }

  overview() {
    return html`<div class="page">
      <div class="head"><div><h1 tabindex="-1">${texts.pages.system}</h1>
        ${this.#system.value === undefined ? nothing : html`<p class="quiet">${texts.system.asOf(formats.time(this.#system.value.at))}</p>`}</div>
        ${
          this.isOfInstance
            ? html`<div class="row"><button @click=${this.load}>${texts.system.refresh}</button>
          ${session.may('admin') ? html`<button @click=${this.download}>${texts.system.download}</button>` : nothing}</div>`
            : nothing
        }
      </div>
      ${this.error !== null ? bad(this.error) : nothing}
      ${this.isOfInstance && session.may('admin') ? card(texts.system.health, this.#health.render(health)) : nothing}
      ${session.may('admin') ? this.rejections() : nothing}
      ${
        this.isOfInstance
          ? html`
        ${card(texts.system.processes, this.#system.render(processes))}
        ${card(texts.system.partitions, this.#system.render(applications))}`
          : session.may('admin')
            ? nothing
            : html`<p class="quiet">${texts.system.ofInstance}</p>`
      }
    </div>`;
  }

  rejections() {
    const filtered = ['reason', 'from', 'to'].some(name => this.parameters.get(name));
    return card(
      texts.system.rejections,
      html`
      <p class="quiet">${texts.system.rejectionsAbout}</p>
      <form class="row" @submit=${this.filter}>
        <label class="field">${texts.system.reasonHas}<input name="reason" maxlength="255" .value=${this.parameters.get('reason') ?? ''}></label>
        <label class="field">${texts.system.from}<input name="from" type="date" .value=${this.parameters.get('from') ?? ''}></label>
        <label class="field">${texts.system.to}<input name="to" type="date" .value=${this.parameters.get('to') ?? ''}></label>
        <button>${texts.system.show}</button>
        ${filtered ? html`<a class="button" href="#/system">${texts.system.all}</a>` : nothing}
      </form>
      ${this.#rejections.render(
        ({items, next}) => html`
        ${
          items.length === 0
            ? html`<p class="quiet">${filtered || this.parameters.has('after') ? texts.system.noneFound : texts.system.none}</p>`
            : table(
                texts.system.rejections,
                [
                  {name: texts.system.rejectedAt},
                  {name: texts.system.reason},
                  {name: texts.system.key},
                  {name: texts.system.payload},
                  {name: texts.system.resent},
                ],
                items.map(one => [
                  html`<a class="whole" href="#/system/${one.id}">${formats.dateTime(one.time)}<span class="seen-by-readers"> ${texts.system.number(one.id)}</span></a>`,
                  html`<span class="broad">${one.reason}</span>`,
                  html`<span class="whole">${one.key === null ? texts.none : cut(one.key, SHOWN_KEY)}</span>`,
                  html`<code class="broad">${shortened(one.payload)}</code>`,
                  one.resent === null ? texts.none : html`<span class="broad">${resent(one.resent)}</span>`,
                ]),
              )
        }
        ${next === null ? nothing : html`<p><a class="button" href=${query('#/system', {...Object.fromEntries(this.parameters), after: next})}>${texts.system.older}</a></p>`}`,
      )}`,
    );
  }

  one() {
    return html`<div class="page">
      <p><a href="#/system">${texts.system.back}</a></p>
      <h1 tabindex="-1">${texts.system.rejected}</h1>
      ${this.#one.render(
        one => html`
        ${card(
          texts.system.record,
          html`
          <p class="note bad">${one.reason}</p>
          <dl class="facts">
            <dt>${texts.system.rejectedAt}</dt><dd>${formats.dateTime(one.time)}</dd>
            <dt>${texts.system.key}</dt><dd>${one.key ?? texts.none}</dd>
            ${one.tenant === null ? nothing : html`<dt>${texts.frame.tenant}</dt><dd>${one.tenant}</dd>`}
            <dt>${texts.system.place}</dt><dd>${texts.system.at(one.source)}</dd>
            <dt>${texts.system.timestamp}</dt><dd>${formats.dateTime(one.source.time)}</dd>
            <dt>${texts.system.resent}</dt><dd>${one.resent === null ? texts.none : resent(one.resent)}</dd>
          </dl>
          <h3 id="payload-title">${texts.system.payload}</h3>
          ${
            one.payload === null
              ? html`<p class="quiet">${texts.system.noPayload}</p>`
              : html`${one.payload.base64 === null ? nothing : html`<p class="quiet">${texts.system.binary}</p>`}
              ${one.payload.isWhole ? nothing : html`<p class="quiet">${texts.system.isCut}</p>`}
              <pre class="payload" tabindex="0" role="region" aria-labelledby="payload-title">${one.payload.text ?? one.payload.base64}</pre>`
          }`,
        )}
        ${card(texts.system.mend, this.editor(one))}`,
      )}
    </div>`;
  }

  editor(one) {
    if (session.tenant !== null && one.tenant !== null && one.tenant !== session.tenant) {
      return html`<p class="note">${texts.system.otherTenant(one.tenant)}</p>`;
    }
    return html`
      <p class="quiet">${texts.system.mendAbout}</p>
      <form class="page" @submit=${event => this.confirm(event, one)}>
        <label class="field">${texts.system.mended}
          <textarea class="code" name="payload" rows="10" required spellcheck="false" autocomplete="off" .value=${one.payload?.text ?? ''}></textarea></label>
        <div class="row">
          <label class="field">${texts.system.time}<input name="time" placeholder=${one.source.time} autocomplete="off" spellcheck="false"></label>
          <button class="main">${texts.system.resend}…</button>
        </div>
        <p class="quiet small">${texts.system.timeAbout(one.source.time)}</p>
      </form>
      ${results(this)}
      <confirm-dialog></confirm-dialog>`;
  }

  filter(event) {
    event.preventDefault();
    location.hash = query('#/system', Object.fromEntries(new FormData(event.target)));
  }

  confirm(event, one) {
    event.preventDefault();
    const given = new FormData(event.target);
    this.querySelector('confirm-dialog').ask({
      title: texts.system.resendTitle,
      button: texts.system.resend,
      body: html`<p>${texts.system.resendAbout}</p>${one.resent === null ? nothing : html`<p class="note">${texts.system.resentBefore}</p>`}`,
      act: async () => {
        const answer = await call('POST', query(`${this.path}/resend`, {time: given.get('time').trim()}), {
          text: given.get('payload'),
        });
        const sent = await answer.json();
        this.done = texts.system.sent[sent.outcome](sent);
        await this.#one.run(signal => get(this.path, signal));
      },
    });
  }

  download() {
    attempt(this, null, async () => save(await (await call('GET', '/admin/v1/diagnostics')).blob(), 'laurel-diagnostics.json'));
  }
}
customElements.define('system-page', SystemPage);

function health({status, findings}) {
  const problems = SEVERITIES.slice(0, 2).flatMap(severity => findings.filter(one => one.status === severity));
  const fine = findings.filter(one => one.status === 'ok');
  return html`
    <p class="note ${{fail: 'bad', warn: 'warn', ok: 'good'}[status]}">${texts.system.statuses[status]}</p>
    <ul class="findings">${problems.map(
      one => html`
      <li><p><span class="tag ${one.status}">${texts.system.severities[one.status]}</span> <b>${about(one)}</b> ${one.message}</p>
        ${one.fix === null ? nothing : html`<api-call .heading=${texts.system.fix} .text=${one.fix}></api-call>`}</li>`,
    )}</ul>
    ${
      fine.length === 0
        ? nothing
        : html`<details><summary>${texts.system.fine(fine.length)}</summary>
      <ul class="findings">${fine.map(one => html`<li><p><b>${about(one)}</b> ${one.message}</p></li>`)}</ul></details>`
    }`;
}

const about = ({check, subject}) => `${check}${subject === '' ? '' : ` ${subject}`}:`;

function processes({processes, generation}) {
  return html`
    <p class="quiet">${texts.system.generation(generation)}</p>
    ${table(
      texts.system.processes,
      [
        {name: texts.system.process},
        {name: texts.system.roles},
        {name: texts.system.address},
        {name: texts.system.ready},
        {name: texts.system.version},
        {name: texts.system.since},
        {name: texts.system.ruleset, isNumber: true},
      ],
      processes.map(one => [
        html`<span class="whole"><code>${one.id === null ? texts.none : one.id.slice(0, 8)}</code>${one.isAnswering ? html` <span class="tag">${texts.system.answering}</span>` : nothing}</span>`,
        html`<span class="whole">${one.roles.join(', ')}</span>`,
        html`<span class="whole">${one.address ?? one.host ?? texts.none}</span>`,
        one.ready === null ? texts.none : one.ready ? texts.yes : texts.no,
        one.version ?? texts.none,
        html`<span class="whole">${formats.dateTime(one.since)}</span>`,
        formats.count(one.rulesetVersion),
      ]),
    )}
    <p class="quiet small">${texts.system.processesAbout}</p>`;
}

function applications({applications, counters}) {
  const name = one => texts.system.applications[one.name] ?? one.name;
  return html`
    ${table(
      texts.system.partitions,
      [
        {name: texts.system.application},
        {name: texts.system.state},
        {name: texts.system.partitions, isNumber: true},
        {name: texts.system.noOwner, isNumber: true},
        {name: texts.system.lag, isNumber: true},
      ],
      applications.map(one => [
        html`<span class="whole">${name(one)}</span>`,
        one.state === 'Stable'
          ? html`<span class="whole">${texts.system.stable}</span>`
          : html`<span class="tag warn">${one.state}</span>`,
        formats.count(one.partitions.length),
        formats.count(one.partitions.filter(partition => partition.owner === null).length),
        formats.count(one.lag),
      ]),
    )}
    ${applications.map(
      one => html`<details><summary>${texts.system.partitionsOf(name(one))}</summary>
      ${table(
        texts.system.partitionsOf(name(one)),
        [
          {name: texts.system.partition},
          {name: texts.system.owner},
          {name: texts.system.copies},
          {name: texts.system.lag, isNumber: true},
        ],
        one.partitions.map(partition => [
          formats.count(partition.partition),
          partition.owner === null
            ? html`<span class="bad-text">${texts.system.noOwner}</span>`
            : html`<span class="whole"><code>${partition.owner.slice(0, 8)}</code> ${partition.ownerHost}</span>`,
          partition.copies === null || partition.copies.length === 0 ? texts.none : partition.copies.join(', '),
          formats.count(partition.lag),
        ]),
      )}</details>`,
    )}
    ${counters.length === 0 ? nothing : html`<p class="quiet">${counters.map(one => texts.system.counters(texts.system.applications[one.application] ?? one.application, one.lag)).join(' ')}</p>`}`;
}

function shortened(payload) {
  const text = payload === null ? null : (payload.text ?? payload.base64);
  return text === null ? texts.none : cut(text, SHOWN_PAYLOAD);
}

const cut = (text, length) => (text.length > length ? `${text.slice(0, length)}…` : text);

const resent = one => texts.system.resentBy(formats.dateTime(one.time), one.author.name, one.outcome);
