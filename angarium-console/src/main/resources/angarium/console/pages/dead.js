// @ts-check
import { inDatabase, post } from '../api.js';
import { ActButton, ago, Choice, ChosenBar, foreign, mono, PageHead, Pill, shortTime } from '../components/basics.js';
import { ExportButton } from '../components/export.js';
import { Filters } from '../components/filters.js';
import { MessageList, useMessages } from '../components/message-list.js';
import { Newcomers } from '../components/newcomers.js';
import { useOperation } from '../components/operation-dialog.js';
import { Empty, Loaded, ReadAt } from '../components/states.js';
import { column, Table } from '../components/table.js';
import { apiFilter, filterParts } from '../filter.js';
import { bounded, number } from '../format.js';
import { useLoad } from '../load.js';
import { vital } from '../pulse.js';
import { Link, refine, route } from '../router.js';
import { html, rich, t, useCell, useState } from '../view.js';

const MORE = ['key', 'type', 'businessType', 'businessKey', 'createdBy', 'attemptsMin'];

/** Messages that were given up, by cause or one by one. */
export function DeadLetters() {
  const now = useCell(route);
  const { pulse } = useCell(vital);
  const parts = filterParts(now);
  const view = now.params.view ?? (parts.cause ? 'list' : 'causes');
  const [begin, dialog] = useOperation();
  const read = (signal) => post(inDatabase('causes'), { filter: apiFilter(parts), limit: 50 }, { signal });
  const causes = useLoad(read, [parts]);
  const views = [['causes', t('dead.byCause'), t('dead.byCause.help')], ['list', t('dead.list'), t('dead.list.help')]];
  const show = (name) => refine({ view: name, ...(name === 'causes' && { cause: '' }) });
  const title = html`${t('page.dead')} <span class="dim">${pulse && bounded(pulse.dead)}</span>`;
  return html`<${PageHead} title=${title} lead=${t('dead.what')}>
      <${Choice} label=${t('dead.view')} value=${view} onChange=${show} options=${views} /><//>
    <${Filters} main=${['destination', 'reasonHas']} more=${MORE} blocks />
    ${view === 'causes' ? html`<${Causes} load=${causes} parts=${parts} begin=${begin} />`
      : html`${parts.cause && html`<${CauseCard} load=${causes} parts=${parts} begin=${begin} />`}
        <${Letters} parts=${parts} begin=${begin} />`}
    ${dialog}`;
}

/** The filter that means exactly one group. */
function groupPart(parts, group) {
  return {
    title: group.text,
    filter: apiFilter({ ...parts, cause: group.fingerprint, destination: group.destination }),
  };
}

function Causes({ load, parts, begin }) {
  const [chosen, choose] = useState(/** @type {Set<string>} */ (new Set()));
  const rowKey = ({ fingerprint, destination }) => `${fingerprint} ${destination}`;
  const selection = { chosen, choose, name: ({ text, destination }) => `${destination}: ${text}` };
  return html`<${Newcomers} load=${load} /><section class="card"><${Loaded} load=${load}>${({ groups, of, others, scanned }) => {
    const picked = groups.filter((group) => chosen.has(rowKey(group)));
    return html`${groups.length === 0 ? html`<${NoDeadLetters} filtered=${Object.keys(parts).length > 0} />`
      : html`<${Table} label=${t('dead.causes')} columns=${causeColumns(parts)} rows=${groups} rowKey=${rowKey}
          selection=${selection} />
        <p class="list-end" role="status">${t(scanned.complete ? 'dead.of' : 'dead.ofNewest', bounded(of))}
          ${others > 0 && t('dead.others', number(others))}</p>`}
      <${ReadAt} load=${load} /><${CauseBar} picked=${picked} total=${groups.length} onClear=${() => choose(new Set())}
        onAct=${(kind) => begin(kind, picked.map((group) => groupPart(parts, group)))} />`;
  }}<//></section>`;
}

function causeColumns(parts) {
  const link = ({ fingerprint, destination }) => ({ ...parts, key: '', businessKey: '', cause: fingerprint, destination });
  return [
    column('cause', 'grow', (group) => html`<${Link} page="dead" data-open params=${link(group)}
      title=${group.reason}>${foreign(group.text, 2)}<//>`),
    column('destination', 'name', ({ destination }) => mono(destination)),
    column('cause.count', 'num', ({ count }) => html`<b>${number(count)}</b>`),
    column('cause.blocking', 'num', ({ blocking }) => html`<span class=${blocking ? 'warn' : 'dim'}>${number(blocking)}</span>`),
    column('cause.first', 'tight', ({ first }) => shortTime(first)),
    column('cause.latest', 'tight', ({ latest }) => ago(latest)),
  ];
}

function CauseBar({ picked, total, onAct, onClear }) {
  if (total === 0) return null;
  if (picked.length === 0) return html`<div class="bar"><span class="dim">${t('dead.select')}</span></div>`;
  const count = picked.reduce((sum, group) => sum + group.count, 0);
  return html`<${ChosenBar} text=${t('dead.selected', number(count))} onClear=${onClear}>
    <${ActButton} act="requeue" onAct=${onAct} /><${ActButton} act="discard" onAct=${onAct} /><//>`;
}

/** One cause with its whole reason and what may be done about all of its letters. */
function CauseCard({ load, parts, begin }) {
  return html`<section class="card cause"><${Loaded} load=${load} rows=${2}>${({ groups }) => {
    if (groups.length === 0) return html`<${Empty} good title=${t('cause.gone')} text=${t('cause.gone.text')} />`;
    const [group] = groups;
    const act = (kind) => begin(kind, groups.map((each) => groupPart(parts, each)));
    const count = groups.reduce((sum, each) => sum + each.count, 0);
    return html`<div class="cause-head"><${Pill} tone="bad" symbol="square">${t('cause')}<//>
        ${groups.map(({ destination }) => mono(destination))}<b class="trouble-count">${number(count)}</b></div>
      <blockquote>${foreign(group.reason)}</blockquote>
      <p class="dim">${rich('cause.between', shortTime(group.first), shortTime(group.latest))}
        ${' '}${group.blocking > 0 ? t('trouble.dead.blocking', number(group.blocking)) : t('trouble.dead.free')}</p>
      <div class="acts"><${ActButton} act="requeue" text=${t('cause.requeue', number(count))} onAct=${act} />
        <${ActButton} act="discard" text=${t('cause.discard', number(count))} onAct=${act} />
        <${Link} page="message" params=${{ id: group.sample, stage: 'dead' }} class="button">${t('cause.sample')}<//></div>`;
  }}<//></section>`;
}

function Letters({ parts, begin }) {
  const pages = useMessages('dead', () => apiFilter(parts), [parts]);
  const onAll = (kind) => begin(kind, [{ title: t('dead.allMatching'), filter: apiFilter(parts) }]);
  return html`<${Newcomers} load=${pages} /><section class="card">
    <div class="acts"><${ExportButton} stage="dead" makeFilter=${() => apiFilter(parts)} /></div><${MessageList} pages=${pages} stage="dead"
    filtered=${Object.keys(parts).length > 0} brief=${Boolean(parts.cause)} empty=${html`<${NoDeadLetters} />`}
    onAll=${parts.cause ? undefined : onAll} /></section>`;
}

function NoDeadLetters({ filtered = false }) {
  return filtered ? html`<${Empty} title=${t('list.noMatch')} text=${t('list.noMatch.text')} />`
    : html`<${Empty} good title=${t('dead.none')} text=${t('dead.none.text')} />`;
}
