// @ts-check
import { bounded, number, rate } from '../format.js';
import { durationMillis, length } from '../time.js';
import { html, t } from '../view.js';
import { ago, foreign, mono, Pill, shortTime } from './basics.js';
import { Empty } from './states.js';
import { column, Table } from './table.js';

/** Clocks that differ by more are shown as a fault, in milliseconds. The alert rule has the same limit. */
const SKEW_MAX = 5000;
const STATES = { live: ['ok', 'disc'], resting: ['warn', 'triangle'], silent: ['bad', 'square'], stopped: ['', 'ring'] };

/** The nodes of a database: their heartbeats, and what they told last. */
export function Nodes({ nodes }) {
  const title = t('relay.nodes', nodes.length);
  const columns = nodes.some(({ told }) => told) ? [...heartbeat(), ...told()] : [...heartbeat(), transports()];
  return html`<section class="card"><h2>${title}</h2>${nodes.length === 0
    ? html`<${Empty} title=${t('trouble.noNode')} text=${t('trouble.noNode.effect')} />`
    : html`<${Table} label=${title} columns=${columns} rows=${nodes}
      rowKey=${({ node, incarnation }) => `${node} ${incarnation}`} />`}</section>`;
}

function name({ node, incarnation, told: last }) {
  const where = last && [last.application, last.host, last.version].filter(Boolean).join(' · ');
  return html`<span title=${incarnation} class=${node ? '' : 'dim'}>${node ? mono(node) : t('node.replaced')}</span>
    ${where && html`<br /><span class="dim small">${foreign(where)}</span>`}`;
}

function state({ state: shown, told: last }) {
  const [tone, symbol] = STATES[shown];
  const pill = html`<${Pill} tone=${tone} symbol=${symbol} title=${t(`node.${shown}.help`)}>${t(`node.${shown}`)}<//>`;
  if (shown === 'resting' && last?.rest) return html`${pill}<br /><span class="dim small">${t('node.until')} ${shortTime(last.rest.until)}</span>`;
  return last?.fault && shown === 'live' ? html`${pill}<br /><span class="bad small">${foreign(last.fault, 2)}</span>` : pill;
}

function lease({ leaseLeft }) {
  if (!leaseLeft) return '–';
  const millis = durationMillis(leaseLeft);
  return millis <= 0 ? html`<span class="bad">${t('node.lease.ended', length(-millis))}</span>` : length(millis);
}

function heartbeat() {
  return [
    column('node', '', name),
    column('node.state', 'tight', state),
    column('node.lease', 'num', lease),
    column('node.partitions', 'num', ({ partitions }) => number(partitions)),
  ];
}

function transports() {
  return column('node.transports', 'grow', ({ transports: names }) => (names.length > 0 ? mono(names.join(', '))
    : html`<span class="dim">${t('node.transports.unknown')}</span>`));
}

/** Columns of what live nodes told; a node that is gone has only its last words. */
function told() {
  const of = (part) => ({ told: last, live }) => (last && live ? part(last) : '–');
  return [
    column('node.sent', 'num', of(({ sent }) => html`${rate(sent)}<small>/s</small>`)),
    column('node.inFlight', 'num', of(({ inFlight, inFlightMax }) => t('node.of', number(inFlight), number(inFlightMax)))),
    column('node.failures', 'num', of(failures)),
    column('node.clock', 'num', of(clock)),
    column('node.told', 'tight', ({ told: last }) => ago(last?.at)),
  ];
}

function failures({ storeFailure }) {
  if (!storeFailure) return html`<span class="dim">0</span>`;
  const { recent, at, text } = storeFailure;
  return html`<span class=${recent > 0 ? 'warn' : 'dim'} title=${text}>${bounded(recent)}</span>
    <span class="dim small"> ${ago(at)}</span>`;
}

function clock({ clockAhead }) {
  const millis = durationMillis(clockAhead);
  const shown = `${millis > 0 ? '+' : ''}${length(millis)}`;
  return Math.abs(millis) > SKEW_MAX ? html`<span class="bad">${shown}</span>` : shown;
}

/** Destinations that do not take messages as usual: why, since when, and when they are tried again. */
export function Circuits({ circuits }) {
  if (circuits.length === 0) return html`<section class="card"><h2>${t('circuits')}</h2><${Empty} good title=${t('circuits.none')} /></section>`;
  const columns = [
    column('destination', 'name', ({ destination }) => mono(destination)),
    column('circuit.state', 'tight', ({ state: shown }) => html`<${Pill} tone=${shown === 'open' ? 'bad' : 'warn'}
      symbol=${shown === 'open' ? 'square' : 'triangle'} title=${t(`circuit.${shown}.help`)}>${t(`circuit.${shown}`)}<//>`),
    column('circuit.reason', 'grow', ({ reason }) => foreign(reason, 2)),
    column('circuit.since', 'tight', ({ since }) => ago(since)),
    column('circuit.probe', 'tight', ({ nextProbe }) => ago(nextProbe)),
    column('circuit.nodes', 'num', ({ nodes }) => number(nodes)),
  ];
  return html`<section class="card"><h2>${t('circuits')}</h2><${Table} label=${t('circuits')} columns=${columns} rows=${circuits}
    rowKey=${({ destination }) => destination} /></section>`;
}
