import {LaurelElement, css, define, html, nothing, orIfUnknown} from './element.js';
import {texts} from './texts.js';

/** The user's achievements, and with `incomplete` also those still open. Images are loaded only with `badges`. */
export class LaurelAchievements extends LaurelElement {
  static properties = {incomplete: {type: Boolean}, badges: {type: Boolean}};
  static inputs = [...LaurelElement.inputs, 'incomplete'];
  static optional = [...LaurelElement.optional, 'incomplete'];
  static texts = texts.achievements;
  static styles = [
    LaurelElement.styles,
    css`
    ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: var(--_space); }
    li { display: grid; grid-template-columns: 2.5rem minmax(0, 1fr); gap: var(--_space); align-items: start; }
    .badge { inline-size: 2.5rem; block-size: 2.5rem; border-radius: 50%; object-fit: cover; background: var(--_track); }
    .badge path { fill: var(--_quiet); }
    .achieved .badge { background: var(--_accent); }
    .achieved .badge path { fill: var(--_on-accent); }
    .name { font-weight: 600; }
  `,
  ];

  read(get) {
    return orIfUnknown(get(`${this.ofUser}/achievements${this.incomplete ? '?includeIncomplete=true' : ''}`), () =>
      this.incomplete ? get('achievements') : [],
    );
  }

  aside(list) {
    return list.length === 0
      ? nothing
      : html`<span>${
          this.incomplete
            ? texts.achievements.count(this.count(list.filter(one => one.achievedAt).length), this.count(list.length))
            : this.count(list.length)
        }</span>`;
  }

  content(list) {
    return list.length === 0
      ? html`<p>${texts.achievements.none}</p>`
      : html`<ul>${list.map(
          one => html`
      <li class=${one.achievedAt ? 'achieved' : 'open'} part="item">
        ${
          this.badges && /^https?:\/\//i.test(one.badgeUrl ?? '')
            ? html`<img class="badge" part="badge" src=${one.badgeUrl} alt="" loading="lazy" referrerpolicy="no-referrer">`
            : html`<svg class="badge" part="badge" viewBox="0 0 40 40" aria-hidden="true"><path d="M20 9l3.3 6.9 7.5 1-5.5 5.2 1.4 7.5-6.7-3.6-6.7 3.6 1.4-7.5-5.5-5.2 7.5-1z"></path></svg>`
        }
        <div>
          <p class="name">${one.name}</p>
          ${one.description ? html`<p class="quiet">${one.description}</p>` : nothing}
          <p class="quiet">${one.achievedAt ? texts.achievements.achieved(this.date(one.achievedAt)) : texts.achievements.open}${
            one.rarity > 0 ? html` · ${texts.achievements.rarity(this.share(one.rarity / 100))}` : nothing
          }</p>
        </div>
      </li>`,
        )}</ul>`;
  }
}
define('laurel-achievements', LaurelAchievements);
