// @ts-check
import { html } from '../view.js';

/** Shapes on a grid of 16 × 16. State is a shape and a word besides a colour. */
const FILLED = {
  disc: 'M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3z',
  triangle: 'M8 2.5 14.5 13.5h-13z',
  square: 'M3 3h10v10H3z',
  diamond: 'M8 2l6 6-6 6-6-6z',
  bars: 'M4 3h3v10H4zM9 3h3v10H9z',
};
const DRAWN = {
  ring: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z',
  clock: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3.2l2.2 1.4',
  check: 'M3 8.5l3.3 3.3L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM10 10l3.5 3.5',
  gear: 'M3 4.5h5M11.5 4.5H13M3 11.5h1.5M8 11.5h5M9.7 2.8v3.4M6.2 9.8v3.4',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  link: 'M9.5 3H13v3.5M13 3 7.5 8.5M11 9.5V13H3V5h3.5',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  undo: 'M3 6h6.5a3.5 3.5 0 0 1 0 7H6M3 6l3-3M3 6l3 3',
  sun: 'M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  auto: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 2.5v11M10 4v8M12 5.5v5',
  keys: 'M1.5 4h13v8h-13zM4 6.5h.5M7 6.5h.5M10 6.5h.5M4.5 9.5h7',
  person: 'M8 2.5a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM2.8 13.5c.5-2.6 2.6-4 5.2-4s4.7 1.4 5.2 4',
  overview: 'M2.5 9h4.5v4.5h-4.5zM2.5 2.5h4.5v4h-4.5zM9.5 2.5h4v6h-4zM9.5 11h4v2.5h-4z',
  messages: 'M2 4h12v8.5H2zM2.3 4.5 8 9l5.7-4.5',
  dead: 'M2 4h12v8.5H2zM5.5 6.2l5 4.2M10.5 6.2l-5 4.2',
  destinations: 'M2 8h5M7 8l4-4.5h3M7 8l4 4.5h3',
  half: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 2.5v11M8 5h3.5M8 8h5M8 11h3.5',
  delayed: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3.2l2.2 1.4',
  confirmations: 'M2 4h12v8.5H2zM5 8.2l2.2 2.2L11 6.4',
  reconciliation: 'M8 2.5v11M5.5 13.5h5M3 5h10M3 5l-1.5 4h3zM13 5l-1.5 4h3z',
  relay: 'M3 3.5h10v3.5H3zM3 9h10v3.5H3zM5 5.2h.5M5 10.8h.5',
  alerts: 'M3 11.5h10l-1.2-1.8V7a3.8 3.8 0 0 0-7.6 0v2.7zM6.7 13.7h2.6',
  operations: 'M2.5 4h7M2.5 8h5M2.5 12h3M9 12l2 2 3.5-4.5',
  audit: 'M4 2h8v12H4zM6 5h4M6 8h4M6 11h2.5',
  key: 'M5 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM7 8.3l6-5.3M10.5 5.2l1.8 1.8',
};

/** Draws a symbol. Give `label` only where no word beside it says the same. */
export function Icon({ name, label = '' }) {
  const filled = FILLED[name];
  return html`<svg class=${filled ? 'symbol filled' : 'symbol'} viewBox="0 0 16 16" width="16" height="16"
    role=${label ? 'img' : undefined} aria-label=${label || undefined} aria-hidden=${label ? undefined : 'true'}
    focusable="false"><path d=${filled ?? DRAWN[name]} /></svg>`;
}
