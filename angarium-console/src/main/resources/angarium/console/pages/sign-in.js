// @ts-check
import { enter, get, post } from '../api.js';
import { Choice } from '../components/basics.js';
import { Dialog, Field } from '../components/dialog.js';
import { prefer } from '../components/preferences.js';
import { failureText, Loaded } from '../components/states.js';
import { refreshAll, useLoad } from '../load.js';
import { refreshPulse } from '../pulse.js';
import { language } from '../settings.js';
import { html, t, useEffect, useRef, useState } from '../view.js';

/** The sign-in. The address stays as it is, so that the wanted page appears afterwards. */
export function SignIn() {
  return html`<main class="alone sign-in"><section class="card">
    <h1>${t('signIn.title')}</h1><p class="dim">${t('signIn.what')}</p><${Ways} />
    <${Choice} label=${t('settings.language')} value=${language()} options=${[['en', 'English'], ['zh', '中文']]}
      onChange=${(lang) => prefer({ lang })} /></section></main>`;
}

/** Asks for a new sign-in above the page, so that selections and open dialogs stay. */
export function SessionEnded() {
  return html`<${Dialog} plain title=${t('signIn.ended')} onClose=${() => location.reload()}>
    <p class="dim">${t('signIn.ended.text')}</p><${Ways} /><//>`;
}

function Ways() {
  const load = useLoad((signal) => get('sign-in', { signal }), []);
  return html`<${Loaded} load=${load} rows=${2}>${({ ways }) => html`
    ${ways.includes('key') && html`<${KeyForm} />`}
    ${ways.includes('ticket') && html`<p>${t('signIn.ticket')}</p>`}
    ${ways.includes('application') && html`<p>${t('signIn.application')}</p>`}
    ${!ways.includes('key') && html`<button type="button" class="primary"
      onClick=${() => location.reload()}>${t('signIn.reload')}</button>`}
    <p class="dim small">${t('signIn.nobody')}</p>`}<//>`;
}

function KeyForm() {
  const [key, setKey] = useState('');
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const field = useRef(/** @type {any} */ (null));
  useEffect(() => field.current.focus(), []);
  const submit = async (event) => {
    event.preventDefault();
    if (!key) return setFault(t('signIn.empty'));
    setBusy(true);
    try {
      await post('sign-in', { key });
      await enter();
      refreshPulse();
      refreshAll();
    } catch (failure) {
      setFault(failure.status === 401 ? t('signIn.wrong') : failure.status === 429 ? t('signIn.tooMany') : failureText(failure));
      setBusy(false);
    }
    return undefined;
  };
  return html`<form onSubmit=${submit}><input type="text" name="username" value="angarium" autocomplete="username" hidden readonly />
    <${Field} label=${t('signIn.key')} fault=${fault} hint=${t('signIn.key.hint')}>
    <input type="password" value=${key} autocomplete="current-password" ref=${field} aria-invalid=${fault ? 'true' : undefined}
      onInput=${(event) => setKey(event.currentTarget.value)} /><//>
    <button class="primary" disabled=${busy}>${busy ? t('loading') : t('signIn')}</button></form>`;
}
