// @ts-check
import { useLayoutEffect, useState } from './vendor/hooks.js';

/**
 * Holds a value that components observe.
 * @template T
 * @param {T} value the first value
 */
export function cell(value) {
  const watchers = new Set();
  return {
    get: () => value,
    /** @param {T} next */
    set(next) {
      if (next === value) return;
      value = next;
      for (const watcher of [...watchers]) watcher();
    },
    /** @param {Partial<T>} part */
    patch(part) {
      this.set({ ...value, ...part });
    },
    /** @param {() => void} watcher */
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

/**
 * Renders the component again whenever the value changes.
 * @template T
 * @param {{get: () => T, watch: (watcher: () => void) => () => void}} observed
 * @returns {T}
 */
export function useCell(observed) {
  const [, setSeen] = useState(observed.get());
  useLayoutEffect(() => {
    const update = () => setSeen(observed.get());
    update();
    return observed.watch(update);
  }, [observed]);
  return observed.get();
}
