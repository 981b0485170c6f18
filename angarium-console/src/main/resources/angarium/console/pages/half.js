// @ts-check
import { inDatabase, post } from '../api.js';
import { AskNow } from '../components/ask-now.js';
import { Action, ago, Choice, ChosenBar, foreign, mono, PageHead, Pill, Select, shortTime } from '../components/basics.js';
import { HalfDialog } from '../components/half-dialog.js';
import { Empty, failureText, ListEnd, Loaded, ReadAt } from '../components/states.js';
import { column, Table } from '../components/table.js';
import { bounded, number } from '../format.js';
import { usePages, usePost } from '../load.js';
import { vital } from '../pulse.js';
import { open, refine, route } from '../router.js';
import { html, rich, t, textOr, useCell, useState } from '../view.js';

/** Ages from which on undecided half messages are listed. */
const AGES = { any: 'PT0S', '10m': 'PT10M', '1h': 'PT1H', '24h': 'PT24H' };
/** The API decides about as many at once. */
const CHOSEN_MAX = 200;

/** Half messages whose producer has not decided: those for a person, and those still asked about. */
export function HalfMessages() {
  const { params, hidden } = useCell(route);
  const business = hidden.business ?? params.business;
  const key = hidden.halfKey ?? params.halfKey;
  return html`<${PageHead} title=${t('page.half')} lead=${t('half.what')} />
    ${business && key ? html`<${OneHalf} key=${`${business}/${key}`} business=${business} name=${key} />`
      : html`<${HalfList} params=${params} />`}`;
}

function HalfList({ params }) {
  const list = params.list === 'undecided' ? 'undecided' : 'unresolved';
  const age = params.age in AGES ? params.age : '10m';
  const [chosen, choose] = useState(/** @type {Set<string>} */ (new Set()));
  const [deciding, setDeciding] = useState(/** @type {any[] | null} */ (null));
  const pages = usePages((cursor, signal) => post(inDatabase('half/search'), {
    list, limit: 50, ...(list === 'undecided' && { olderThan: AGES[age] }), ...(cursor && { cursor }),
  }, { signal }), [list, age]);
  const clear = () => choose(new Set());
  const picked = pages.items.filter((half) => chosen.has(half.number));
  const selection = { chosen, choose, name: ({ business, key }) => `${business}/${key}` };
  return html`<${ListChoice} list=${list} age=${age} /><section class="card"><${Loaded} load=${pages}>${() => html`
    ${pages.items.length === 0 ? html`<${Empty} good title=${t(`half.${list}.none`)} text=${t(`half.${list}.none.text`)} />`
      : html`<${Table} label=${t(`half.${list}`)} columns=${columns((half) => setDeciding([half]))} rows=${pages.items}
        rowKey=${(half) => half.number} selection=${selection} /><${ListEnd} pages=${pages} />`}
    <${ReadAt} load=${pages} />
    ${picked.length > 0 && html`<${DecideBar} picked=${picked} onDecide=${() => setDeciding(picked)} onClear=${clear} />`}
    ${deciding && html`<${HalfDialog} halves=${deciding} onClose=${() => setDeciding(null)} onDone=${clear} />`}`}<//></section>`;
}

function ListChoice({ list, age }) {
  const { pulse } = useCell(vital);
  const count = pulse?.half ? ` ${bounded(pulse.half.unresolved)}` : '';
  const lists = [
    ['unresolved', t('half.unresolved') + count, t('half.unresolved.help')],
    ['undecided', t('half.undecided'), t('half.undecided.help')],
  ];
  return html`<div class="filters">
    <${Choice} label=${t('half.list')} value=${list} onChange=${(name) => refine({ list: name })} options=${lists} />
    ${list === 'undecided' && html`<${Select} label=${t('half.olderThan')} value=${age} onChange=${(name) => refine({ age: name })}
      options=${Object.keys(AGES).map((name) => [name, t(`half.age.${name}`)])} />`}</div>`;
}

function DecideBar({ picked, onDecide, onClear }) {
  const isMixed = new Set(picked.map(({ business }) => business)).size > 1;
  const blocked = isMixed ? t('half.mixed') : picked.length > CHOSEN_MAX ? t('half.tooMany', CHOSEN_MAX) : '';
  return html`<${ChosenBar} text=${t('select.count', picked.length)} onClear=${onClear}>
    <${Action} right="operate" blocked=${blocked} tone="primary" onClick=${onDecide}>${t('half.decide')}<//><//>`;
}

function columns(onDecide) {
  return [
    column('half.key', '', ({ business, key }) => html`<button type="button" class="link" data-open
      onClick=${() => open('half', {}, { business, halfKey: key })}>${foreign(business)} / ${foreign(key)}</button>`),
    column('half.prepared', 'tight', ({ createdAt }) => ago(createdAt)),
    column('destination', 'name', ({ destination }) => mono(destination)),
    column('half.check', 'grow', answers),
    column('acts', 'decide', (half) => html`<span class="acts"><${AskNow} half=${half} />
      <${Action} right="operate" onClick=${() => onDecide(half)}>${t('half.decide')}<//></span>`),
  ];
}

/** What the producer answered so far. */
function answers({ check, address }) {
  if (!check) return html`<span class="dim">${t('half.neverAsked')}</span>`;
  const counts = [
    check.unknown > 0 && t('half.unknownTimes', number(check.unknown)),
    check.unreachable > 0 && t('half.unreachableTimes', number(check.unreachable)),
  ].filter(Boolean);
  return html`${counts.length > 0 ? counts.join(', ') : t('half.neverAsked')}${check.reason && html`: ${foreign(check.reason)}`}
    <span class="dim small"> ${check.nextAt ? rich('half.nextAsk', ago(check.nextAt)) : t('half.notAsked')}
      ${address && html` · ${mono(address)}`}</span>`;
}

function OneHalf({ business, name }) {
  const load = usePost('half/view', { business, key: name });
  const [isDeciding, decide] = useState(false);
  const back = html`<button type="button" onClick=${() => open('half')}>${t('half.back')}</button>`;
  if (!load.data && load.failure?.status === 404) {
    return html`<section class="card"><${Empty} title=${t('half.nowhere')} text=${failureText(load.failure)}>${back}<//></section>`;
  }
  return html`<${Loaded} load=${load}>${({ half, acts }) => html`<section class="card"><div class="page-head">
      <h2 class="grow">${foreign(half.business)} / ${foreign(half.key)}</h2><${State} half=${half} />
      ${!half.decidedAt && html`<${AskNow} half=${half} />
        <${Action} right="operate" tone="primary" onClick=${() => decide(true)}>${t('half.decide')}<//>`}${back}</div>
    <dl class="facts-grid">
      <div><dt>${t('half.prepared')}</dt><dd>${shortTime(half.createdAt)} · ${ago(half.createdAt)}</dd></div>
      <div><dt>${t('half.decidedAt')}</dt><dd>${shortTime(half.decidedAt)}</dd></div>
      <div><dt>${t('destination')}</dt><dd>${mono(half.destination)}</dd></div>
      <div><dt>${t('half.check')}</dt><dd>${answers(half)}</dd></div></dl></section>
    <section class="card"><h2>${t('half.acts')}</h2><${Acts} acts=${acts} /></section><${ReadAt} load=${load} />
    ${isDeciding && html`<${HalfDialog} halves=${[half]} onClose=${() => decide(false)} />`}`}<//>`;
}

function State({ half: { state, decidedAt } }) {
  const tone = decidedAt ? 'ok' : state === 'unresolved' ? 'bad' : 'info';
  return html`<${Pill} tone=${tone}>${textOr(`half.state.${state}`, state)}<//>`;
}

/** What persons did about it before. */
function Acts({ acts }) {
  if (acts.length === 0) return html`<p class="dim">${t('half.acts.none')}</p>`;
  return html`<ul class="plain">${acts.map(({ at, by, step, reason }) => html`<li key=${at}>${shortTime(at)} · ${foreign(by)} ·
    <b>${textOr(`half.step.${step}`, step)}</b> – ${foreign(reason)}</li>`)}</ul>`;
}
