// @ts-check
import { settings } from '../settings.js';
import { clock, zone } from '../time.js';
import { html, t, useCell, useEffect, useRef, useState } from '../view.js';

const SHORT_SECONDS = 600;
const DARK = matchMedia('(prefers-color-scheme: dark)');
/** Counts and rates need no fractions on their axis. */
const WHOLE_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {(number | null)[]} values
 * @property {string} tone a colour token, e.g. `accent`
 * @property {boolean} [filled] whether the area below is filled
 * @property {(value: number) => string} format
 */

/**
 * Lines over time. Dragging zooms, a double click shows everything, a click picks a point.
 * @param {{label: string, times: number[], lines: Line[], height?: number, onPick?: (index: number) => void}} props
 *   `times` in seconds
 */
export function Chart({ label, times, lines, height = 168, onPick }) {
  const box = useRef(/** @type {any} */ (null));
  const plot = useRef(/** @type {any} */ (null));
  const [at, setAt] = useState(/** @type {number | null} */ (null));
  const { theme, zone: chosenZone } = useCell(settings);
  const isDark = useSystemDark();
  const shape = lines.map(({ name, tone }) => name + tone).join();
  const data = [times, ...lines.map((line) => line.values)];
  const latest = useRef(data);
  latest.current = data;
  useEffect(() => {
    let gone = false;
    let watching = () => {};
    import('../vendor/uplot.js').then(({ default: UPlot }) => {
      if (gone) return;
      plot.current = new UPlot(options(UPlot, box.current, lines, height, setAt, onPick), latest.current, box.current);
      watching = resizing(plot.current, box.current, height);
    });
    return () => {
      gone = true;
      watching();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [theme, isDark, chosenZone, shape, height]);
  useEffect(() => plot.current?.setData(data), [times[times.length - 1], times.length]);
  const shown = at === null ? times.length - 1 : at;
  return html`<figure class="chart"><figcaption class="chart-legend">
      <span class="dim">${times[shown] ? clock(times[shown] * 1000) : ''}</span>
      ${lines.map(({ name, values, tone, format }) => html`<span key=${name} class=${`key ${tone}`}>${name}
        <b>${values[shown] === null || values[shown] === undefined ? '–' : format(Number(values[shown]))}</b></span>`)}</figcaption>
    <div class="plot" ref=${box} role="img" aria-label=${`${label}. ${lines.map(summary).join('. ')}`}></div></figure>`;
}

/** Tells whether the system prefers dark pages, also after it has changed its mind. */
function useSystemDark() {
  const [isDark, setDark] = useState(DARK.matches);
  useEffect(() => {
    const changed = () => setDark(DARK.matches);
    DARK.addEventListener('change', changed);
    return () => DARK.removeEventListener('change', changed);
  }, []);
  return isDark;
}

function summary({ name, values, format }) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return `${name}: –`;
  return t('chart.summary', name, format(known[known.length - 1]), format(Math.min(...known)), format(Math.max(...known)));
}

function options(UPlot, box, lines, height, setAt, onPick) {
  const colour = colours(box);
  const grid = { stroke: colour('line'), width: 1 };
  const axis = { stroke: colour('dim'), grid, ticks: { show: false }, font: '11px system-ui, sans-serif' };
  return {
    width: Math.max(box.clientWidth, 200), height, legend: { show: false },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), zone()),
    scales: { y: { range: (_, __, max) => [0, Math.max(max * 1.1, 1)] } },
    cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false }, bind: picking(onPick) },
    hooks: { setCursor: [(u) => setAt(u.cursor.idx ?? null)] },
    axes: [
      { ...axis, space: 70, size: 26, values: (u, splits) => splits.map((split) => clock(split * 1000, { seconds: isShort(u) })) },
      { ...axis, size: 46, space: 34, incrs: WHOLE_STEPS, values: (_, splits) => splits.map((split) => lines[0].format(split)) },
    ],
    series: [{}, ...lines.map(({ tone, filled }) => ({
      stroke: colour(tone), width: 1.5, points: { show: false }, spanGaps: false, fill: filled ? colour(`${tone}-pale`) : undefined,
    }))],
  };
}

/** Within a few minutes, the axis needs seconds to tell its labels apart. */
function isShort({ scales }) {
  return scales.x.max - scales.x.min < SHORT_SECONDS;
}

/** A click that did not drag picks the point under the cursor. */
function picking(onPick) {
  return {
    click: (u, target, handle) => (event) => {
      handle(event);
      if (onPick && u.select.width < 2 && u.cursor.idx !== null) onPick(u.cursor.idx);
    },
  };
}

function resizing(plot, box, height) {
  const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(box.clientWidth, 200), height }));
  observer.observe(box);
  return () => observer.disconnect();
}

/** A canvas needs the colours behind the tokens. */
function colours(box) {
  return (token) => {
    box.style.color = `var(--${token})`;
    const value = getComputedStyle(box).color;
    box.style.color = '';
    return value;
  };
}
