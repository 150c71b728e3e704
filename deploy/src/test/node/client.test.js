'use strict';
/*
 * Every method that the official Node client has, against a running Laurel with the rulesets of deploy/examples/swimming.yaml and of
 * rivals.yaml.
 * The client checks each answer itself: a field that is missing or of another type makes it throw.
 *
 * LAUREL_URL: where it is; LAUREL_KEY: an admin key.
 */
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { TrophyApiClient, TrophyApi, TrophyApiError } = require('client');

const host = process.env.LAUREL_URL;
const apiKey = process.env.LAUREL_KEY;
const client = new TrophyApiClient({
  apiKey,
  environment: { api: `${host}/v1`, admin: `${host}/admin/v1` },
});
const once = { maxRetries: 0 };
const today = new Date().toISOString().slice(0, 10);
const year = new Date().getUTCFullYear();
const user = { id: 'ida', name: 'Ida Laine', email: 'ida@example.net', tz: 'UTC', attributes: { city: 'Turku' } };

async function refusal(call, statusCode, errorClass) {
  const error = await call.then(
    () => assert.fail('was not refused'),
    (reason) => reason,
  );
  assert.ok(error instanceof errorClass, `is a ${error.constructor.name}: ${error.message}`);
  assert.equal(error.statusCode, statusCode);
  assert.equal(typeof error.body.error, 'string');
  return error.body.error;
}

/** Reads until the answer holds what is counted: counts follow a change within a second. */
async function counted(read, holds) {
  const deadline = Date.now() + 30_000;
  let answer = await read();
  while (!holds(answer) && Date.now() < deadline) {
    answer = await read();
  }
  return answer;
}

test('users.create', async () => {
  const created = await client.users.create(user, once);
  assert.equal(created.id, 'ida');
  assert.equal(created.name, 'Ida Laine');
  assert.deepEqual(created.attributes, { city: 'Turku' });
  assert.equal(created.subscribeToEmails, true);
  assert.ok(created.created instanceof Date);
});

test('users.get', async () => {
  assert.equal((await client.users.get('ida', once)).email, 'ida@example.net');
  await refusal(client.users.get('nobody', once), 404, TrophyApiError);
});

test('users.identify', async () => {
  const identified = await client.users.identify('otto', { name: 'Otto', tz: 'Europe/Helsinki' }, once);
  assert.equal(identified.tz, 'Europe/Helsinki');
  // An explicit undefined arrives as null: it clears the zone, and leaves the name alone.
  const cleared = await client.users.identify('otto', { name: undefined, tz: undefined }, once);
  assert.equal(cleared.name, 'Otto');
  assert.ok(cleared.tz === undefined || cleared.tz === null);
});

test('users.update', async () => {
  assert.equal((await client.users.update('otto', { name: 'Otto S.' }, once)).name, 'Otto S.');
  await refusal(client.users.update('nobody', { name: 'x' }, once), 404, TrophyApi.NotFoundError);
  const text = await refusal(
    client.users.update('otto', { attributes: { pln: 'gold' } }, once),
    422,
    TrophyApi.UnprocessableEntityError,
  );
  assert.match(text, /^Unknown attribute keys: pln\./);
});

// The client is older than signUpDate. It sends no field that it does not know, and keeps those of answers.
test('signUpDate', async () => {
  const sent = await fetch(`${host}/v1/users/ida`, {
    method: 'PATCH',
    headers: { 'X-API-KEY': apiKey },
    body: JSON.stringify({ signUpDate: '2024-02-29T22:30:00-03:00' }),
  });
  assert.equal(sent.status, 200);
  assert.equal((await sent.json()).signUpDate, '2024-03-01');
  assert.equal((await client.users.get('ida', once)).signUpDate, '2024-03-01');
  const updated = await client.users.update('ida', { name: 'Ida Laine' }, once);
  assert.equal(updated.signUpDate, '2024-03-01');
  assert.equal((await client.users.get('otto', once)).signUpDate, null);
});

test('metrics.event', async () => {
  const event = await client.metrics.event(
    'laps-swum',
    { user: { id: 'ida' }, value: 42.5, attributes: { pool: 'sea' }, idempotencyKey: 'swim-1' },
    once,
  );
  assert.equal(event.total, 42.5);
  assert.deepEqual(event.achievements.map((a) => a.key), ['forty-laps']);
  assert.equal(event.points.gems.added, 80);
  assert.equal(event.points.gems.level.key, 'minnow');
  assert.equal(event.points.gems.awards[0].trigger.metricName, 'Laps swum');
  assert.equal(event.currentStreak.length, 1);
  assert.equal(event.currentStreak.extended, true);
  assert.equal(event.leaderboards['pool-week'].rank, 1);
  assert.equal(event.idempotentReplayed, false);

  const again = await client.metrics.event(
    'laps-swum',
    { user: { id: 'ida' }, value: 42.5, idempotencyKey: 'swim-1' },
    once,
  );
  assert.equal(again.idempotentReplayed, true);
  assert.equal(again.eventId, event.eventId);
  assert.equal(again.total, 42.5);

  await refusal(client.metrics.event('flights', { user: { id: 'ida' }, value: 1 }, once), 404, TrophyApiError);
  await refusal(
    client.metrics.event('laps-swum', { user: { id: 'ida' }, value: 1, attributes: { boat: 'x' } }, once),
    422,
    TrophyApi.UnprocessableEntityError,
  );
});

test('achievements.complete', async () => {
  const completion = await client.achievements.complete('coachs-medal', { user: { id: 'ida' } }, once);
  assert.equal(completion.achievement.key, 'coachs-medal');
  assert.ok(completion.achievement.achievedAt);
  const again = await client.achievements.complete('coachs-medal', { user: { id: 'ida' } }, once);
  assert.equal(again.completionId, completion.completionId);
  await refusal(
    client.achievements.complete('nothing', { user: { id: 'ida' } }, once),
    404,
    TrophyApi.NotFoundError,
  );
});

test('achievements.all', async () => {
  const all = await client.achievements.all({}, once);
  assert.deepEqual(
    all.map((a) => a.key),
    ['forty-laps', 'open-water', 'faithful', 'coachs-medal', 'legend', 'champion'],
  );
  const medal = all.find((a) => a.key === 'coachs-medal');
  assert.ok(medal.completions >= 1);
  assert.ok(medal.rarity > 0 && medal.rarity <= 100);
  assert.equal((await client.achievements.all({ userAttributes: 'city:Turku' }, once)).length, 6);
});

test('users.getPreferences, users.updatePreferences', async () => {
  assert.deepEqual((await client.users.getPreferences('ida', once)).notifications, {});
  const changed = await client.users.updatePreferences(
    'ida',
    { notifications: { recap: ['email'], streakReminder: [] } },
    once,
  );
  assert.deepEqual(changed.notifications.recap, ['email']);
  assert.deepEqual(changed.notifications.streakReminder, []);
  await refusal(client.users.getPreferences('nobody', once), 404, TrophyApi.NotFoundError);
});

test('users.allMetrics, users.singleMetric, users.metricEventSummary', async () => {
  const all = await client.users.allMetrics('ida', once);
  assert.deepEqual(all.map((m) => [m.key, m.status, m.current]), [['laps-swum', 'active', 42.5]]);
  assert.equal((await client.users.singleMetric('ida', 'laps-swum', once)).current, 42.5);
  await refusal(client.users.singleMetric('ida', 'flights', once), 404, TrophyApi.NotFoundError);
  const summary = await client.users.metricEventSummary(
    'ida',
    'laps-swum',
    { aggregation: 'daily', startDate: today, endDate: today },
    once,
  );
  assert.deepEqual(summary, [{ date: today, total: 42.5, change: 42.5 }]);
});

test('users.achievements', async () => {
  const completed = await client.users.achievements('ida', {}, once);
  assert.deepEqual(completed.map((a) => a.key), ['forty-laps', 'coachs-medal']);
  const all = await client.users.achievements('ida', { includeIncomplete: 'true' }, once);
  assert.equal(all.length, 6);
});

test('users.streak', async () => {
  const streak = await client.users.streak('ida', { historyPeriods: 3 }, once);
  assert.equal(streak.length, 1);
  assert.equal(streak.streakHistory.length, 3);
  assert.equal(streak.rank, 1);
});

test('users.points, users.pointsEventSummary', async () => {
  const points = await client.users.points('ida', 'gems', { awards: 1 }, once);
  assert.equal(points.total, 80);
  assert.equal(points.awards.length, 1);
  const summary = await client.users.pointsEventSummary(
    'ida',
    'gems',
    { aggregation: 'monthly', startDate: today, endDate: today },
    once,
  );
  assert.equal(summary.at(-1).total, 80);
  await refusal(client.users.points('ida', 'pearls', {}, once), 404, TrophyApi.NotFoundError);
});

test('users.leaderboard', async () => {
  const onBoard = await client.users.leaderboard('ida', 'gem-club', { numEvents: 5 }, once);
  assert.equal(onBoard.rank, 1);
  assert.equal(onBoard.value, 80);
  assert.ok(Array.isArray(onBoard.history));
  await refusal(client.users.leaderboard('ida', 'nothing', {}, once), 404, TrophyApi.NotFoundError);
});

test('users.wrapped', async () => {
  const wrapped = await client.users.wrapped('ida', { year }, once);
  assert.equal(wrapped.user.id, 'ida');
  assert.equal(wrapped.activity.daysActive, 1);
  assert.equal(wrapped.activity.entireYear.longestStreak.length, 1);
  assert.equal(wrapped.activity.mostActiveDay.metrics['laps-swum'].changeThisPeriod, 42.5);
  await refusal(client.users.wrapped('nobody', { year }, once), 404, TrophyApi.NotFoundError);
});

test('streaks.list, streaks.rankings', async () => {
  const list = await client.streaks.list({ userIds: ['otto', 'ida'] }, once);
  assert.deepEqual(list.map((s) => [s.userId, s.streakLength]), [['ida', 1], ['otto', 0]]);
  const rankings = await client.streaks.rankings({ limit: 1, type: 'active' }, once);
  assert.deepEqual(rankings.map((s) => [s.userId, s.name, s.streakLength]), [['ida', 'Ida Laine', 1]]);
});

test('points.system, points.summary', async () => {
  const system = await client.points.system('gems', once);
  assert.equal(system.maxPoints, 500);
  assert.equal(system.triggers.length, 3);
  const usersIn = (ranges) => ranges.reduce((sum, range) => sum + range.users, 0);
  const summary = await counted(
    () => client.points.summary('gems', {}, once),
    (ranges) => usersIn(ranges) === 2,
  );
  assert.equal(summary.length, 11);
  assert.equal(usersIn(summary), 2);
  await refusal(client.points.summary('pearls', {}, once), 404, TrophyApi.NotFoundError);
});

test('leaderboards.all, leaderboards.get', async () => {
  const all = await client.leaderboards.all(once);
  assert.ok(all.some((board) => board.key === 'gem-club'));
  const board = await client.leaderboards.get('gem-club', { limit: 10 }, once);
  assert.deepEqual(board.rankings, [{ userId: 'ida', userName: 'Ida Laine', rank: 1, value: 80 }]);
  const byCity = await client.leaderboards.get('pool-week', { userAttributes: 'city:Turku' }, once);
  assert.equal(byCity.rankings[0].value, 42.5);
  await refusal(client.leaderboards.get('nothing', {}, once), 404, TrophyApi.NotFoundError);
});

test('admin.streaks.freezes.create, admin.streaks.restore', async () => {
  const given = await client.admin.streaks.freezes.create(
    { freezes: [{ userId: 'ida' }, { userId: 'ida' }, { userId: 'nobody' }] },
    once,
  );
  assert.deepEqual(given.issues.map((i) => [i.userId, i.level]), [['ida', 'warning'], ['nobody', 'error']]);
  const restored = await client.admin.streaks.restore({ users: [{ id: 'ida' }, { id: 'nobody' }] }, once);
  assert.deepEqual(restored.restoredUsers, []);
  assert.deepEqual(restored.issues.map((i) => [i.userId, i.level]), [['ida', 'warning'], ['nobody', 'error']]);
});

test('a wrong key', async () => {
  const stranger = new TrophyApiClient({
    apiKey: 'nobodys.key',
    environment: { api: `${host}/v1`, admin: `${host}/admin/v1` },
  });
  await refusal(stranger.users.get('ida', once), 401, TrophyApi.UnauthorizedError);
  await refusal(stranger.admin.streaks.restore({ users: [{ id: 'ida' }] }, once), 401, TrophyApi.UnauthorizedError);
});

test('a client that has one base for everything', async () => {
  const old = require('client-with-one-base');
  const oldClient = new old.TrophyApiClient({ apiKey, environment: `${host}/api` });
  const event = await oldClient.metrics.event('laps-swum', { user: { id: 'vera' }, value: 5 }, once);
  assert.equal(event.total, 5);
  assert.equal((await oldClient.users.get('vera', once)).id, 'vera');
  assert.equal((await oldClient.users.streak('vera', {}, once)).length, 1);
});

test('metrics.event: a key is one in every form of the header, and in a batch', async () => {
  const send = (path, body, key) => fetch(host + path, {
    method: 'POST', body: JSON.stringify(body), headers: { 'X-API-KEY': apiKey, ...(key && { 'Idempotency-Key': key }) },
  });
  const event = { user: { id: 'ida' }, value: 0.5 };
  const first = await client.metrics.event('laps-swum', { ...event, idempotencyKey: 'clé-7' }, once); // fetch sends Latin-1
  assert.equal(first.idempotencyKey, 'clé-7');
  assert.equal(first.idempotentReplayed, false);
  assert.equal((await send('/admin/v1/metrics/events', [{ key: 'laps-swum', idempotencyKey: 'clé-7', ...event }])).status, 202);
  const again = await (await send('/v1/metrics/laps-swum/event', event, "UTF-8''cl%C3%A9-7")).json();
  assert.equal(again.idempotentReplayed, true);
  assert.equal(again.total, first.total);
});

// What the client does not know comes beside what it knows: it must read every answer all the same.
test('teams, hidden and anonymous users, friends, ranks at the end', async () => {
  const send = async (method, path, body) => {
    const answer = await fetch(host + path, { method, body: JSON.stringify(body), headers: { 'X-API-KEY': apiKey } });
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get('X-Laurel-Warning'), null, path);
    return answer.json();
  };
  const swim = (id, club, value) => client.metrics.event(
    'laps-swum',
    { user: { id, name: id, attributes: { city: 'Oulu', club } }, value },
    once,
  );
  const event = await swim('kai', 'Otters', 4);
  assert.equal(event.leaderboards.clubs.rank, 1);
  assert.equal(event.leaderboards.clubs.teamRank, 1);
  await swim('lea', 'Otters', 3);
  await swim('max', 'Pikes', 5);
  await swim('ned', 'Pikes', 9);
  for (const [id, visibility] of [['lea', 'anonymous'], ['ned', 'hidden']]) {
    await send('PATCH', `/v1/users/${id}/preferences`, { leaderboards: { visibility } });
    assert.deepEqual((await client.users.getPreferences(id, once)).leaderboards, { visibility });
    assert.deepEqual((await client.users.updatePreferences(id, { notifications: {} }, once)).leaderboards, { visibility });
  }

  const teams = await client.leaderboards.get('clubs', {}, once);
  assert.deepEqual(
    teams.rankings.map((team) => [team.rank, team.userName, team.value, team.members]),
    [[1, 'Otters', 7, 2], [2, 'Pikes', 5, 1]],
  );
  const inOulu = { userAttributes: 'city:Oulu' };
  assert.equal((await client.leaderboards.get('club-season', inOulu, once)).rankings[0].userName, 'Pikes');
  // The client has no method for these.
  const otters = await send('GET', '/v1/leaderboards/clubs?team=Otters');
  assert.equal(otters.rankings.length, 2);
  assert.match(otters.rankings[1].userId, /^anonymous-/);
  const friends = await send('GET', '/v1/leaderboards/one-swimmer?userIds=kai,max,lea,ned');
  assert.deepEqual(friends.rankings.map((user) => [user.rank, user.userId]), [[1, 'max'], [2, 'kai']]);
  const behind = await counted(
    () => send('GET', '/v1/users/max/leaderboards/one-swimmer?estimate=true'),
    (place) => place.estimatedRank,
  );
  assert.equal(behind.rank, null);
  assert.equal(behind.value, 5);
  assert.equal((await client.users.leaderboard('ned', 'clubs', {}, once)).rank ?? null, null);
  const own = await client.users.leaderboard('kai', 'club-season', {}, once);
  assert.deepEqual([own.rank, own.team, own.teamRank], [1, 'Otters', 2]);

  const season = (await client.leaderboards.all(once)).find((board) => board.key === 'club-season');
  await send('PATCH', '/admin/v1/leaderboards', [{ id: season.id, status: 'finished' }]);
  const points = await counted(
    () => client.users.points('lea', 'medals', {}, once),
    (system) => system.awards.some((award) => award.trigger.leaderboardName === 'Season of the clubs'),
  );
  assert.deepEqual(points.awards.map((award) => [award.awarded, award.trigger.type]), [[5, 'achievement']]);
  const champions = await client.users.achievements('max', {}, once);
  assert.deepEqual(champions.map((one) => [one.key, one.trigger, one.rankTo]), [['champion', 'api', 1]]);
  assert.equal((await client.users.achievements('lea', { includeIncomplete: 'true' }, once)).length, 6);
  assert.equal((await client.points.system('medals', once)).triggers.length, 1);
  assert.equal((await client.leaderboards.get('club-season', inOulu, once)).rankings.length, 2);
  assert.equal((await client.users.wrapped('max', { year }, once)).user.id, 'max');
});
