// @ts-check
import { ActDialog } from '../components/act-dialog.js';
import { ActButton, ago, CopyButton, foreign, mono, PageHead, shortTime, StagePill } from '../components/basics.js';
import { Field } from '../components/dialog.js';
import { actsOf, IdLink } from '../components/message-list.js';
import { Empty, Loaded, ReadAt } from '../components/states.js';
import { column, Table } from '../components/table.js';
import { number } from '../format.js';
import { usePost } from '../load.js';
import { open, permalink, route } from '../router.js';
import { html, rich, t, useCell, useState } from '../view.js';

/** Everything of one key in the order in which it is sent: what it waits for stands first. */
export function KeyPage() {
  const { params, hidden } = useCell(route);
  const destination = hidden.destination ?? params.destination ?? '';
  const key = hidden.key ?? params.key ?? '';
  return html`<${PageHead} title=${html`${t('page.key')} ${key && foreign(key)}`} lead=${t('key.what')} />
    ${destination && key ? html`<${KeyRows} key=${`${destination} ${key}`} destination=${destination} name=${key} />` : html`<${KeyForm} />`}`;
}

function KeyForm() {
  const [destination, setDestination] = useState('');
  const [key, setKey] = useState('');
  const submit = (event) => {
    event.preventDefault();
    if (destination && key) open('key', {}, { destination, key });
  };
  return html`<form class="card narrow" onSubmit=${submit}>
    <${Field} label=${t('destination')} hint=${t('destination.help')}><input type="text" list="suggestions" value=${destination}
      onInput=${(event) => setDestination(event.currentTarget.value.trim())} /><//>
    <${Field} label=${t('key')} hint=${t('filter.key.help')}><input type="text" value=${key}
      onInput=${(event) => setKey(event.currentTarget.value)} /><//>
    <button class="primary">${t('key.show')}</button></form>`;
}

function KeyRows({ destination, name }) {
  const load = usePost('keys/view', { destination, key: name });
  const [act, setAct] = useState(/** @type {any} */ (null));
  return html`<section class="card"><${Loaded} load=${load}>${(view) => html`
    <p class="key-head">${mono(destination)}<span>${t('partition', view.partition)}</span>
      <span>${view.node ? rich('key.node', mono(view.node)) : html`<span class="bad">${t('heat.nobody')}</span>`}</span>
      <${CopyButton} text=${permalink} label=${t('copy.link')} /></p>
    ${view.rows.length === 0 ? html`<${Empty} good title=${t('key.nothing')} text=${t('key.nothing.text')} />`
      : html`<${Verdict} rows=${view.rows} /><${Table} label=${t('key.rows')} columns=${columns(setAct)} rows=${view.rows}
        rowKey=${({ id, stage }) => `${stage} ${id}`} />`}
    ${!view.complete && html`<p class="dim">${t('key.more', number(view.rows.length))}</p>`}
    ${view.lastSent && html`<${LastSent} row=${view.lastSent} />`}
    <${ReadAt} load=${load} />
    ${act && html`<${ActDialog} act=${act.act} rows=${[act.row]} onClose=${() => setAct(null)} />`}`}<//></section>`;
}

function LastSent({ row }) {
  return html`<p class="last-sent"><${StagePill} stage="sent" />
    ${rich('key.lastSent', html`<${IdLink} row=${row} />`, shortTime(row.at), ago(row.at))}</p>`;
}

/** What stands in the way, as a sentence. */
function Verdict({ rows }) {
  const [first, ...rest] = rows;
  if (first.stage === 'dead' && first.blocksKey) return html`<p class="warning"><span>${t('key.blocked', rest.length)}</span></p>`;
  if (first.stage === 'retrying') return html`<p class="warning"><span>${t('key.retrying', rest.length)}</span></p>`;
  return html`<p class="dim">${t('key.free')}</p>`;
}

function columns(setAct) {
  return [
    column('stage', 'tight', (row) => html`<${StagePill} stage=${row.stage} />`),
    column('message.id', 'tight', (row) => html`<${IdLink} row=${row} />`),
    column('number', 'num', ({ sequence }) => sequence),
    column('stage.waiting.at', 'tight', ({ createdAt }) => shortTime(createdAt)),
    column('type', '', ({ type }) => foreign(type)),
    column('error', 'grow', (row) => html`${foreign(row.error, 2)}
      ${row.stage === 'retrying' && row.dueAt && html`<span class="dim small">${rich('next', ago(row.dueAt))}</span>`}`),
    column('acts', 'decide', (row) => actsOf(row).map((act) => html`<${ActButton} key=${act} act=${act}
      strong=${false} onAct=${() => setAct({ act, row })} /> `)),
  ];
}
