// @ts-check
import { inDatabase, post } from '../api.js';
import { ago, foreign, mono, Pill, shortTime } from '../components/basics.js';
import { Chart } from '../components/chart.js';
import { DestinationTable } from '../components/destination-table.js';
import { Heat } from '../components/heat.js';
import { Icon } from '../components/icons.js';
import { suggest } from '../components/searchbox.js';
import { HourChart, useHour } from '../components/series.js';
import { Empty, Failure, Loaded, Skeleton } from '../components/states.js';
import { bounded, countOf, number, rate } from '../format.js';
import { useGet, useLoad } from '../load.js';
import { refreshPulse, vital } from '../pulse.js';
import { Link } from '../router.js';
import { databaseNow, durationMillis, length, relative } from '../time.js';
import { troublesOf, WAIT_MAX } from '../troubles.js';
import { html, rich, t, useCell, useRef } from '../view.js';

const DESTINATIONS_SHOWN = 8;
const FIRST_MESSAGE = 'outbox.send(Message.of("kafka:orders", json));';

/** What is wrong, since when, what it holds up, and what may be done. */
export function Overview() {
  const { pulse, failure } = useCell(vital);
  const destinations = useGet('destinations', { every: 10_000 });
  if (!pulse) {
    return html`<h1>${t('page.overview')}</h1>
      ${failure ? html`<${Failure} failure=${failure} again=${refreshPulse} />` : html`<${Skeleton} rows=${8} />`}`;
  }
  const known = destinations.data?.items ?? [];
  const troubles = troublesOf(pulse, known, databaseNow());
  suggest(known.map(({ destination }) => destination));
  return html`<${Verdict} troubles=${troubles} pulse=${pulse} /><${Tiles} pulse=${pulse} />
    <div class="columns">
      <section class="card"><h2>${t('overview.troubles')}</h2><${Troubles} troubles=${troubles} pulse=${pulse} /></section>
      <div class="stack"><section class="card"><${Rates} pulse=${pulse} /></section><${PartitionCard} /></div></div>
    <section class="card"><h2><${Link} page="destinations">${t('page.destinations')}<//></h2>
      <${Loaded} load=${destinations} rows=${4}>${({ items }) => html`<${DestinationList} items=${items} />`}<//></section>`;
}

function DestinationList({ items }) {
  if (items.length === 0) return html`<${Empty} good title=${t('destinations.none')} text=${t('destinations.none.text')} />`;
  const all = html`<p><${Link} page="destinations">${t('overview.allDestinations', items.length)}<//></p>`;
  return html`<${DestinationTable} rows=${items.slice(0, DESTINATIONS_SHOWN)} />${items.length > DESTINATIONS_SHOWN && all}`;
}

function Verdict({ troubles, pulse }) {
  const bad = troubles.filter(({ tone }) => tone === 'bad').length;
  const warn = troubles.length - bad;
  const tone = bad ? 'bad' : warn ? 'warn' : 'ok';
  const text = bad ? t('verdict.bad', bad) : warn ? t('verdict.warn', warn)
    : countOf(pulse.waiting) ? t('verdict.busy') : t('verdict.ok');
  return html`<header class=${`verdict ${tone}`}><${Icon} name=${{ bad: 'square', warn: 'triangle', ok: 'disc' }[tone]} />
    <h1>${text}</h1><span class="dim">${pulse.product} · <bdi>${pulse.database}</bdi></span></header>`;
}

/** Figures that are zero appear only once they were not, so that a calm page is no wall of zeros. */
const CALM = ['sent', 'waiting', 'nodes'];

function Tiles({ pulse }) {
  const seen = useRef(new Set(CALM));
  const tiles = tilesOf(pulse);
  for (const { name, count } of tiles) if (countOf(count)) seen.current.add(name);
  const shown = tiles.filter(({ name }) => seen.current.has(name));
  return html`<div class="tiles">${shown.map((tile) => html`<${Tile} key=${tile.name} ...${tile} />`)}</div>`;
}

/** A figure that is a trouble of a tone as soon as it is not zero. */
function figure(name, page, count, tone, note, params = undefined) {
  const isZero = !countOf(count);
  return { name, page, params, count, value: bounded(count), tone: isZero ? '' : tone, note: isZero ? t(`tile.${name}.none`) : note };
}

function tilesOf(pulse) {
  const { waiting, oldestWaiting, retrying, held, dead, deadLastHour } = pulse;
  const { half, delayed, nextDue, overdue, unconfirmed, nodes, partitions } = pulse;
  const wait = oldestWaiting ? Math.max(databaseNow() - Date.parse(oldestWaiting), 0) : 0;
  const isLate = countOf(overdue) > 0;
  const inStage = (stage) => ({ stage });
  return [
    sentTile(pulse),
    figure('waiting', 'messages', waiting, wait > WAIT_MAX ? 'warn' : '', t('tile.waiting.note', length(wait)), inStage('waiting')),
    figure('retrying', 'messages', retrying, 'warn', t('tile.retrying.note', bounded(held)), inStage('retrying')),
    figure('dead', 'dead', dead, 'bad', t('tile.dead.note', bounded(deadLastHour))),
    figure('half', 'half', half?.unresolved, 'bad', t('tile.half.note')),
    figure('delayed', 'delayed', delayed, isLate ? 'bad' : '',
      isLate ? t('tile.delayed.overdue', bounded(overdue)) : nextDue ? t('tile.delayed.note', relative(nextDue)) : ''),
    figure('unconfirmed', 'messages', unconfirmed, '', t('tile.unconfirmed.note'), inStage('unconfirmed')),
    {
      name: 'nodes', page: 'relay', value: number(nodes.live), note: t('tile.nodes.note', partitions.owned, partitions.all),
      tone: nodes.live === 0 || partitions.owned < partitions.all ? 'bad' : nodes.silent ? 'warn' : '',
    },
  ];
}

/** What nodes tell is newer than the history, and is there without one. */
function sentTile({ rates, sentLastMinute: counted }) {
  const perSecond = rates?.sent ?? (counted && counted.count / 60);
  const known = typeof perSecond === 'number';
  const delays = rates?.p99 ? t('tile.sent.delays', ...[rates.p50, rates.p99].map((delay) => length(durationMillis(delay)))) : '';
  return {
    name: 'sent', page: 'messages', params: { stage: 'sent' }, value: known ? html`${rate(perSecond)}<small>/s</small>` : '–',
    note: delays || (counted ? t('tile.sent.note', bounded(counted)) : known ? t('tile.sent.none') : t('tile.sent.off')),
  };
}

function Tile({ name, page, params = {}, value, note, tone = '' }) {
  return html`<${Link} page=${page} params=${params} class=${`tile ${tone}`} title=${t(`tile.${name}.help`)}>
    <span class="tile-name">${t(`tile.${name}`)}</span><b>${value}</b><span class="tile-note">${note}</span><//>`;
}

function Troubles({ troubles, pulse }) {
  if (troubles.length === 0) return html`<${Calm} pulse=${pulse} />`;
  return html`<ul class="troubles">${troubles.map((trouble) => html`<${TroubleItem} key=${trouble.id} trouble=${trouble} />`)}</ul>`;
}

function TroubleItem({ trouble }) {
  const { tone, kind, count, text, subject, effect, since, latest, link } = trouble;
  const symbol = tone === 'bad' ? 'square' : 'triangle';
  return html`<li data-row tabindex="-1" class=${tone}>
    <div class="trouble-head"><${Pill} tone=${tone} symbol=${symbol}>${t(`trouble.kind.${kind}`)}<//>
      ${subject && mono(subject)}<b class="trouble-count">${count === undefined ? '' : bounded(count)}</b></div>
    <p>${foreign(text, 2)}</p>
    <p class="dim small">${since && rich('trouble.since', shortTime(since))}${latest && rich('trouble.latest', ago(latest))} ${effect}</p>
    <${Link} page=${link.page} params=${link.params ?? {}} data-open class="button">${link.text}<//></li>`;
}

/** Nothing is wrong: one sentence, never a wall of zeros. Nothing sent yet: how to begin. */
function Calm({ pulse: { history, waiting, delayed } }) {
  const query = { stage: 'sent', limit: 1 };
  const read = async (signal) => (history ? post(inDatabase('messages/search'), query, { signal }) : { items: [] });
  const last = useLoad(read, [history]);
  const isBusy = countOf(waiting) + countOf(delayed) > 0;
  if (!isBusy && history && last.data?.items.length === 0) {
    return html`<${Empty} title=${t('calm.fresh')} text=${t('calm.fresh.text')}><pre class="code">${FIRST_MESSAGE}</pre><//>`;
  }
  const sent = last.data?.items[0];
  return html`<${Empty} good title=${t(isBusy ? 'verdict.busy' : 'verdict.ok')}
    text=${sent ? rich('calm.last', ago(sent.at), mono(sent.destination)) : t('calm.text')} />`;
}

/** Sent and failed messages of the last hour; where nodes do not tell, what this page has seen itself. */
function Rates({ pulse }) {
  const hour = useHour();
  const { trail } = useCell(vital);
  const points = hour.data?.points ?? [];
  if (points.length > 1) return html`<${HourChart} ...${hour.data} />`;
  const line = (name, tone, part, format = number) => ({
    name, tone, values: trail.map((point) => point[part]), format, filled: tone === 'accent',
  });
  const lines = [
    line(t('stage.waiting'), 'accent', 'waiting'), line(t('chart.retrying'), 'warn', 'retrying'), line(t('stage.dead'), 'bad', 'dead'),
    ...(pulse.history ? [line(t('chart.sent'), 'ok', 'sent', rate)] : []),
  ];
  return html`<h2 title=${t('chart.seen.help')}>${t('chart.seen')}</h2>
    ${trail.length < 2 ? html`<p class="dim chart-wait">${t('chart.wait')}</p>`
      : html`<${Chart} label=${t('chart.seen')} times=${trail.map(({ at }) => at / 1000)} lines=${lines} />`}`;
}

function PartitionCard() {
  const relay = useGet('relay', { every: 10_000 });
  return html`<section class="card"><h2><${Link} page="relay">${t('overview.partitions')}<//></h2>
    <${Loaded} load=${relay} rows=${3}>${({ partitions }) => html`<${Heat} partitions=${partitions} by="waiting" />`}<//></section>`;
}
