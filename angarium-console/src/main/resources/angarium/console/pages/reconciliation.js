// @ts-check
import { get, inDatabase } from '../api.js';
import { ago, foreign, mono, PageHead, Pill, shortTime } from '../components/basics.js';
import { OneReport } from '../components/report.js';
import { outcomeOf, OUTCOMES, span } from '../components/windows.js';
import { Icon } from '../components/icons.js';
import { Empty, ListEnd, Loaded, ReadAt } from '../components/states.js';
import { column, Table } from '../components/table.js';
import { number } from '../format.js';
import { useGet, usePages } from '../load.js';
import { Link, route } from '../router.js';
import { html, t, useCell } from '../view.js';

const PERIOD = 30_000;

/** What comparisons of what was produced with what was consumed have found. */
export function ReconciliationPage() {
  const { params } = useCell(route);
  return html`<${PageHead} title=${t('page.reconciliation')} lead=${t('reconciliation.what')} />
    ${params.report ? html`<${OneReport} key=${params.report} id=${params.report} />` : html`<${Tasks} /><${Differing} />`}`;
}

function Tasks() {
  const load = useGet('reconciliation', { every: PERIOD });
  return html`<${Loaded} load=${load}>${({ items }) => html`${items.length === 0
    ? html`<section class="card"><${Empty} title=${t('reconciliation.none')} text=${t('reconciliation.none.text')} /></section>`
    : html`<${Legend} />${items.map((task) => html`<${Task} key=${task.task} task=${task} />`)}`}<${ReadAt} load=${load} />`}<//>`;
}

/** What the cells of the strips mean. */
function Legend() {
  return html`<p class="windows-key dim small">${Object.entries(OUTCOMES).map(([name, [symbol, tone]]) => html`
    <span key=${name} title=${t(`reconciliation.${name}.help`)}><i class=${`window ${tone}`}><${Icon} name=${symbol} /></i>${t(`reconciliation.${name}`)}</span>`)}</p>`;
}

function Task({ task: { task, destination, open, reports } }) {
  const latest = reports[0];
  return html`<section class="card"><div class="page-head"><h2 class="grow">${foreign(task)}</h2>
      ${open > 0 ? html`<${Pill} tone="bad" symbol="square">${t('reconciliation.open', open)}<//>`
        : html`<${Pill} tone="ok" symbol="disc">${t('reconciliation.fine')}<//>`}</div>
    <p class="dim small">${destination && html`${mono(destination)} · `}${t('reconciliation.compared')} ${ago(latest.comparedAt)}</p>
    <ol class="windows" aria-label=${t('reconciliation.windows')}>${[...reports].reverse().map((report) => html`
      <li key=${report.id}><${WindowCell} report=${report} /></li>`)}</ol></section>`;
}

function WindowCell({ report }) {
  const outcome = outcomeOf(report);
  const [symbol, tone] = OUTCOMES[outcome];
  const name = `${span(report)}: ${t(`reconciliation.${outcome}`)}`;
  return html`<${Link} page="reconciliation" params=${{ report: report.id }} class=${`window ${tone}`} title=${name} aria-label=${name}>
    <${Icon} name=${symbol} /><//>`;
}

/** Every report that differs, latest first. */
function Differing() {
  const pages = usePages((cursor, signal) => get(inDatabase(
    `reconciliation/reports?differing=true&limit=20${cursor ? `&cursor=${cursor}` : ''}`), { signal }), []);
  return html`<section class="card"><h2>${t('reconciliation.differing')}</h2><${Loaded} load=${pages} rows=${3}>${() => html`
    ${pages.items.length === 0 ? html`<${Empty} good title=${t('reconciliation.differing.none')} text=${t('reconciliation.differing.none.text')} />`
      : html`<${Table} label=${t('reconciliation.differing')} columns=${columns()} rows=${pages.items} rowKey=${({ id }) => id} /><${ListEnd} pages=${pages} />`}`}<//></section>`;
}

function columns() {
  return [
    column('reconciliation.task', 'name', (report) => html`<${Link} page="reconciliation" params=${{ report: report.id }} data-open>${foreign(report.task)}<//>`),
    column('reconciliation.window', '', span),
    column('reconciliation.missing', 'num', ({ missing }) => number(missing)),
    column('reconciliation.unexpected', 'num', ({ unexpected }) => number(unexpected)),
    column('reconciliation.repeated', 'num', ({ repeated }) => number(repeated)),
    column('reconciliation.state', 'grow', state),
  ];
}

function state(report) {
  const outcome = outcomeOf(report);
  const [symbol, tone] = OUTCOMES[outcome];
  const { repair } = report;
  return html`<${Pill} tone=${tone} symbol=${symbol}>${t(`reconciliation.${outcome}`)}<//>
    ${repair && html` <span class="dim small">${foreign(repair.by)} · ${shortTime(repair.at)}</span>`}`;
}
