// One user: all that Laurel knows about the user, and what support may do.
import {Page, html, nothing, Loading, card, choice, table} from '../page.js';
import {all, call, get, json, page, query, save, session, single} from '../api.js';
import {attempt, field, named, results, secret, tick, whole} from '../parts.js';
import {formats} from '../format.js';
import texts from '../texts.js';

const PERIODS = 119;
const AWARDS = 25;
const MAX_SYSTEMS = 20;
const MAX_LEADERBOARDS = 40;
const TIMELINE = 50;
const FREEZE_CHOICES = 5;

/** The most pauses, boosts and messages that a user has. */
const MAX_OF_USER = 100;
const CHANNELS = ['email', 'push'];
const KEY_ROLES = ['viewer', 'support'];

/** An event is in the log when the API answers, and in the total a moment later. */
const MAX_LOOKS = 20;
const LOOK_MS = 150;

/** What the page reads beside the profile, one after the other as it is shown. */
const PARTS = ['preferences', 'streak', 'metrics', 'achievements', 'points', 'ranks', 'timeline', 'messages', 'keys'];

class UserPage extends Page {
  static properties = {
    userId: {},
    place: {state: true},
    done: {state: true},
    error: {state: true},
    key: {state: true},
    isErased: {state: true},
  };

  #user = new Loading(this);
  #parts = Object.fromEntries(PARTS.map(name => [name, new Loading(this)]));

  get path() {
    return `/v1/users/${encodeURIComponent(this.userId)}`;
  }

  get adminPath() {
    return `/admin${this.path}`;
  }

  willUpdate(changed) {
    if (changed.has('userId')) {
      Object.assign(this, {place: null, done: null, error: null, key: null, isErased: false});
      [this.#user, ...Object.values(this.#parts)].forEach(part => (part.value = undefined));
      this.begin();
    }
  }

  updated(changed) {
    if (changed.has('isErased') && this.isErased) {
      this.querySelector('h1').focus();
    }
  }

  async begin() {
    await this.#user.run(signal => get(this.path, signal));
    if (this.#user.value !== undefined) {
      this.load(PARTS);
    }
  }

  load(names) {
    const {path, adminPath, userId} = this;
    const timeline = (parameters, signal) => page(query(`${adminPath}/timeline`, parameters), signal);
    const read = {
      preferences: signal => get(`${path}/preferences`, signal),
      streak: async signal => {
        const [streak, pauses] = await Promise.all([
          get(query(`${path}/streak`, {historyPeriods: PERIODS}), signal),
          get(query('/admin/v1/streaks/pauses', {userIds: userId, limit: MAX_OF_USER}), signal),
        ]);
        return {...streak, pauses};
      },
      metrics: signal => get(`${path}/metrics`, signal),
      achievements: signal => get(query(`${path}/achievements`, {includeIncomplete: true}), signal),
      points: async signal => {
        const systems = (await all('/admin/v1/points')).slice(0, MAX_SYSTEMS);
        // Only the timeline has the boosts of one user: those of a points system are of all its users.
        const [{items}, ...points] = await Promise.all([
          timeline({types: 'points.boost_created', limit: MAX_OF_USER}, signal),
          ...systems.map(system => get(query(`${path}/points/${system.key}`, {awards: AWARDS}), signal)),
        ]);
        return {systems: points, boosts: items};
      },
      ranks: async signal => {
        const boards = (await get('/v1/leaderboards', signal))
          .filter(board => board.status === 'active')
          .slice(0, MAX_LEADERBOARDS);
        return Promise.all(
          boards.map(board => get(query(`${path}/leaderboards/${board.key}`, {numEvents: 0, estimate: true}), signal)),
        );
      },
      timeline: signal => timeline({limit: TIMELINE}, signal),
      messages: async signal => (await timeline({types: 'message.sent', limit: MAX_OF_USER}, signal)).items,
      keys: signal => get(query('/admin/v1/application-api-keys', {userId, limit: MAX_OF_USER}), signal),
    };
    names.forEach(name => this.#parts[name].run(read[name]));
  }

  loadOlder({items, next}) {
    this.#parts.timeline.run(async signal => {
      const older = await page(query(`${this.adminPath}/timeline`, {limit: TIMELINE, cursor: next}), signal);
      return {items: [...items, ...older.items], next: older.next};
    });
  }

  render() {
    if (this.isErased) {
      return html`<div class="page"><h1 tabindex="-1">${texts.user.erased(this.userId)}</h1><p class="note good" role="status">${texts.user.erasedAbout}</p><p><a href="#/users">${texts.user.back}</a></p></div>`;
    }
    const {streak, metrics, achievements, points, ranks, timeline, messages} = this.#parts;
    return html`
      <div class="page">
        <p><a href="#/users">${texts.user.back}</a></p>
        <div><h1 tabindex="-1">${this.#user.value?.name ?? this.userId}</h1><p class="quiet">${this.userId}${this.#user.value?.control ? html` <span class="tag">${texts.overview.controlGroup}</span>` : nothing}</p></div>
        ${this.#user.render(
          user => html`<div class="cards">
          ${this.card('profile', this.profile(user))}
          ${this.card(
            'streak',
            streak.render(value => this.streak(value)),
          )}
          ${this.card(
            'metrics',
            metrics.render(value => this.metrics(value)),
          )}
          ${this.card(
            'achievements',
            achievements.render(value => this.achievements(value)),
          )}
          ${this.card(
            'points',
            points.render(value => this.points(value)),
          )}
          ${this.card('ranks', ranks.render(rankTable))}
          ${this.card(
            'timeline',
            timeline.render(value => this.timeline(value)),
            'wide',
          )}
          ${this.card('messages', messages.render(messageTable))}
          ${this.card('account', this.account())}
        </div>`,
        )}
        <confirm-dialog></confirm-dialog>
      </div>`;
  }

  /** A card that also says what was done, or refused, in it: the page is longer than a screen. */
  card(place, content, size) {
    return card(texts.user[place], html`${content}${results(this.place === place ? this : {})}`, size);
  }

  /** Does something at once. @param parts are read again then */
  async act(place, done, send, parts) {
    this.place = place;
    await attempt(this, done, send);
    this.load(parts);
  }

  /** Asks first. `act` returns what was done. @param parts are read again then */
  ask(place, parts, {act, ...question}) {
    this.querySelector('confirm-dialog').ask({
      ...question,
      act: async given => {
        const done = await act(given);
        Object.assign(this, {place, done, error: null});
        this.load(parts);
      },
    });
  }

  // Profile and preferences.

  profile(user) {
    const {preferences} = this.#parts;
    return html`
      ${facts([
        [texts.user.email, user.email],
        [texts.user.zone, user.tz],
        [texts.user.signUpDate, user.signUpDate],
        [texts.user.created, formats.dateTime(user.created)],
        [texts.user.updated, formats.dateTime(user.updated)],
        [texts.user.emails, user.subscribeToEmails ? texts.yes : texts.no],
        [texts.user.devices, formats.count(user.deviceTokens.length)],
      ])}
      ${Object.keys(user.attributes).length === 0 ? nothing : html`<h3>${texts.user.attributes}</h3>${facts(Object.entries(user.attributes))}`}
      <h3>${texts.user.preferences}</h3>
      ${preferences.render(
        chosen => html`
        ${facts([
          ...Object.entries(texts.messages.types).map(([type, name]) => [name, channelsOf(chosen.notifications[type])]),
          [texts.user.onLeaderboards, texts.user.visibilities[visibilityOf(chosen)]],
        ])}
        ${session.may('support') ? html`<div class="row"><button @click=${() => this.askForPreferences(chosen)}>${texts.user.changePreferences}…</button></div>` : nothing}`,
      )}`;
  }

  askForPreferences(chosen) {
    const types = Object.entries(texts.messages.types);
    const before = chosen.notifications;
    const visibility = visibilityOf(chosen);
    this.ask('profile', ['preferences'], {
      title: texts.user.preferences,
      button: texts.settings.save,
      body: html`<p>${texts.user.preferencesAbout}</p>${types.map(
        ([type, name]) => html`<fieldset class="ticks"><legend>${name}</legend>
        ${CHANNELS.map(channel => tick(texts.messages.channels[channel], {name: type, value: channel, isTicked: (before[type] ?? CHANNELS).includes(channel)}))}</fieldset>`,
      )}${choice('visibility', texts.user.onLeaderboards, visibility, Object.entries(texts.user.visibilities))}<p>${texts.user.visibilityAbout}</p>`,
      act: async given => {
        const changed = types
          .map(([type]) => [type, given.getAll(type)])
          .filter(([type, channels]) => String(channels) !== String(before[type] ?? CHANNELS));
        return told(
          await json('PATCH', `${this.path}/preferences`, {
            notifications: Object.fromEntries(changed),
            ...(given.get('visibility') === visibility ? {} : {leaderboards: {visibility: given.get('visibility')}}),
          }),
          texts.user.preferencesSaved,
        );
      },
    });
  }

  // Streak, freezes and pauses.

  streak(streak) {
    const personal = this.#parts.preferences.value?.streak;
    const free = streak.freezes === undefined ? 0 : Math.min(FREEZE_CHOICES, streak.maxFreezes - streak.freezes);
    return html`
      <p>${streak.length === 0 ? texts.user.noStreak : texts.user.running(streak.length, streak.frequency, streak.started, streak.expires)}
        ${streak.freezes === undefined ? nothing : texts.user.hasFreezes(streak.freezes, streak.maxFreezes)}
        ${streak.rank === null ? nothing : texts.user.streakRank(streak.rank)}</p>
      ${calendar(streak)}
      ${personal === undefined ? nothing : html`<h3>${texts.user.personal}</h3>${facts(conditions(personal))}`}
      ${streak.pauses.length === 0 ? nothing : html`<h3>${texts.user.pauses}</h3>${this.pauses(streak)}`}
      ${
        session.may('support') && streak.periodStart !== null
          ? html`<div class="row">
        ${
          free > 0
            ? html`<form class="row" @submit=${this.grantFreezes}>
          ${choice(
            'count',
            texts.user.freezes,
            1,
            Array.from({length: free}, (_, i) => [i + 1, i + 1]),
          )}
          <button>${texts.user.grant}</button></form>`
            : nothing
        }
        <button @click=${this.restore}>${texts.user.restore}</button>
        <button @click=${this.askForPause}>${texts.user.pause}…</button></div>`
          : nothing
      }`;
  }

  pauses(streak) {
    const mayAct = session.may('support') && streak.pauses.some(pause => texts.user.endPause[stateOf(pause, streak)]);
    return table(
      texts.user.pauses,
      [
        {name: texts.user.firstDay},
        {name: texts.user.lastDay},
        {name: texts.user.state},
        ...(mayAct ? [{name: texts.user.actions}] : []),
      ],
      streak.pauses
        .toSorted((a, b) => b.start.localeCompare(a.start))
        .map(pause => {
          const state = stateOf(pause, streak);
          const question = texts.user.endPause[state];
          return [
            whole(pause.start),
            whole(pause.end),
            whole(texts.user.pauseStates[state]),
            ...(mayAct
              ? [
                  question === undefined
                    ? nothing
                    : html`<button @click=${() => this.askToEndPause(pause, question)}>${whole(`${question.button}…`)}${named({name: texts.user.range(pause.start, pause.end)})}</button>`,
                ]
              : []),
          ];
        }),
    );
  }

  grantFreezes(event) {
    event.preventDefault();
    const count = Number(new FormData(event.target).get('count'));
    const freezes = Array.from({length: count}, () => ({userId: this.userId}));
    this.act('streak', texts.user.granted(count), () => single('POST', '/admin/v1/streaks/freezes', {freezes}), ['streak']);
  }

  restore() {
    this.act('streak', texts.user.restored, () => single('POST', '/admin/v1/streaks/restore', {users: [{id: this.userId}]}), [
      'streak',
      'timeline',
    ]);
  }

  askForPause() {
    const first = this.today();
    this.ask('streak', ['streak', 'timeline'], {
      title: texts.user.planPause,
      button: texts.user.planPause,
      body: html`<p>${texts.user.pauseAbout}</p>
        ${field(texts.user.firstDay, {name: 'start', form: 'pause-', type: 'date', value: first, min: first, required: true})}
        ${field(texts.user.lastDay, {name: 'end', form: 'pause-', type: 'date', min: first, required: true})}`,
      act: async given => {
        const {start, end} = Object.fromEntries(given);
        return told(
          await single('POST', '/admin/v1/streaks/pauses', {pauses: [{userId: this.userId, start, end}]}),
          texts.user.pausePlanned(start, end),
        );
      },
    });
  }

  askToEndPause({id, start, end}, {title, about, button, done}) {
    this.ask('streak', ['streak', 'timeline'], {
      title: title(start, end),
      body: html`<p>${about}</p>`,
      button,
      isDanger: true,
      act: async () => told(await single('DELETE', query('/admin/v1/streaks/pauses', {ids: id})), done),
    });
  }

  /** The user's date as far as the page knows it: that of a daily streak, else that of UTC. */
  today() {
    const {frequency, periodStart} = this.#parts.streak.value ?? {};
    return frequency === 'daily' && periodStart ? periodStart : dateOf(Date.now());
  }

  // Totals and test events.

  metrics(metrics) {
    return metrics.length === 0
      ? none()
      : html`
      ${table(
        texts.user.metrics,
        [{name: texts.user.metric}, {name: texts.user.total, isNumber: true}],
        metrics.map(metric => [metric.name, formats.count(metric.current)]),
      )}
      ${session.may('support') ? html`<div class="row"><button @click=${() => this.askForEvent(metrics)}>${texts.user.sendEvent}…</button></div>` : nothing}`;
  }

  askForEvent(metrics) {
    this.ask('metrics', ['metrics', 'streak', 'achievements', 'points', 'ranks', 'timeline', 'messages'], {
      title: texts.user.sendEvent,
      button: texts.user.send,
      body: html`<p>${texts.user.sendEventAbout}</p>
        ${choice(
          'event-metric',
          texts.user.metric,
          metrics[0].key,
          metrics.map(metric => [metric.key, metric.name]),
        )}
        ${field(texts.user.value, {name: 'value', form: 'event-', type: 'number', step: 'any', value: 1, required: true})}`,
      act: async given => {
        const key = given.get('event-metric');
        const totalNow = async () => (await get(`${this.path}/metrics/${key}`)).current;
        const before = await totalNow();
        await single('POST', '/admin/v1/metrics/events', [{key, user: {id: this.userId}, value: Number(given.get('value'))}]);
        let total = before;
        for (let looks = 0; total === before && looks < MAX_LOOKS; looks++) {
          await new Promise(resolve => setTimeout(resolve, LOOK_MS));
          total = await totalNow();
        }
        return texts.user.eventSent(metrics.find(metric => metric.key === key).name, formats.count(before), formats.count(total));
      },
    });
  }

  // Achievements.

  achievements(list) {
    return list.length === 0
      ? none()
      : table(
          texts.user.achievements,
          [{name: texts.user.achievement}, {name: texts.user.achieved}, {name: texts.user.rarity, isNumber: true}],
          list.map(one => [
            one.achievedAt !== null
              ? one.name
              : html`${one.name}<br><span class="quiet small">${texts.achievements.conditions[one.trigger]({...one, metricValue: formats.count(one.metricValue)})}</span>`,
            one.achievedAt !== null
              ? when(one.achievedAt)
              : one.trigger === 'api' && one.leaderboardId === undefined && session.may('support')
                ? html`<button @click=${() => this.askToComplete(one)}>${whole(`${texts.user.complete}…`)}${named(one)}</button>`
                : progress(one, this.progressOf(one, list)),
            formats.share(one.rarity / 100),
          ]),
        );
  }

  /** How far an open achievement is, and its goal, if the page knows both: not of those that count only some events. */
  progressOf(one, list) {
    switch (one.trigger) {
      case 'metric':
        return one.eventAttributes.length > 0
          ? null
          : {now: this.#parts.metrics.value?.find(metric => metric.id === one.metricId)?.current, goal: one.metricValue};
      case 'streak':
        return {now: this.#parts.streak.value?.length, goal: one.streakLength};
      case 'achievement':
        return {
          now: list.filter(other => other.achievedAt !== null && one.achievementIds.includes(other.id)).length,
          goal: one.achievementIds.length,
        };
      default:
        return null;
    }
  }

  askToComplete({key, name}) {
    this.ask('achievements', ['achievements', 'points', 'ranks', 'timeline'], {
      title: texts.user.completeTitle(name),
      body: html`<p>${texts.user.completeAbout}</p>`,
      button: texts.user.complete,
      act: async () =>
        told(await json('POST', `/v1/achievements/${key}/complete`, {user: {id: this.userId}}), texts.user.completed(name)),
    });
  }

  // Points and boosts.

  points({systems, boosts}) {
    return html`
      ${systems.length === 0 ? none() : systems.map(ledger)}
      ${boosts.length === 0 ? nothing : html`<h3>${texts.user.boosts}</h3>${this.boosts(boosts)}`}
      ${systems.length > 0 && session.may('support') ? html`<div class="row"><button @click=${() => this.askForBoost(systems)}>${texts.user.boost}…</button></div>` : nothing}`;
  }

  boosts(boosts) {
    const mayAct = session.may('support');
    return table(
      texts.user.boosts,
      [
        {name: texts.user.boostName},
        {name: texts.user.multiplier, isNumber: true},
        {name: texts.user.days},
        {name: texts.user.state},
        ...(mayAct ? [{name: texts.user.actions}] : []),
      ],
      boosts.map(({points, boost}) => [
        html`${boost.name}<br><span class="quiet small">${points?.name ?? points?.key}</span>`,
        `×${formats.count(boost.multiplier)}`,
        html`${whole(boost.start)} – ${boost.end === null ? nothing : whole(boost.end)}`,
        whole(texts.statuses[boost.status]),
        ...(mayAct
          ? [
              points === undefined || boost.status === 'finished'
                ? nothing
                : html`<button @click=${() => this.askToRevoke(points, boost)}>${whole(`${texts.user.revoke}…`)}${named(boost)}</button>`,
            ]
          : []),
      ]),
    );
  }

  askForBoost(systems) {
    this.ask('points', ['points', 'timeline'], {
      title: texts.user.boost,
      button: texts.user.give,
      body: html`<p>${texts.user.boostAbout}</p>
        ${choice(
          'boost-system',
          texts.user.pointsSystem,
          systems[0].id,
          systems.map(system => [system.id, system.name]),
        )}
        ${field(texts.user.boostName, {name: 'name', form: 'boost-', required: true, maxLength: 255}, texts.user.boostNameAbout)}
        ${field(texts.user.multiplier, {name: 'multiplier', form: 'boost-', type: 'number', step: 'any', min: 0, max: 100, value: 2, required: true}, texts.user.multiplierAbout)}
        ${field(texts.user.firstDay, {name: 'start', form: 'boost-', type: 'date', value: this.today(), required: true})}
        ${field(texts.user.lastDay, {name: 'end', form: 'boost-', type: 'date'}, texts.user.openEnd)}`,
      act: async given => {
        const {name, multiplier, start, end, 'boost-system': system} = Object.fromEntries(given);
        return told(
          await single('POST', `/admin/v1/points/${system}/boosts`, [
            {name, userId: this.userId, multiplier: Number(multiplier), start, end: end || null},
          ]),
          texts.user.boostGiven(name),
        );
      },
    });
  }

  askToRevoke(points, {id, name}) {
    this.ask('points', ['points', 'timeline'], {
      title: texts.user.revokeTitle(name),
      body: html`<p>${texts.user.revokeAbout}</p>`,
      button: texts.user.revoke,
      isDanger: true,
      act: async () =>
        told(await single('DELETE', query(`/admin/v1/points/${points.id}/boosts`, {ids: id})), texts.user.boostRevoked(name)),
    });
  }

  // Timeline.

  timeline(loaded) {
    const {items, next} = loaded;
    return html`
      ${
        items.length === 0
          ? none()
          : html`<ul class="feed dated" tabindex="0" aria-label=${texts.user.timeline}>${items.map(
              entry => html`
        <li><span class="quiet small">${formats.dateTime(entry.at)}</span><span>${(texts.timeline[entry.type] ?? (() => entry.type))(entry)}${
          entry.award ? html` <span class="quiet">${reason(entry.award)}</span>` : nothing
        }</span></li>`,
            )}</ul>`
      }
      ${next === null ? nothing : html`<div class="row"><button @click=${() => this.loadOlder(loaded)}>${texts.user.older}</button></div>`}`;
  }

  // Keys and data.

  account() {
    const mayAct = session.may('support');
    return html`
      ${this.#parts.keys.render(keys =>
        keys.length === 0
          ? html`<p class="quiet">${texts.user.noKeys}</p>`
          : html`
        ${table(
          texts.settings.names['application-keys'],
          [
            {name: texts.settings.prefix},
            {name: texts.user.access},
            {name: texts.settings.created},
            {name: texts.settings.lastUsed},
          ],
          keys.map(key => [
            html`<code class="whole">${key.prefix}</code>`,
            texts.user.keyRoles[key.role],
            when(key.created),
            when(key.lastUsed),
          ]),
        )}
        <p class="small"><a href="#/settings/application-keys?user=${encodeURIComponent(this.userId)}">${texts.user.revokeKeys}</a></p>`,
      )}
      ${this.key === null ? nothing : secret(texts.settings.keyOf(this.userId), this.key, texts.settings.once)}
      ${
        mayAct
          ? html`<div class="row">
        <button @click=${this.askForKey}>${texts.user.makeKey}…</button>
        <button @click=${this.exportUser}>${texts.user.exportUser}</button>
        <button @click=${this.askToErase}>${texts.user.erase}…</button></div>`
          : nothing
      }`;
  }

  askForKey() {
    this.ask('account', ['keys'], {
      title: texts.user.makeKey,
      button: texts.settings.create,
      body: html`<p>${texts.user.makeKeyAbout}</p>${choice(
        'key-role',
        texts.user.access,
        KEY_ROLES[0],
        KEY_ROLES.map(role => [role, texts.user.keyRoles[role]]),
      )}`,
      act: async given => {
        const answer = await single('POST', '/admin/v1/application-api-keys', [
          {userId: this.userId, role: given.get('key-role')},
        ]);
        this.key = answer.created?.[0].key ?? null;
        return told(answer, texts.settings.keyCreated(this.userId));
      },
    });
  }

  exportUser() {
    this.act(
      'account',
      texts.user.exported,
      async () => save(await (await call('GET', `${this.adminPath}/export`)).blob(), `user-${this.userId}.json`),
      [],
    );
  }

  askToErase() {
    this.ask('account', [], {
      title: texts.user.eraseTitle(this.userId),
      body: html`<p>${texts.user.eraseAbout}</p>`,
      button: texts.user.erase,
      isDanger: true,
      typed: this.userId,
      act: async () => {
        await single('DELETE', query('/admin/v1/users', {ids: this.userId}));
        this.isErased = true;
        return null;
      },
    });
  }
}
customElements.define('user-page', UserPage);

const none = () => html`<p class="quiet">${texts.nothing}</p>`;
const when = time => html`<span class="when">${formats.dateTime(time)}</span>`;
const dateOf = time => new Date(time).toISOString().slice(0, 10);

/** What was done, unless it is not known yet. */
const told = (answer, done) => (answer?.pending ? texts.user.pending : done);

const facts = pairs =>
  html`<dl class="facts">${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value ?? texts.none}</dd>`)}</dl>`;

function channelsOf(channels) {
  return channels === undefined
    ? texts.user.anyChannel
    : channels.length === 0
      ? texts.user.noChannel
      : channels.map(channel => texts.messages.channels[channel]).join(', ');
}

/** The streak's conditions that the user has chosen: the account's hold for the others. */
const visibilityOf = preferences => preferences.leaderboards?.visibility ?? 'public';

function conditions({enabled, evaluationMode, metrics, daysOff}) {
  const {labels, words} = texts.forms;
  return [
    [labels.enabled, enabled === undefined ? undefined : enabled ? texts.yes : texts.no],
    [labels.evaluationMode, words.any[evaluationMode]],
    [labels.metrics, metrics?.map(({key, threshold}) => texts.user.atLeast(key, threshold)).join('; ')],
    [labels.daysOff, daysOff?.map(day => words.daysOff[day]).join(', ')],
  ].filter(([, value]) => value !== undefined);
}

/** Whether a pause concerns later periods, the current one, or earlier ones. */
function stateOf({start, end, status}, {periodStart, periodEnd}) {
  const today = dateOf(Date.now());
  return status === 'archived'
    ? 'deleted'
    : end < (periodStart ?? today)
      ? 'over'
      : start > (periodEnd ?? today)
        ? 'planned'
        : 'running';
}

/** The periods as a calendar: of days with a column for each week. */
function calendar({frequency, streakHistory}) {
  let before = 0;
  const periods = streakHistory.map((period, i) => {
    const state =
      period.resetAt !== undefined
        ? 'reset'
        : period.usedPause
          ? 'pause'
          : period.usedFreeze
            ? 'freeze'
            : period.length > (i === 0 ? period.length - 1 : before) && period.length > 0
              ? 'met'
              : 'open';
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

function progress({name}, known) {
  const {now, goal} = known ?? {};
  return now === undefined || goal <= 0
    ? texts.user.notYet
    : html`<progress max=${goal} value=${Math.max(0, now)} aria-label=${name}></progress>
    <span class="quiet small">${texts.user.progress(formats.count(now), formats.count(goal))}</span>`;
}

function ledger(system) {
  return html`
    <h3>${system.name}: ${formats.count(system.total)}${system.level ? ` · ${system.level.name}` : ''}</h3>
    ${
      system.awards.length === 0
        ? none()
        : table(
            texts.user.ledger(system.name),
            [
              {name: texts.user.at},
              {name: texts.user.awarded, isNumber: true},
              {name: texts.user.total, isNumber: true},
              {name: texts.user.reason},
            ],
            system.awards.map(award => [
              when(award.date),
              formats.difference(award.awarded),
              formats.count(award.total),
              reason(award),
            ]),
          )
    }`;
}

function reason({trigger, boosts}) {
  const text = texts.triggers[trigger.type](trigger);
  return boosts.length === 0
    ? text
    : texts.triggers.boosted(text, boosts.map(boost => `${boost.name} ×${boost.multiplier}`).join(', '));
}

function rankTable(boards) {
  return boards.length === 0
    ? none()
    : table(
        texts.user.ranks,
        [{name: texts.user.leaderboard}, {name: texts.user.rank, isNumber: true}, {name: texts.user.value, isNumber: true}],
        boards.map(({name, team, teamRank, rank, estimatedRank, value}) => [
          team ? html`${name}<br><span class="quiet small">${texts.user.inTeam(team, teamRank)}</span>` : name,
          rank === null && estimatedRank !== null ? texts.user.about(formats.count(estimatedRank)) : formats.count(rank),
          formats.count(value),
        ]),
      );
}

function messageTable(items) {
  const {counts, channels} = texts.messages;
  return html`
    ${
      items.length === 0
        ? html`<p class="quiet">${texts.user.noMessages}</p>`
        : html`
      ${table(
        texts.user.messages,
        [{name: texts.user.at}, {name: texts.user.message}, {name: texts.user.reaction}],
        items.map(({at, message}) => [
          when(at),
          message.templates.map(
            ({channel, id, name}, i) =>
              html`${i > 0 ? ', ' : nothing}${id === null ? channels[channel] : html`<a href="#/messages/${id}">${name}</a>`}`,
          ),
          [message.isOpened && counts.opened, message.isClicked && counts.clicked, message.isReturned && counts.returned]
            .filter(Boolean)
            .join(', ') || texts.none,
        ]),
      )}
      <p class="small quiet">${texts.user.messagesAbout}</p>`
    }
    <p class="small"><a href="#/webhooks">${texts.user.webhooks}</a></p>`;
}
