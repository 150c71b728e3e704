// Calls of the API: what is sent, what is sent again, and what a refusal says.
import {beforeEach, test} from 'node:test';
import assert from 'node:assert/strict';
const {Refused, all, call, follow, get, headerText, json, page, query, session, single} =
  await import('../dev/laurel/console/api.js');

let sent;

/** Lets the server answer with these in turn. @param answers functions, or `[status, body, headers]` */
function answering(...answers) {
  sent = [];
  globalThis.fetch = async (path, options) => {
    sent.push({path, ...options});
    const answer = answers[sent.length - 1];
    if (typeof answer === 'function') {
      return answer();
    }
    const [status, body, headers] = answer;
    return new Response(body === null || typeof body === 'string' ? body : JSON.stringify(body), {status, headers});
  };
}

beforeEach(() => {
  session.current = null;
  session.tenant = null;
});

test('leaves out parameters without a value', () => {
  assert.equal(query('/v1/users', {limit: 0, cursor: null, search: '', sort: 'a b'}), '/v1/users?limit=0&sort=a+b');
  assert.equal(query('/v1/users', {}), '/v1/users');
});

test('writes the text of a header so that every character arrives', () => {
  assert.equal(headerText('acme-1'), 'acme-1');
  assert.equal(headerText("Åre's (1)"), "UTF-8''%C3%85re%27s%20%281%29");
});

test('sends the tenant, and with a change the token of the session', async () => {
  session.current = {name: 'Ida', role: 'editor', csrfToken: 'c'};
  session.tenant = 'acme';
  answering([200, {}], [200, {}]);
  await json('POST', '/admin/v1/metrics', [{}]);
  await get('/admin/v1/metrics');

  assert.deepEqual(sent[0].headers, {
    Accept: 'application/json',
    'Tenant-ID': 'acme',
    'Content-Type': 'application/json',
    'X-CSRF-Token': 'c',
  });
  assert.deepEqual(sent[1].headers, {Accept: 'application/json', 'Tenant-ID': 'acme'});
});

test('repeats a read that is answered 503, but no change', async () => {
  answering([503, {error: 'busy'}, {'Retry-After': '0'}], [200, {ok: true}]);
  assert.deepEqual(await get('/v1/users'), {ok: true});

  answering([503, {error: 'busy'}, {'Retry-After': '0'}]);
  await assert.rejects(
    json('POST', '/v1/users', {}),
    error => error instanceof Refused && error.status === 503 && error.message === 'busy',
  );
});

test('gives up after six attempts', async () => {
  answering(...Array(7).fill([503, {error: 'busy'}, {'Retry-After': '0'}]));

  await assert.rejects(get('/v1/users'), {status: 503});
  assert.equal(sent.length, 6);
});

test('says what the server refused, also if it is no JSON', async () => {
  answering([422, {error: 'no', issues: [{path: '/a', message: 'b'}]}], [502, '<html>'], () =>
    Promise.reject(new TypeError('failed')),
  );

  await assert.rejects(get('/a'), error => error.message === 'no' && error.issues[0].path === '/a');
  await assert.rejects(get('/a'), error => error instanceof Refused && error.status === 502 && error.message.includes('502'));
  await assert.rejects(get('/a'), error => error instanceof Refused && error.status === 0);
});

test('passes on that a call was given up', async () => {
  answering(() => Promise.reject(new DOMException('aborted', 'AbortError')));

  await assert.rejects(call('GET', '/a'), {name: 'AbortError'});
});

test('ends the session that the server does not know', async () => {
  session.current = {role: 'viewer'};
  answering([401, {error: 'no session'}]);

  await assert.rejects(get('/a'), {status: 401});
  assert.equal(session.current, null);
});

test('permits what a role includes', () => {
  session.current = {role: 'editor'};

  assert.deepEqual(
    ['viewer', 'support', 'editor', 'admin'].map(role => session.may(role)),
    [true, true, true, false],
  );
});

test('reads a list page by page until one is not full', async () => {
  answering([200, Array(100).fill({})], [200, [{}]]);

  assert.equal((await all('/admin/v1/metrics')).length, 101);
  assert.deepEqual(
    sent.map(({path}) => path),
    ['/admin/v1/metrics?limit=100&skip=0', '/admin/v1/metrics?limit=100&skip=100'],
  );
});

test('reads the cursor of the next page', async () => {
  answering([200, [1], {'X-Laurel-Next': 'c'}], [200, [2]]);

  assert.deepEqual(await page('/a'), {items: [1], next: 'c'});
  assert.deepEqual(await page('/a'), {items: [2], next: null});
});

test('refuses what a bulk call says about its only item', async () => {
  answering([200, {created: [], issues: [{message: 'taken'}]}]);

  await assert.rejects(single('POST', '/a', [{}]), {status: 422, message: 'taken'});
});

test('follows events, whose pieces may be cut anywhere', async t => {
  t.mock.method(globalThis, 'setTimeout', queueMicrotask); // It connects again at once.
  const abort = new AbortController();
  const stream = new ReadableStream({
    start(controller) {
      for (const piece of ['id: 1\nevent: eff', 'ect\ndata: {"a":', '1}\n\n: still here\n\n']) {
        controller.enqueue(new TextEncoder().encode(piece));
      }
      controller.close();
    },
  });
  answering(() => new Response(stream));
  const taken = [];
  const connections = [];
  await follow(
    '/live',
    abort.signal,
    (event, data) => taken.push([event, data]),
    isConnected => {
      connections.push(isConnected);
      if (!isConnected) {
        abort.abort();
      }
    },
  );

  assert.deepEqual(taken, [['effect', {a: 1}]]);
  assert.deepEqual(connections, [true, false]);
});
