// @ts-check
// What every component is built of, in one place: elements, hooks, texts and observed values.
import { h } from './vendor/preact.js';
import htm from './vendor/htm.js';

export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from './vendor/hooks.js';
export { useCell } from './cell.js';
export { hasText, loadTexts, rich, t, textOr } from './i18n.js';

/** Builds elements from a template. Values become text nodes, never markup. */
export const html = htm.bind(h);
