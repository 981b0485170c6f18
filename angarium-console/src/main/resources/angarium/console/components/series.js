// @ts-check
import { databaseFacts, get, inDatabase } from '../api.js';
import { rate } from '../format.js';
import { useLoad } from '../load.js';
import { open } from '../router.js';
import { databaseNow, durationMillis, length } from '../time.js';
import { html, t, useState } from '../view.js';
import { Choice } from './basics.js';
import { Chart } from './chart.js';

const HOUR = 3_600_000;
const KINDS = ['rates', 'delays'];

/**
 * Loads what was sent within the last hour. Databases whose nodes do not tell are not asked.
 * @param {string} [destination] all if there is none
 */
export function useHour(destination = '') {
  return useLoad((signal) => readHour(signal, destination), [destination], { every: 30_000 });
}

async function readHour(signal, destination) {
  if (!databaseFacts()?.features?.includes('series')) return { points: [] };
  const to = databaseNow();
  const asked = { from: new Date(to - HOUR).toISOString(), to: new Date(to).toISOString(), ...(destination && { destination }) };
  return get(inDatabase(`series?${new URLSearchParams(asked)}`), { signal });
}

/** Sent and failed messages per second, or how long they took. A click opens the messages of that time. */
export function HourChart({ points, step, destination = '' }) {
  const [kind, setKind] = useState(KINDS[0]);
  const title = t(`chart.${kind}`);
  const span = durationMillis(step);
  const pick = (index) => {
    const from = points[index].at;
    const to = new Date(Date.parse(from) + span).toISOString();
    open('messages', { stage: 'sent', from, to, ...(destination && { destination }) });
  };
  const kinds = KINDS.map((name) => [name, t(`chart.${name}.short`), t(`chart.${name}.help`)]);
  return html`<div class="page-head"><h2 class="grow">${title}</h2>
      <${Choice} label=${t('chart.kind')} value=${kind} onChange=${setKind} options=${kinds} /></div>
    <${Chart} key=${kind} label=${title} times=${points.map(({ at }) => Date.parse(at) / 1000)}
      lines=${kind === 'rates' ? rateLines(points, span / 1000) : delayLines(points)} onPick=${pick} />`;
}

function rateLines(points, seconds) {
  const line = (name, tone, value) => ({
    name, tone, values: points.map((point) => value(point) / seconds), format: rate, filled: tone === 'accent',
  });
  return [
    line(t('chart.sent'), 'accent', ({ sent }) => sent),
    line(t('chart.failed'), 'bad', ({ failed, refused, unavailable }) => failed + refused + unavailable),
  ];
}

function delayLines(points) {
  const line = (name, tone, part) => ({
    name, tone, values: points.map((point) => (point[part] ? durationMillis(point[part]) : null)), format: length,
    filled: tone === 'accent',
  });
  return [line(t('chart.p50'), 'accent', 'p50'), line(t('chart.p99'), 'warn', 'p99')];
}
