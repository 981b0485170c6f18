// @ts-check
import { inDatabase, post, put } from './api.js';

/** One call changes no more, so that progress shows and a stop takes effect soon. */
const CHUNK = 500;

/**
 * @typedef {object} Part
 * @property {any} filter which messages are meant
 * @property {string} title what the operator calls them
 */

/** Asks what an operation would do, part by part. Nothing is changed. */
export async function previewAll(kind, parts) {
  const previews = [];
  for (const { filter, title } of parts) {
    const preview = await post(inDatabase('operations/preview'), { kind, filter });
    previews.push({ ...preview, id: uuid(), filter, title, done: 0, notFound: 0, refused: 0 });
  }
  return previews;
}

/**
 * Runs the previewed operations one after the other, chunk by chunk, until they are done, the limit
 * of each is reached, or the operator stops them. A chunk that is under way is finished. The
 * counters of an answer are those of its chunk.
 * @param {any[]} runs what {@link previewAll} returned; the tokens in it are moved on
 * @param {{kind: string, reason: string, limit?: number, told: () => void, stopped: () => boolean}} how
 */
export async function runAll(runs, { kind, reason, limit = 0, told, stopped }) {
  for (const run of runs) {
    while (run.token && !stopped()) {
      const body = { kind, filter: run.filter, token: run.token, reason, limit: limit || CHUNK };
      const { state, token, done, notFound, refused } = await put(inDatabase(`operations/${run.id}`), body);
      run.token = state === 'done' ? null : token;
      run.done += done;
      run.notFound += notFound;
      run.refused += refused;
      told();
      if (limit) break;
    }
  }
}

/** Adds up the results of all parts. */
export function totals(runs) {
  const sum = { matched: 0, atLeast: false, done: 0, notFound: 0, refused: 0, left: false };
  for (const { matched, token, done, notFound, refused } of runs) {
    sum.matched += matched.count;
    sum.atLeast ||= matched.atLeast;
    sum.done += done;
    sum.notFound += notFound;
    sum.refused += refused;
    sum.left ||= Boolean(token);
  }
  return sum;
}

/** Counts the messages of the previews that have become dead letters again since then. */
export async function diedAgain(runs) {
  let count = 0;
  for (const { filter, untilAt } of runs) {
    const { from, ...rest } = filter;
    const { items } = await post(inDatabase('messages/search'), { ...rest, stage: 'dead', from: untilAt, limit: 50 });
    count += items.length;
  }
  return count;
}

/** Returns the parts of an operation that takes back what was discarded or cancelled. */
export function undoParts(runs, reason) {
  return runs.filter(({ done }) => done > 0).map(({ filter, title, untilAt }) => ({
    title,
    filter: { ...(filter.destinations && { destinations: filter.destinations }), reasonHas: reason.slice(0, 200), from: untilAt },
  }));
}

/** Makes a random UUID; `crypto.randomUUID` does not exist on plain HTTP. */
function uuid() {
  const random = crypto.getRandomValues(new Uint8Array(16));
  random[6] = (random[6] & 0x0f) | 0x40;
  random[8] = (random[8] & 0x3f) | 0x80;
  const hex = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
