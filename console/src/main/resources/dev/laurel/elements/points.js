import {LaurelElement, css, define, html, nothing, orIfUnknown} from './element.js';
import {texts} from './texts.js';

const MAX_AWARDS = 50;

/** The user's points in one system, with the level and the latest awards. */
export class LaurelPoints extends LaurelElement {
  static properties = {system: {}, awards: {type: Number}};
  static inputs = [...LaurelElement.inputs, 'system', 'awards'];
  static optional = [...LaurelElement.optional, 'awards'];
  static texts = texts.points;
  static styles = [
    LaurelElement.styles,
    css`
    li { display: flex; justify-content: space-between; gap: var(--_space); border-block-start: 1px solid var(--_line); padding-block: 0.375rem; }
  `,
  ];

  constructor() {
    super();
    this.awards = 0;
  }

  get shown() {
    return Math.min(MAX_AWARDS, Math.max(0, Math.trunc(this.awards) || 0));
  }

  read(get) {
    const key = encodeURIComponent(this.system);
    return orIfUnknown(get(`${this.ofUser}/points/${key}?awards=${Math.max(1, this.shown)}`), async () => ({
      ...(await get(`points/${key}`)),
      total: 0,
      level: null,
      awards: [],
    }));
  }

  titleOf(points) {
    return points?.name;
  }

  content(points) {
    const awards = (points.awards ?? []).slice(0, this.shown);
    return html`
      <p class="figure" part="figure">${this.count(points.total)}</p>
      ${
        points.level
          ? html`<p part="level">${texts.points.level(points.level.name)}</p>`
          : points.total === 0
            ? html`<p>${texts.points.none}</p>`
            : nothing
      }
      ${
        awards.length === 0
          ? nothing
          : html`<ul aria-label=${texts.points.awards}>${awards.map(
              award => html`
        <li><span class="quiet">${this.date(award.date)}</span><span class="number">${this.difference(award.awarded)}</span></li>`,
            )}</ul>`
      }`;
  }
}
define('laurel-points', LaurelPoints);
