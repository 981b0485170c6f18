// @ts-check
import { t } from './i18n.js';

const GROUP = '\u202f';

/** Formats a whole number with thin spaces between its groups. */
export function number(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, GROUP);
}

/** Formats a count that may have ended at a limit: `10 000+`. */
export function bounded(count) {
  if (count === null || count === undefined) return '–';
  return typeof count === 'number' ? number(count) : number(count.count) + (count.atLeast ? '+' : '');
}

/** Returns the bare number of a count, 0 if there is none. */
export function countOf(count) {
  return count?.count ?? 0;
}

/** Formats a rate with three significant digits. */
export function rate(perSecond) {
  if (perSecond === null || perSecond === undefined) return '–';
  return perSecond >= 100 || perSecond === 0 ? number(perSecond) : String(Number(perSecond.toPrecision(2)));
}

/** Formats a number of bytes with a decimal unit. */
export function bytes(size) {
  if (size < 1000) return t('unit.b', size);
  const units = ['unit.kb', 'unit.mb', 'unit.gb'];
  let value = size / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < 2) {
    value /= 1000;
    unit++;
  }
  return t(units[unit], value < 10 ? value.toFixed(1) : Math.round(value));
}

/** Cuts a text in the middle, so that beginning and end stay readable. */
export function shorten(text, length) {
  if (text.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(text.length - half)}`;
}

/**
 * Replaces characters that are invisible or turn the direction of writing around, so that a value
 * cannot pretend to be another one.
 */
export function visible(text) {
  // eslint-disable-next-line no-control-regex
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (hidden) => `⟨${hidden.charCodeAt(0).toString(16).padStart(4, '0')}⟩`);
}

/** Tells whether a text is a message id, which is a UUID. */
export function isMessageId(text) {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
