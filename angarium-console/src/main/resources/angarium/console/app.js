// @ts-check
import { Component } from './vendor/preact.js';
import { databaseFacts, enter, serverVersion, session } from './api.js';
import { Header } from './components/header.js';
import { Notices } from './components/notices.js';
import { Preferences } from './components/preferences.js';
import { listenForShortcuts, ShortcutHelp } from './components/shortcuts.js';
import { Failure, failureText, Skeleton } from './components/states.js';
import { Icon } from './components/icons.js';
import { ago, shortTime } from './components/basics.js';
import { bounded } from './format.js';
import { PAGES, pageOf } from './pages.js';
import { SessionEnded, SignIn } from './pages/sign-in.js';
import { refreshPulse, vital } from './pulse.js';
import { Link, route } from './router.js';
import { settings } from './settings.js';
import { html, rich, t, useCell, useEffect, useLayoutEffect, useRef, useState } from './view.js';

/** The whole page. */
export function App() {
  useCell(settings);
  const { state, failure, me } = /** @type {any} */ (useCell(session));
  const retry = () => {
    session.patch({ state: 'loading' });
    enter().then(refreshPulse, (again) => session.patch({ state: 'failed', failure: again }));
  };
  if (state === 'out' && !me) return html`<${SignIn} /><${Notices} />`;
  if (state === 'failed') return html`<main class="alone"><${Failure} failure=${failure} again=${retry} /></main>`;
  if (state === 'loading') return html`<main class="alone"><${Skeleton} rows=${3} /></main>`;
  return html`<${Frame} />${state === 'out' && html`<${SessionEnded} />`}`;
}

function Frame() {
  const [dialog, setDialog] = useState('');
  const close = () => setDialog('');
  // before anything is seen, since people press a key as soon as they see what it is for
  useLayoutEffect(() => listenForShortcuts({ help: () => setDialog('keys') }), []);
  const { page, params } = useCell(route);
  const { view: View, name } = pageOf(page);
  useEffect(() => {
    document.title = `${t(`page.${name}`)} · Angarium`;
  }, [name]);
  return html`<a class="skip" href="#main" onClick=${skip}>${t('skip')}</a>
    <div class="shell">
      <${Header} onSettings=${() => setDialog('settings')} onKeys=${() => setDialog('keys')} />
      <${Navigation} current=${name} />
      <main id="main" tabindex="-1"><${Lines} />
        <${Guard} key=${`${name} ${params.db ?? ''}`}><${View} /><//></main>
    </div>
    ${dialog === 'keys' && html`<${ShortcutHelp} onClose=${close} />`}
    ${dialog === 'settings' && html`<${Preferences} onClose=${close} />`}
    <${Notices} />`;
}

function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Navigation({ current }) {
  const { pulse } = useCell(vital);
  const features = databaseFacts()?.features ?? [];
  const shown = PAGES.filter((page) => page.icon && (!page.feature || features.includes(page.feature)));
  const bar = useRef(/** @type {any} */ (null));
  useEffect(() => bar.current.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [current]);
  return html`<nav aria-label=${t('pages')} ref=${bar}>${shown.map(({ name, icon, badge }) => {
    const count = pulse && badge?.(pulse);
    return html`<${Link} key=${name} page=${name} aria-current=${name === current ? 'page' : undefined} title=${t(`page.${name}.help`)}>
      <${Icon} name=${icon} /><span>${t(`page.${name}`)}</span>
      ${count?.count > 0 && html`<b class="badge" title=${t(`badge.${name}`, bounded(count))}>${bounded(count)}</b>`}<//>`;
  })}</nav>`;
}

/** Lines at the top: what is true of all pages. */
function Lines() {
  const { failure, awaySince, at, live } = useCell(vital);
  const { changed } = useCell(serverVersion);
  const known = new Date(at).toISOString();
  const again = html`<button type="button" onClick=${refreshPulse}>${t('again')}</button>`;
  return html`${failure && html`<div class="line bad" role="alert"><${Icon} name="triangle" /><p><b>${failureText(failure)}</b>
      ${' '}${rich('away.since', shortTime(new Date(awaySince).toISOString()))}
      ${' '}${at ? rich('away.known', shortTime(known), ago(known)) : t('away.unknown')}</p>${again}</div>`}
    ${!live && !failure && html`<div class="line info"><${Icon} name="bars" />
      <p>${at ? rich('paused.line', shortTime(known)) : t('paused')}</p></div>`}
    ${changed && html`<div class="line warn"><${Icon} name="triangle" /><p>${t('version.changed')}</p>
      <button type="button" onClick=${() => location.reload()}>${t('version.reload')}</button></div>`}`;
}

/** Shows a fault of the page itself instead of an empty screen. */
class Guard extends Component {
  /** @param {any} fault */
  static getDerivedStateFromError(fault) {
    return { fault };
  }

  componentDidCatch(fault) {
    console.error(fault);
  }

  render({ children }, { fault }) {
    if (!fault) return children;
    const failure = { code: 'PAGE', detail: String(fault.message ?? fault) };
    return html`<${Failure} failure=${failure} again=${() => this.setState({ fault: null })} />`;
  }
}
