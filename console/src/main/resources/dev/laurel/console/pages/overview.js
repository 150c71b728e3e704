// The overview: how many users, how active, whether they stay, what the rules change, and what happens now.
import {svg} from 'lit';
import {Page, html, nothing, Loading, choice, table} from '../page.js';
import {all, follow, headerText, query, report, session} from '../api.js';
import {formats, sum} from '../format.js';
import texts from '../texts.js';
import '../chart.js';

const WINDOWS = [7, 30, 90, 365];
const OWN_DATES = 'dates';
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const GRANULARITIES = ['day', 'week', 'month'];
const CONTROL = 'control';
const TOP_USERS = 10;
const IMPACT_DAYS = 14;
const MAX_FEED = 60;
const REFRESH_MS = 60_000;

/** The time after which a report has counted what happened. */
const COUNTED_MS = 1500;
const DAY_MS = 24 * 3600 * 1000;

class OverviewPage extends Page {
  static properties = {parameters: {attribute: false}};

  #rules = new Loading(this);
  #now = new Loading(this);
  #reports = Object.fromEntries(
    ['active-users', 'events', 'engagement', 'retention', 'impact', 'top-users'].map(name => [name, new Loading(this)]),
  );
  #timer;

  connectedCallback() {
    super.connectedCallback();
    this.#rules.run(async () => {
      const [attributes, metrics] = await Promise.all([all('/admin/v1/attributes'), all('/admin/v1/metrics')]);
      return {segments: attributes.filter(attribute => attribute.type === 'user' && attribute.analytics), metrics};
    });
    this.#timer = setInterval(() => document.hidden || this.load(), REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  /** What the address asks for, which makes every view a link. */
  get asked() {
    const days = Number(this.parameters.get('days'));
    const dates = ['from', 'to'].map(name => this.parameters.get(name));
    const hasDates = this.parameters.get('days') === OWN_DATES && dates.every(date => DATE.test(date)) && dates[0] <= dates[1];
    const [from, to] = hasDates ? dates : [daysAgo(WINDOWS.includes(days) ? days : 30), ''];
    return {
      from,
      to,
      days: hasDates ? OWN_DATES : WINDOWS.includes(days) ? days : 30,
      granularity: GRANULARITIES.includes(this.parameters.get('granularity')) ? this.parameters.get('granularity') : 'day',
      segmentBy: this.parameters.get('segment') ?? '',
      metric: this.parameters.get('metric') ?? '',
      range: this.parameters.get('top') === 'all' ? 'all' : '30d',
    };
  }

  /** The parameters of the report. */
  of(name) {
    const {from, to, granularity, segmentBy, metric, range} = this.asked;
    const ofMetric = ['events', 'engagement', 'retention'].includes(name) ? metric : '';
    return name === 'top-users'
      ? {range, metric, limit: TOP_USERS}
      : name === 'impact'
        ? {from, to, days: Math.max(1, Math.min(IMPACT_DAYS, Math.round((Date.now() - Date.parse(from)) / DAY_MS) - 1))}
        : {from, to, granularity, segmentBy, metric: ofMetric};
  }

  willUpdate(changed) {
    if (changed.has('parameters')) {
      this.load();
    }
  }

  load() {
    this.#now.run(signal =>
      Promise.all(['active-users', 'events'].map(name => report(name, {from: this.asked.from, to: this.asked.to}, signal))),
    );
    for (const [name, loading] of Object.entries(this.#reports)) {
      loading.run(async signal => ({...(await report(name, this.of(name), signal)), asked: this.asked}));
    }
  }

  change(name, value) {
    const {from, to} = this.asked;
    const parameters = new URLSearchParams(this.parameters);
    parameters.set(name, value);
    if (value === OWN_DATES) {
      parameters.set('from', from);
      parameters.set('to', to || daysAgo(1));
    }
    location.hash = `#/overview?${parameters}`;
  }

  render() {
    const [active, events] = (this.#now.value ?? []).map(value => value.series[0]);
    const isFresh = active !== undefined && active.totalUsers.at(-1) === 0 && sum(events.events) === 0;
    return html`
      <div class="page">
        <div class="head"><h1 tabindex="-1">${texts.pages.overview}</h1>${isFresh ? nothing : this.filters()}</div>
        ${
          this.#now.error !== null
            ? this.#now.render()
            : isFresh
              ? html`<first-calls .metric=${this.#rules.value?.metrics[0]?.key} @live=${this.load}></first-calls><live-feed></live-feed>`
              : this.figures(active, events)
        }
        ${isFresh ? nothing : this.cards()}
      </div>`;
  }

  cards() {
    return html`
        <div class="cards">
          ${this.chart('active-users', 'activeUsers', value =>
            value.asked.segmentBy === ''
              ? ['dau', 'wau', 'mau'].map(column => ({name: texts.overview.columns[column], values: value.series[0][column]}))
              : this.bySegment(value, 'dau'),
          )}
          ${this.chart('active-users', 'newUsers', value => this.bySegment(value, 'newUsers'), {kind: 'bar', isStacked: true})}
          ${this.chart('active-users', 'stickiness', value => this.bySegment(value, 'stickiness'), {format: 'share'})}
          ${this.chart('events', 'events', value => this.bySegment(value, 'events'), {kind: 'bar', isStacked: true})}
          ${this.retention()}
          ${this.chart('engagement', 'engagement', value =>
            value.asked.segmentBy === ''
              ? ['engagement', 'earlyEngagement'].flatMap(column => this.bySegment(value, column, texts.overview.columns[column]))
              : this.bySegment(value, 'engagement'),
          )}
          ${this.impact()}
          ${this.topUsers()}
          <live-feed class="wide"></live-feed>
        </div>`;
  }

  filters() {
    const {from, to, days, granularity, segmentBy, metric} = this.asked;
    const {segments, metrics} = this.#rules.value ?? {segments: [], metrics: []};
    const filter = (name, label, value, options) => choice(name, label, value, options, chosen => this.change(name, chosen));
    return html`<form class="row" aria-label=${texts.overview.filters} @submit=${e => e.preventDefault()}>
      ${filter('days', texts.overview.window, days, [...WINDOWS.map(one => [one, texts.overview.lastDays(one)]), [OWN_DATES, texts.overview.ownDates]])}
      ${
        days !== OWN_DATES
          ? nothing
          : Object.entries({from, to}).map(
              ([name, date]) => html`<div class="field"><label for=${name}>${texts.overview[name]}</label>
        <input type="date" id=${name} .value=${date} required @change=${e => e.target.value && this.change(name, e.target.value)}></div>`,
            )
      }
      ${filter(
        'granularity',
        texts.overview.granularity,
        granularity,
        GRANULARITIES.map(one => [one, texts.overview.granularities[one]]),
      )}
      ${filter('segment', texts.overview.segment, segmentBy, [['', texts.overview.allUsers], [CONTROL, texts.overview.controlGroup], ...segments.map(one => [one.key, one.name])])}
      ${filter('metric', texts.overview.metric, metric, [['', texts.overview.allMetrics], ...metrics.map(one => [one.key, one.name])])}
    </form>`;
  }

  /** Without values while they are loaded, so that nothing moves when they come. */
  figures(active, events) {
    const figure = (name, value, format = 'count') =>
      html`<div><dt>${texts.overview.figures[name]}</dt><dd>${formats[format](value)}</dd></div>`;
    const isPast = this.asked.to !== '' && this.asked.to < daysAgo(1);
    return html`<dl class="figures">
      ${figure('totalUsers', active?.totalUsers.at(-1))}
      ${figure('newUsers', active && sum(active.newUsers))}
      ${figure(isPast ? 'lastDay' : 'dau', active?.dau.at(-1))}
      ${figure('wau', active?.wau.at(-1))}
      ${figure('mau', active?.mau.at(-1))}
      ${figure('stickiness', active?.stickiness.at(-1), 'share')}
      ${figure('events', events && sum(events.events))}
    </dl>`;
  }

  /** One series for each segment. @param name what the only one is called, if there are no segments */
  bySegment(value, column, name = texts.overview.columns[column]) {
    const {segmentBy, metric} = value.asked;
    return value.series
      .filter(one => value.report === 'active-users' || (one.metric ?? '') === metric)
      .map(one => ({name: segmentBy === '' ? name : segmentName(one.segment, segmentBy), values: one[column]}));
  }

  chart(name, title, series, {kind = 'line', format = 'count', isStacked = false} = {}) {
    const loading = this.#reports[name];
    const chart = drawn(loading.value, title, value => ({
      periods: value.periods,
      periodName: texts.overview.period,
      series: series(value),
      kind,
      format,
      isStacked,
    }));
    return html`<report-chart .heading=${texts.overview.charts[title].heading} .about=${texts.overview.charts[title].about}
      .chart=${chart} .error=${loading.error} .csv=${query(`/admin/v1/analytics/${name}`, this.of(name))}></report-chart>`;
  }

  retention() {
    const loading = this.#reports.retention;
    const chart = drawn(loading.value, 'retention', value => {
      const shares = value.series.flatMap(one =>
        value.asked.segmentBy === ''
          ? ['exact', 'rolling'].map(column => ({name: texts.overview.columns[column], values: averages(one, column)}))
          : [{name: segmentName(one.segment, value.asked.segmentBy), values: averages(one, 'rolling')}],
      );
      const last = Math.max(1, ...shares.map(one => one.values.findLastIndex(share => share !== null)));
      return {
        periods: Array.from({length: last + 1}, (_, n) => String(n)),
        periodName: texts.overview.dayAfter,
        kind: 'line',
        format: 'share',
        series: shares.map(one => ({...one, values: one.values.slice(0, last + 1)})),
      };
    });
    return html`<report-chart .heading=${texts.overview.charts.retention.heading} .about=${texts.overview.charts.retention.about}
      .chart=${chart} .error=${loading.error} .csv=${query('/admin/v1/analytics/retention', this.of('retention'))}></report-chart>`;
  }

  impact() {
    return html`<section class="card" aria-label=${texts.overview.impact.heading}>
      <h2>${texts.overview.impact.heading}</h2>
      ${this.#reports.impact.render(
        ({series: [one]}) => html`
        <p class="quiet small">${texts.overview.impact.about(one.days)}</p>
        ${table(
          texts.overview.impact.heading,
          [
            {name: texts.overview.impact.figure},
            {name: texts.overview.treatment, isNumber: true},
            {name: texts.overview.controlGroup, isNumber: true},
            {name: texts.overview.impact.lift, isNumber: true},
            {name: texts.overview.impact.interval, isNumber: true},
          ],
          [
            [texts.overview.impact.users, formats.count(one.treatmentUsers), formats.count(one.controlUsers), '', ''],
            [
              texts.overview.impact.retention,
              formats.share(one.treatmentRetention),
              formats.share(one.controlRetention),
              formats.change(one.lift),
              interval(one.interval, formats.change),
            ],
            [
              texts.overview.impact.engagement,
              formats.count(one.treatmentEngagement),
              formats.count(one.controlEngagement),
              formats.change(one.engagementLift),
              interval(one.engagementInterval, formats.difference),
            ],
          ],
        )}
        <p class="note">${one.note ?? texts.overview.impact.verdicts[one.significant ? (one.interval[0] > 0 ? 'more' : 'less') : 'none']}</p>`,
      )}
    </section>`;
  }

  topUsers() {
    const {range, metric} = this.asked;
    const name = this.#rules.value?.metrics.find(one => one.key === metric)?.name ?? texts.overview.columns.events;
    return html`<section class="card" aria-label=${texts.overview.top.heading}>
      <div class="title"><h2>${texts.overview.top.heading}</h2>
        ${choice(
          'top',
          texts.overview.top.range,
          range,
          ['30d', 'all'].map(one => [one, texts.overview.top.ranges[one]]),
          chosen => this.change('top', chosen),
        )}</div>
      ${this.#reports['top-users'].render(({series: [one]}) =>
        one.id.length === 0
          ? html`<p class="quiet">${texts.overview.top.nobody}</p>`
          : table(
              texts.overview.top.heading,
              [{name: texts.overview.top.user}, {name, isNumber: true}],
              one.id.map((id, i) => [
                html`<a href="#/users/${encodeURIComponent(id)}">${one.name[i] ?? id}</a>`,
                formats.count(one.value[i]),
              ]),
            ),
      )}
    </section>`;
  }
}
customElements.define('overview-page', OverviewPage);

/** Charts by their report, so that one is drawn again only when its report is another one. */
const known = new WeakMap();

function drawn(report, title, draw) {
  if (report === undefined) {
    return undefined;
  }
  const charts = known.get(report) ?? known.set(report, {}).get(report);
  return (charts[title] ??= draw(report));
}

function daysAgo(days) {
  return new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

function segmentName(segment, segmentBy) {
  const value = segment[segmentBy];
  if (segmentBy === CONTROL) {
    return value ? texts.overview.controlGroup : texts.overview.treatment;
  }
  const none = texts.overview.noValue;
  // A value that looks like the name of those without one gets a backslash, as in tables of the command.
  return value === null ? none : value.endsWith(none) && /^\\*$/.test(value.slice(0, -none.length)) ? `\\${value}` : value;
}

/** The share of each day over all cohorts that have got there, weighted by their sizes. */
function averages(series, column) {
  const {size, [column]: cohorts} = series;
  return (cohorts[0] ?? []).map((_, n) => {
    let users = 0;
    let stayed = 0;
    cohorts.forEach((shares, i) => {
      if (shares[n] !== null && size[i] > 0) {
        users += size[i];
        stayed += size[i] * shares[n];
      }
    });
    return users === 0 ? null : stayed / users;
  });
}

/** An interval in figures, and drawn around zero. */
function interval(bounds, format) {
  if (bounds === null || bounds === undefined) {
    return texts.none;
  }
  const [low, high] = bounds;
  const reach = Math.max(Math.abs(low), Math.abs(high), Number.MIN_VALUE) * 1.1;
  const x = value => 50 + (50 * value) / reach;
  return html`${texts.overview.impact.between(format(low), format(high))}
    <svg class="range" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${svg`
      <line class="zero" x1="50" x2="50" y1="0" y2="10" vector-effect="non-scaling-stroke"/>
      <line x1=${x(low)} x2=${x(high)} y1="5" y2="5" stroke="currentColor" stroke-width="3" vector-effect="non-scaling-stroke"/>`}</svg>`;
}

/** What happens right now. */
class LiveFeed extends Page {
  static properties = {effects: {state: true}, isFollowing: {state: true}, isPaused: {state: true}};

  #abort = null;

  constructor() {
    super();
    this.effects = [];
    this.isFollowing = false;
    this.isPaused = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#abort = new AbortController();
    follow(
      '/admin/v1/analytics/live',
      this.#abort.signal,
      (event, data) => this.take(event, data),
      isFollowing => (this.isFollowing = isFollowing),
    );
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#abort.abort();
  }

  take(event, data) {
    if (!this.isPaused) {
      this.effects = [event === 'effect' ? data : {omitted: data.count, at: new Date().toISOString()}, ...this.effects].slice(
        0,
        MAX_FEED,
      );
    }
  }

  render() {
    return html`<section class="card" aria-label=${texts.overview.feed.heading}>
      <div class="title"><h2>${texts.overview.feed.heading}</h2>
        <span><span class="quiet small">${this.isFollowing ? texts.overview.feed.connected : texts.overview.feed.connecting}</span>
          <button class="plain" aria-pressed=${this.isPaused ? 'true' : 'false'} @click=${() => (this.isPaused = !this.isPaused)}>${texts.overview.feed.pause}</button></span></div>
      <ul class="feed" tabindex="0" aria-label=${texts.overview.feed.heading}>${
        this.effects.length === 0
          ? html`<li class="waiting">${texts.overview.feed.nothing}</li>`
          : this.effects.map(
              effect =>
                html`<li><span class="quiet small">${formats.time(effect.at)}</span><span>${effectText(effect)}</span></li>`,
            )
      }</ul>
    </section>`;
  }
}
customElements.define('live-feed', LiveFeed);

function effectText(effect) {
  if (effect.omitted !== undefined) {
    return texts.effects.omitted(effect.omitted);
  }
  const text = (texts.effects.types[effect.type] ?? (() => effect.type))(effect);
  return effect.user ? html`<a href="#/users/${encodeURIComponent(effect.user)}">${effect.user}</a> ${text}` : text;
}

/** Teaches a fresh instance: the calls after which there is something to see. */
class FirstCalls extends Page {
  static properties = {metric: {}};

  #abort;

  connectedCallback() {
    super.connectedCallback();
    this.#abort = new AbortController();
    follow(
      '/admin/v1/analytics/live?type=user.created',
      this.#abort.signal,
      event => {
        if (event === 'effect') {
          this.#abort.abort(); // the first is enough
          setTimeout(() => this.dispatchEvent(new Event('live')), COUNTED_MS);
        }
      },
      () => {},
    );
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#abort.abort();
  }

  render() {
    const {define, send, read, first} = texts.firstCalls;
    const metric = this.metric ?? 'laps-swum';
    const address = location.origin;
    const headers =
      session.tenant === null ? '-H "X-API-KEY: $KEY"' : `-H "X-API-KEY: $KEY" -H "Tenant-ID: ${headerText(session.tenant)}"`;
    return html`<section class="card wide" aria-label=${first}>
      <h2>${first}</h2>
      <p class="quiet">${texts.firstCalls.about}</p>
      ${this.metric ? nothing : html`<api-call .heading=${define} .text=${`curl -s ${address}/admin/v1/metrics ${headers} \\\n  -d '[{"name":"Laps swum","key":"${metric}"}]'`}></api-call>`}
      <api-call .heading=${send} .text=${`curl -s ${address}/v1/metrics/${metric}/event ${headers} \\\n  -d '{"user":{"id":"swimmer-77","name":"Ida Laine"},"value":42.5}'`}></api-call>
      <api-call .heading=${read} .text=${`curl -s ${address}/v1/users/swimmer-77/streak ${headers}`}></api-call>
      ${session.tenant === null ? html`<api-call .heading=${texts.firstCalls.demo} .text=${'deploy/laurel import-git DIR'}></api-call>` : nothing}
    </section>`;
  }
}
customElements.define('first-calls', FirstCalls);
