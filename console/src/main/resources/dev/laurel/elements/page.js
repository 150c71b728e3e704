// The page that documents the elements and shows them, with sample data or with what a key reads.
import {html, nothing, render} from 'lit';
import './laurel.js';

const DAY_MS = 24 * 3600 * 1000;
const dayBefore = days => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const LENGTHS = [4, 0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/** What the API would answer, with dates around today. */
const SAMPLES = {
  streak: {
    length: 11,
    frequency: 'daily',
    started: dayBefore(11),
    periodStart: dayBefore(0),
    periodEnd: dayBefore(0),
    expires: dayBefore(-1),
    freezes: 1,
    maxFreezes: 2,
    streakHistory: LENGTHS.map((length, i) => ({
      periodStart: dayBefore(LENGTHS.length - 1 - i),
      periodEnd: dayBefore(LENGTHS.length - 1 - i),
      length,
      usedFreeze: i === 5,
      usedPause: false,
    })),
  },
  achievements: [
    {name: 'Forty laps', description: 'Forty laps in all', achievedAt: `${dayBefore(9)}T10:00:00.000Z`, rarity: 34.5},
    {name: 'A week without a dry day', description: '', achievedAt: `${dayBefore(3)}T18:30:00.000Z`, rarity: 12.25},
    {name: 'Open water', description: 'A hundred laps in the sea', achievedAt: null, rarity: 2.5},
  ],
  points: {
    name: 'Gems',
    total: 320,
    level: {name: 'Otter', points: 200},
    awards: [
      {awarded: 20, date: `${dayBefore(0)}T08:12:00.000Z`},
      {awarded: 50, date: `${dayBefore(2)}T17:40:00.000Z`},
      {awarded: 20, date: `${dayBefore(3)}T07:55:00.000Z`},
    ],
  },
  leaderboard: {
    board: {
      name: 'Pool of the week',
      rankings: [
        {rank: 1, userId: 'a', userName: 'Ida Laine', value: 42.5},
        {rank: 2, userId: 'b', userName: 'Eino Virtanen', value: 38},
        {rank: 3, userId: 'c', userName: null, value: 31},
      ],
    },
    own: {rank: 7, value: 12},
  },
  progress: {name: 'Dolphin', value: 320, target: 400, isReached: false},
};

const COMMON = [
  ['server', '', 'where this module comes from', 'base address of Laurel, such as https://play.example.org/'],
  ['api-key', 'apiKey', '', 'an application key (app_…) of the user; no other key is sent'],
  ['user', '', '', 'the id of the user whom the key belongs to'],
  ['refresh', '', 'never', 'seconds between two requests, 5 to 3600; at least 60 after an error; none while the page is hidden'],
  ['label', '', 'name of the object', 'the text at the top'],
];

/** Rows: attribute, property if its name differs, default, meaning. */
const ELEMENTS = [
  {
    kind: 'streak',
    about: 'How long the streak is, by when it needs something, and its latest periods.',
    data: 'the answer of GET /v1/users/{id}/streak',
    own: [['periods', '', '14', 'how many periods are drawn, 1 to 90']],
    shown: '',
  },
  {
    kind: 'achievements',
    about: 'What the user has achieved.',
    data: 'the answer of GET /v1/users/{id}/achievements',
    own: [
      ['incomplete', '', 'no', 'also what is still open'],
      ['badges', '', 'no', 'loads the images at the badges’ addresses, which may be on other servers'],
    ],
    shown: ' incomplete',
  },
  {
    kind: 'points',
    about: 'The points in one system, and the level.',
    data: 'the answer of GET /v1/users/{id}/points/{key}',
    own: [
      ['system', '', 'required with a key', 'key of the points system'],
      ['awards', '', '0', 'how many of the latest changes are listed, at most 50'],
    ],
    shown: ' system="gems" awards="3"',
  },
  {
    kind: 'leaderboard',
    about: 'The first places, and the user’s own.',
    data: '{board, own}: the answers of GET /v1/leaderboards/{key} and of GET /v1/users/{id}/leaderboards/{key}, or null',
    own: [
      ['board', '', 'required with a key', 'key of the leaderboard'],
      ['places', '', '10', 'how many places, 1 to 100'],
      [
        'user-attributes',
        'userAttributes',
        '',
        "the group on a leaderboard with breakdown attributes, such as city:Turku; the property may be an object, such as {city: 'Portland, OR'}",
      ],
      ['team', '', '', 'on a leaderboard with teams, the one whose members are shown'],
      ['user-ids', 'userIds', '', 'up to 500 ids with commas, such as those of friends; the property may be an array'],
    ],
    shown: ' board="pool-week"',
  },
  {
    kind: 'progress',
    about: 'How far it is to the next level or to an achievement.',
    data: '{name, value, target, isReached?}; a target of null: there is nothing higher',
    own: [
      ['system', '', '', 'key of a points system: to its next level'],
      ['achievement', '', '', 'key of an achievement of a metric or streak'],
    ],
    shown: ' system="gems"',
  },
];

const PROPERTIES = [
  ['--laurel-text', 'text'],
  ['--laurel-quiet', 'secondary text; 4.5:1 on the surface'],
  ['--laurel-surface', 'background'],
  ['--laurel-line', 'borders'],
  ['--laurel-accent', 'bars, days that are done, badges'],
  ['--laurel-on-accent', 'on the accent'],
  ['--laurel-track', 'empty part of bars, days that are not done, the own place'],
  ['--laurel-freeze', 'days that a freeze has kept'],
  ['--laurel-font', 'font family'],
  ['--laurel-font-size', 'font size, by default 1rem'],
  ['--laurel-padding', 'inside of the border'],
  ['--laurel-space', 'between the parts'],
  ['--laurel-radius', 'of the corners'],
];
const EVENTS = [
  ['laurel-load', 'new data is shown; detail is the data'],
  [
    'laurel-error',
    'there is nothing new to show; detail is {status, message}, with status 0 without an answer. What was shown before stays',
  ],
];
const PARTS = ['card', 'label', 'figure', 'bar', 'periods', 'item', 'badge', 'level', 'place', 'own-place'];

const main = document.getElementById('main');

function table(caption, columns, rows) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}><table><caption>${caption}</caption>
    <thead><tr>${columns.map(column => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map(([name, ...cells]) => html`<tr><th scope="row"><code>${name}</code></th>${cells.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

function shown(kind) {
  return {
    streak: html`<laurel-streak .data=${SAMPLES.streak}></laurel-streak>`,
    achievements: html`<laurel-achievements incomplete .data=${SAMPLES.achievements}></laurel-achievements>`,
    points: html`<laurel-points awards="3" .data=${SAMPLES.points}></laurel-points>`,
    leaderboard: html`<laurel-leaderboard .data=${SAMPLES.leaderboard}></laurel-leaderboard>`,
    progress: html`<laurel-progress .data=${SAMPLES.progress}></laurel-progress>`,
  }[kind];
}

function chooseScheme(event) {
  document.documentElement.dataset.scheme = event.target.value;
}

function chooseAccent(event) {
  main.style.setProperty('--laurel-accent', event.target.value);
}

/** Shows what the key reads instead of the samples. */
function show(event) {
  event.preventDefault();
  const given = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, String(value).trim()]));
  for (const {kind} of ELEMENTS) {
    const element = main.querySelector(`laurel-${kind}`);
    Object.assign(element, {data: undefined, apiKey: given.key, user: given.user});
    if (kind === 'points' || kind === 'progress') {
      element.system = given.system;
    }
    if (kind === 'leaderboard') {
      element.board = given.board;
      element.userAttributes = given.attributes;
    }
  }
}

const field = (name, label, type = 'text', isRequired = false) =>
  html`<label>${label}<input name=${name} type=${type} autocomplete="off" spellcheck="false" ?required=${isRequired}></label>`;

render(
  html`
  <p>Web components that show a user’s own streak, achievements, points, ranks and progress on a page of your product. One module, no build step, no request to anybody but this server.</p>
  <pre tabindex="0">${`<script type="module" src="${new URL('laurel.js', location.href)}"></script>
<laurel-streak user="swimmer-77" api-key="app_…"></laurel-streak>`}</pre>
  <p>Make the key on your server, when the user has signed in, with <code>POST /admin/v1/application-api-keys</code> and <code>[{"userId": "swimmer-77", "role": "viewer"}]</code>: it reads one user and changes nothing. Never put an admin key into a page.</p>
  <form aria-label="Colours"><label>Scheme<select @change=${chooseScheme}><option value="system">As the system</option><option value="light">Light</option><option value="dark">Dark</option></select></label>
    <label>--laurel-accent<input type="color" value="#1b6b4a" @input=${chooseAccent}></label></form>
  <form aria-label="With a key" @submit=${show}>${field('key', 'Application key', 'password', true)}${field('user', 'User', 'text', true)}${field('system', 'Points system')}${field('board', 'Leaderboard')}${field('attributes', 'User attributes')}
    <button>Show what it reads</button></form>
  ${ELEMENTS.map(
    ({kind, about, data, own, shown: attributes}) => html`
    <section class="part" aria-labelledby=${kind}><h2 id=${kind}>&lt;laurel-${kind}&gt;</h2><p>${about}</p>
      <div class="sides"><div>${shown(kind)}<pre tabindex="0">${`<laurel-${kind}${attributes} user="…" api-key="…"></laurel-${kind}>`}</pre></div>
        <div>${table(
          'Attributes',
          ['attribute', 'default', 'meaning'],
          own.map(([name, property, value, text]) => [
            name,
            value,
            property === '' ? text : html`${text} (property <code>${property}</code>)`,
          ]),
        )}
          <p class="faint">Property <code>data</code>: ${data}. While it is set, the element asks for nothing.</p></div></div>
    </section>`,
  )}
  <section class="part" aria-labelledby="common"><h2 class="plain" id="common">What all have in common</h2>
    ${table(
      'Attributes of all',
      ['attribute', 'default', 'meaning'],
      COMMON.map(([name, property, value, text]) => [
        name,
        value,
        property === '' ? text : html`${text} (property <code>${property}</code>)`,
      ]),
    )}
    ${table('Events, which bubble', ['event', 'when'], EVENTS)}
    ${table('Custom properties', ['property', 'meaning'], PROPERTIES)}
    <p>Method <code>reload()</code> reads again at once. Parts for <code>::part()</code>: ${PARTS.map((part, i) => html`${i > 0 ? ', ' : nothing}<code>${part}</code>`)}. The colours follow the <code>color-scheme</code> of the place where the element is.</p>
  </section>`,
  main,
);
