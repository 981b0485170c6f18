// @ts-check
import { cell } from '../cell.js';
import { Icon } from './icons.js';
import { html, t, useCell } from '../view.js';

const NOTICES_MAX = 4;
const SYMBOLS = { ok: 'check', warn: 'triangle', bad: 'square' };
const notices = cell(/** @type {any[]} */ ([]));
let last = 0;

/**
 * Tells the operator something. It stays until it is closed, so that nobody misses it.
 * @param {{tone: string, text: string, detail?: string, action?: {text: string, run: () => void}}} notice
 */
export function tell(notice) {
  const same = (each) => each.text === notice.text && each.detail === notice.detail;
  const others = notices.get().filter((each) => !same(each));
  notices.set([...others, { ...notice, id: ++last }].slice(-NOTICES_MAX));
}

function close(id) {
  notices.set(notices.get().filter((each) => each.id !== id));
}

/** The notices that are not closed yet, announced to screen readers. */
export function Notices() {
  const all = useCell(notices);
  return html`<div class="notices" role="status" aria-live="polite">${all.map((notice) => html`
    <div class=${`notice ${notice.tone}`} key=${notice.id}>
      <${Icon} name=${SYMBOLS[notice.tone] ?? 'disc'} />
      <div><p>${notice.text}</p>${notice.detail && html`<p class="mono small">${notice.detail}</p>`}</div>
      ${notice.action && html`<button type="button" onClick=${() => {
        close(notice.id);
        notice.action.run();
      }}>${notice.action.text}</button>`}
      <button type="button" class="icon" aria-label=${t('close')} title=${t('close')}
        onClick=${() => close(notice.id)}><${Icon} name="cross" /></button>
    </div>`)}</div>`;
}
