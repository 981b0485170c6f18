// @ts-check
import { cell } from './cell.js';

const PLACE = 'angarium-console';

/** Values that a person has chosen in this browser. An empty text means "as the browser says". */
const DEFAULTS = { lang: '', theme: '', zone: '', keys: true };

function kept() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(PLACE) || '{}') };
  } catch {
    return DEFAULTS;
  }
}

export const settings = cell(kept());

/** Keeps a choice for the next visit. A browser without storage forgets it with the tab. */
export function choose(part) {
  settings.patch(part);
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings.get()));
  } catch {
    // The choice still applies to this tab.
  }
}

/** Applies theme and language to the document. */
export function applySettings() {
  const { theme } = settings.get();
  const root = document.documentElement;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  root.lang = language() === 'zh' ? 'zh-CN' : 'en';
}

/** Returns the language of the page: the chosen one, else that of the browser. */
export function language() {
  const { lang } = settings.get();
  return lang || (navigator.languages.some((each) => each.startsWith('zh')) ? 'zh' : 'en');
}
