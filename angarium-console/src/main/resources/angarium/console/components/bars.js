// @ts-check
import { bounded } from '../format.js';
import { clock, exact } from '../time.js';
import { html } from '../view.js';

/** At most so many labels stand below the bars. */
const LABELS_MAX = 8;

/**
 * Counts over time as bars; a bar is a button that chooses its span.
 * @param {{label: string, bars: {from: string, count: any}[], step: number, chosen: string,
 *   name: (from: string, to: string, count: string) => string, onChoose: (from: string, to: string) => void}} props
 *   `step` in milliseconds
 */
export function Bars({ label, bars, step, chosen, name, onChoose }) {
  const most = Math.max(1, ...bars.map(({ count }) => count.count));
  const every = Math.ceil(bars.length / LABELS_MAX);
  return html`<div class="bars" role="group" aria-label=${label}>${bars.map(({ from, count }, i) => {
    const to = new Date(Date.parse(from) + step).toISOString();
    const title = name(clock(from, { seconds: false }), clock(to, { seconds: false }), bounded(count));
    const share = count.count === 0 ? 0 : Math.max(3, Math.round((count.count / most) * 100));
    const fill = html`<span class=${`bar-fill ${count.atLeast ? 'more' : ''}`} style=${{ height: `${share}%` }}></span>`;
    return html`<button type="button" key=${from} aria-pressed=${String(from === chosen)} aria-label=${title}
      title=${`${title}\n${exact(from)}`} onClick=${() => onChoose(from, to)}><span class="bar-area">${fill}</span>
      <small aria-hidden="true">${i % every === 0 ? clock(from, { seconds: false }) : ''}</small></button>`;
  })}</div>`;
}
