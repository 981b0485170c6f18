// @ts-check
import { database, post, serverVersion, session } from '../api.js';
import { forgetPulse, setLive, vital } from '../pulse.js';
import { refreshAll } from '../load.js';
import { Link, open, permalink, route } from '../router.js';
import { language, settings } from '../settings.js';
import { offset, zone } from '../time.js';
import { IconButton } from './basics.js';
import { Icon } from './icons.js';
import { tell } from './notices.js';
import { prefer } from './preferences.js';
import { SearchBox } from './searchbox.js';
import { failureText } from './states.js';
import { html, t, useCell, useState } from '../view.js';

const THEMES = { '': ['light', 'auto'], light: ['dark', 'sun'], dark: ['', 'moon'] };

/** The bar at the top of every page. */
export function Header({ onSettings, onKeys }) {
  const { theme } = useCell(settings);
  const [nextTheme, themeIcon] = THEMES[theme] ?? THEMES[''];
  const other = language() === 'zh' ? 'en' : 'zh';
  return html`<header class="top">
    <${Link} page="overview" class="brand" title=${t('brand.help', serverVersion.get().first)}><${Brand} />Angarium<//>
    <${DatabaseChoice} /><${SearchBox} />
    <div class="tools">
      <${LiveButton} />
      <${IconButton} name="refresh" label=${t('refresh')} title=${t('refresh.help')} onClick=${refreshAll} />
      <button type="button" class="quiet wide-only" title=${t('settings.zone.title', zone())} onClick=${onSettings}>${offset()}</button>
      <button type="button" class="quiet wide-only" lang=${other} title=${t('settings.language')}
        onClick=${() => prefer({ lang: other })}>${other === 'zh' ? '中文' : 'English'}</button>
      <${IconButton} name=${themeIcon} label=${t(`theme.title.${theme || 'auto'}`)} class="icon wide-only"
        onClick=${() => prefer({ theme: nextTheme })} />
      <${OperatorMenu} onSettings=${onSettings} onKeys=${onKeys} />
    </div></header>`;
}

function Brand() {
  return html`<svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true" class="logo"><rect width="32" height="32" rx="7" />
    <path d="M7 11h18v12H7zM7 12l9 6.5L25 12M16 4v8m-3-3 3 3 3-3" /></svg>`;
}

function DatabaseChoice() {
  const { databases } = useCell(session);
  useCell(route);
  if (databases.length < 2) return null;
  const change = (event) => {
    open(route.get().page, { ...route.get().params, db: event.currentTarget.value });
    forgetPulse();
  };
  return html`<select class="databases" aria-label=${t('database')} title=${t('database')} value=${database()} onChange=${change}>
    ${databases.map(({ name, product }) => html`<option key=${name} value=${name} selected=${name === database()}
      title=${product}>${name}</option>`)}</select>`;
}

function LiveButton() {
  const { live, failure, pulse } = useCell(vital);
  const state = failure ? 'away' : !live ? 'paused' : pulse ? 'live' : 'asking';
  const tone = { away: 'bad', paused: 'warn', live: 'ok', asking: '' }[state];
  const icon = { away: 'triangle', paused: 'bars', live: 'disc', asking: 'ring' }[state];
  return html`<button type="button" class=${`live ${tone}`} aria-pressed=${String(live)} title=${t(live ? 'live.help' : 'paused.help')}
    onClick=${() => setLive(!live)}><${Icon} name=${icon} /><span>${t(`live.${state}`)}</span></button>`;
}

function OperatorMenu({ onSettings, onKeys }) {
  const { me } = useCell(session);
  const [isOpen, setOpen] = useState(false);
  const chosen = (act) => () => {
    setOpen(false);
    act();
  };
  const leave = (event) => event.currentTarget.contains(event.relatedTarget) || setOpen(false);
  const esc = (event) => event.key === 'Escape' && setOpen(false);
  return html`<div class="menu" onFocusOut=${leave} onKeyDown=${esc}>
    <button type="button" class="quiet" aria-expanded=${String(isOpen)} aria-haspopup="true" onClick=${() => setOpen(!isOpen)}
      aria-label=${t('operator.menu', me.operator, me.role)}><${Icon} name="person" />
      <span class="wide-only who">${me.operator}</span></button>
    ${isOpen && html`<div class="menu-items">
      <p><b><bdi>${me.operator}</bdi></b><span class="dim">${t(`role.${me.role}`)}${me.readOnly ? ` · ${t('readOnly')}` : ''}</span></p>
      <button type="button" onClick=${chosen(copyLink)}><${Icon} name="link" />${t('copy.link')}</button>
      <button type="button" onClick=${chosen(onSettings)}><${Icon} name="gear" />${t('settings')}</button>
      <button type="button" onClick=${chosen(onKeys)}><${Icon} name="keys" />${t('keys')}</button>
      ${me.docs && html`<a href=${me.docs} target="_blank" rel="noopener noreferrer"><${Icon} name="arrow" />${t('docs')}</a>`}
      ${me.signOut && html`<button type="button" onClick=${chosen(signOut)}><${Icon} name="cross" />${t('signOut')}</button>`}
    </div>`}</div>`;
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(permalink());
    tell({ tone: 'ok', text: t('copy.link.done') });
  } catch {
    tell({ tone: 'warn', text: t('copy.denied'), detail: permalink() });
  }
}

async function signOut() {
  try {
    await post('sign-out', {});
    session.set({ state: 'out', me: null, databases: [] });
  } catch (failure) {
    tell({ tone: 'bad', text: failureText(failure) });
  }
}
