// @ts-check
import { databaseNow, spanMillis } from './time.js';

/** Parts of a filter that may stand in an address. */
const OPEN_PARTS = [
  'since', 'from', 'to', 'destination', 'type', 'businessType', 'createdBy', 'reasonHas', 'cause', 'blocksKey', 'attemptsMin',
];
/** Parts that may name a person; they stay out of the address. */
const HIDDEN_PARTS = ['key', 'businessKey'];

/** Returns the parts of a filter that a route has. */
export function filterParts({ params, hidden }) {
  const parts = {};
  for (const name of OPEN_PARTS) if (params[name]) parts[name] = params[name];
  for (const name of HIDDEN_PARTS) if (hidden[name] || params[name]) parts[name] = hidden[name] || params[name];
  return parts;
}

/** Splits changed parts into those for the address and those that stay out of it. */
export function splitParts(parts) {
  const hidden = {};
  const params = { ...parts };
  for (const name of HIDDEN_PARTS) {
    if (name in params) hidden[name] = params[name];
    // A link that was passed on has them in the address; a change takes them out of it.
    params[name] = '';
  }
  return { params, hidden };
}

/** Turns the parts into the filter of the API. A span ends now, by the database's clock. */
export function apiFilter(parts) {
  const filter = /** @type {any} */ ({});
  const destinations = (parts.destination ?? '').split(',').map((each) => each.trim()).filter(Boolean);
  if (destinations.length > 0) filter.destinations = destinations;
  for (const name of ['key', 'type', 'createdBy', 'reasonHas', 'cause', 'from', 'to']) {
    if (parts[name]) filter[name] = parts[name];
  }
  if (parts.since && !parts.from) filter.from = new Date(databaseNow() - spanMillis(parts.since)).toISOString();
  if (parts.businessType || parts.businessKey) {
    filter.business = { type: parts.businessType || null, key: parts.businessKey || null };
  }
  if (parts.blocksKey) filter.blocksKey = parts.blocksKey === 'true';
  if (Number(parts.attemptsMin) > 0) filter.attemptsMin = Number(parts.attemptsMin);
  return filter;
}
