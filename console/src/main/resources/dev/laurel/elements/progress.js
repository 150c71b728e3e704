import {LaurelElement, define, html, orIfUnknown} from './element.js';
import {texts} from './texts.js';

/**
 * How far the user is: to the next level of a points system (`system`), or to an achievement (`achievement`, of a metric or of a
 * streak). `data` is `{name, value, target, isReached}`; a target of null means that there is nothing higher, and `isReached` may be missing.
 */
export class LaurelProgress extends LaurelElement {
  static properties = {system: {}, achievement: {}};
  static inputs = [...LaurelElement.inputs, 'system', 'achievement'];
  static optional = [...LaurelElement.optional, 'system', 'achievement'];
  static texts = texts.progress;

  read(get) {
    if (this.system) {
      return this.#toLevel(encodeURIComponent(this.system), get);
    }
    if (this.achievement) {
      return this.#toAchievement(get);
    }
    throw new Error('laurel-progress needs system or achievement.');
  }

  async #toLevel(key, get) {
    const [{name, total, level}, levels] = await Promise.all([
      orIfUnknown(get(`${this.ofUser}/points/${key}?awards=1`), async () => ({
        ...(await get(`points/${key}`)),
        total: 0,
        level: null,
      })),
      get(`points/${key}/levels`),
    ]);
    const next = levels[levels.findIndex(one => one.id === level?.id) + 1];
    return {name: (next ?? level)?.name ?? name, value: total, target: next?.points ?? null, isReached: false};
  }

  async #toAchievement(get) {
    const all = await orIfUnknown(get(`${this.ofUser}/achievements?includeIncomplete=true`), () => get('achievements'));
    const one = all.find(achievement => achievement.key === this.achievement);
    if (one === undefined) {
      throw new Error(`There is no achievement ${this.achievement} that the user can see.`);
    }
    if (one.achievedAt) {
      const target = one.metricValue ?? one.streakLength ?? 1;
      return {name: one.name, value: target, target};
    }
    return {name: one.name, isReached: false, ...(await this.#of(one, get))};
  }

  async #of(achievement, get) {
    if (achievement.trigger === 'streak') {
      return {
        value: (await orIfUnknown(get(`${this.ofUser}/streak?historyPeriods=0`), () => ({length: 0}))).length,
        target: achievement.streakLength,
      };
    }
    if (achievement.trigger === 'metric' && achievement.eventAttributes.length === 0) {
      const metrics = await orIfUnknown(get(`${this.ofUser}/metrics`), () => []);
      return {value: metrics.find(metric => metric.id === achievement.metricId)?.current ?? 0, target: achievement.metricValue};
    }
    return {value: 0, target: 1}; // it is achieved or not
  }

  titleOf(data) {
    return data?.name;
  }

  content({name, value, target, isReached = value >= target}) {
    if (target === null) {
      return html`<p>${value > 0 ? texts.progress.top(name) : texts.progress.none}</p>`;
    }
    const text = texts.progress.of(this.count(value), this.count(target));
    return html`
      <p part="figure">${text}</p>
      ${this.bar(value, target, `${name}: ${text}`)}
      <p class="quiet">${isReached ? texts.progress.done : value < target ? texts.progress.rest(this.count(target - value), name) : texts.progress.almost(name)}</p>`;
  }
}
define('laurel-progress', LaurelProgress);
