// @ts-check
import { session } from '../api.js';
import { ActDialog } from '../components/act-dialog.js';
import { CorrectDialog } from '../components/correct-dialog.js';
import { ActButton, ago, CopyButton, foreign, mono, PageHead, shortTime, StagePill } from '../components/basics.js';
import { Icon } from '../components/icons.js';
import { actsOf, KeyLink } from '../components/message-list.js';
import { Payload } from '../components/payload.js';
import { Empty, Loaded, ReadAt } from '../components/states.js';
import { Timeline } from '../components/timeline.js';
import { bytes, number } from '../format.js';
import { useGet } from '../load.js';
import { Link, permalink, refine, route } from '../router.js';
import { html, rich, t, textOr, useCell, useState } from '../view.js';

/** One message: where it is, its way, its payload and headers, and what may be decided. */
export function Message() {
  const { params } = useCell(route);
  const { id = '' } = params;
  const depth = params.depth === 'all' ? 'all' : 'likely';
  const load = useGet(`messages/${encodeURIComponent(id)}?depth=${depth}`);
  const isMissing = !load.data && load.failure?.status === 404;
  return html`<${PageHead} title=${html`${t('page.message')} <span class="mono id">${id}</span> <${CopyButton} text=${() => id} />`} />
    ${isMissing ? html`<section class="card"><${Missing} depth=${depth} /></section>` : html`<${Loaded} load=${load} rows=${10}>
      ${(found) => html`<${Found} found=${found} stage=${params.stage} depth=${depth} at=${load.at} /><${ReadAt} load=${load} />`}<//>`}`;
}

function SearchAll() {
  return html`<button type="button" onClick=${() => refine({ depth: 'all' })}>${t('message.searchAll')}</button>`;
}

function Missing({ depth }) {
  if (depth === 'all') return html`<${Empty} title=${t('message.nowhere')} text=${t('message.nowhere.text')} />`;
  return html`<${Empty} title=${t('message.notLikely')} text=${t('message.notLikely.text')}><${SearchAll} /><//>`;
}

function Found({ found, stage, depth, at }) {
  const place = found.places.find(({ row }) => row.stage === stage) ?? found.places[0];
  const { row } = place;
  return html`${found.places.length > 1 && html`<${Places} places=${found.places} current=${row.stage} />`}
    ${!found.complete && html`<div class="line info"><p>${t('message.incomplete')}</p>${depth !== 'all' && html`<${SearchAll} />`}</div>`}
    <section class="card"><div class="page-head"><${StagePill} stage=${row.stage} />
        <span class="dim grow">${t(`stage.${row.stage}.help`)}</span><${Acts} row=${row} /></div>
      ${row.error && html`<blockquote>${foreign(row.error)}</blockquote>`}<${Facts} row=${row} />
      <${Links} id=${found.id} traceId=${place.traceId} /></section>
    <div class="columns"><section class="card"><h2>${t('timeline')}</h2><${Timeline} moments=${found.timeline} /></section>
      <div class="stack"><${Payload} key=${row.stage} id=${found.id} stage=${row.stage} depth=${depth} at=${at} />
        <${Headers} headers=${place.headers} /></div></div>`;
}

function Places({ places, current }) {
  return html`<div class="tabs" role="group" aria-label=${t('message.places')}>${places.map(({ row: { stage } }) => html`
    <button type="button" key=${stage} aria-pressed=${String(stage === current)}
      onClick=${() => refine({ stage })}>${t(`stage.${stage}`)}</button>`)}</div>`;
}

function Acts({ row }) {
  const [act, setAct] = useState('');
  const close = () => setAct('');
  const leave = () => refine({ stage: '' });
  return html`<div class="acts">${actsOf(row).map((name) => html`<${ActButton} key=${name} act=${name} onAct=${setAct} />`)}
      ${row.stage === 'dead' && html`<${ActButton} act="correct" strong=${false} onAct=${setAct} />`}</div>
    ${act === 'correct' && html`<${CorrectDialog} rows=${[row]} onClose=${close} onDone=${leave} />`}
    ${act && act !== 'correct' && html`<${ActDialog} act=${act} rows=${[row]} onClose=${close} onDone=${leave} />`}`;
}

/** A fact whose name and explanation are the texts of a name. */
function fact(name, value) {
  return html`<div title=${textOr(`${name}.help`, undefined)}><dt>${t(name)}</dt><dd>${value}</dd></div>`;
}

function Facts({ row }) {
  const { destination, type, business, createdBy, updatedBy, partition, sequence, payloadBytes, attempts, stage, blocksKey } = row;
  const time = (at) => html`${shortTime(at)} · ${ago(at)}`;
  return html`<dl class="facts-grid">
    ${fact('destination', html`<${Link} page="destinations" params=${{ destination }}>${mono(destination)}<//>`)}
    ${fact('key', html`<span class="clamp-3"><${KeyLink} row=${row} /></span>${blocksKey && html` <span class="warn">· ${t('blocksKey')}</span>`}`)}
    ${fact('type', foreign(type))}
    ${fact('business', business ? html`${foreign(business.type)} / ${foreign(business.key)}` : '–')}
    ${fact('stage.waiting.at', time(row.createdAt))}
    ${stage !== 'waiting' && stage !== 'held' && fact(`stage.${stage}.at`, time(row.at))}
    ${row.dueAt && stage !== 'delayed' && fact('message.due', time(row.dueAt))}
    ${fact('message.attempts', number(attempts))}
    ${fact('size', bytes(payloadBytes))}
    ${fact('filter.createdBy', html`${foreign(createdBy)}${updatedBy && html` · ${rich('message.updatedBy', foreign(updatedBy))}`}`)}
    ${fact('message.place', t('message.place.value', partition, sequence))}</dl>`;
}

function Links({ id, traceId }) {
  const { me } = session.get();
  const trace = traceId && me.traceUrl?.replace('{traceId}', encodeURIComponent(traceId));
  const logs = me.logUrl?.replace('{messageId}', encodeURIComponent(id));
  const outside = (href, text) => html`<a class="button" href=${href} target="_blank"
    rel="noopener noreferrer"><${Icon} name="link" />${text}</a>`;
  return html`<div class="acts">${trace && outside(trace, t('message.trace'))}${logs && outside(logs, t('message.logs'))}
    <${CopyButton} text=${permalink} label=${t('copy.link')} /></div>`;
}

function Headers({ headers }) {
  const none = html`<p class="dim">${t('headers.none')}</p>`;
  return html`<section class="card"><h2>${t('headers', headers.length)}</h2>${headers.length === 0 ? none : html`<dl class="headers">
      ${headers.map(({ name, value, masked }) => html`<div key=${name}><dt class="mono">${mono(name)}</dt>
      <dd>${masked ? html`<span class="dim" title=${t('headers.masked')}>${value}</span>` : mono(value)}</dd></div>`)}</dl>`}</section>`;
}
