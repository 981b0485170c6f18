// @ts-check
import { inDatabase, post } from '../api.js';
import { bytes, number } from '../format.js';
import { usePages } from '../load.js';
import { pauses, pausesOf } from '../pauses.js';
import { Link } from '../router.js';
import { ActDialog } from './act-dialog.js';
import { CorrectDialog } from './correct-dialog.js';
import { ActButton, ago, ChosenBar, foreign, mono, shortTime } from './basics.js';
import { suggest } from './searchbox.js';
import { Empty, ListEnd, Loaded, ReadAt } from './states.js';
import { column, Table } from './table.js';
import { html, rich, t, useState } from '../view.js';

/** What may be decided about the messages of a stage. */
const ACTS = {
  dead: ['requeue', 'discard'], discarded: ['restore'], delayed: ['send-now', 'cancel'], retrying: ['send-now'],
  unconfirmed: ['send-again'],
};
/** Stages whose messages relays may have in their hands, unless their destination is paused. */
const UNDELIVERED = ['waiting', 'retrying', 'held'];
const PAGE_SIZE = 50;

/** What may be decided about a message. */
export function actsOf({ stage, destination }) {
  return actsIn(stage, pausesOf(destination).length > 0);
}

function actsIn(stage, isPaused) {
  return [...(ACTS[stage] ?? []), ...(isPaused && UNDELIVERED.includes(stage) ? ['bury'] : [])];
}

/** Loads the messages of a stage that fit a filter. The filter is made when it is sent. */
export function useMessages(stage, makeFilter, inputs, { order = 'newest', limit = PAGE_SIZE } = {}) {
  return usePages(async (cursor, signal) => {
    const query = { ...makeFilter(), stage, order, limit, ...(cursor && { cursor }) };
    const page = await post(inDatabase('messages/search'), query, { signal });
    suggest(page.items.map(({ destination }) => destination));
    return page;
  }, [stage, order, limit, ...inputs]);
}

/** The part of an id that tells neighbours apart, as a link to the message. */
export function IdLink({ row }) {
  const { id, stage } = row;
  return html`<${Link} page="message" params=${{ id, stage }} data-open class="mono" title=${id}
    aria-label=${t('message.open', id)}>${id.slice(0, 8)}…${id.slice(-6)}<//>`;
}

/** The key as a link to everything that it waits for. */
export function KeyLink({ row }) {
  const { destination, key } = row;
  return key === null ? html`<span class="dim" title=${t('key.none')}>–</span>`
    : html`<${Link} page="key" hidden=${{ destination, key }} title=${t('key.open')}>${foreign(key)}<//>`;
}

function Failing({ row, brief }) {
  const { error, attempts, dueAt, stage, blocksKey } = row;
  return html`${error && !brief && foreign(error, 2)}
    <span class="dim small">${attempts > 0 && stage !== 'sent' && html`${t('attempts', attempts)} `}
      ${stage === 'retrying' && dueAt && html`· ${rich('next', ago(dueAt))} `}
      ${stage === 'held' && t('held.behind')}${blocksKey && html`<span class="warn">· ${t('blocksKey')}</span>`}</span>`;
}

/** The columns of a list of messages of one stage; `brief` leaves out the error that all have in common. */
function messageColumns(stage, brief) {
  const failing = (row) => html`<${Failing} row=${row} brief=${brief} />`;
  const withError = !['waiting', 'sent', 'delayed', 'unconfirmed'].includes(stage);
  return [
    column('message.id', 'tight', (row) => html`<${IdLink} row=${row} />`),
    column(`stage.${stage}.at`, 'tight', ({ at, dueAt }) => shortTime(stage === 'delayed' ? dueAt ?? at : at)),
    column('destination', 'name', ({ destination }) => mono(destination)),
    column('key', '', (row) => html`<${KeyLink} row=${row} />`),
    column('type', '', ({ type }) => foreign(type)),
    column('size', 'num', ({ payloadBytes }) => html`<span title=${t('unit.b', number(payloadBytes))}>${bytes(payloadBytes)}</span>`),
    ...(stage === 'unconfirmed' ? [column('confirmations.times', 'num', ({ attempts }) => number(attempts))] : []),
    ...(withError ? [column(stage === 'discarded' ? 'reason' : 'error', 'grow', failing)] : []),
  ];
}

/**
 * A list of messages of one stage with what may be decided about them.
 * @param {{pages: any, stage: string, empty: any, onAll?: (act: string) => void, filtered?: boolean,
 *   brief?: boolean}} props
 *   `onAll` offers to act on all that match, not only on those that are shown
 */
export function MessageList({ pages, stage, empty, onAll, filtered = false, brief = false }) {
  const [chosen, choose] = useState(/** @type {Set<string>} */ (new Set()));
  const [act, setAct] = useState('');
  const rowKey = ({ id, partition, sequence }) => `${id} ${partition} ${sequence}`;
  const acts = actsIn(stage, pauses().length > 0);
  const selection = acts.length > 0 ? { chosen, choose, name: ({ id }) => id } : undefined;
  const clear = () => choose(new Set());
  const rows = pages.items.filter((row) => chosen.has(rowKey(row)));
  return html`<${Loaded} load=${pages}>${() => html`
    ${pages.items.length > 0 ? html`<${Table} label=${t(`stage.${stage}`)} columns=${messageColumns(stage, brief)}
      rows=${pages.items} rowKey=${rowKey} selection=${selection} />` : html`<${NoRows} pages=${pages} filtered=${filtered} empty=${empty} />`}
    <${ListEnd} pages=${pages} /><${ReadAt} load=${pages} />
    ${acts.length > 0 && pages.items.length > 0
      && html`<${ActBar} stage=${stage} acts=${acts} rows=${rows} onAct=${setAct} onAll=${onAll} onClear=${clear} />`}
    ${act === 'redirect' && html`<${CorrectDialog} rows=${rows} onClose=${() => setAct('')} onDone=${clear} />`}
    ${act && act !== 'redirect' && html`<${ActDialog} act=${act} rows=${rows} onClose=${() => setAct('')} onDone=${clear} />`}`}<//>`;
}

function NoRows({ pages, filtered, empty }) {
  if (pages.next || pages.scanned?.complete === false) return html`<${Empty} title=${t('list.noneYet')} text=${t('list.noneYet.text')} />`;
  return filtered ? html`<${Empty} title=${t('list.noMatch')} text=${t('list.noMatch.text')} />` : empty;
}

function ActBar({ stage, acts, rows, onAct, onAll, onClear }) {
  if (rows.length === 0) {
    const ofAll = acts.filter((act) => !act.startsWith('send-') && (act !== 'bury' || stage === 'waiting'));
    return onAll && ofAll.length > 0 && html`<div class="bar"><span class="dim">${t('select.hint')}</span><span class="grow"></span>
      ${ofAll.map((act) => html`<${ActButton} key=${act} act=${act} strong=${false} text=${t(`all.${act}`)} onAct=${onAll} />`)}</div>`;
  }
  return html`<${ChosenBar} text=${t('select.count', rows.length)} onClear=${onClear}>
    ${acts.map((act) => html`<${ActButton} key=${act} act=${act} onAct=${onAct} />`)}
    ${stage === 'dead' && html`<${ActButton} act="redirect" strong=${false} onAct=${onAct} />`}<//>`;
}
