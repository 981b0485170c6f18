// @ts-check
import { h } from './vendor/preact.js';
import { cell } from './cell.js';

/**
 * @typedef {object} Route
 * @property {string} page name of the page
 * @property {Record<string, string>} params what the address says besides
 * @property {Record<string, any>} hidden what must not stand in an address: keys and business keys
 */

function read() {
  const params = Object.fromEntries(new URLSearchParams(location.search));
  const { page = 'overview', ...rest } = params;
  return { page, params: rest, hidden: history.state?.hidden ?? {} };
}

/** The page that is shown. */
export const route = cell(/** @type {Route} */ (read()));

/** Returns the address of a page, relative to the console's own. */
export function address(page, params = {}) {
  const { db } = route.get().params;
  const query = new URLSearchParams({ page });
  for (const [name, value] of Object.entries({ db, ...params })) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return `?${query}`;
}

/** Opens a page as a new entry of the browser's history. */
export function open(page, params = {}, hidden = {}) {
  history.pushState({ hidden }, '', address(page, params));
  route.set(read());
  scrollTo(0, 0);
  document.querySelector('main')?.focus({ preventScroll: true });
}

/** Changes parts of the current address without a new entry. */
export function refine(params, hidden = {}) {
  const now = route.get();
  history.replaceState(
    { hidden: { ...now.hidden, ...hidden } }, '', address(now.page, { ...now.params, ...params }));
  route.set(read());
}

/** Returns the full address of the current view with its hidden parts, to be passed on. */
export function permalink() {
  const { page, params, hidden } = route.get();
  return new URL(address(page, { ...params, ...hidden }), document.baseURI).href;
}

/** Renders a link to a page; `hidden` parts stay out of the address. */
export function Link({ page, params = {}, hidden = undefined, children, ...rest }) {
  const href = address(page, params);
  const follow = (event) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    open(page, params, hidden);
  };
  return h('a', { href, onClick: follow, ...rest }, children);
}

function isPlainClick(event) {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

addEventListener('popstate', () => route.set(read()));
