// @ts-check
import { ago, foreign, mono, PageHead, Pill } from '../components/basics.js';
import { Filters } from '../components/filters.js';
import { MessageList, useMessages } from '../components/message-list.js';
import { Empty, Loaded, ReadAt } from '../components/states.js';
import { column, Table } from '../components/table.js';
import { apiFilter, filterParts } from '../filter.js';
import { bounded, number } from '../format.js';
import { useGet } from '../load.js';
import { Link, route } from '../router.js';
import { html, t, useCell } from '../view.js';

const PERIOD = 10_000;

/** Messages that were sent and whose consumers have not confirmed them. */
export function Confirmations() {
  const parts = filterParts(useCell(route));
  return html`<${PageHead} title=${t('page.confirmations')} lead=${t('confirmations.what')} />
    <${ByDestination} /><${Filters} main=${['destination', 'key']} more=${['type', 'businessType', 'businessKey', 'createdBy']} />
    <${Unconfirmed} parts=${parts} />`;
}

function ByDestination() {
  const load = useGet('confirmations', { every: PERIOD });
  return html`<section class="card"><h2>${t('confirmations.byDestination')}</h2><${Loaded} load=${load} rows=${3}>${({ items, counted }) => html`
    ${items.length === 0 ? html`<${Empty} good title=${t('stage.unconfirmed.none')} text=${t('confirmations.none.text')} />`
      : html`<${Table} label=${t('confirmations.byDestination')} rows=${items} rowKey=${({ destination }) => destination} columns=${columns()} />`}
    ${counted.atLeast && html`<p class="dim small">${t('confirmations.counted', bounded(counted))}</p>`}<${ReadAt} load=${load} />`}<//></section>`;
}

function columns() {
  return [
    column('destination', 'name', ({ destination }) => html`<${Link} page="confirmations" params=${{ destination }} data-open
      aria-label=${t('confirmations.open', destination)}>${mono(destination)}<//>`),
    column('confirmations.count', 'num', ({ count }) => number(count)),
    column('confirmations.oldest', 'tight', ({ oldest }) => ago(oldest)),
    column('confirmations.sentAgain', 'grow', again),
    column('confirmations.nextDue', 'tight', next),
  ];
}

/** How many were sent again, and how often. */
function again({ sentAgain, sendsMax, waiting }) {
  if (sentAgain === 0) return foreign('');
  return html`${t('confirmations.again', sentAgain)}
    <span class="dim small"> ${t('confirmations.sends', sendsMax)}${waiting > 0 && html` · ${t('confirmations.waiting', waiting)}`}</span>`;
}

function next({ nextDue, overdue }) {
  return overdue > 0 ? html`<${Pill} tone="bad" symbol="square" title=${t('confirmations.overdue.help')}>${t('confirmations.overdue', overdue)}<//>`
    : ago(nextDue);
}

function Unconfirmed({ parts }) {
  const pages = useMessages('unconfirmed', () => apiFilter(parts), [parts], { order: 'oldest' });
  return html`<section class="card"><h2>${t('stage.unconfirmed')}</h2><${MessageList} pages=${pages} stage="unconfirmed"
    filtered=${Object.keys(parts).length > 0}
    empty=${html`<${Empty} good title=${t('stage.unconfirmed.none')} text=${t('stage.unconfirmed.none.text')} />`} /></section>`;
}
