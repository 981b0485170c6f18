// @ts-check
import { get, inDatabase, post, put } from './api.js';
import { databaseNow } from './time.js';

/** The most operations that a list of the server has. */
const LIST_MAX = 200;
/** Nodes look every five seconds; after this time, in milliseconds, none seems to. */
const TAKEN_WITHIN = 30_000;
const ENDED = ['done', 'cancelled', 'stopped'];

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
    previews.push({ ...preview, id: uuid(), filter, title, now: null });
  }
  return previews;
}

/**
 * Begins an operation for each preview that has none yet. Nodes carry them out, whether or not
 * somebody watches. A request that is repeated begins none twice.
 * @param {any[]} runs what {@link previewAll} returned; `now` of each becomes the operation
 * @param {{kind: string, reason: string, firstFew?: number, delay: string}} how
 */
export async function beginAll(runs, { kind, reason, firstFew = 0, delay }) {
  for (const run of runs.filter(({ now }) => !now)) {
    const path = inDatabase(`operations/${run.id}`);
    try {
      run.now = await put(path, { kind, filter: run.filter, token: run.token, reason, firstFew, delay });
    } catch (failure) {
      // It began for another reason, and that answer got lost.
      if (failure.status !== 409) throw failure;
      run.now = (await get(path)).operation;
    }
  }
}

/** Learns how far operations are. */
export async function follow(runs) {
  const { items } = await get(inDatabase(`operations?limit=${LIST_MAX}`));
  for (const run of runs) run.now = items.find(({ id }) => id === run.id) ?? run.now;
}

/** Changes those of some operations that a change fits. */
export async function changeAll(runs, change, reason) {
  for (const run of runs.filter(({ now }) => permits(now, change))) {
    run.now = await post(inDatabase(`operations/${run.id}/${change}`), { reason });
  }
}

/** Tells whether the state of an operation permits a change. */
export function permits(operation, change) {
  if (!operation) return false;
  const { kind, state, done } = operation;
  switch (change) {
    case 'pause': return state === 'waiting' || state === 'running';
    case 'resume': return state === 'waiting' || state === 'paused';
    case 'undo': return done > 0 && isEnded(state) && (kind === 'discard' || kind === 'cancel');
    default: return !isEnded(state);
  }
}

/** Tells whether an operation should have begun long ago, so that no node seems to take it. */
export function isUntaken(operation) {
  return operation?.state === 'waiting' && databaseNow() - Date.parse(operation.startAt) > TAKEN_WITHIN;
}

function isEnded(state) {
  return ENDED.includes(state);
}

/** Begins operations that take back what others discarded or cancelled, and returns them. */
export async function undoAll(runs, reason) {
  const undone = [];
  for (const run of runs.filter(({ now }) => permits(now, 'undo'))) {
    run.undoId ??= uuid();
    const now = await post(inDatabase(`operations/${run.id}/undo`), { id: run.undoId, reason });
    undone.push({ id: run.undoId, now, matched: { count: run.now.done, atLeast: false } });
  }
  return undone;
}

/** Adds up the results of all parts; their state is the one that matters most. */
export function totals(runs) {
  const sum = { matched: 0, atLeast: false, done: 0, notFound: 0, refused: 0, state: 'ask', halt: '', startAt: '' };
  for (const { matched, now } of runs) {
    sum.matched += matched.count;
    sum.atLeast ||= matched.atLeast;
    sum.done += now?.done ?? 0;
    sum.notFound += now?.notFound ?? 0;
    sum.refused += now?.refused ?? 0;
    sum.halt ||= now?.halt ?? '';
    sum.startAt ||= now?.startAt ?? '';
  }
  const states = runs.map(({ now }) => now?.state ?? 'ask');
  sum.state = ['running', 'waiting', 'paused', 'stopped', 'cancelled', 'done'].find((state) => states.includes(state)) ?? 'ask';
  return sum;
}

/** Counts the messages of operations that have become dead letters again. */
export async function diedAgain(runs) {
  let count = 0;
  for (const { id } of runs) count += (await get(inDatabase(`operations/${id}`))).diedAgain.count;
  return count;
}

/** Makes a random UUID; `crypto.randomUUID` does not exist on plain HTTP. */
export function uuid() {
  const random = crypto.getRandomValues(new Uint8Array(16));
  random[6] = (random[6] & 0x0f) | 0x40;
  random[8] = (random[8] & 0x3f) | 0x80;
  const hex = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
