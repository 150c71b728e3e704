// Leaderboards: what there are, and the present ranking of one.
import {Page, html, nothing, Loading, table} from '../page.js';
import {all, get, query, report} from '../api.js';
import {formats} from '../format.js';
import texts from '../texts.js';
import '../chart.js';

const PLACES = 50;
const VISIBLE = ['active', 'scheduled', 'finished'];

class LeaderboardsPage extends Page {

  static properties = {objectId: {}, parameters: {attribute: false}};

  #list = new Loading(this);
  #one = new Loading(this);

  willUpdate(changed) {
    if (this.objectId === null && changed.has('objectId')) {
      this.#list.run(() => all('/admin/v1/leaderboards'));
    }
    if (this.objectId !== null && (changed.has('objectId') || changed.has('parameters'))) {
      this.#one.run(signal => this.load(signal));
    }
  }

  async load(signal) {
    const board = await get(`/admin/v1/leaderboards/${this.objectId}`, signal);
    const attributes = board.breakdownAttributes.length === 0 ? [] : (await all('/admin/v1/attributes')).filter(one => board.breakdownAttributes.includes(one.id));
    if (!VISIBLE.includes(board.status)) {
      return {board, attributes};
    }
    const values = attributes.map(one => [one.key, this.parameters.get(one.key)]).filter(([, value]) => value);
    const canRank = attributes.length === 0 || values.length > 0;
    const [ranking, counts] = await Promise.all([
      canRank ? get(query(`/v1/leaderboards/${board.key}`, {limit: PLACES, userAttributes: values.map(pair => pair.join(':')).join(',')}), signal) : null,
      board.status === 'active' ? report('leaderboards', {leaderboard: board.key}, signal) : null]);
    const run = counts?.series[0];
    return {board, attributes, ranking, run, chart: run?.histogram && {periods: ranges(run), periodName: texts.leaderboards.scores, kind: 'bar', format: 'count',
      series: [{name: texts.leaderboards.participants, values: Object.values(run.histogram)}]}};
  }

  render() {
    return this.objectId === null ? this.list() : this.one();
  }

  list() {
    return html`<div class="page">
      <h1 tabindex="-1">${texts.pages.leaderboards}</h1>
      <section class="card" aria-label=${texts.pages.leaderboards}>
        ${this.#list.render(list => list.length === 0 ? html`<p class="quiet">${texts.leaderboards.none}</p>`
          : table(texts.pages.leaderboards, [{name: texts.leaderboards.name}, {name: texts.leaderboards.rankBy}, {name: texts.leaderboards.runs}, {name: texts.achievements.status}],
            list.map(one => [html`<a href="#/leaderboards/${one.id}">${one.name}</a>`, texts.leaderboards.ranked[one.rankBy],
              one.runUnit ? texts.leaderboards.every(one.runInterval, one.runUnit) : texts.leaderboards.perpetual, texts.statuses[one.status]])))}
      </section>
    </div>`;
  }

  one() {
    return html`<div class="page">
      <p><a href="#/leaderboards">${texts.leaderboards.back}</a></p>
      <h1 tabindex="-1">${this.#one.value?.board.name ?? texts.waiting}</h1>
      ${this.#one.render(({board, attributes, ranking, run, chart}) => html`
        ${board.description || attributes.length > 0 ? html`<div class="head"><p class="quiet">${board.description}</p>
          ${attributes.length === 0 ? nothing : html`<form class="row" @submit=${this.choose}>${attributes.map(one => html`
            <label class="field">${one.name}<input name=${one.key} .value=${this.parameters.get(one.key) ?? ''}></label>`)}<button>${texts.leaderboards.show}</button></form>`}</div>` : nothing}
        ${run ? html`<dl class="figures">
          <div><dt>${texts.leaderboards.participants}</dt><dd>${formats.count(run.participants)}</dd></div>
          <div><dt>${texts.leaderboards.changedRank}</dt><dd>${formats.count(run.changedRank)}</dd></div>
          <div><dt>${texts.leaderboards.highest}</dt><dd>${formats.count(run.highest)}</dd></div>
          <div><dt>${texts.leaderboards.lowest}</dt><dd>${formats.count(run.lowest)}</dd></div></dl>` : nothing}
        <div class="cards">
          <section class="card" aria-label=${texts.leaderboards.ranking}><h2>${texts.leaderboards.ranking}</h2>
            ${ranking === undefined ? html`<p class="quiet">${texts.leaderboards.hidden}</p>`
              : ranking === null ? html`<p class="quiet">${texts.leaderboards.choose}</p>`
              : ranking.rankings.length === 0 ? html`<p class="quiet">${texts.nothing}</p>`
              : table(texts.leaderboards.ranking, [{name: texts.user.rank}, {name: texts.overview.top.user}, {name: texts.user.value, isNumber: true}],
                ranking.rankings.map(one => [formats.count(one.rank), html`<a href="#/users/${encodeURIComponent(one.userId)}">${one.userName ?? one.userId}</a>`, formats.count(one.value)]))}
          </section>
          ${chart ? html`<report-chart .heading=${texts.leaderboards.scores} .about=${texts.leaderboards.scoresAbout} .chart=${chart}
            .csv=${query('/admin/v1/analytics/leaderboards', {leaderboard: board.key})}></report-chart>` : nothing}
        </div>`)}
    </div>`;
  }

  choose(event) {
    event.preventDefault();
    location.hash = query(`#/leaderboards/${this.objectId}`, Object.fromEntries(new FormData(event.target)));
  }
}
customElements.define('leaderboards-page', LeaderboardsPage);

/** The ranges of the histogram, of equal width from the lowest to the highest score. */
function ranges({lowest, highest, histogram}) {
  const count = Object.keys(histogram).length;
  return Array.from({length: count}, (_, i) => formats.count(Math.round((lowest + (highest - lowest) * i / count) * 100) / 100));
}
