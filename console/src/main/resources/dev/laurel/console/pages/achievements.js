// Achievements: what there are, how many users have them, and when they completed them.
import {Page, html, nothing, Loading, table} from '../page.js';
import {all, get, query, report} from '../api.js';
import {formats} from '../format.js';
import texts from '../texts.js';
import '../chart.js';

class AchievementsPage extends Page {

  static properties = {objectId: {}};

  #list = new Loading(this);
  #one = new Loading(this);

  willUpdate(changed) {
    if (changed.has('objectId')) {
      if (this.objectId === null) {
        this.#list.run(async signal => {
          const [achievements, counts] = await Promise.all([all('/admin/v1/achievements'), report('achievements', {}, signal)]);
          const byKey = Object.fromEntries(counts.series.filter(one => one.achievement).map(one => [one.achievement, one]));
          return achievements.map(one => ({...one, ...byKey[one.key]}));
        });
      } else {
        this.#one.run(async signal => {
          const achievement = await get(`/admin/v1/achievements/${this.objectId}`, signal);
          const counts = achievement.status === 'active' && achievement.key ? await report('achievements', {achievement: achievement.key}, signal) : null;
          return {achievement, counts, chart: counts && {periods: counts.periods, periodName: texts.overview.period, kind: 'bar', format: 'count',
            series: [{name: texts.achievements.completions, values: counts.series[0].completions}]}};
        });
      }
    }
  }

  render() {
    return this.objectId === null ? this.list() : this.one();
  }

  list() {
    return html`<div class="page">
      <h1 tabindex="-1">${texts.pages.achievements}</h1>
      <section class="card" aria-label=${texts.pages.achievements}>
        ${this.#list.render(list => list.length === 0 ? html`<p class="quiet">${texts.achievements.none}</p>`
          : table(texts.pages.achievements, [{name: texts.achievements.name}, {name: texts.achievements.trigger}, {name: texts.achievements.status},
            {name: texts.achievements.completions, isNumber: true}, {name: texts.user.rarity, isNumber: true}],
            list.map(one => [html`<a href="#/achievements/${one.id}">${one.name}</a>`, condition(one), texts.statuses[one.status], formats.count(one.total ?? one.completions), formats.share(one.rarity)])))}
      </section>
    </div>`;
  }

  one() {
    return html`<div class="page">
      <p><a href="#/achievements">${texts.achievements.back}</a></p>
      <h1 tabindex="-1">${this.#one.value?.achievement.name ?? texts.waiting}</h1>
      ${this.#one.render(({achievement, counts, chart}) => html`
        ${achievement.description ? html`<p class="quiet">${achievement.description}</p>` : nothing}
        <dl class="figures">
          <div><dt>${texts.achievements.completions}</dt><dd>${formats.count(counts?.series[0].total ?? achievement.completions)}</dd></div>
          <div><dt>${texts.user.rarity}</dt><dd>${formats.share(counts?.series[0].rarity)}</dd></div>
          <div><dt>${texts.achievements.status}</dt><dd>${texts.statuses[achievement.status]}</dd></div>
        </dl>
        ${chart ? html`<report-chart .heading=${texts.achievements.completions} .about=${texts.achievements.about} .chart=${chart}
          .csv=${query('/admin/v1/analytics/achievements', {achievement: achievement.key})}></report-chart>` : nothing}
        <section class="card" aria-label=${texts.achievements.rule}><h2>${texts.achievements.rule}</h2><p>${condition(achievement)}</p></section>`)}
    </div>`;
  }
}
customElements.define('achievements-page', AchievementsPage);

function condition(achievement) {
  return texts.achievements.conditions[achievement.trigger](achievement);
}
