'use strict';
/* The worked examples of the wire contract, as the official Node client reads them. LAUREL_EXAMPLES: the folder they are in. */
const assert = require('node:assert/strict');
const { createServer } = require('node:http');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { after, before, test } = require('node:test');
const { TrophyApiClient } = require('client');

const once = { maxRetries: 0 };
let answer;
let server;
let client;

before(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `http://127.0.0.1:${server.address().port}`;
  client = new TrophyApiClient({ apiKey: 'any', environment: { api: `${host}/v1`, admin: `${host}/admin/v1` } });
});

after(() => server.close());

const calls = {
  event: () => client.metrics.event('laps-swum', { user: { id: 'swimmer-77' }, value: 1 }, once),
  user: () => client.users.get('swimmer-77', once),
  preferences: () => client.users.getPreferences('swimmer-77', once),
  streak: () => client.users.streak('swimmer-77', {}, once),
  userPoints: () => client.users.points('swimmer-77', 'gems', {}, once),
  userLeaderboard: () => client.users.leaderboard('swimmer-77', 'pool-week', {}, once),
  wrapped: () => client.users.wrapped('swimmer-77', {}, once),
  summary: () => client.points.summary('gems', {}, once),
  leaderboard: () => client.leaderboards.get('gem-club', {}, once),
};

for (const [name, call] of Object.entries(calls)) {
  test(name, async () => {
    answer = readFileSync(join(process.env.LAUREL_EXAMPLES, `${name}.json`));
    const read = await call();
    assert.equal(typeof read, 'object');
    assert.deepEqual(Object.keys(read).sort(), Object.keys(JSON.parse(answer)).sort());
  });
}
