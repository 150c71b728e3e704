// Calls of the public API with the session cookie. Nothing of a key is kept here or in the browser's storage.
import texts from './texts.js';

/** Says that this browser has signed in before, so that nobody else is asked for a session that does not exist. */
const SIGNED_IN = 'laurel.console.signed-in';
const TENANT = 'laurel.console.tenant';
const ROLES = ['viewer', 'support', 'editor', 'admin'];
const MAX_TRIES = 6;
const MAX_PAUSE_MS = 5000;

/** A request that was refused. */
export class Refused extends Error {
  /** @param issues what is wrong with a document, as `{path, message}` */
  constructor(status, message, issues = []) {
    super(message);
    this.status = status;
    this.issues = issues;
  }
}

/** What is known about who has signed in. Dispatches `changed`. */
class Session extends EventTarget {
  /** `{name, role, tenant, csrfToken, expiresAt}`, or null. */
  current = null;

  /** The `customerId` of the tenant whose data is shown; null: the instance has none, or the key is bound to one. */
  tenant = localStorage.getItem(TENANT);

  /** The tenants to choose from, or an empty list. */
  tenants = [];

  /** Whether the session may do what needs `role`. */
  may(role) {
    return this.current !== null && ROLES.indexOf(this.current.role) >= ROLES.indexOf(role);
  }

  /** Continues the session of the cookie, if there may be one. */
  async resume() {
    if (localStorage.getItem(SIGNED_IN) === null) {
      return;
    }
    try {
      await this.#begin(await json('GET', '/admin/v1/session'));
    } catch (e) {
      if (!(e instanceof Refused && e.status === 401)) {
        throw e;
      }
      this.#end();
    }
  }

  /** Call before leaving for a sign-in elsewhere. */
  expect() {
    localStorage.setItem(SIGNED_IN, '1');
  }

  /** @param given `{key}` or `{link}` */
  async signIn(given) {
    const session = await json('POST', '/admin/v1/session', given);
    this.expect();
    await this.#begin(session);
  }

  async signOut() {
    try {
      await call('DELETE', '/admin/v1/session');
    } finally {
      this.#end();
    }
  }

  /** The API does not know the session any more. */
  lost() {
    if (this.current !== null) {
      this.#end();
    }
  }

  choose(tenant) {
    this.tenant = tenant;
    localStorage.setItem(TENANT, tenant);
    this.dispatchEvent(new Event('changed'));
  }

  async #begin(session) {
    const before = this.tenant;
    this.current = session;
    this.tenant = null;
    this.tenants = [];
    if (session.tenant === null) {
      // The routes of tenants refuse while there are none, which browsers would report as an error.
      const {multiTenancyEnabled} = await get('/admin/v1/settings');
      if (multiTenancyEnabled) {
        this.tenants = (await all('/admin/v1/tenants')).filter(tenant => tenant.status === 'active');
      }
    }
    const tenant = this.tenants.find(one => one.customerId === before) ?? this.tenants[0];
    this.tenant = tenant?.customerId ?? null;
    this.dispatchEvent(new Event('changed'));
  }

  #end() {
    localStorage.removeItem(SIGNED_IN);
    this.current = null;
    this.tenants = [];
    this.dispatchEvent(new Event('changed'));
  }
}

export const session = new Session();

/** The value of a header that the server reads as this text: browsers send no characters beyond Latin-1, and cut white space off. */
export function headerText(text) {
  return /^[\w.~-]*$/.test(text)
    ? text
    : `UTF-8''${encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/**
 * Sends a request, and sends a read again that was answered 503, after the time that the answer names.
 *
 * @param {{body?: unknown, text?: string, accept?: string, signal?: AbortSignal, headers?: Record<string, string>}} options
 * @throws {Refused}
 */
export async function call(method, path, options = {}) {
  const headers = {Accept: options.accept ?? 'application/json', ...options.headers};
  if (session.tenant !== null) {
    headers['Tenant-ID'] = headerText(session.tenant);
  }
  if (options.body !== undefined || options.text !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  if (method !== 'GET' && session.current !== null) {
    headers['X-CSRF-Token'] = session.current.csrfToken;
  }
  const body = options.body === undefined ? options.text : JSON.stringify(options.body);
  for (let tries = 1; ; tries++) {
    let answer;
    try {
      answer = await fetch(path, {method, headers, body, signal: options.signal});
    } catch (e) {
      if (e instanceof DOMException) {
        throw e; // aborted
      }
      throw new Refused(0, texts.errors.unreachable);
    }
    if (answer.ok) {
      return answer;
    }
    const again = answer.status === 503 && method === 'GET' && tries < MAX_TRIES;
    if (!again) {
      throw await refusal(answer);
    }
    const pauseMs = Math.min(MAX_PAUSE_MS, 1000 * Number(answer.headers.get('Retry-After') ?? 1));
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
}

async function refusal(answer) {
  if (answer.status === 401) {
    session.lost();
  }
  const text = await answer.text();
  try {
    const {error, issues} = JSON.parse(text);
    return new Refused(answer.status, error ?? text, issues);
  } catch {
    return new Refused(answer.status, texts.errors.status(answer.status));
  }
}

/** @throws {Refused} */
export async function json(method, path, body, signal) {
  const answer = await call(method, path, {body, signal});
  return answer.status === 204 ? null : received(answer.json());
}

/** The body of an answer, whose connection may break off. */
async function received(body) {
  try {
    return await body;
  } catch (e) {
    throw e instanceof TypeError ? new Refused(0, texts.errors.unreachable) : e;
  }
}

export function get(path, signal) {
  return json('GET', path, undefined, signal);
}

/** What a bulk call says about its only item, when it did not do it. @throws {Refused} with its issue */
export async function single(method, path, body) {
  const answer = await json(method, path, body);
  if (answer.issues?.length > 0) {
    throw new Refused(422, answer.issues[0].message);
  }
  return answer;
}

/** A list of configured objects: they are few, and at most 1,000 are read. */
export async function all(path) {
  const objects = [];
  for (let skip = 0; skip < 1000; skip += 100) {
    const page = await get(query(path, {limit: 100, skip}));
    objects.push(...page);
    if (page.length < 100) {
      break;
    }
  }
  return objects;
}

/** A page of a long list: `items`, and `next`, the cursor of the next page or null. */
export async function page(path, signal) {
  const answer = await call('GET', path, {signal});
  return {items: await received(answer.json()), next: answer.headers.get('X-Laurel-Next')};
}

/** The path with those parameters that have a value. */
export function query(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

export function report(name, parameters, signal) {
  return get(query(`/admin/v1/analytics/${name}`, parameters), signal);
}

/** Saves what the API answers as CSV. */
export async function saveCsv(path, name) {
  const answer = await call('GET', path, {accept: 'text/csv'});
  save(await received(answer.blob()), `${name}.csv`);
}

export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Reads Server-Sent Events until `signal` aborts, and connects again where the last connection ended. An `EventSource` cannot
 * name the tenant.
 *
 * @param {(event: string, data: any) => void} take
 * @param {(isConnected: boolean) => void} onConnection
 */
export async function follow(path, signal, take, onConnection) {
  let lastId = null;
  while (!signal.aborted) {
    try {
      const answer = await call('GET', path, {
        signal,
        accept: 'text/event-stream',
        headers: lastId === null ? {} : {'Last-Event-ID': lastId},
      });
      onConnection(true);
      let rest = '';
      for await (const text of textsOf(answer.body)) {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop();
        for (const block of blocks) {
          const fields = Object.fromEntries(
            block
              .split('\n')
              .map(line => line.split(/: ?(.*)/s))
              .filter(([name]) => name !== ''),
          );
          lastId = fields.id ?? lastId;
          if (fields.data !== undefined) {
            take(fields.event, JSON.parse(fields.data));
          }
        }
      }
    } catch (e) {
      if (signal.aborted || (e instanceof Refused && e.status !== 503 && e.status !== 0)) {
        return;
      }
    }
    onConnection(false);
    await new Promise(resolve => setTimeout(resolve, 2000));
  }
}

async function* textsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    yield part.value;
  }
}
