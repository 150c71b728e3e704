// All texts of the elements. A page that speaks another language assigns its own before it shows an element.
const units = {daily: ['day', 'days'], weekly: ['week', 'weeks'], monthly: ['month', 'months']};

export const texts = {
  waiting: 'Loading…',
  unavailable: 'Not available at the moment.',
  streak: {
    label: 'Streak',
    unit: (length, frequency) => (units[frequency] ?? units.daily)[length === 1 ? 0 : 1],
    none: 'No streak yet. It begins with what you do next.',
    until: date => `Keep it going until ${date}.`,
    met: date => `Done for now. The next is due by ${date}.`,
    freezes: (count, most) => `Freezes: ${count} of ${most}`,
    history: 'The latest periods',
    period: (date, state) => `${date}: ${state}`,
    states: {met: 'done', freeze: 'kept by a freeze', pause: 'paused', reset: 'reset', open: 'not done'},
  },
  achievements: {
    label: 'Achievements',
    none: 'Nothing achieved yet.',
    count: (achieved, all) => `${achieved} of ${all}`,
    achieved: date => `Achieved on ${date}`,
    open: 'Not yet achieved',
    rarity: share => `${share} of all have it`,
  },
  points: {
    label: 'Points',
    none: 'No points yet.',
    level: name => `Level: ${name}`,
    awards: 'Latest changes',
  },
  leaderboard: {
    label: 'Leaderboard',
    none: 'Nobody is on it yet.',
    columns: {rank: 'Rank', name: 'Name', team: 'Team', value: 'Score'},
    you: 'You',
    own: 'your place',
    nameless: 'Somebody',
  },
  progress: {
    label: 'Progress',
    none: 'Nothing to reach.',
    of: (value, target) => `${value} of ${target}`,
    done: 'Reached',
    rest: (count, name) => `${count} to ${name}`,
    almost: name => `Almost at ${name}`,
    top: name => `${name}: the highest level`,
  },
};

/** The text of `userAttributes` in a query for pairs of a key and a value, which may have commas (docs/application-api.md §1). */
export function attributesText(pairs) {
  return pairs.map(([key, value]) => `${key}:${String(value).replace(/[\\,]/g, '\\$&')}`).join(',');
}
