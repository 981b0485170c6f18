// @ts-check
import { render } from './vendor/preact.js';
import { enter, session } from './api.js';
import { App } from './app.js';
import { html } from './view.js';
import { loadTexts } from './i18n.js';
import { refreshPulse } from './pulse.js';
import { applySettings } from './settings.js';

/** Starts the page. Whoever is not signed in sees the sign-in, and then the page of the address. */
async function start() {
  applySettings();
  await loadTexts();
  const signedIn = enter().catch((failure) => {
    if (session.get().state === 'loading') session.patch({ state: 'failed', failure });
  });
  render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById('app')));
  await signedIn;
  refreshPulse();
}

start().catch((failure) => {
  /** @type {HTMLElement} */ (document.getElementById('app')).textContent = `Angarium: ${failure.message}`;
});
