// @ts-check
import { Alerts } from './pages/alerts.js';
import { Audit } from './pages/audit.js';
import { Confirmations } from './pages/confirmations.js';
import { DeadLetters } from './pages/dead.js';
import { Delayed } from './pages/delayed.js';
import { Destinations } from './pages/destinations.js';
import { HalfMessages } from './pages/half.js';
import { KeyPage } from './pages/key.js';
import { Message } from './pages/message.js';
import { Messages } from './pages/messages.js';
import { Operations } from './pages/operations.js';
import { Overview } from './pages/overview.js';
import { ReconciliationPage } from './pages/reconciliation.js';
import { RelayPage } from './pages/relay.js';

/**
 * @typedef {object} Page
 * @property {string} name as the address names it
 * @property {any} view the component
 * @property {string} [icon] pages without one are not in the navigation
 * @property {string} [letter] opens it after `g`
 * @property {string} [feature] the page exists only where the database uses this feature
 * @property {(pulse: any) => any} [badge] what waits for a person there
 */

/** @type {Page[]} all pages, in the order of the navigation */
export const PAGES = [
  { name: 'overview', view: Overview, icon: 'overview', letter: 'o' },
  { name: 'messages', view: Messages, icon: 'messages', letter: 'm' },
  { name: 'dead', view: DeadLetters, icon: 'dead', letter: 'd', badge: (pulse) => pulse.dead },
  { name: 'destinations', view: Destinations, icon: 'destinations', letter: 't' },
  { name: 'half', view: HalfMessages, icon: 'half', letter: 'h', feature: 'half', badge: (pulse) => pulse.half?.unresolved },
  { name: 'delayed', view: Delayed, icon: 'delayed', letter: 'l', badge: (pulse) => pulse.overdue },
  { name: 'confirmations', view: Confirmations, icon: 'confirmations', letter: 'c', feature: 'confirmations' },
  { name: 'reconciliation', view: ReconciliationPage, icon: 'reconciliation', letter: 'n', feature: 'reconciliation', badge: (pulse) => pulse.openReports },
  { name: 'relay', view: RelayPage, icon: 'relay', letter: 'r' },
  { name: 'alerts', view: Alerts, icon: 'alerts', letter: 'w', feature: 'alerts', badge: (pulse) => pulse.alerts?.firing },
  { name: 'operations', view: Operations, icon: 'operations', letter: 'p' },
  { name: 'audit', view: Audit, icon: 'audit', letter: 'a' },
  { name: 'message', view: Message },
  { name: 'key', view: KeyPage },
];

/** Returns the page of a name; the overview if there is none. */
export function pageOf(name) {
  return PAGES.find((page) => page.name === name) ?? PAGES[0];
}
