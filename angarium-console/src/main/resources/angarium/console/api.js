// @ts-check
import { cell } from './cell.js';
import { route } from './router.js';
import { learnClock } from './time.js';

/** Who uses the console. `state` is `loading`, `out` or `in`. */
export const session = cell({ state: 'loading', me: /** @type {any} */ (null), databases: /** @type {any[]} */ ([]) });

/** The version of the server that answered first, and whether another one has answered since. */
export const serverVersion = cell({ first: '', changed: false });

/** An answer that is not a success. `OFFLINE` means that the console itself did not answer. */
export class Problem extends Error {
  /** @param {number} status @param {string} code @param {string} detail @param {number} retryAfter seconds */
  constructor(status, code, detail, retryAfter = 0) {
    super(detail || code);
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

/** Returns the address of an API path. */
export function apiUrl(path) {
  return new URL(`api/v1/${path}`, document.baseURI).href;
}

/** Returns an API path within the database that the page shows. */
export function inDatabase(path) {
  return `${encodeURIComponent(database())}/${path}`;
}

/** Returns the name of the database that the page shows. */
export function database() {
  const { databases } = session.get();
  return route.get().params.db || databases[0]?.name || 'default';
}

/** Returns what is known of the database that the page shows. */
export function databaseFacts() {
  return session.get().databases.find((each) => each.name === database());
}

/** @param {string} path @param {{signal?: AbortSignal, etag?: string}} [options] */
export function get(path, options) {
  return call('GET', path, undefined, options);
}

/** @param {string} path @param {unknown} body @param {{signal?: AbortSignal}} [options] */
export function post(path, body, options) {
  return call('POST', path, body, options);
}

/** @param {string} path @param {unknown} body */
export function put(path, body) {
  return call('PUT', path, body);
}

/** Fetches bytes as they are. @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<Blob>} */
export async function blob(method, path, body) {
  return (await send(method, path, body)).blob();
}

/**
 * Calls the API.
 * @returns {Promise<any>} the answer; undefined if it has no body; `UNCHANGED` for 304
 */
async function call(method, path, body, options) {
  return content(await send(method, path, body, options));
}

async function send(method, path, body, { signal = undefined, etag = undefined } = {}) {
  const headers = { Accept: 'application/json, */*;q=0.5' };
  if (etag) headers['If-None-Match'] = etag;
  if (method !== 'GET') {
    headers['Content-Type'] = 'application/json';
    headers['Angarium-Console'] = '1';
    headers['Angarium-Console-Client'] = 'page';
    const csrf = session.get().me?.csrf;
    if (csrf) headers[csrf.header] = csrf.token;
  }
  let answer;
  await turn();
  try {
    answer = await fetch(apiUrl(path), {
      method, headers, signal, cache: 'no-store', credentials: 'same-origin',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new Problem(0, 'OFFLINE', String(failure.message ?? failure));
  } finally {
    next();
  }
  noteVersion(answer.headers.get('Angarium-Version'));
  return answer.ok || answer.status === 304 ? answer : fail(answer, path);
}

export const UNCHANGED = Symbol('unchanged');

/** The server asks the database two questions at a time; a page that asks more would only wait there. */
const AT_ONCE = 2;
let running = 0;
const waiting = /** @type {(() => void)[]} */ ([]);

function turn() {
  if (running < AT_ONCE) {
    running++;
    return undefined;
  }
  return new Promise((resolve) => waiting.push(() => resolve(undefined)));
}

/** Hands the turn on, or gives it back. */
function next() {
  const first = waiting.shift();
  if (first) first();
  else running--;
}

async function content(answer) {
  if (answer.status === 304) return UNCHANGED;
  if (answer.status === 204) return undefined;
  let data;
  try {
    data = await answer.json();
  } catch {
    throw new Problem(answer.status, 'UNREADABLE', answer.url);
  }
  if (data?.now) learnClock(data.now);
  const etag = answer.headers.get('ETag');
  if (etag && data) Object.defineProperty(data, 'etag', { value: etag });
  return data;
}

async function fail(answer, path) {
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 401 && path !== 'sign-in') session.patch({ state: 'out' });
  throw new Problem(answer.status, problem.code ?? `HTTP_${answer.status}`, problem.detail ?? '',
    Number(answer.headers.get('Retry-After')) || 0);
}

function noteVersion(version) {
  if (!version) return;
  const { first } = serverVersion.get();
  if (!first) serverVersion.patch({ first: version });
  else if (version !== first) serverVersion.patch({ changed: true });
}

/** Learns who uses the console and which databases it has. */
export async function enter() {
  const me = await get('me');
  const { items } = await get('databases');
  session.set({ state: 'in', me, databases: items });
}

/** Returns why the operator may not use a right; empty if it may be used. */
export function denial(right) {
  const { me } = session.get();
  if (!right || me?.may?.includes(right)) return '';
  return me?.readOnly && right !== 'view' && right !== 'payload' ? 'denied.readOnly' : `denied.${right}`;
}
