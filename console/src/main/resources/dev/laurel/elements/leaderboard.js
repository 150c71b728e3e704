import {LaurelElement, css, define, html, nothing, orIfUnknown} from './element.js';
import {attributesText, texts} from './texts.js';

const DEFAULT_PLACES = 10;
const MAX_PLACES = 100;

/**
 * The first places of a leaderboard, and that of the user; on one with teams, of the teams, or of the members of one; with `user-ids`,
 * the places of these users among themselves. `data` is `{board, own}`, where `own` may be missing.
 */
export class LaurelLeaderboard extends LaurelElement {
  static properties = {
    board: {},
    places: {type: Number},
    userAttributes: {attribute: 'user-attributes'},
    userIds: {attribute: 'user-ids'},
    team: {},
  };
  static inputs = [...LaurelElement.inputs, 'board', 'places', 'userAttributes', 'userIds', 'team'];
  static optional = [...LaurelElement.optional, 'places', 'userAttributes', 'userIds', 'team'];
  static texts = texts.leaderboard;
  static styles = [
    LaurelElement.styles,
    css`
    table { border-collapse: collapse; inline-size: 100%; }
    th, td { text-align: start; padding: 0.375rem 0.5rem; border-block-start: 1px solid var(--_line); font-weight: 400; }
    thead th { border: 0; padding-block: 0; font-size: 0.875em; color: var(--_quiet); }
    .number { text-align: end; }
    .own > * { font-weight: 650; background: var(--_track); }
    .own > :first-child { border-radius: 0.375rem 0 0 0.375rem; }
    .own > :last-child { border-radius: 0 0.375rem 0.375rem 0; }
    .gap > * { text-align: center; color: var(--_quiet); padding-block: 0; }
  `,
  ];

  constructor() {
    super();
    this.places = DEFAULT_PLACES;
  }

  get ids() {
    return Array.isArray(this.userIds) ? this.userIds : (this.userIds?.split(',') ?? []).map(id => id.trim()).filter(Boolean);
  }

  async read(get) {
    const key = encodeURIComponent(this.board);
    const parameters = new URLSearchParams({
      limit: String(Math.min(MAX_PLACES, Math.max(1, Math.trunc(this.places) || DEFAULT_PLACES))),
    });
    if (this.userAttributes) {
      parameters.set(
        'userAttributes',
        typeof this.userAttributes === 'object' ? attributesText(Object.entries(this.userAttributes)) : this.userAttributes,
      );
    }
    // Each in a parameter of its own: in one, encoded commas belong to an id.
    for (const id of this.ids) {
      parameters.append('userIds[]', id);
    }
    if (this.team) {
      parameters.set('team', this.team);
    }
    const [board, own] = await Promise.all([
      get(`leaderboards/${key}?${parameters}`),
      this.userIds ? null : orIfUnknown(get(`${this.ofUser}/leaderboards/${key}?numEvents=0`), () => null),
    ]);
    return {board, own};
  }

  titleOf(data) {
    return data?.board.name;
  }

  content({board, own}) {
    const rankings = board.rankings ?? [];
    const {columns, you, own: ownPlace, nameless, none} = texts.leaderboard;
    const isOfTeams = !this.team && [own, ...rankings].some(one => one?.team !== undefined);
    const isOwn = one => (isOfTeams ? one.team === own?.team : one.userId === this.user);
    const isListed = rankings.some(isOwn);
    // In the ranking of another team, the user has no place.
    const isElsewhere = this.team && own?.team !== this.team;
    const rank = (isOfTeams ? own?.teamRank : isElsewhere ? null : own?.rank) ?? null;
    if (rankings.length === 0 && rank === null) {
      return html`<p>${none}</p>`;
    }
    const nameOf = one => (isOfTeams ? one.team : (one.userName ?? (isOwn(one) ? you : nameless)));
    const row = (
      place,
      name,
      value,
      isMarked,
    ) => html`<tr class=${isMarked ? 'own' : ''} part=${isMarked ? 'own-place' : 'place'}>
      <td class="number">${this.count(place)}</td><th scope="row">${name}${isMarked ? html`<span class="seen-by-readers"> (${ownPlace})</span>` : nothing}</th><td class="number">${this.count(value)}</td></tr>`;
    return html`<table aria-labelledby="label">
      <thead><tr><th scope="col" class="number">${columns.rank}</th><th scope="col">${isOfTeams ? columns.team : columns.name}</th><th scope="col" class="number">${columns.value}</th></tr></thead>
      <tbody>${rankings.map(one => row(one.rank, nameOf(one), one.value, isOwn(one)))}
        ${isListed || rank === null ? nothing : html`${rank > rankings.length + 1 ? html`<tr class="gap" aria-hidden="true"><td colspan="3">⋯</td></tr>` : nothing}${isOfTeams ? row(rank, own.team, own.teamValue, true) : row(rank, you, own.value, true)}`}</tbody>
    </table>`;
  }
}
define('laurel-leaderboard', LaurelLeaderboard);
