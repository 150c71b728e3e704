// One user: all that Laurel knows about the user, and what support may do.
import {Page, html, nothing, Loading, bad, card, choice, problem, table} from '../page.js';
import {all, get, page, query, session, single} from '../api.js';
import {formats} from '../format.js';
import texts from '../texts.js';

const PERIODS = 119;
const AWARDS = 25;
const MAX_SYSTEMS = 20;
const MAX_LEADERBOARDS = 40;
const TIMELINE = 50;
const FREEZE_CHOICES = 5;

class UserPage extends Page {

  static properties = {userId: {}, done: {state: true}, error: {state: true}, isErased: {state: true}};

  #user = new Loading(this);
  #streak = new Loading(this);
  #metrics = new Loading(this);
  #achievements = new Loading(this);
  #points = new Loading(this);
  #ranks = new Loading(this);
  #timeline = new Loading(this);

  constructor() {
    super();
    this.done = null;
    this.error = null;
    this.isErased = false;
  }

  get path() {
    return `/v1/users/${encodeURIComponent(this.userId)}`;
  }

  willUpdate(changed) {
    if (changed.has('userId')) {
      this.done = null;
      this.error = null;
      this.isErased = false;
      this.load();
    }
  }

  async load() {
    await this.#user.run(signal => get(this.path, signal));
    if (this.#user.error !== null) {
      return;
    }
    this.#streak.run(signal => get(query(`${this.path}/streak`, {historyPeriods: PERIODS}), signal));
    this.#metrics.run(signal => get(`${this.path}/metrics`, signal));
    this.#achievements.run(signal => get(query(`${this.path}/achievements`, {includeIncomplete: true}), signal));
    this.#points.run(async signal => {
      const systems = (await all('/admin/v1/points')).slice(0, MAX_SYSTEMS);
      return Promise.all(systems.map(system => get(query(`${this.path}/points/${system.key}`, {awards: AWARDS}), signal)));
    });
    this.#ranks.run(async signal => {
      const boards = (await get('/v1/leaderboards', signal)).filter(board => board.status === 'active').slice(0, MAX_LEADERBOARDS);
      return Promise.all(boards.map(board => get(query(`${this.path}/leaderboards/${board.key}`, {numEvents: 0}), signal)));
    });
    this.#timeline.run(signal => page(query(`/admin/v1/users/${encodeURIComponent(this.userId)}/timeline`, {limit: TIMELINE}), signal));
  }

  render() {
    if (this.isErased) {
      return html`<div class="page"><h1 tabindex="-1">${texts.user.erased(this.userId)}</h1><p class="note good" role="status">${texts.user.erasedAbout}</p><p><a href="#/users">${texts.user.back}</a></p></div>`;
    }
    return html`
      <div class="page">
        <p><a href="#/users">${texts.user.back}</a></p>
        <div class="head">
          <div><h1 tabindex="-1">${this.#user.value?.name ?? this.userId}</h1><p class="quiet">${this.userId}${this.#user.value?.control ? html` <span class="tag">${texts.overview.controlGroup}</span>` : nothing}</p></div>
          ${this.#user.value !== undefined && session.may('support') ? this.actions() : nothing}
        </div>
        ${this.#user.render(user => html`
          <div role="status">${this.done !== null ? html`<p class="note good">${this.done}</p>` : nothing}</div>
          ${this.error !== null ? bad(this.error) : nothing}
          <div class="cards">
            ${card(texts.user.profile, profile(user))}
            ${card(texts.user.metrics, this.#metrics.render(metricTotals))}
            ${card(texts.user.streak, this.#streak.render(streak))}
            ${card(texts.user.achievements, this.#achievements.render(achievements))}
            ${card(texts.user.points, this.#points.render(systems => systems.length === 0 ? none() : systems.map(points)))}
            ${card(texts.user.ranks, this.#ranks.render(ranks))}
            ${card(texts.user.timeline, this.#timeline.render(timeline), 'wide')}
          </div>
          ${session.may('support') ? this.eraseDialog() : nothing}`)}
      </div>`;
  }

  actions() {
    return html`<div class="row">
      <form class="row" @submit=${this.grantFreezes}>
        ${choice('count', texts.user.freezes, 1, Array.from({length: FREEZE_CHOICES}, (_, i) => [i + 1, i + 1]))}
        <button>${texts.user.grant}</button></form>
      <button @click=${this.restore}>${texts.user.restore}</button>
      <button @click=${() => this.querySelector('dialog').showModal()}>${texts.user.erase}…</button>
    </div>`;
  }

  eraseDialog() {
    return html`<dialog aria-labelledby="erase-title">
      <form method="dialog" @submit=${this.erase}>
        <h2 id="erase-title">${texts.user.eraseTitle(this.userId)}</h2>
        <p>${texts.user.eraseAbout}</p>
        <label class="field">${texts.user.eraseType(this.userId)}
          <input name="typed" autocomplete="off" spellcheck="false" required @input=${e => this.querySelector('dialog .danger').disabled = e.target.value !== this.userId}></label>
        <div class="row"><button class="danger" disabled>${texts.user.erase}</button><button type="button" @click=${() => this.querySelector('dialog').close()}>${texts.cancel}</button></div>
      </form>
    </dialog>`;
  }

  async act(done, send) {
    this.done = null;
    this.error = null;
    try {
      await send();
      this.done = done;
      await this.load();
    } catch (e) {
      this.error = problem(e);
    }
  }

  grantFreezes(event) {
    event.preventDefault();
    const count = Number(new FormData(event.target).get('count'));
    const freezes = Array.from({length: count}, () => ({userId: this.userId}));
    this.act(texts.user.granted(count), () => single('POST', '/admin/v1/streaks/freezes', {freezes}));
  }

  restore() {
    this.act(texts.user.restored, () => single('POST', '/admin/v1/streaks/restore', {users: [{id: this.userId}]}));
  }

  async erase(event) {
    if (new FormData(event.target).get('typed') !== this.userId) {
      event.preventDefault();
      return;
    }
    this.error = null;
    try {
      await single('DELETE', query('/admin/v1/users', {ids: this.userId}));
      this.isErased = true;
      await this.updateComplete;
      this.querySelector('h1').focus();
    } catch (e) {
      this.error = problem(e);
    }
  }
}
customElements.define('user-page', UserPage);

const none = () => html`<p class="quiet">${texts.nothing}</p>`;

function profile(user) {
  const facts = [
    [texts.user.email, user.email], [texts.user.zone, user.tz], [texts.user.signUpDate, user.signUpDate],
    [texts.user.created, formats.dateTime(user.created)], [texts.user.updated, formats.dateTime(user.updated)],
    [texts.user.emails, user.subscribeToEmails ? texts.yes : texts.no], [texts.user.devices, formats.count(user.deviceTokens.length)],
    ...Object.entries(user.attributes),
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value ?? texts.none}</dd>`)}</dl>`;
}

function metricTotals(metrics) {
  return metrics.length === 0 ? none() : table(texts.user.metrics, [{name: texts.user.metric}, {name: texts.user.total, isNumber: true}],
    metrics.map(metric => [metric.name, formats.count(metric.current)]));
}

function streak(streak) {
  return html`
    <p>${streak.length === 0 ? texts.user.noStreak : texts.user.running(streak.length, streak.frequency, streak.started, streak.expires)}
      ${streak.freezes === undefined ? nothing : texts.user.hasFreezes(streak.freezes, streak.maxFreezes)}
      ${streak.rank === null ? nothing : texts.user.streakRank(streak.rank)}</p>
    ${calendar(streak)}
    ${streak.pauses.length === 0 ? nothing : html`<ul>${streak.pauses.map(pause => html`<li>${texts.user.pause(pause.start, pause.end)}</li>`)}</ul>`}`;
}

/** The periods as a calendar: of days with a column for each week. */
function calendar({frequency, streakHistory}) {
  let before = 0;
  const periods = streakHistory.map((period, i) => {
    const state = period.resetAt !== undefined ? 'reset' : period.usedPause ? 'pause' : period.usedFreeze ? 'freeze'
      : period.length > (i === 0 ? period.length - 1 : before) && period.length > 0 ? 'met' : 'open';
    before = period.length;
    return {...period, state};
  });
  const isDaily = frequency === 'daily';
  const spaces = isDaily && periods.length > 0 ? (new Date(periods[0].periodStart).getUTCDay() + 6) % 7 : 0;
  return html`
    <ol class="calendar ${isDaily ? '' : 'single'}" tabindex="0" aria-label=${texts.user.calendar}>
      ${Array.from({length: spaces}, () => html`<li class="space" aria-hidden="true"></li>`)}
      ${periods.map(period => {
        const text = texts.user.day(period.periodStart, texts.user.states[period.state], period.length);
        return html`<li class=${period.state} title=${text}><span class="seen-by-readers">${text}</span></li>`;
      })}
    </ol>
    <p class="key" aria-hidden="true">${['met', 'freeze', 'pause', 'reset', 'open'].map(state => html`<span><i class=${state}></i>${texts.user.states[state]}</span>`)}</p>`;
}

function achievements(list) {
  return list.length === 0 ? none() : table(texts.user.achievements, [{name: texts.user.achievement}, {name: texts.user.achieved}, {name: texts.user.rarity, isNumber: true}],
    list.map(one => [one.name, formats.dateTime(one.achievedAt), formats.share(one.rarity / 100)]));
}

function points(system) {
  return html`
    <h3>${system.name}: ${formats.count(system.total)}${system.level ? ` · ${system.level.name}` : ''}</h3>
    ${system.awards.length === 0 ? none() : table(texts.user.ledger(system.name), [{name: texts.user.at}, {name: texts.user.awarded, isNumber: true}, {name: texts.user.total, isNumber: true}, {name: texts.user.reason}],
      system.awards.map(award => [formats.dateTime(award.date), formats.difference(award.awarded), formats.count(award.total), reason(award)]))}`;
}

function reason({trigger, boosts}) {
  const text = texts.triggers[trigger.type](trigger);
  return boosts.length === 0 ? text : texts.triggers.boosted(text, boosts.map(boost => `${boost.name} ×${boost.multiplier}`).join(', '));
}

function ranks(boards) {
  return boards.length === 0 ? none() : table(texts.user.ranks, [{name: texts.user.leaderboard}, {name: texts.user.rank, isNumber: true}, {name: texts.user.value, isNumber: true}],
    boards.map(board => [board.name, formats.count(board.rank), formats.count(board.value)]));
}

function timeline({items}) {
  return items.length === 0 ? none() : html`<ul class="feed" tabindex="0" aria-label=${texts.user.timeline}>${items.map(entry => html`
    <li><span class="quiet small">${formats.dateTime(entry.at)}</span><span>${(texts.timeline[entry.type] ?? (() => entry.type))(entry)}${entry.award
      ? html` <span class="quiet">${reason(entry.award)}</span>` : nothing}</span></li>`)}</ul>`;
}
