// @ts-check
import { get, inDatabase, session, UNCHANGED } from './api.js';
import { cell } from './cell.js';
import { databaseNow } from './time.js';

const PERIOD = 2000;
const PAUSES_AFTER_FAILURES = [5000, 10_000, 30_000];
/** An hour of points; one is kept for each pulse. */
const TRAIL_MAX = 1800;

/**
 * What the page knows of the database's state.
 * `pulse` is the last answer, `at` its time, `failure` why the last question got none, since `awaySince`.
 */
export const vital = cell({
  pulse: /** @type {any} */ (null), at: 0, live: true,
  failure: /** @type {any} */ (null), awaySince: 0, trail: /** @type {any[]} */ ([]),
});

/** Counts requests to read everything on the page again. */
export const refreshes = cell(0);

/** Reads everything on the page again. */
export function refreshAll() {
  refreshes.set(refreshes.get() + 1);
}

let timer = 0;
let failures = 0;
let round = 0;

/** Asks at once, and from then on every two seconds while the page is visible and live. */
export function refreshPulse() {
  clearTimeout(timer);
  ask(++round);
}

/** Stops or resumes the questions. */
export function setLive(live) {
  vital.patch({ live });
  if (live) refreshPulse();
  else clearTimeout(timer);
}

/** Forgets what belongs to another database. */
export function forgetPulse() {
  vital.patch({ pulse: null, at: 0, failure: null, awaySince: 0, trail: [] });
  refreshPulse();
}

async function ask(mine) {
  if (session.get().state !== 'in') return;
  try {
    const answer = await get(inDatabase('pulse'), { etag: vital.get().pulse?.etag });
    if (mine !== round) return;
    failures = 0;
    answered(answer);
  } catch (failure) {
    if (mine !== round) return;
    failures++;
    if (failure.status === 401) return;
    const { awaySince } = vital.get();
    vital.patch({ failure, awaySince: awaySince || databaseNow() });
  }
  plan(mine);
}

function answered(answer) {
  const { pulse, trail, failure } = vital.get();
  const now = answer === UNCHANGED ? pulse : answer;
  const at = databaseNow();
  const point = {
    at, sent: now.sentLastMinute ? now.sentLastMinute.count / 60 : null,
    waiting: now.waiting.count, retrying: now.retrying.count + now.held.count, dead: now.dead.count,
  };
  vital.patch({ pulse: now, at, failure: null, awaySince: 0, trail: [...trail.slice(1 - TRAIL_MAX), point] });
  if (failure) refreshAll();
}

function plan(mine) {
  const pause = failures ? PAUSES_AFTER_FAILURES[Math.min(failures, 3) - 1] : PERIOD;
  clearTimeout(timer);
  if (vital.get().live && !document.hidden) timer = setTimeout(() => ask(mine), pause);
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) clearTimeout(timer);
  else if (vital.get().live) refreshPulse();
});
