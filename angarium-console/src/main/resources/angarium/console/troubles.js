// @ts-check
import { bounded, countOf, number } from './format.js';
import { t } from './i18n.js';

/** Messages that wait for longer are a trouble, in milliseconds. The alert rule has the same limit. */
export const WAIT_MAX = 60_000;
/** A destination that takes nothing for longer needs a person, in milliseconds. The alert rule has the same limit. */
const CIRCUIT_MAX = 120_000;
/** Rarer causes share one line. */
const CAUSES_SHOWN = 3;

/**
 * @typedef {object} Trouble
 * @property {string} id tells troubles apart while they change
 * @property {'bad' | 'warn'} tone `bad` needs a person; `warn` heals itself or should be watched
 * @property {string} kind names it in a word
 * @property {any} [count] how many, if that can be counted
 * @property {string} text what is wrong
 * @property {string} [subject] the destination
 * @property {string} effect what it holds up and what may be done
 * @property {string} [since] since when
 * @property {string} [latest] when it happened last
 * @property {{page: string, params?: any, text: string}} link where it can be mended
 */

/**
 * Lists what is wrong, worst first.
 * @param {any} pulse
 * @param {any[]} destinations as far as they are known
 * @param {number} now the database's time
 * @returns {Trouble[]}
 */
export function troublesOf(pulse, destinations, now) {
  const all = [
    ...relayTroubles(pulse), ...paused(pulse), ...unreachable(destinations), ...openCircuits(pulse, destinations, now),
    ...deadLetters(pulse), ...halfMessages(pulse), ...openReports(pulse),
    ...late(pulse, destinations, now), ...retries(pulse, destinations), ...openAlerts(pulse),
  ];
  return [...all.filter(({ tone }) => tone === 'bad'), ...all.filter(({ tone }) => tone === 'warn')];
}

/** Names a trouble by its texts; `more` has what differs. */
function trouble(name, tone, kind, page, more = {}) {
  const { values = [], params, linkText = `trouble.${name}.link`, ...rest } = more;
  return {
    id: name, tone, kind, text: t(`trouble.${name}`, ...values), effect: t(`trouble.${name}.effect`),
    link: { page, params, text: t(linkText) }, ...rest,
  };
}

function relayTroubles({ nodes, partitions }) {
  const found = (name, tone, kind, values) => trouble(name, tone, kind, 'relay', { values, linkText: 'trouble.relay.link' });
  if (nodes.live === 0) return [found('noNode', 'bad', 'relay', [])];
  const free = partitions.all - partitions.owned;
  return [
    ...(free > 0 ? [found('free', 'bad', 'relay', [free, partitions.all])] : []),
    ...(nodes.silent > 0 ? [found('silent', 'warn', 'node', [nodes.silent])] : []),
    ...(nodes.resting > 0 ? [found('resting', 'warn', 'node', [nodes.resting])] : []),
  ];
}

/** Somebody wants it so, but it must not be forgotten. */
function paused({ pauses }) {
  return pauses.map(({ id, destinations, since, reason, by }) => {
    const isOne = !destinations.includes('*');
    return {
      ...trouble('paused', 'warn', 'paused', 'destinations', { params: isOne ? { destination: destinations } : {} }),
      id: `paused ${id}`, subject: destinations, since, text: `${reason} (${by})`,
    };
  });
}

function unreachable(destinations) {
  return destinations.filter((each) => !each.reachable).map(({ destination, waiting, delayed, retrying, held, oldest }) => ({
    ...trouble('unreachable', 'bad', 'unreachable', 'destinations', {
      values: [destination.split(':')[0]], params: { destination },
    }),
    id: `unreachable ${destination}`, subject: destination, count: waiting + delayed + retrying + held, since: oldest,
  }));
}

/** Destinations that take nothing; those that no node can reach are told as such. */
function openCircuits({ circuits }, destinations, now) {
  const isKnown = (destination) => destinations.some((each) => each.destination === destination && !each.reachable);
  return (circuits ?? []).filter(({ destination, state }) => state === 'open' && !isKnown(destination)).map((circuit) => {
    const { destination, reason, since, nodes } = circuit;
    const tone = now - Date.parse(since) > CIRCUIT_MAX ? 'bad' : 'warn';
    return {
      ...trouble('circuit', /** @type {any} */ (tone), 'circuit', 'destinations', { params: { destination } }), id: `circuit ${destination}`,
      subject: destination, since, text: reason, effect: t('trouble.circuit.effect', nodes),
    };
  });
}

function deadLetters({ causes, dead }) {
  const shown = causes.slice(0, CAUSES_SHOWN);
  const rest = countOf(dead) - shown.reduce((sum, { count }) => sum + count, 0);
  const link = (params) => ({ page: 'dead', params, text: t('trouble.dead.link') });
  const groups = shown.map(({ fingerprint, destination, text, count, blocking, first, latest }) => ({
    id: `cause ${fingerprint} ${destination}`, tone: 'bad', kind: 'dead', count, subject: destination, text,
    effect: blocking ? t('trouble.dead.blocking', number(blocking)) : t('trouble.dead.free'), since: first, latest,
    link: link({ cause: fingerprint, destination }),
  }));
  if (rest <= 0) return groups;
  const others = { count: rest, atLeast: dead.atLeast };
  const text = t(groups.length > 0 ? 'trouble.dead.rest' : 'trouble.dead');
  return [...groups, { id: 'dead', tone: 'bad', kind: 'dead', count: others, text, effect: '', link: link({}) }];
}

function halfMessages({ half }) {
  const count = (name) => countOf(half?.[name]);
  return [
    ...(count('unresolved') ? [trouble('half', 'bad', 'half', 'half', { count: half.unresolved })] : []),
    ...(count('overdue') ? [trouble('checks', 'warn', 'half', 'half', {
      count: half.overdue, params: { list: 'undecided' }, linkText: 'trouble.half.link',
    })] : []),
  ];
}

/** Reconciliations that differ and about which nothing was done. */
function openReports({ openReports: count }) {
  return countOf(count) ? [trouble('reports', 'bad', 'report', 'reconciliation', { count })] : [];
}

/** Alerts that nobody has taken. */
function openAlerts({ alerts }) {
  if (!countOf(alerts?.firing)) return [];
  return [trouble('alerts', countOf(alerts.critical) ? 'bad' : 'warn', 'alert', 'alerts', { count: alerts.firing })];
}

function late({ overdue, oldestWaiting, waiting }, destinations, now) {
  const explained = destinations.some((each) => (!each.reachable || each.pausedUntil) && each.oldest && each.oldest <= oldestWaiting);
  const isLate = oldestWaiting && now - Date.parse(oldestWaiting) > WAIT_MAX && !explained;
  return [
    ...(countOf(overdue) ? [trouble('overdue', 'bad', 'delayed', 'delayed', { count: overdue })] : []),
    ...(isLate ? [trouble('late', 'warn', 'waiting', 'messages', {
      count: waiting, since: oldestWaiting, params: { stage: 'waiting', order: 'oldest' },
    })] : []),
  ];
}

function retries({ retrying, held }, destinations) {
  if (!countOf(retrying)) return [];
  const found = (params, behind) => ({
    ...trouble('retrying', 'warn', 'retrying', 'messages', { params: { stage: 'retrying', ...params } }),
    effect: t('trouble.retrying.effect', behind),
  });
  const failing = destinations.filter((each) => each.retrying > 0);
  if (failing.length === 0) return [{ ...found({}, bounded(held)), count: retrying }];
  return failing.map(({ destination, retrying: count, held: behind, error, oldest }) => {
    const each = found({ destination }, number(behind));
    return { ...each, id: `retrying ${destination}`, count, subject: destination, text: error ?? each.text, since: oldest };
  });
}
