// @ts-check
import { IconButton } from './basics.js';
import { html, t, useEffect, useId, useRef, useState } from '../view.js';

/**
 * A modal dialog. The browser keeps the focus inside, closes it on Escape and gives the focus back.
 * @param {{title: any, onClose: () => void, wide?: boolean, busy?: boolean, children?: any, buttons?: any,
 *   onSubmit?: () => void, plain?: boolean}} props `busy` keeps it open; `plain` leaves forms to its content
 */
export function Dialog({ title, onClose, wide = false, busy = false, plain = false, children, buttons = null, onSubmit }) {
  const dialog = useRef(/** @type {any} */ (null));
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown.showModal();
    shown.querySelector('[data-focus]')?.focus();
    return () => {
      shown.close();
      setTimeout(keepFocus);
    };
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    if (!busy) onClose();
  };
  const submit = (event) => {
    event.preventDefault();
    onSubmit?.();
  };
  return html`<dialog ref=${dialog} class=${wide ? 'wide' : ''} aria-labelledby=${id} onCancel=${cancel}>
    <${plain ? 'div' : 'form'} class="dialog-form" onSubmit=${plain ? undefined : submit} novalidate>
      <header><h2 id=${id}>${title}</h2><${IconButton} name="cross" label=${t('close')}
        disabled=${busy} onClick=${onClose} /></header>
      <div class="dialog-body">${children}</div>
      ${buttons && html`<footer>${buttons}</footer>`}
    <//></dialog>`;
}

/** An act may remove the control that opened the dialog; the focus then goes to the content. */
function keepFocus() {
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

/** A labelled field with a hint and a fault. */
export function Field({ label, hint = '', fault = '', children }) {
  return html`<label class="field"><span class="field-label">${label}</span>${children}
    ${fault ? html`<span class="bad small" role="alert">${fault}</span>` : hint && html`<span class="dim small">${hint}</span>`}</label>`;
}

const REASONS_KEPT = 8;
const recentReasons = /** @type {string[]} */ ([]);

/** Remembers a reason for the next act of this visit, as several acts often share one. */
function rememberReason(reason) {
  const at = recentReasons.indexOf(reason);
  if (at >= 0) recentReasons.splice(at, 1);
  recentReasons.unshift(reason);
  recentReasons.length = Math.min(recentReasons.length, REASONS_KEPT);
}

/**
 * Asks why. The reason goes into the audit.
 * @returns {{field: any, take: () => string}} the field, and what takes the reason; it is empty, and the
 *   field says so, if none was given
 */
export function useReason() {
  const id = useId();
  const [value, setValue] = useState('');
  const [fault, setFault] = useState('');
  const input = (event) => {
    setValue(event.currentTarget.value);
    setFault('');
  };
  const take = () => {
    const reason = value.trim();
    if (reason) rememberReason(reason);
    else setFault(t('reason.missing'));
    return reason;
  };
  const field = html`<${Field} label=${t('reason')} hint=${t('reason.hint')} fault=${fault}>
    <input type="text" required maxlength="1000" value=${value} list=${id} autocomplete="off" data-focus
      aria-invalid=${fault ? 'true' : undefined} onInput=${input} />
    <datalist id=${id}>${recentReasons.map((reason) => html`<option key=${reason} value=${reason} />`)}</datalist><//>`;
  return { field, take };
}

/**
 * Runs something that may fail, once at a time.
 * @returns {{busy: boolean, failure: any, run: (action: () => Promise<void>) => Promise<void>}}
 */
export function useRun() {
  const [state, setState] = useState({ busy: false, failure: /** @type {any} */ (null) });
  const run = async (action) => {
    setState({ busy: true, failure: null });
    try {
      await action();
      setState({ busy: false, failure: null });
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  return { ...state, run };
}

/** The buttons of a dialog that acts. */
export function actButtons({ text, danger, busy = false, disabled = false, onClose }) {
  return html`<button type="button" disabled=${busy} onClick=${onClose}>${t('cancel')}</button>
    <button class=${danger ? 'danger-primary' : 'primary'} disabled=${busy || disabled}>${busy ? t('loading') : text}</button>`;
}

/** The button of a dialog that only tells something. */
export function closeButton(onClose) {
  return html`<button type="button" class="primary" data-focus onClick=${onClose}>${t('close')}</button>`;
}
