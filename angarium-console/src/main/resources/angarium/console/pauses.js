// @ts-check
import { vital } from './pulse.js';

/** The pauses in force, as far as is known. */
export function pauses() {
  return vital.get().pulse?.pauses ?? [];
}

/** The pauses in force that hold back messages for a destination. */
export function pausesOf(destination) {
  return pauses().filter((pause) => fits(pause.destinations, destination));
}

/** A star in the pattern stands for any characters. */
function fits(pattern, text) {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

/** True if no node sends to the destinations of a pause, and nothing is under way to them. */
export function isApplied({ applied, nodes }) {
  return applied >= nodes;
}
