// The kinds of configured objects: what objects.js needs to know of each, beside the schemas of the API.
import {html} from '../page.js';
import {formats, sum} from '../format.js';
import texts from '../texts.js';
import './leaderboards.js';

const t = texts.objects;
const status = one => texts.statuses[one.status];
const figure = (name, value) => ({name, isNumber: true, cell: (one, series) => value(series, one)});
const inDays = (series, column) => formats.count(series && sum(series[column]));
const bars = (report, columns, more = {}) => ({
  periods: report.periods,
  periodName: texts.overview.period,
  kind: 'bar',
  format: 'count',
  series: columns.map(column => ({name: t.columns[column], values: report.series[0][column]})),
  ...more,
});
const entries = (periodName, values, name = t.columns.users) => ({
  periods: Object.keys(values),
  periodName,
  kind: 'bar',
  format: 'count',
  series: [{name, values: Object.values(values)}],
});

/**
 * The pages of kinds, by the name of the page. Schemas of the OpenAPI document are `New${schema}` and `Changed${schema}`.
 *
 * - `path`: of the collection; `isSettings`: it is one object, which is only changed; `exact`: what it is, from what public clients read
 * - `omit`: fields that no form has; `omitChanged`: fields that a change has elsewhere
 * - `report`, `by`: its report and the parameter and column with the key of an object; `isReported`: whether it has one
 * - `columns(names)`: after the name in the list: `{name, isNumber, cell(object, series of the report)}`
 * - `figures(series, object)`: pairs of label and text; `charts(report, object, parts)`: `[name of texts.objects.charts, chart]`
 * - `next(object)`: the statuses to which a button changes it
 * - `more(object, parameters)`: a section of its own
 * - `parts`: kinds of objects that belong to one of this kind; `{id}` in their path is that of the owner
 */
export const KINDS = {
  metrics: {
    path: '/admin/v1/metrics',
    schema: 'Metric',
    report: 'events',
    by: 'metric',
    columns: () => [
      {name: t.columns.key, cell: one => one.key},
      {name: t.columns.unit, cell: one => one.units || texts.none},
      figure(t.columns.events30, series => inDays(series, 'events')),
      figure(t.columns.value30, series => inDays(series, 'value')),
    ],
    figures: series => [
      [t.columns.events30, inDays(series, 'events')],
      [t.columns.value30, inDays(series, 'value')],
      [t.columns.activeToday, formats.count(series.activeUsers.at(-1))],
    ],
    charts: report => [
      ['events', bars(report, ['events'])],
      ['value', bars(report, ['value'])],
      ['activeUsers', bars(report, ['activeUsers'], {kind: 'line'})],
    ],
  },
  achievements: {
    path: '/admin/v1/achievements',
    schema: 'Achievement',
    omitChanged: ['status'],
    report: 'achievements',
    by: 'achievement',
    isReported: one => one.status === 'active' && one.key,
    columns: () => [
      {name: texts.achievements.trigger, cell: one => texts.achievements.conditions[one.trigger](one)},
      {name: t.columns.status, cell: status},
      figure(texts.achievements.completions, (series, one) => formats.count(series?.total ?? one.completions)),
      figure(texts.user.rarity, series => formats.share(series?.rarity)),
    ],
    figures: (series, one) => [
      [texts.achievements.completions, formats.count(series?.total ?? one.completions)],
      [texts.user.rarity, formats.share(series?.rarity)],
    ],
    charts: report => [['completions', bars(report, ['completions'])]],
    next: one => ({inactive: ['active'], active: ['locked'], locked: ['active']})[one.status],
  },
  streaks: {
    path: '/admin/v1/streaks/settings',
    schema: 'StreakSettings',
    isSettings: true,
    report: 'streaks',
    omit: ['customizationEnabled', 'freezes', 'metrics.key', 'metrics.exactThreshold'],
    exact: one => ({
      ...one,
      metrics: one.metrics.map(({exactThreshold, ...entry}) => ({...entry, threshold: exactThreshold ?? entry.threshold})),
    }),
    figures: series => [
      [
        t.columns.running,
        formats.count(
          series.lengths &&
            sum(
              Object.entries(series.lengths)
                .filter(([length]) => length !== '0')
                .map(([, users]) => users),
            ),
        ),
      ],
      [t.columns.longest, formats.count(series.longest)],
      [t.columns.lost30, inDays(series, 'lost')],
      [t.columns.saved30, inDays(series, 'savedByFreezes')],
    ],
    charts: report => [
      ['streaks', bars(report, ['started', 'extended', 'lost', 'savedByFreezes', 'restored'], {kind: 'line'})],
      ...(report.series[0].lengths ? [['lengths', entries(t.columns.length, report.series[0].lengths)]] : []),
    ],
  },
  points: {
    path: '/admin/v1/points',
    schema: 'PointsSystem',
    omit: ['levels', 'boosts', 'triggers'],
    report: 'points',
    by: 'system',
    columns: () => [
      {name: t.columns.key, cell: one => one.key},
      figure(t.columns.awarded30, series => inDays(series, 'awarded')),
      figure(t.columns.taken30, series => inDays(series, 'taken')),
      figure(t.columns.most, series => formats.count(series?.most)),
    ],
    figures: series => [
      [t.columns.awarded30, inDays(series, 'awarded')],
      [t.columns.taken30, inDays(series, 'taken')],
      [t.columns.most, formats.count(series.most)],
    ],
    charts: (report, _one, {levels}) => [
      ['points', bars(report, ['awarded', 'taken'])],
      ...(report.series[0].usersByLevel && levels?.length > 0
        ? [
            [
              'levels',
              entries(
                t.columns.level,
                Object.fromEntries(
                  Object.entries(report.series[0].usersByLevel).map(([key, users]) => [
                    levels.find(level => level.key === key)?.name ?? t.noLevel,
                    users,
                  ]),
                ),
              ),
            ],
          ]
        : []),
    ],
    parts: {
      triggers: {
        path: '/admin/v1/points/{id}/triggers',
        schema: 'Trigger',
        title: (one, names) => t.triggers[one.type](one, id => names[id] ?? id),
        columns: () => [
          {name: t.columns.points, isNumber: true, cell: one => formats.difference(one.points)},
          {name: t.columns.status, cell: status},
        ],
        next: one => ({inactive: ['active'], active: ['inactive']})[one.status],
        omitChanged: ['status'],
      },
      levels: {
        path: '/admin/v1/points/{id}/levels',
        schema: 'Level',
        columns: () => [
          {name: t.columns.key, cell: one => one.key},
          {name: t.columns.points, isNumber: true, cell: one => formats.count(one.points)},
        ],
        sort: (a, b) => a.points - b.points,
      },
      boosts: {
        path: '/admin/v1/points/{id}/boosts',
        schema: 'Boost',
        columns: () => [
          {name: t.columns.multiplier, isNumber: true, cell: one => `×${formats.count(one.multiplier)}`},
          {name: t.columns.start, cell: one => one.start},
          {name: t.columns.end, cell: one => one.end ?? texts.none},
          {name: t.columns.user, cell: one => one.userId ?? texts.overview.allUsers},
          {name: t.columns.status, cell: status},
        ],
      },
    },
  },
  leaderboards: {
    path: '/admin/v1/leaderboards',
    schema: 'Leaderboard',
    omitChanged: ['status'],
    report: 'leaderboards',
    by: 'leaderboard',
    isReported: one => one.status === 'active',
    columns: () => [
      {
        name: texts.leaderboards.rankBy,
        cell: one => `${texts.leaderboards.ranked[one.rankBy]}${one.teams ? `, ${texts.leaderboards.ofTeams}` : ''}`,
      },
      {
        name: texts.leaderboards.runs,
        cell: one => (one.runUnit ? texts.leaderboards.every(one.runInterval, one.runUnit) : texts.leaderboards.perpetual),
      },
      {name: t.columns.status, cell: status},
      figure(texts.leaderboards.participants, series => formats.count(series?.participants)),
    ],
    figures: series =>
      series
        ? [
            [texts.leaderboards.participants, formats.count(series.participants)],
            [texts.leaderboards.changedRank, formats.count(series.changedRank)],
            [texts.leaderboards.highest, formats.count(series.highest)],
            [texts.leaderboards.lowest, formats.count(series.lowest)],
          ]
        : [],
    charts: ({series: [run]}) =>
      run?.histogram
        ? [
            [
              'scores',
              {
                ...entries(texts.leaderboards.scores, run.histogram, texts.leaderboards.participants),
                periods: ranges(run),
              },
            ],
          ]
        : [],
    next: one =>
      ({
        inactive: [one.start > today() ? 'scheduled' : 'active'],
        scheduled: ['inactive'],
        active: ['inactive', 'finished'],
      })[one.status],
    more: (one, parameters) => html`<leaderboard-ranking .board=${one} .parameters=${parameters}></leaderboard-ranking>`,
  },
  attributes: {
    path: '/admin/v1/attributes',
    schema: 'Attribute',
    columns: () => [
      {name: t.columns.key, cell: one => one.key},
      {name: t.columns.type, cell: one => t.attributeTypes[one.type]},
      {name: t.columns.analytics, cell: one => (one.analytics ? texts.yes : texts.no)},
    ],
  },
};

const today = () => new Date().toISOString().slice(0, 10);

/** The ranges of the histogram, of equal width from the lowest to the highest score. */
function ranges({lowest, highest, histogram}) {
  const count = Object.keys(histogram).length;
  return Array.from({length: count}, (_, i) =>
    formats.count(Math.round((lowest + ((highest - lowest) * i) / count) * 100) / 100),
  );
}
