// @ts-check
import { Action, ago, foreign, mono, PageHead } from '../components/basics.js';
import { DestinationTable } from '../components/destination-table.js';
import { Icon } from '../components/icons.js';
import { useOperation } from '../components/operation-dialog.js';
import { appliedText, PauseDialog, PauseLines } from '../components/pause.js';
import { suggest } from '../components/searchbox.js';
import { HourChart, useHour } from '../components/series.js';
import { Empty, Loaded, ReadAt } from '../components/states.js';
import { number } from '../format.js';
import { useGet, usePost } from '../load.js';
import { isApplied, pausesOf } from '../pauses.js';
import { vital } from '../pulse.js';
import { Link, route } from '../router.js';
import { html, rich, t, useCell, useRef, useState } from '../view.js';

/** What waits, fails and died at each destination, or at one. */
export function Destinations() {
  const { params: { destination } } = useCell(route);
  const load = useGet('destinations', { every: 10_000 });
  const order = useRef(/** @type {string[]} */ ([]));
  const all = t('page.destinations');
  const [pausing, setPausing] = useState(false);
  const [begin, operation] = useOperation();
  const { pulse } = useCell(vital);
  const held = destination ? pausesOf(destination) : pulse?.pauses ?? [];
  const pause = html`<${Action} right="operate" symbol="bars" onClick=${() => setPausing(true)}>${t('pause')}<//>`;
  const title = destination ? html`<${Link} page="destinations">${all}<//> › ${mono(destination)}` : all;
  return html`<${PageHead} title=${title} lead=${t('destinations.what')}>${pause}<//>
    ${pausing && html`<${PauseDialog} destination=${destination} onClose=${() => setPausing(false)} />`}
    ${operation}<${PauseLines} pauses=${held} /><${Loaded} load=${load}>${({ items, complete }) => {
    suggest(items.map((each) => each.destination));
    const steady = inSteadyOrder(items, order.current);
    order.current = steady.map((each) => each.destination);
    const shown = destination ? steady.filter((each) => each.destination === destination) : steady;
    const none = t(destination ? 'destination.none' : 'destinations.none');
    return html`<section class="card">${shown.length > 0 ? html`<${DestinationTable} rows=${shown} long />`
      : html`<${Empty} good title=${none} text=${t('destinations.none.text')} />`}
      ${!complete && html`<p class="dim">${t('destinations.cut')}</p>`}<${ReadAt} load=${load} /></section>
      ${destination && html`<${Hour} key=${destination} destination=${destination} />`}
      ${destination && shown.map((each) => html`<${One} key=${destination} view=${each} held=${held} onBury=${begin} />`)}`;
  }}<//>`;
}

/** Keeps rows where they were, so that a reload moves nothing under the mouse; new ones come last. */
function inSteadyOrder(items, known) {
  const place = ({ destination }) => (known.indexOf(destination) + 1 || Infinity);
  return [...items].sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

/** What the destination took within the last hour, if it is known. */
function Hour({ destination }) {
  const { data } = useHour(destination);
  return data?.points.length > 1 && html`<section class="card"><${HourChart} ...${data} destination=${destination} /></section>`;
}

function One({ view, held: pauses, onBury }) {
  const { destination, reachable, error, retrying, held, waiting, delayed } = view;
  const causes = usePost('causes', { filter: { destinations: [destination] }, limit: 10 });
  const more = html`<${Link} page="messages" params=${{ stage: 'retrying', destination }}>${t('trouble.retrying.link')}<//>`;
  return html`${!reachable && waiting + delayed + retrying + held > 0 && html`<div class="line bad"><${Icon} name="square" />
      <p><b>${t('trouble.unreachable', destination.split(':')[0])}</b> ${t('trouble.unreachable.effect')}</p></div>`}
    ${waiting > 0 && (pauses.length > 0 || !reachable) && html`<${Bury} destination=${destination} waiting=${waiting} pauses=${pauses} onBury=${onBury} />`}
    ${retrying > 0 && html`<section class="card"><h2>${t('destination.failing.title')}</h2>
      <blockquote>${foreign(error)}</blockquote><p class="dim">${t('trouble.retrying.effect', number(held))} ${more}</p></section>`}
    <section class="card"><h2>${t('dead.causes')}</h2><${Loaded} load=${causes} rows=${3}>${({ groups }) => (groups.length === 0
      ? html`<${Empty} good title=${t('dead.none')} />`
      : html`<ul class="troubles">${groups.map((group) => html`<${Cause} key=${group.fingerprint} group=${group} />`)}</ul>`)}<//></section>`;
}

/** Takes the waiting messages of a destination out of the way, once no node has any of them in its hands. */
function Bury({ destination, waiting, pauses, onBury }) {
  const applied = pauses.find(isApplied);
  const blocked = applied ? '' : pauses.length > 0 ? appliedText(pauses[0]) : t('bury.pauseFirst');
  return html`<section class="card"><h2>${t('bury.title')}</h2><p>${t('bury.what')}</p>
    <${Action} right="operate" tone="danger" blocked=${blocked}
      onClick=${() => onBury('bury', [{ title: destination, filter: { destinations: [destination] } }])}>
      ${t('bury.do', number(waiting))}<//>${blocked && html` <span class="dim small">${blocked}</span>`}</section>`;
}

function Cause({ group: { fingerprint, destination, text, count, latest } }) {
  return html`<li class="bad"><div class="trouble-head"><b>${number(count)}</b>
      <span class="dim small">${rich('trouble.latest', ago(latest))}</span></div><p>${foreign(text, 2)}</p>
    <${Link} class="button" page="dead" params=${{ cause: fingerprint, destination }}>${t('trouble.dead.link')}<//></li>`;
}
