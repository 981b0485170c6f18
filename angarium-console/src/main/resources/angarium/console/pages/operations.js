// @ts-check
import { ReasonDialog } from '../components/alert-dialog.js';
import { Action, ago, foreign, mono, PageHead, Pill, shortTime } from '../components/basics.js';
import { tell } from '../components/notices.js';
import { Empty, Failure, Loaded, ReadAt, Skeleton } from '../components/states.js';
import { Dialog, Field } from '../components/dialog.js';
import { IdLink } from '../components/message-list.js';
import { column, Table } from '../components/table.js';
import { bounded, number } from '../format.js';
import { useGet } from '../load.js';
import { isUntaken, permits, uuid } from '../operation.js';
import { html, rich, t, textOr, useState } from '../view.js';

/** Symbol and tone of each state. */
const STATES = {
  waiting: ['clock', 'info'], running: ['disc', 'info'], paused: ['bars', 'warn'],
  done: ['check', 'ok'], cancelled: ['cross', ''], stopped: ['square', 'bad'],
};
const PERIOD = 2000;
const CHANGES = ['pause', 'resume', 'cancel', 'rate', 'undo'];

/** What nodes do to many messages: how far each operation is, and what may be done about it. */
export function Operations() {
  const load = useGet('operations?limit=100', { every: PERIOD });
  const [dialog, setDialog] = useState(/** @type {{change: string, of: any} | null} */ (null));
  const close = () => setDialog(null);
  return html`<${PageHead} title=${t('page.operations')} lead=${t('operations.what')} />
    <section class="card"><${Loaded} load=${load}>${({ items }) => html`${items.length === 0
      ? html`<${Empty} good title=${t('operations.none')} text=${t('operations.none.text')} />`
      : html`<${Table} label=${t('page.operations')} rows=${items} rowKey=${({ id }) => id}
          columns=${columns((change, of) => setDialog({ change, of }))} />`}
      <${ReadAt} load=${load} />`}<//></section>
    ${dialog && (dialog.change === 'show' ? html`<${Details} operation=${dialog.of} onClose=${close} />`
      : html`<${ChangeDialog} change=${dialog.change} operation=${dialog.of} onClose=${close} />`)}`;
}

function columns(open) {
  return [
    column('operations.state', 'tight', state),
    column('operations.kind', 'name', about),
    column('operations.progress', 'grow', progress),
    column('operations.rate', 'num', ({ rate }) => t('operations.perSecond', number(rate))),
    column('operations.by', '', by),
    column('operations.created', 'tight', ({ createdAt }) => ago(createdAt)),
    column('acts', 'decide', (operation) => html`<${Acts} operation=${operation} open=${open} />`),
  ];
}

function state(operation) {
  const { state: name, halt, startAt } = operation;
  const [symbol, tone] = STATES[name] ?? ['disc', ''];
  return html`<${Pill} tone=${tone} symbol=${symbol}>${textOr(`operation.state.${name}`, name)}<//>
    ${isUntaken(operation) ? html`<p class="bad small">${t('operation.untaken')}</p>`
      : name === 'waiting' && html`<p class="dim small">${rich('operation.starts', shortTime(startAt))}</p>`}
    ${halt && html`<p class="dim small">${textOr(`operation.halt.${halt}`, halt)}</p>`}`;
}

function about({ kind, destinations, undoes }) {
  return html`<b>${textOr(`operations.kind.${kind}`, kind)}</b>${undoes && html` <${Pill}>${t('undo')}<//>`}
    ${destinations.map((name) => html`<br key=${name} />${mono(name)}`)}`;
}

function progress({ done, notFound, refused, scanned, node }) {
  return html`<b>${t('operations.done', number(done))}</b>
    ${notFound > 0 && ` · ${t('operation.notFound', number(notFound))}`}${refused > 0 && ` · ${t('operation.refused', number(refused))}`}
    <p class="dim small">${t('operations.scanned', number(scanned))}${node && html` · ${mono(node)}`}</p>`;
}

function by({ createdBy, reason }) {
  return html`${foreign(createdBy, 2)}<p class="dim small">${foreign(reason, 3)}</p>`;
}

function Acts({ operation, open }) {
  return html`${CHANGES.filter((change) => permits(operation, change)).map((change) => html`
    <${Action} key=${change} right="operate" tone=${change === 'cancel' ? 'danger' : ''} onClick=${() => open(change, operation)}>
      ${t(change === 'resume' && operation.state === 'waiting' ? 'operation.now' : `operations.${change}`)}<//>`)}
    <button type="button" class="quiet" onClick=${() => open('show', operation)}>${t('operations.show')}</button>`;
}

/** Changes an operation, with a reason. */
function ChangeDialog({ change, operation, onClose }) {
  const [rate, setRate] = useState(String(operation.rate));
  const [id] = useState(uuid);
  const body = change === 'undo' ? { id } : change === 'rate' ? { rate: Number(rate) } : {};
  return html`<${ReasonDialog} title=${t(`operations.${change}.title`)} button=${t(`operations.${change}`)}
    path=${`operations/${operation.id}/${change}`} body=${body} onClose=${onClose}
    done=${() => tell({ tone: 'ok', text: t(`operations.${change}.done`) })}>
    <p>${about(operation)}</p><blockquote>${foreign(operation.reason, 3)}</blockquote>
    <p class="dim">${t(`operations.${change}.what`)}</p>
    ${change === 'rate' && html`<${Field} label=${t('operations.rate')} hint=${t('operations.rate.hint')}>
      <input type="number" min="1" max="10000" required value=${rate} onInput=${(event) => setRate(event.currentTarget.value)} /><//>`}<//>`;
}

/** What an operation left alone, and what died again. */
function Details({ operation, onClose }) {
  const load = useGet(`operations/${operation.id}`);
  return html`<${Dialog} wide title=${t('operations.show.title')} onClose=${onClose}>
    <p>${about(operation)}</p><blockquote>${foreign(operation.reason, 3)}</blockquote>
    ${load.data ? html`<${Outcome} details=${load.data} />`
      : load.failure ? html`<${Failure} failure=${load.failure} again=${load.again} />` : html`<${Skeleton} rows=${3} />`}<//>`;
}

function Outcome({ details: { operation, refusals, diedAgain } }) {
  return html`<ul class="facts">
      <li>${t('operations.until')} <b>${shortTime(operation.untilAt)}</b></li>
      <li>${t('operations.ended')} <b>${shortTime(operation.endedAt)}</b></li>
      ${operation.kind === 'requeue' && html`<li>${t('operations.diedAgain')} <b>${bounded(diedAgain)}</b></li>`}</ul>
    ${refusals.length > 0 && html`<h3>${t('operations.refusals', number(operation.refused))}</h3><dl class="plain">
      ${refusals.map(({ id, reason }) => html`<div key=${id}><dt><${IdLink} row=${{ id }} /></dt><dd>${foreign(reason)}</dd></div>`)}</dl>`}`;
}
