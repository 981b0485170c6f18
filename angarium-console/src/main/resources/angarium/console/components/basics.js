// @ts-check
import { denial } from '../api.js';
import { cell } from '../cell.js';
import { visible } from '../format.js';
import { clock, exact, relative } from '../time.js';
import { Icon } from './icons.js';
import { tell } from './notices.js';
import { html, t, textOr, useCell, useState } from '../view.js';

/** Moves relative times on. */
const tick = cell(0);
setInterval(() => document.hidden || tick.set(tick.get() + 1), 5000);

/** Symbol and tone of each stage. */
export const STAGES = {
  waiting: ['ring', 'info'], delayed: ['clock', 'info'], retrying: ['triangle', 'warn'], held: ['bars', 'warn'],
  dead: ['square', 'bad'], sent: ['disc', 'ok'], unconfirmed: ['clock', 'warn'], discarded: ['cross', ''],
};

/** A short state: shape, word and colour. */
export function Pill({ tone = '', symbol = '', title = undefined, children }) {
  return html`<span class=${`pill ${tone}`} title=${title}>
    ${symbol && html`<${Icon} name=${symbol} />`}${children}</span>`;
}

/** The stage of a message. */
export function StagePill({ stage }) {
  const [symbol, tone] = STAGES[stage] ?? ['disc', ''];
  return html`<${Pill} tone=${tone} symbol=${symbol} title=${t(`stage.${stage}.help`)}>
    ${textOr(`stage.${stage}.one`, t(`stage.${stage}`))}<//>`;
}

function Ago({ at }) {
  useCell(tick);
  return at ? html`<time datetime=${at} title=${exact(at)}>${relative(at)}</time>` : '–';
}

/** An instant as its distance from now; the title has it in full. */
export function ago(at) {
  return html`<${Ago} at=${at} />`;
}

/** An instant as a time of day; the title has it in full. */
export function shortTime(at) {
  return at ? html`<time datetime=${at} title=${exact(at)}>${clock(at)}</time>` : '–';
}

/** A text that strangers wrote: isolated, its invisible characters shown, cut after some lines. */
export function foreign(text, lines = 0, more = '') {
  if (text === null || text === undefined || text === '') return html`<span class="dim none">–</span>`;
  const shown = visible(text);
  const kind = `foreign ${more} ${lines ? `clamp-${lines}` : ''}`;
  return html`<bdi class=${kind} title=${shown.length > 24 ? shown : undefined}>${shown}</bdi>`;
}

/** A name that strangers wrote: a destination, a node, a header. */
export function mono(text) {
  return foreign(text, 0, 'mono');
}

/** A button that copies a text. */
export function CopyButton({ text, label = '' }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      tell({ tone: 'ok', text: t('copy.done') });
    } catch {
      tell({ tone: 'warn', text: t('copy.denied'), detail: text() });
    }
  };
  return html`<button type="button" class=${label ? 'quiet' : 'icon'} onClick=${copy}
    title=${label ? undefined : t('copy')} aria-label=${label ? undefined : t('copy')}>
    <${Icon} name="copy" />${label}</button>`;
}

/**
 * A button for something that may not be permitted. It stays visible and says why, so that people
 * learn what exists and whom to ask.
 */
export function Action({ right = '', blocked = '', tone = '', symbol = '', onClick, children, ...rest }) {
  const key = denial(right);
  const reason = key ? t(key) : blocked;
  const act = (event) => (reason ? tell({ tone: 'warn', text: reason }) : onClick(event));
  return html`<button type="button" class=${`${tone} ${reason ? 'denied' : ''}`} aria-disabled=${reason ? 'true' : undefined}
    title=${reason || undefined} onClick=${act} ...${rest}>
    ${symbol && html`<${Icon} name=${symbol} />`}${children}${reason && html`<span class="unseen"> ${reason}</span>`}</button>`;
}

/** Acts that take something away. */
export const DANGEROUS = ['discard', 'cancel', 'bury', 'rollback'];

/** Acts that only administrators do. */
const FOR_ADMINS = ['correct', 'redirect'];

/** A button for an act of an operator on messages. */
export function ActButton({ act, text = t(`act.${act}`), strong = true, onAct }) {
  const tone = DANGEROUS.includes(act) ? 'danger' : strong ? 'primary' : '';
  const right = FOR_ADMINS.includes(act) ? 'admin' : 'operate';
  return html`<${Action} right=${right} tone=${tone} onClick=${() => onAct(act)}>${text}<//>`;
}

/** The bar below a list: what is chosen, and what may be done about it. */
export function ChosenBar({ text, onClear, children }) {
  return html`<div class="bar chosen"><b>${text}</b><button type="button" class="quiet" onClick=${onClear}>${t('select.clear')}</button>
    <span class="grow"></span>${children}</div>`;
}

/** A button that shows a symbol only. */
export function IconButton({ name, label, ...rest }) {
  return html`<button type="button" class="icon" aria-label=${label} title=${label} ...${rest}><${Icon} name=${name} /></button>`;
}

/** A part that opens and closes; it is rendered only while it is open. */
export function Fold({ summary, open = false, children }) {
  const [isOpen, setOpen] = useState(open);
  return html`<details class="fold" open=${isOpen} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>${summary}</summary>${isOpen && children}</details>`;
}

/** A labelled list of which one value is chosen. Options are pairs of value and text. */
export function Select({ label, value, options, onChange }) {
  return html`<label><span>${label}</span><select value=${value} onChange=${(event) => onChange(event.currentTarget.value)}>
    ${options.map(([name, text]) => html`<option key=${name} value=${name}>${text}</option>`)}</select></label>`;
}

/** The heading of a page with a sentence that says what it shows. */
export function PageHead({ title, lead = '', children = null }) {
  return html`<header class="page-head"><h1>${title}</h1>${children}</header>${lead && html`<p class="lead">${lead}</p>`}`;
}

/** A group of buttons of which one is chosen. */
export function Choice({ label, value, options, onChange }) {
  return html`<div class="choice" role="group" aria-label=${label}>${options.map(([name, text, title]) => html`
    <button type="button" key=${name} aria-pressed=${String(name === value)} title=${title}
      onClick=${() => onChange(name)}>${text}</button>`)}</div>`;
}
