// What if: drafts of rules, replays of everything that has happened under them, and what would come out.
import {Page, html, nothing, Loading, bad, card, table, unsaved} from '../page.js';
import {get, json, query, saveCsv, session} from '../api.js';
import {attempt, results} from '../parts.js';
import {EditedRuleset, differences} from '../edited-ruleset.js';
import {formats} from '../format.js';
import texts from '../texts.js';
import '../chart.js';

const PATH = '/admin/v1/replays';
const POLL_MS = 1000;
const NO_ENTRY = '(none)';
const MOVES = 20;
const MAX_CHARTS = 12;

/** The columns of reports that a draft may change. */
const PER_PERIOD = {points: ['awarded', 'taken'], achievements: ['completions'], streaks: ['started', 'extended', 'lost']};

const isActive = replay => replay.state === 'queued' || replay.state === 'running';

class WhatIfPage extends Page {
  static properties = {
    replayId: {},
    parameters: {attribute: false},
    done: {state: true},
    error: {state: true},
    isBusy: {state: true},
    isCopied: {state: true},
  };

  #rules = new EditedRuleset(this);
  #list = new Loading(this);
  #one = new Loading(this);
  #report = new Loading(this);
  #timer;

  constructor() {
    super();
    this.reset();
  }

  reset() {
    this.done = null;
    this.error = null;
    this.isBusy = false;
    this.isCopied = false;
  }

  get path() {
    return `${PATH}/${encodeURIComponent(this.replayId)}`;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => this.poll(), POLL_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    unsaved.release(this);
  }

  willUpdate(changed) {
    if (changed.has('replayId')) {
      this.reset();
      this.#one.value = undefined;
      this.#report.value = undefined;
      this.load();
    }
  }

  updated(changed) {
    if (this.replayId === null && session.may('editor') && (changed.has('replayId') || changed.has('parameters'))) {
      this.begin();
    }
  }

  /** Fills the draft with the rules in force, or with those of another replay. */
  async begin() {
    unsaved.release(this);
    const from = this.parameters.get('from');
    await attempt(this, null, async () => {
      await this.#rules.loadSchema();
      const ruleset = await get(from ? `${PATH}/${encodeURIComponent(from)}/ruleset` : '/admin/v1/ruleset');
      await this.updateComplete;
      if (this.replayId === null && this.isConnected) {
        this.#rules.text = this.#rules.asText(ruleset);
        this.#rules.changed(false);
      }
    });
  }

  beginAgain() {
    if (this.parameters.has('from')) {
      unsaved.release(this);
      location.hash = '#/what-if';
    } else {
      this.begin();
    }
  }

  edited() {
    unsaved.hold(this);
    this.#rules.changed(false);
  }

  async load() {
    if (this.replayId === null) {
      await this.#list.run(signal => get(PATH, signal));
      return;
    }
    await this.#one.run(signal => get(this.path, signal));
    if (this.#one.value?.state === 'finished' && this.#report.value === undefined) {
      this.#report.run(async signal => {
        const [report, rules] = await Promise.all([
          get(query(`${this.path}/report`, {users: 'largest'}), signal),
          get(`${this.path}/ruleset`, signal),
        ]);
        return {report, rules, charts: chartsOf(report, rules)};
      });
    }
  }

  poll() {
    const shown = this.replayId === null ? (this.#list.value ?? []) : this.#one.value === undefined ? [] : [this.#one.value];
    if (shown.some(isActive)) {
      this.load();
    }
  }

  render() {
    return this.replayId === null ? this.list() : this.one();
  }

  list() {
    return html`<div class="page">
      <div><h1 tabindex="-1">${texts.pages['what-if']}</h1><p class="quiet">${texts.whatIf.about}</p></div>
      ${
        session.may('editor')
          ? html`<section class="card" aria-label=${texts.whatIf.draft}>
        <div class="title"><h2>${texts.whatIf.draft}</h2><p class="small quiet">${texts.rules.keys}</p></div>
        <form class="part" @submit=${this.start}>
          <label class="field">${texts.whatIf.name}<input name="name" maxlength="100" autocomplete="off" placeholder=${texts.whatIf.nameExample}></label>
          ${this.#rules.render(texts.whatIf.rules, false, this.edited)}
          ${results(this)}
          ${this.#rules.bar(
            false,
            html`<button type="button" @click=${this.beginAgain}>${texts.whatIf.again}</button>
            <button class="main" ?disabled=${this.isBusy || this.#rules.problems > 0}>${texts.whatIf.start}</button>`,
          )}
        </form></section>`
          : results(this)
      }
      ${card(
        texts.whatIf.replays,
        this.#list.render(list =>
          list.length === 0
            ? html`<p class="quiet">${texts.whatIf.none}</p>`
            : table(
                texts.whatIf.replays,
                [
                  {name: texts.whatIf.name},
                  {name: texts.whatIf.state},
                  {name: texts.whatIf.result},
                  {name: texts.whatIf.author},
                  {name: texts.whatIf.created},
                ],
                list.map(one => [
                  html`<a href="#/what-if/${one.id}">${one.name}</a>`,
                  stateOf(one),
                  resultOf(one),
                  one.author?.name ?? texts.none,
                  formats.dateTime(one.createdAt),
                ]),
              ),
        ),
      )}
    </div>`;
  }

  async start(event) {
    event.preventDefault();
    const {ruleset} = this.#rules;
    if (ruleset === undefined) {
      return; // It is marked in the text.
    }
    this.error = null;
    this.isBusy = true;
    try {
      const name = new FormData(event.target).get('name').trim();
      const started = await json('POST', PATH, {name: name === '' ? null : name, ruleset});
      unsaved.release(this);
      location.hash = `#/what-if/${started.id}`;
    } catch (e) {
      this.#rules.refused(e);
    }
    this.isBusy = false;
  }

  one() {
    const replay = this.#one.value;
    return html`<div class="page">
      <p><a href="#/what-if">${texts.whatIf.back}</a></p>
      <div class="head">
        <div><h1 tabindex="-1">${replay?.name ?? texts.waiting}</h1>
          ${replay ? html`<p class="quiet">${texts.whatIf.origin(replay.author?.name, formats.dateTime(replay.createdAt), replay.baseVersion)}</p>` : nothing}</div>
        ${replay ? this.actions(replay) : nothing}
      </div>
      ${results(this)}
      ${this.#one.render(
        () => html`
        <div class="row"><p role="status"><span class="tag">${texts.whatIf.states[replay.state]}</span></p></div>
        ${isActive(replay) ? card(texts.whatIf.progress, progressOf(replay)) : nothing}
        ${replay.error !== null ? bad(replay.error) : nothing}
        ${replay.state === 'finished' ? this.#report.render(value => this.report(value)) : nothing}`,
      )}
      <confirm-dialog></confirm-dialog>
    </div>`;
  }

  actions(replay) {
    const isEditor = session.may('editor');
    return html`<div class="row">
      ${navigator.clipboard ? html`<button @click=${this.share}>${this.isCopied ? texts.copied : texts.whatIf.share}</button>` : nothing}
      ${replay.state === 'finished' ? html`<button @click=${this.save}>${texts.whatIf.csv}</button>` : nothing}
      ${
        isEditor
          ? html`<a class="button" href="#/what-if?from=${encodeURIComponent(replay.id)}">${texts.whatIf.continue}</a>
        <button @click=${this.cancelOrDelete} ?disabled=${this.isBusy}>${isActive(replay) ? texts.cancel : texts.whatIf.delete}</button>`
          : nothing
      }
      ${isEditor && session.current.tenant === null && replay.state === 'finished' ? html`<button class="main" @click=${this.compare}>${texts.whatIf.promote}…</button>` : nothing}
    </div>`;
  }

  async share() {
    await navigator.clipboard.writeText(location.href);
    this.isCopied = true;
    setTimeout(() => (this.isCopied = false), 2000);
  }

  async save() {
    await this.act(() => saveCsv(`${this.path}/report`, 'replay'));
  }

  async cancelOrDelete() {
    await this.act(async () => {
      const wasActive = isActive(this.#one.value);
      const replay = await json('DELETE', this.path);
      if (wasActive && replay.state === 'cancelled') {
        await this.load();
      } else {
        location.hash = '#/what-if';
      }
    });
  }

  async act(send) {
    this.isBusy = true;
    await attempt(this, null, send);
    this.isBusy = false;
  }

  async compare() {
    await this.act(async () => {
      const {from, changes} = await json('POST', '/admin/v1/ruleset/diff', await get(`${this.path}/ruleset`));
      if (changes.length === 0) {
        this.done = texts.whatIf.noChange;
        return;
      }
      await this.querySelector('confirm-dialog').ask({
        title: texts.whatIf.promoteTitle,
        button: texts.whatIf.promote,
        body: html`<p>${texts.whatIf.promoteAbout(from)}</p>${differences(texts.rules.changes, changes)}`,
        act: () => this.promote(from),
      });
    });
  }

  async promote(baseVersion) {
    const applied = await json('POST', `${this.path}/promote`, {baseVersion});
    this.done = applied.pending ? texts.whatIf.pending : texts.whatIf.promoted(applied.version);
  }

  report({report, rules, charts}) {
    const {totals} = report;
    const names = namesOf(rules);
    const {gains, losses} = moves(report.users, names);
    const achievements = Object.entries(totals.achievements);
    const boards = Object.entries(totals.leaderboards);
    const gained = [
      ...achievements.map(([key, {gained, lost}]) => [names('achievements', key), texts.whatIf.kinds.achievement, gained, lost]),
      ...(totals.streaks.begun + totals.streaks.longer + totals.streaks.gone + totals.streaks.shorter > 0
        ? [
            [
              texts.whatIf.streak,
              texts.whatIf.kinds.streak,
              totals.streaks.begun + totals.streaks.longer,
              totals.streaks.gone + totals.streaks.shorter,
            ],
          ]
        : []),
      ...boards.map(([key, {entered, left}]) => [names('leaderboards', key), texts.whatIf.kinds.place, entered, left]),
    ];
    const sums = [
      ...Object.entries(totals.points).map(([key, sum]) => [names('points', key), texts.whatIf.kinds.points, sum]),
      ...Object.entries(totals.metrics).map(([key, sum]) => [names('metrics', key), texts.whatIf.kinds.metric, sum]),
    ];
    const number = name => ({name, isNumber: true});
    return html`
      <dl class="figures">
        <div><dt>${texts.whatIf.users}</dt><dd>${formats.count(totals.users)}</dd></div>
        <div><dt>${texts.whatIf.different}</dt><dd>${formats.count(totals.different)}</dd></div>
        <div><dt>${texts.whatIf.shareOfUsers}</dt><dd>${formats.share(totals.users === 0 ? null : totals.different / totals.users)}</dd></div>
        <div><dt>${texts.whatIf.onlyOtherRank}</dt><dd>${formats.count(totals.onlyOtherRank)}</dd></div>
      </dl>
      ${report.notes.map(note => html`<p class="note">${note}</p>`)}
      ${report.notCompared > 0 ? html`<p class="note">${texts.whatIf.notCompared(report.notCompared)}</p>` : nothing}
      <div class="cards">
        ${card(texts.whatIf.who, [
          about(texts.whatIf.whoAbout),
          gained.length === 0
            ? none()
            : table(
                texts.whatIf.who,
                [{name: texts.whatIf.what}, {name: texts.whatIf.kind}, number(texts.whatIf.gain), number(texts.whatIf.lose)],
                gained.map(([name, kind, gain, lose]) => [name, kind, formats.count(gain), formats.count(lose)]),
              ),
        ])}
        ${card(texts.whatIf.totals, [
          about(texts.whatIf.totalsAbout),
          sums.length === 0
            ? none()
            : table(
                texts.whatIf.totals,
                [
                  {name: texts.whatIf.what},
                  number(texts.whatIf.now),
                  number(texts.whatIf.then),
                  number(texts.whatIf.change),
                  number(texts.whatIf.changedUsers),
                ],
                sums.map(([name, kind, {before, after, users}]) => [
                  html`${name} <span class="quiet">${kind}</span>`,
                  formats.count(before),
                  formats.count(after),
                  formats.difference(after - before),
                  formats.count(users),
                ]),
              ),
        ])}
        ${
          totals.levels.length === 0
            ? nothing
            : card(texts.whatIf.levels, [
                about(texts.whatIf.levelsAbout),
                table(
                  texts.whatIf.levels,
                  [
                    {name: texts.whatIf.what},
                    {name: texts.whatIf.now},
                    {name: texts.whatIf.then},
                    number(texts.whatIf.changedUsers),
                  ],
                  totals.levels.map(level => [
                    names('points', level.pointsSystem),
                    level.before ?? texts.none,
                    level.after ?? texts.none,
                    formats.count(level.users),
                  ]),
                ),
              ])
        }
        ${card(texts.whatIf.gains, [about(texts.whatIf.movesAbout), movesTable(texts.whatIf.gains, gains)])}
        ${card(texts.whatIf.losses, [about(texts.whatIf.movesAbout), movesTable(texts.whatIf.losses, losses)])}
        ${charts.map(
          ({heading, about, chart}) => html`
          <report-chart .heading=${heading} .about=${about} .chart=${chart} .csv=${`${this.path}/report`}></report-chart>`,
        )}
      </div>
      <p class="quiet small">${texts.whatIf.basis(report.records === undefined ? null : formats.count(report.records), formats.dateTime(report.at))}</p>`;
  }
}
customElements.define('what-if-page', WhatIfPage);

const none = () => html`<p class="quiet">${texts.whatIf.nobody}</p>`;

const about = text => html`<p class="quiet small">${text}</p>`;

function stateOf(replay) {
  return replay.state === 'running' && replay.progress !== null
    ? html`${texts.whatIf.states.running}: ${texts.whatIf.steps[replay.progress.step] ?? replay.progress.step} ${formats.share(replay.progress.share)}`
    : texts.whatIf.states[replay.state];
}

function resultOf({result}) {
  return result === null ? texts.none : texts.whatIf.changedOf(formats.count(result.different), formats.count(result.users));
}

function progressOf({state, progress}) {
  if (state === 'queued' || progress === null) {
    return html`<p>${state === 'queued' ? texts.whatIf.waits : texts.whatIf.begins}</p>`;
  }
  const step = texts.whatIf.steps[progress.step] ?? progress.step;
  return html`<label class="field">${step}<progress max="1" .value=${progress.share}></progress></label>
    <p class="quiet">${progress.done === null ? formats.share(progress.share) : texts.whatIf.done(formats.count(progress.done), formats.count(progress.total), progress.unit)}${progress.secondsLeft === null ? nothing : texts.whatIf.left(formats.count(progress.secondsLeft))}</p>`;
}

/** Names of objects in the draft. Keys have the tenant before them where there are tenants. */
function namesOf(rules) {
  return (kind, key) => {
    const own = key.split('/').pop();
    return rules[kind]?.[own]?.name ?? own;
  };
}

/** What the users with the largest differences gain and lose, the largest first. Ranks depend on others. */
function moves(users, names) {
  const all = users.flatMap(({user, differences}) =>
    differences
      .filter(one => one.kind === 'points' || one.kind === 'achievement' || one.kind === 'streak')
      .map(one => ({
        user,
        ...one,
        by: one.after - one.before,
        what: one.kind === 'streak' ? texts.whatIf.streak : names(one.kind === 'points' ? 'points' : 'achievements', one.key),
      })),
  );
  return {gains: all.filter(one => one.by > 0).slice(0, MOVES), losses: all.filter(one => one.by < 0).slice(0, MOVES)};
}

function movesTable(caption, rows) {
  const shown = (one, value) => (one.kind === 'achievement' ? (value === 1 ? texts.yes : texts.no) : formats.count(value));
  return rows.length === 0
    ? none()
    : table(
        caption,
        [
          {name: texts.overview.top.user},
          {name: texts.whatIf.what},
          {name: texts.whatIf.now, isNumber: true},
          {name: texts.whatIf.then, isNumber: true},
        ],
        rows.map(one => [
          html`<a href="#/users/${encodeURIComponent(one.user)}">${one.user}</a>`,
          one.what,
          shown(one, one.before),
          shown(one, one.after),
        ]),
      );
}

/** Made once, so that they are not drawn again whenever something else on the page changes. */
function chartsOf(report, rules) {
  const names = namesOf(rules);
  return [...pointsChanges(report.totals, names), ...distributions(report, names, rules), ...series(report, names)];
}

/** How many users get how many points more or less, by ranges of the change. */
function pointsChanges(totals, names) {
  return Object.entries(totals.points)
    .filter(([, {changes}]) => changes?.length > 0)
    .map(([key, {changes}]) => ({
      heading: texts.whatIf.pointsChanges(names('points', key)),
      about: texts.whatIf.pointsChangesAbout,
      chart: {
        periods: changes.map(rangeOf),
        periodName: texts.whatIf.change,
        kind: 'bar',
        format: 'count',
        series: [{name: texts.whatIf.changedUsers, values: changes.map(({users}) => users)}],
      },
    }));
}

/** From the change that is nearest to zero on. */
function rangeOf({from, to}) {
  const [low, high] = from < 0 ? [to, from] : [from, to];
  return low === high ? formats.difference(low) : texts.whatIf.range(formats.difference(low), formats.difference(high));
}

/** Where users are on both sides, of levels and of achievements that one metric leads to, if that differs. */
function distributions(report, names, rules) {
  return report.counts
    .flatMap(({series}) => [
      ...Map.groupBy(
        series.filter(one => one.entry !== null),
        one => `${one.column} ${one.object}`,
      ).values(),
    ])
    .filter(entries => entries.some(one => !one.equal))
    .map(entries => {
      const [{column, object}] = entries;
      const isLevel = column === 'usersByLevel';
      const nameOf = entry =>
        entry === NO_ENTRY
          ? texts.whatIf.noEntry
          : ((isLevel ? rules.points?.[object]?.levels?.[entry]?.name : rules.achievements?.[entry]?.name) ?? entry);
      return {
        heading: texts.whatIf.distributions[column](names(isLevel ? 'points' : 'metrics', object)),
        about: texts.whatIf.distributionAbout,
        chart: {
          periods: entries.map(({entry}) => nameOf(entry)),
          periodName: isLevel ? texts.whatIf.level : texts.whatIf.kinds.achievement,
          kind: 'bar',
          format: 'count',
          series: bothSides(side => entries.map(one => one[side]?.total ?? 0)),
        },
      };
    });
}

/** The series of both sides that differ, the largest changes first. */
function series(report, names) {
  return report.counts
    .flatMap(({periods, granularity, series}) =>
      series
        .filter(one => !one.equal && PER_PERIOD[one.report]?.includes(one.column))
        .map(one => ({
          by: Math.abs((one.after?.total ?? 0) - (one.before?.total ?? 0)),
          heading: texts.whatIf.series[one.column](names(one.report, one.object)),
          about: texts.whatIf.seriesAbout,
          chart: {
            periods,
            periodName: texts.whatIf.periods[granularity],
            kind: 'line',
            format: 'count',
            series: bothSides(side => one[side]?.numbers ?? []),
          },
        })),
    )
    .sort((a, b) => b.by - a.by)
    .slice(0, MAX_CHARTS);
}

const bothSides = values => [
  {name: texts.whatIf.now, values: values('before')},
  {name: texts.whatIf.then, values: values('after')},
];
