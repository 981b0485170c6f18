// @ts-check
import { applySettings, choose, language, settings } from '../settings.js';
import { exact, databaseNow, isZone } from '../time.js';
import { Choice } from './basics.js';
import { Dialog, Field } from './dialog.js';
import { tell } from './notices.js';
import { html, loadTexts, t, useCell, useState } from '../view.js';

/** Applies a choice at once. Texts of a language are loaded before the page changes to it. */
export async function prefer(part) {
  const before = settings.get();
  choose(part);
  try {
    await loadTexts();
  } catch {
    choose(before);
    tell({ tone: 'bad', text: t('failure.OFFLINE') });
  }
  applySettings();
  settings.patch({});
}

/** What a person may choose for this browser: language, theme, zone, keyboard. */
export function Preferences({ onClose }) {
  const { theme, keys } = useCell(settings);
  return html`<${Dialog} title=${t('settings')} onClose=${onClose}>
    <div class="field"><span class="field-label">${t('settings.language')}</span><${Choice} label=${t('settings.language')}
      value=${language()} options=${[['en', 'English'], ['zh', '中文']]} onChange=${(lang) => prefer({ lang })} /></div>
    <div class="field"><span class="field-label">${t('settings.theme')}</span><${Choice} label=${t('settings.theme')} value=${theme}
      options=${['', 'light', 'dark'].map((name) => [name, t(`theme.${name || 'auto'}`)])} onChange=${(name) => prefer({ theme: name })} /></div>
    <${ZoneField} />
    <label class="check"><input type="checkbox" checked=${keys} onChange=${() => prefer({ keys: !keys })} />${t('settings.keys')}</label>
    <p class="dim small">${t('settings.kept')}</p><//>`;
}

function ZoneField() {
  const { zone } = settings.get();
  const [text, setText] = useState(zone);
  const known = Intl.supportedValuesOf?.('timeZone') ?? [];
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const change = (name) => {
    setText(name);
    if (name === '' || isZone(name)) prefer({ zone: name });
  };
  return html`<${Field} label=${t('settings.zone')} hint=${t('settings.zone.hint', own, exact(databaseNow()))}
    fault=${text && !isZone(text) ? t('settings.zone.unknown') : ''}>
    <input type="text" value=${text} list="zones" placeholder=${own} autocomplete="off" spellcheck="false"
      onInput=${(event) => change(event.currentTarget.value.trim())} />
    <datalist id="zones"><option value="UTC" />${known.map((name) => html`<option key=${name} value=${name} />`)}</datalist><//>`;
}
