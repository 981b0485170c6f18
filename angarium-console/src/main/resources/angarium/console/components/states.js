// @ts-check
import { number } from '../format.js';
import { clock, offset, zone } from '../time.js';
import { shortTime } from './basics.js';
import { Icon } from './icons.js';
import { hasText, html, rich, t, useEffect, useState } from '../view.js';

/** Grey lines in the place of content that is on its way; they appear only if it takes a moment. */
export function Skeleton({ rows = 6 }) {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return html`<div class="skeleton" aria-busy="true"><span class="unseen">${t('loading')}</span>
    ${shown && Array.from({ length: rows }, (_, i) => html`<i key=${i} class=${`w${i % 4}`}></i>`)}</div>`;
}

/** Says that nothing is there, and what that means. */
export function Empty({ title, text = '', good = false, children = null }) {
  return html`<div class=${`empty ${good ? 'good' : ''}`}><${Icon} name=${good ? 'check' : 'ring'} />
    <div><p class="strong">${title}</p>${text && html`<p class="dim">${text}</p>`}${children}</div></div>`;
}

/** Returns what a failure means and what to do, as a sentence. */
export function failureText(failure) {
  const key = `failure.${failure.code}`;
  return hasText(key) ? t(key) : t('failure.other', failure.code ?? failure.name ?? '');
}

/** Says why there is no content, and offers to try again. */
export function Failure({ failure, again = null }) {
  return html`<div class="empty bad" role="alert"><${Icon} name="triangle" /><div>
    <p class="strong">${failureText(failure)}</p>
    ${(failure.detail || failure.message) && html`<p class="mono small">${failure.detail || failure.message}</p>`}
    ${again && html`<button type="button" onClick=${again}><${Icon} name="refresh" />${t('again')}</button>`}
  </div></div>`;
}

/**
 * Shows loaded content: grey lines before it is there, a failure if it cannot be had, and older
 * content with a note if newer cannot be had.
 */
export function Loaded({ load, rows = 6, children }) {
  if (!load.data) {
    return load.failure ? html`<${Failure} failure=${load.failure} again=${load.again} />` : html`<${Skeleton} rows=${rows} />`;
  }
  return html`${load.failure && html`<${StaleNote} load=${load} />`}${children(load.data)}`;
}

function StaleNote({ load }) {
  return html`<p class="stale" role="status"><${Icon} name="triangle" />
    ${failureText(load.failure)} ${t('stale.shown', clock(load.at))}
    <button type="button" class="quiet" onClick=${load.again}>${t('again')}</button></p>`;
}

/** Says when a table was read and in which zone its times are. */
export function ReadAt({ load }) {
  return html`<p class="read-at dim"><span>${load.at ? rich('readAt', shortTime(load.at)) : ''}</span>
    <span>${t('zone.shown', zone(), offset())}</span></p>`;
}

/** The end of a list: how far the server read, and the button to go on. */
export function ListEnd({ pages }) {
  const { items, next, scanned, more, moreLoading, moreFailure } = pages;
  const cut = next && scanned && !scanned.complete;
  const text = !next ? t(scanned && !scanned.complete ? 'list.unreached' : 'list.end', number(items.length))
    : cut ? rich('list.scanned', number(scanned.rows), shortTime(scanned.until), number(items.length))
      : t('list.part', number(items.length));
  return html`<div class="list-end" role="status"><span>${text}</span>
    ${next && html`<button type="button" onClick=${more} disabled=${moreLoading}>
      ${moreLoading ? t('loading') : cut ? t('list.goOn') : t('list.more')}</button>`}
    ${moreFailure && html`<span class="bad">${failureText(moreFailure)}</span>`}</div>`;
}
