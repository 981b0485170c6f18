// @ts-check
import { get, inDatabase } from '../api.js';
import { Choice } from '../components/basics.js';
import { Bars } from '../components/bars.js';
import { Filters } from '../components/filters.js';
import { Icon } from '../components/icons.js';
import { MessageList, useMessages } from '../components/message-list.js';
import { useOperation } from '../components/operation-dialog.js';
import { Empty, Loaded } from '../components/states.js';
import { apiFilter, filterParts } from '../filter.js';
import { bounded, countOf } from '../format.js';
import { useLoad } from '../load.js';
import { vital } from '../pulse.js';
import { refine, route } from '../router.js';
import { databaseNow, durationMillis } from '../time.js';
import { html, t, useCell } from '../view.js';

/** How much of the future the calendar shows, and in which steps. */
const RANGES = { '1h': ['PT5M', 12], '24h': ['PT1H', 24], '7d': ['PT12H', 14], '30d': ['P1D', 30] };

/** Messages that are planned for later: when they are due, and which they are. */
export function Delayed() {
  const now = useCell(route);
  const { pulse } = useCell(vital);
  const parts = filterParts(now);
  const range = RANGES[now.params.range] ? now.params.range : '24h';
  const overdue = countOf(pulse?.overdue);
  return html`<header class="page-head"><h1>${t('page.delayed')} <span class="dim">${pulse && bounded(pulse.delayed)}</span></h1>
      <${Choice} label=${t('delayed.range')} value=${range} options=${Object.keys(RANGES).map((name) => [name, t(`delayed.next.${name}`)])}
        onChange=${(name) => refine({ range: name, from: '', to: '' })} /></header>
    <p class="lead">${t('delayed.what')}</p>
    ${overdue > 0 && html`<div class="line bad"><${Icon} name="square" />
      <p><b>${t('tile.delayed.overdue', bounded(pulse.overdue))}</b> ${t('trouble.overdue.effect')}</p></div>`}
    <${Calendar} range=${range} chosen=${parts.from ?? ''} />
    <${Filters} main=${['destination', 'key']} more=${['type', 'businessType', 'businessKey', 'createdBy']} since=${Boolean(parts.from)} />
    <${DelayedList} parts=${parts} />`;
}

function Calendar({ range, chosen }) {
  const [step, count] = RANGES[range];
  const millis = durationMillis(step);
  const load = useLoad((signal) => {
    // Spans begin at whole steps, so that their labels are round.
    const from = Math.floor(databaseNow() / millis) * millis;
    const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(from + count * millis).toISOString(), step });
    return get(inDatabase(`delayed/calendar?${query}`), { signal });
  }, [range]);
  const choose = (from, to) => refine(from === chosen ? { from: '', to: '' } : { from, to });
  return html`<section class="card"><h2>${t('delayed.calendar')}</h2><${Loaded} load=${load} rows=${3}>${({ buckets }) => html`
    <${Bars} label=${t('delayed.calendar')} step=${millis} chosen=${chosen} onChoose=${choose}
      bars=${buckets.map(({ from, due }) => ({ from, count: due }))} name=${(from, to, due) => t('delayed.bar', due, from, to)} />
    <p class="dim small">${t('delayed.calendar.help')}</p>`}<//></section>`;
}

function DelayedList({ parts }) {
  const pages = useMessages('delayed', () => apiFilter(parts), [parts], { order: 'oldest' });
  const [begin, dialog] = useOperation();
  return html`<section class="card"><${MessageList} pages=${pages} stage="delayed" filtered=${Object.keys(parts).length > 0}
      empty=${html`<${Empty} good title=${t('stage.delayed.none')} text=${t('stage.delayed.none.text')} />`}
      onAll=${(kind) => begin(kind, [{ title: t('stage.delayed'), filter: apiFilter(parts) }])} /></section>
    ${dialog}`;
}
