// The ranking of a leaderboard: of a run, and of a group of users; of teams, or of the members of one.
import {Page, html, nothing, Loading, table} from '../page.js';
import {all, get, query} from '../api.js';
import {attributesText} from '../../elements/texts.js';
import {formats} from '../format.js';
import texts from '../texts.js';

const PLACES = 50;

const RUN = 'run';
const TEAM = 'team';

/** Pseudonyms are no ids. */
const ANONYMOUS = /^anonymous-[0-9a-f]{20}$/;

const inAddress = attribute => `attribute-${attribute.key}`;
const VISIBLE = ['active', 'scheduled', 'finished'];

class LeaderboardRanking extends Page {
  static properties = {board: {attribute: false}, parameters: {attribute: false}};

  #loading = new Loading(this);

  willUpdate(changed) {
    if (changed.has('board') || changed.has('parameters')) {
      this.#loading.run(signal => this.load(signal));
    }
  }

  async load(signal) {
    const {breakdownAttributes, key, status, teams} = this.board;
    const team = teams ? this.parameters.get(TEAM) || undefined : undefined;
    const attributes =
      breakdownAttributes.length === 0
        ? []
        : (await all('/admin/v1/attributes')).filter(one => breakdownAttributes.includes(one.id));
    if (!VISIBLE.includes(status)) {
      return {attributes};
    }
    const values = attributes.map(one => [one.key, this.parameters.get(inAddress(one))]).filter(([, value]) => value);
    // The teams of different groups are not ranked together.
    const isOfTeams = teams && team === undefined;
    const needed = isOfTeams ? attributes.length : Math.min(1, attributes.length);
    if (values.length < needed) {
      return {attributes, ranking: null};
    }
    const asked = {limit: PLACES, run: this.parameters.get(RUN), userAttributes: attributesText(values), team};
    return {attributes, team, isOfTeams, ranking: await get(query(`/v1/leaderboards/${key}`, asked), signal)};
  }

  render() {
    return html`<section class="card" aria-label=${texts.leaderboards.ranking}><h2>${texts.leaderboards.ranking}</h2>
      ${this.#loading.render(
        ({attributes, ranking, team, isOfTeams}) => html`
        ${
          attributes.length === 0 && !this.board.runUnit && !this.board.teams
            ? nothing
            : html`<form class="row" @submit=${this.choose}>
          ${attributes.map(one => html`<label class="field">${one.name}<input name=${inAddress(one)} .value=${this.parameters.get(inAddress(one)) ?? ''}></label>`)}
          ${this.board.runUnit ? html`<label class="field">${texts.leaderboards.run}<input type="date" name=${RUN} min=${this.board.start} .value=${this.parameters.get(RUN) ?? ''}></label>` : nothing}
          ${this.board.teams ? html`<label class="field">${texts.leaderboards.team}<input name=${TEAM} .value=${team ?? ''}></label>` : nothing}
          <button>${texts.leaderboards.show}</button></form>`
        }
        ${
          ranking === undefined
            ? html`<p class="quiet">${texts.leaderboards.hidden}</p>`
            : ranking === null
              ? html`<p class="quiet">${texts.leaderboards.choose}</p>`
              : ranking.rankings.length === 0
                ? html`<p class="quiet">${team ? texts.leaderboards.nobody : texts.nothing}</p>`
                : table(
                    texts.leaderboards.ranking,
                    [
                      {name: texts.user.rank},
                      {name: isOfTeams ? texts.leaderboards.team : texts.overview.top.user},
                      ...(isOfTeams ? [{name: texts.leaderboards.members, isNumber: true}] : []),
                      {name: texts.user.value, isNumber: true},
                    ],
                    ranking.rankings.map(one => [
                      formats.count(one.rank),
                      isOfTeams
                        ? html`<a href=${this.addressOf(one.team)}>${one.team}</a>`
                        : ANONYMOUS.test(one.userId)
                          ? html`<span class="quiet" title=${one.userId}>${texts.leaderboards.anonymous}</span>`
                          : html`<a href="#/users/${encodeURIComponent(one.userId)}">${one.userName ?? one.userId}</a>`,
                      ...(isOfTeams ? [formats.count(one.members)] : []),
                      formats.count(one.value),
                    ]),
                  )
        }
        ${team ? html`<p><a href=${this.addressOf()}>${texts.leaderboards.allTeams}</a></p>` : nothing}`,
      )}
    </section>`;
  }

  /** The address of the same ranking of another team; undefined: of the teams. */
  addressOf(team) {
    return query(`#/leaderboards/${this.board.id}`, {...Object.fromEntries(this.parameters), [TEAM]: team});
  }

  choose(event) {
    event.preventDefault();
    location.hash = query(`#/leaderboards/${this.board.id}`, Object.fromEntries(new FormData(event.target)));
  }
}
customElements.define('leaderboard-ranking', LeaderboardRanking);
