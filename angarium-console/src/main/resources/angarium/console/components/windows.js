// @ts-check
import { clock } from '../time.js';

/** Symbol and tone of what became of a window. */
export const OUTCOMES = { agrees: ['disc', 'ok'], differs: ['square', 'bad'], repaired: ['check', 'info'] };

/** What became of a window that was compared. */
export function outcomeOf({ agrees, repair }) {
  return agrees ? 'agrees' : repair ? 'repaired' : 'differs';
}

/** From when to when a window is. */
export function span({ from, to }) {
  return `${clock(from)} – ${clock(to)}`;
}
