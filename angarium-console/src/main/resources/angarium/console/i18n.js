// @ts-check
import { language } from './settings.js';

/** @type {Record<string, Record<string, string>>} */
const loaded = {};
let texts = /** @type {Record<string, string>} */ ({});

/** Loads the texts of the chosen language; the page keeps its language if that fails. */
export async function loadTexts() {
  const name = language();
  if (!loaded[name]) {
    const answer = await fetch(new URL(`./i18n/${name}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`i18n/${name}.json: ${answer.status}`);
    loaded[name] = await answer.json();
  }
  texts = loaded[name];
}

/** Returns a text, or the bare word where a newer server uses one that the page does not know. */
export function textOr(key, word) {
  return key in texts ? texts[key] : word;
}

/** Tells whether a text exists. */
export function hasText(key) {
  return key in texts;
}

/**
 * Returns a text with its values filled in. `one|other` chooses by the first value.
 * @param {string} key
 * @param {...(string | number)} values for {0}, {1} …
 */
export function t(key, ...values) {
  return form(key, values).replace(/\{(\d)\}/g, (_, index) => String(values[index] ?? ''));
}

/**
 * Returns a text as a list of parts, so that values may be elements.
 * @param {string} key
 * @param {...any} values for {0}, {1} …
 */
export function rich(key, ...values) {
  return form(key, values).split(/(\{\d\})/).map((part) => {
    const place = /^\{(\d)\}$/.exec(part);
    return place ? values[Number(place[1])] : part;
  });
}

function form(key, values) {
  const text = texts[key] ?? key;
  const bar = text.indexOf('|');
  if (bar < 0) return text;
  const count = String(values[0]?.count ?? values[0]);
  return count === '1' ? text.slice(0, bar) : text.slice(bar + 1);
}
