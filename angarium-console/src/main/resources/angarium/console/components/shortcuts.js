// @ts-check
import { refreshAll } from '../load.js';
import { PAGES } from '../pages.js';
import { refreshPulse, setLive, vital } from '../pulse.js';
import { open } from '../router.js';
import { settings } from '../settings.js';
import { Dialog } from './dialog.js';
import { html, t } from '../view.js';

const CHORD_TIME = 1500;

/** Everything that a key does; each has a control that can be seen. */
const KEYS = [
  ['/', 'keys.search'], ['g', 'keys.go'], ['j k', 'keys.rows'], ['x', 'keys.select'], ['Enter', 'keys.open'],
  ['Esc', 'keys.close'], ['r', 'keys.refresh'], ['p', 'keys.live'], ['?', 'keys.help'],
];

/** Lists the shortcuts. */
export function ShortcutHelp({ onClose }) {
  const pages = PAGES.filter((page) => page.letter);
  return html`<${Dialog} title=${t('keys')} onClose=${onClose}><dl class="keys">
    ${KEYS.map(([key, text]) => html`<div key=${key}><dt>${key.split(' ').map((each) => html`<kbd key=${each}>${each}</kbd> `)}</dt>
      <dd>${t(text)}</dd></div>`)}
    ${pages.map(({ name, letter }) => html`<div key=${name}><dt><kbd>g</kbd> <kbd>${letter}</kbd></dt><dd>${t(`page.${name}`)}</dd></div>`)}
  </dl><p class="dim small">${t('keys.off')}</p><//>`;
}

/** Listens for shortcuts until the returned function is called. */
export function listenForShortcuts({ help }) {
  let chord = -CHORD_TIME; // times count from the beginning of the page
  const pressed = (event) => {
    if (!settings.get().keys || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const isChord = event.timeStamp - chord < CHORD_TIME;
    chord = event.key === 'g' ? event.timeStamp : -CHORD_TIME;
    if (isChord ? openByLetter(event.key) : act(event.key, help)) event.preventDefault();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}

function isTyping(target) {
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)
    || (target.tagName === 'INPUT' && target.type !== 'checkbox');
}

function openByLetter(letter) {
  const page = PAGES.find((each) => each.letter === letter);
  if (page) open(page.name);
  return Boolean(page);
}

function act(key, help) {
  switch (key) {
    case '/': return search();
    case '?': help(); return true;
    case 'r': refreshAll(); refreshPulse(); return true;
    case 'p': setLive(!vital.get().live); return true;
    case 'j': return step(1);
    case 'k': return step(-1);
    case 'x': return click('input[type=checkbox]');
    case 'Enter': return document.activeElement?.matches('[data-row]') ? click('[data-open]') : false;
    default: return false;
  }
}

function search() {
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById('search'));
  box?.focus();
  box?.select();
  return true;
}

function step(by) {
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('main [data-row]')]);
  const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement?.closest('[data-row]')));
  const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return Boolean(next);
}

function click(selector) {
  const row = document.activeElement?.closest('[data-row]');
  const control = /** @type {HTMLElement | null} */ (row?.querySelector(selector) ?? null);
  control?.click();
  return Boolean(control);
}
