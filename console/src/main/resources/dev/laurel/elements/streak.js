import {LaurelElement, css, define, html, nothing, orIfUnknown} from './element.js';
import {texts} from './texts.js';

const DEFAULT_PERIODS = 14;
const MAX_PERIODS = 90;

/** How long the user's streak is, by when it needs something, and its latest periods. */
export class LaurelStreak extends LaurelElement {
  static properties = {periods: {type: Number}};
  static inputs = [...LaurelElement.inputs, 'periods'];
  static optional = [...LaurelElement.optional, 'periods'];
  static texts = texts.streak;
  static styles = [
    LaurelElement.styles,
    css`
    .periods { display: grid; grid-template-columns: repeat(auto-fill, minmax(0.875rem, 1fr)); gap: 0.25rem; max-inline-size: 40rem; }
    .periods li { aspect-ratio: 1; border-radius: 0.25rem; background: var(--_track); position: relative; max-block-size: 2rem; }
    .periods .met { background: var(--_accent); }
    .periods .freeze { background: var(--_freeze); }
    .periods .pause { background: none; border: 2px dotted var(--_quiet); }
    .periods .reset { background: none; border: 2px solid var(--_quiet); }
    @media (forced-colors: active) { .periods li { border: 1px solid CanvasText; } .periods .met { background: CanvasText; forced-color-adjust: none; } }
  `,
  ];

  constructor() {
    super();
    this.periods = DEFAULT_PERIODS;
  }

  read(get) {
    const periods = Math.min(MAX_PERIODS, Math.max(1, Math.trunc(this.periods) || DEFAULT_PERIODS));
    return orIfUnknown(get(`${this.ofUser}/streak?historyPeriods=${periods}`), () => ({
      length: 0,
      frequency: 'daily',
      expires: null,
      streakHistory: [],
    }));
  }

  content(streak) {
    const isMet = streak.expires > streak.periodEnd;
    return html`
      <p class="figure" part="figure">${this.count(streak.length)} <small>${texts.streak.unit(streak.length, streak.frequency)}</small></p>
      <p>${
        streak.length === 0
          ? texts.streak.none
          : streak.expires
            ? texts.streak[isMet ? 'met' : 'until'](this.date(streak.expires))
            : nothing
      }</p>
      ${history(streak.streakHistory ?? [], this)}
      ${streak.freezes === undefined ? nothing : html`<p class="quiet">${texts.streak.freezes(this.count(streak.freezes), this.count(streak.maxFreezes))}</p>`}`;
  }
}
define('laurel-streak', LaurelStreak);

function history(periods, element) {
  if (periods.length === 0) {
    return nothing;
  }
  let before = periods[0].length - 1;
  return html`<ol class="periods" part="periods" aria-label=${texts.streak.history}>${periods.map(period => {
    const state =
      period.resetAt !== undefined
        ? 'reset'
        : period.usedPause
          ? 'pause'
          : period.usedFreeze
            ? 'freeze'
            : period.length > before && period.length > 0
              ? 'met'
              : 'open';
    before = period.length;
    const text = texts.streak.period(element.date(period.periodStart), texts.streak.states[state]);
    return html`<li class=${state} title=${text}><span class="seen-by-readers">${text}</span></li>`;
  })}</ol>`;
}
