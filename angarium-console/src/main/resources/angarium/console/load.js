// @ts-check
import { useCallback, useEffect, useRef, useState } from './vendor/hooks.js';
import { get, inDatabase, post } from './api.js';
import { useCell } from './cell.js';
import { databaseNow } from './time.js';
import { refreshes, vital } from './pulse.js';

export { refreshAll } from './pulse.js';

/**
 * Loads data when the component appears, when `inputs` change and when the page is refreshed, or
 * else when `after` changes: a part of something goes behind it, as it may be elsewhere by then. Data
 * that was loaded stays while newer data is on its way or cannot be had.
 * @param {(signal: AbortSignal) => Promise<any>} read
 * @param {any[]} inputs
 * @param {{every?: number, after?: any}} [options] `every` is the period of silent reloads while the page is
 *   live, in milliseconds
 */
export function useLoad(read, inputs, { every = 0, after } = {}) {
  const [state, setState] = useState({ data: null, at: 0, failure: null, loading: true });
  const refresh = useCell(refreshes);
  const [turn, setTurn] = useState(0);
  const asked = useRef('');
  useEffect(() => {
    const abort = new AbortController();
    const question = JSON.stringify(inputs);
    const isNew = asked.current !== question;
    asked.current = question;
    setState((was) => ({ ...was, data: isNew ? null : was.data, loading: true }));
    read(abort.signal).then(
      (data) => abort.signal.aborted || setState({ data, at: databaseNow(), failure: null, loading: false }),
      (failure) => abort.signal.aborted || setState((was) => ({ ...was, failure, loading: false })));
    return () => abort.abort();
  }, [JSON.stringify(inputs), after ?? refresh, turn]);
  const again = useCallback(() => setTurn((n) => n + 1), []);
  useRepeat(again, every);
  const retryAfter = state.failure?.code === 'BUSY' ? state.failure.retryAfter : 0;
  useEffect(() => {
    if (!retryAfter) return undefined;
    const timer = setTimeout(again, retryAfter * 1000);
    return () => clearTimeout(timer);
  }, [state.failure]);
  return { ...state, again };
}

/** Loads what a path of the database answers. */
export function useGet(path, options) {
  return useLoad((signal) => get(inDatabase(path), { signal }), [path], options);
}

/** Loads what a path of the database answers to a body. */
export function usePost(path, body) {
  return useLoad((signal) => post(inDatabase(path), body, { signal }), [path, body]);
}

/** Calls a function periodically while the page is visible and live. */
export function useRepeat(action, every) {
  useEffect(() => {
    if (!every) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden && vital.get().live && !vital.get().failure) action();
    }, every);
    return () => clearInterval(timer);
  }, [action, every]);
}

/**
 * Loads a list page by page. A refresh reads the first page anew.
 * @param {(cursor: string | null, signal?: AbortSignal) => Promise<any>} read
 * @param {any[]} inputs
 */
export function usePages(read, inputs) {
  const first = useLoad((signal) => read(null, signal), inputs);
  const [added, setAdded] = useState(/** @type {any} */ ({ to: null, pages: [], failure: null, loading: false }));
  const mine = added.to === first.data ? added : { to: first.data, pages: [], failure: null, loading: false };
  const pages = first.data ? [first.data, ...mine.pages] : [];
  const last = pages[pages.length - 1];
  const more = async () => {
    setAdded({ ...mine, loading: true, failure: null });
    try {
      const page = await read(last.next);
      setAdded({ ...mine, pages: [...mine.pages, page], loading: false });
    } catch (failure) {
      setAdded({ ...mine, failure, loading: false });
    }
  };
  return {
    ...first,
    items: pages.flatMap((page) => page.items),
    next: last?.next ?? null,
    scanned: pages.map((page) => page.scanned).filter(Boolean).reduce(joinScans, null),
    more, moreLoading: mine.loading, moreFailure: mine.failure,
  };
}

function joinScans(all, scanned) {
  return { ...scanned, rows: (all?.rows ?? 0) + scanned.rows };
}
