// @ts-check
import { t } from './i18n.js';
import { language, settings } from './settings.js';

/** How far the database's clock is ahead of this browser's, in milliseconds. */
let ahead = 0;

/** Learns the database's clock from an answer. */
export function learnClock(instant) {
  const told = Date.parse(instant);
  if (!Number.isNaN(told)) ahead = told - Date.now();
}

/** Returns the database's time in milliseconds. */
export function databaseNow() {
  return Date.now() + ahead;
}

/** Returns the time zone in which times are shown. */
export function zone() {
  return settings.get().zone || Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** Tells whether the browser knows a time zone by this name. */
export function isZone(name) {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function parts(millis, options) {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone(), hourCycle: 'h23', ...options });
  return Object.fromEntries(format.formatToParts(millis).map(({ type, value }) => [type, value]));
}

/** Returns the offset of the shown zone, e.g. `UTC+01:00`. */
export function offset(millis = databaseNow()) {
  const name = parts(millis, { timeZoneName: 'longOffset' }).timeZoneName ?? '';
  return name === 'GMT' ? 'UTC' : name.replace('GMT', 'UTC');
}

function fields(millis) {
  return parts(millis, {
    year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
  });
}

/** Formats an instant in full: date, milliseconds and offset. */
export function exact(instant) {
  const millis = toMillis(instant);
  const f = fields(millis);
  const fraction = String(((millis % 1000) + 1000) % 1000).padStart(3, '0');
  return `${f.year}-${f.month}-${f.day} ${f.hour}:${f.minute}:${f.second}.${fraction} ${offset(millis)}`;
}

/** Formats an instant for a table: the time today, else with the date. */
export function clock(instant, { seconds = true } = {}) {
  const millis = toMillis(instant);
  const f = fields(millis);
  const today = fields(databaseNow());
  const time = seconds ? `${f.hour}:${f.minute}:${f.second}` : `${f.hour}:${f.minute}`;
  if (f.year !== today.year) return `${f.year}-${f.month}-${f.day} ${time}`;
  return f.month === today.month && f.day === today.day ? time : `${f.month}-${f.day} ${time}`;
}

/** Formats the time of day with milliseconds, for a timeline. */
export function preciseClock(instant) {
  return `${clock(instant)}.${String(((toMillis(instant) % 1000) + 1000) % 1000).padStart(3, '0')}`;
}

/** Formats the distance of an instant from now: `3 min ago`, `in 2 h`. */
export function relative(instant) {
  const seconds = (toMillis(instant) - databaseNow()) / 1000;
  const distance = Math.abs(seconds);
  if (distance < 1) return t('time.now');
  const [unit, size] = distance < 60 ? ['second', 1] : distance < 3600 ? ['minute', 60]
    : distance < 172800 ? ['hour', 3600] : ['day', 86400];
  const style = language() === 'zh' ? 'long' : 'short';
  return new Intl.RelativeTimeFormat(language(), { style, numeric: 'always' })
    .format(Math.trunc(seconds / Number(size)), /** @type {any} */ (unit)).replace('.', '');
}

/** Formats a length of time with at most two units. */
export function length(millis) {
  const sign = millis < 0 ? '−' : '';
  const ms = Math.abs(millis);
  if (ms < 1000) return sign + t('unit.ms', Math.round(ms));
  if (ms < 10_000) return sign + t('unit.s', (ms / 1000).toFixed(1));
  const seconds = Math.round(ms / 1000);
  const units = [['unit.d', 86400], ['unit.h', 3600], ['unit.min', 60], ['unit.s', 1]];
  const first = units.findIndex(([, size]) => seconds >= Number(size));
  const [name, size] = units[first];
  const value = Math.floor(seconds / Number(size));
  const rest = seconds - value * Number(size);
  const next = units[first + 1];
  const part = next ? Math.floor(rest / Number(next[1])) : 0;
  const minor = next && part && value < 10 ? ` ${t(String(next[0]), part)}` : '';
  return sign + t(String(name), value) + minor;
}

/** Returns the milliseconds until an hour of tomorrow in the shown zone. */
export function untilTomorrow(hour, now = databaseNow()) {
  const minuteOf = (f) => Number(f.hour) * 60 + Number(f.minute);
  const today = fields(now);
  const left = (24 + hour) * 3_600_000 - minuteOf(today) * 60_000 - Number(today.second) * 1000;
  // The clocks may change in between.
  return left + (hour * 60 - minuteOf(fields(now + left))) * 60_000;
}

/** Reads an ISO duration such as `PT1H2M3.5S`, also a negative one, as milliseconds. */
export function durationMillis(iso) {
  const match = /^(-?)P(?:(-?[\d.]+)D)?(?:T(?:(-?[\d.]+)H)?(?:(-?[\d.]+)M)?(?:(-?[\d.]+)S)?)?$/.exec(iso ?? '');
  if (!match) return NaN;
  const [, sign, d, h, m, s] = match;
  const millis = Number(d ?? 0) * 864e5 + Number(h ?? 0) * 36e5 + Number(m ?? 0) * 6e4 + Number(s ?? 0) * 1000;
  return sign ? -millis : millis;
}

/** Reads a span such as `15m`, `24h` or `7d` as milliseconds; 0 if it is none. */
export function spanMillis(span) {
  const match = /^(\d{1,4})([mhd])$/.exec(span ?? '');
  return match ? Number(match[1]) * { m: 6e4, h: 36e5, d: 864e5 }[/** @type {'m'} */ (match[2])] : 0;
}

function toMillis(instant) {
  return typeof instant === 'number' ? instant : Date.parse(instant);
}
