// @ts-check
import { number } from '../format.js';
import { Link } from '../router.js';
import { ago, foreign, mono, Pill } from './basics.js';
import { clock } from '../time.js';
import { column, Table } from './table.js';
import { html, t } from '../view.js';

/** A number that leads to its messages; nothing is a dim zero. */
function stageCell(stage, page) {
  return (row) => (row[stage] === 0 ? html`<span class="dim">0</span>`
    : html`<${Link} page=${page} params=${{ stage: page === 'dead' ? undefined : stage, destination: row.destination }}
      aria-label=${t('destination.open', number(row[stage]), t(`stage.${stage}`), row.destination)}>${number(row[stage])}<//>`);
}

function state({ reachable, error, retrying, dead, pausedUntil }) {
  const [name, tone, symbol] = pausedUntil ? ['paused', 'info', 'bars'] : !reachable ? ['unreachable', 'bad', 'triangle'] : retrying > 0 ? ['failing', 'warn', 'triangle']
    : dead > 0 ? ['dead', 'bad', 'square'] : ['fine', 'ok', 'disc'];
  const title = pausedUntil ? t('destination.paused.until', clock(pausedUntil)) : (retrying > 0 && error) || t(`destination.${name}.help`);
  return html`<${Pill} tone=${tone} symbol=${symbol} title=${title}>${t(`destination.${name}`)}<//>`;
}

/** What lies at each destination. */
export function DestinationTable({ rows, long = false }) {
  const count = (stage, page = 'messages') => column(`stage.${stage}`, 'num', stageCell(stage, page));
  const columns = [
    column('destination', 'name', ({ destination }) => html`<${Link} page="destinations" data-open
      params=${{ destination }}>${mono(destination)}<//>`),
    column('destination.state', '', state),
    count('waiting'), count('retrying'), count('held'), count('delayed'), count('dead', 'dead'),
    column('destination.oldest', 'tight', ({ oldest }) => ago(oldest)),
    ...(long ? [column('destination.error', 'grow', ({ error }) => foreign(error, 2))] : []),
  ];
  return html`<${Table} label=${t('page.destinations')} columns=${columns} rows=${rows} rowKey=${({ destination }) => destination} />`;
}
