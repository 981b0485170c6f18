// @ts-check
import { session } from '../api.js';
import { LiftDialog, NewSilenceDialog, ruleName, SilenceDialog, TakeDialog, TestDialog } from '../components/alert-dialog.js';
import { Action, ago, Fold, foreign, mono, PageHead, Pill, shortTime } from '../components/basics.js';
import { Empty, Loaded, ReadAt } from '../components/states.js';
import { column, Table } from '../components/table.js';
import { number } from '../format.js';
import { useGet } from '../load.js';
import { Link, route } from '../router.js';
import { databaseNow, length, spanMillis } from '../time.js';
import { hasText, html, rich, t, textOr, useCell, useState } from '../view.js';

/** Symbol and tone of each severity. */
const SEVERITIES = { critical: ['square', 'bad'], warning: ['triangle', 'warn'], info: ['disc', 'info'] };
const PERIOD = 10_000;
/** There may be a thousand; the most urgent of them are enough for a page. */
const ROWS_MAX = 200;
/** How long alerts that are over are listed. */
const RECENT = '7d';

/** The page that shows what a rule is about, and what its address says besides. */
const PLACES = {
  'dead-letters': () => ['dead'], 'dead-rate': () => ['dead'], 'oldest-waiting': () => ['destinations'],
  'key-stuck': () => ['messages', { stage: 'retrying' }], 'delayed-overdue': () => ['delayed'], 'no-owner': () => ['relay'],
  'node-silent': () => ['relay'], 'node-resting': () => ['relay'], 'circuit-open': (destination) => ['destinations', { destination }],
  'half-unresolved': () => ['half'], 'half-overdue': () => ['half'], 'half-undecided': () => ['half'],
  'producer-unreachable': () => ['half', { list: 'undecided' }], 'no-transport': (destination) => ['destinations', { destination }],
  'backlog-grows': () => ['destinations'], 'paused-long': () => ['destinations'], 'relay-failing': () => ['relay'],
  'mixed-versions': () => ['relay'], 'clock-skew': () => ['relay'], 'unconfirmed': () => ['confirmations'],
  'reconciliation': () => ['reconciliation'],
};

/** What is wrong by the rules, who takes care of it, and whom it was told. Links of notices name one rule or alert. */
export function Alerts() {
  const { params: { rule, subject } } = useCell(route);
  const load = useGet('alerts', { every: PERIOD });
  const [dialog, setDialog] = useState(/** @type {{kind: string, of: any} | null} */ (null));
  const open = (kind) => (of) => setDialog({ kind, of });
  const all = t('page.alerts');
  const title = rule ? html`<${Link} page="alerts">${all}<//> › ${ruleName(rule)}` : all;
  const wanted = (data) => ({
    ...data, alerts: data.alerts.filter((alert) => (!rule || alert.rule === rule) && (!subject || alert.subject === subject)),
  });
  return html`<${PageHead} title=${title} lead=${t('alerts.what')} />
    <${Loaded} load=${load}>${(data) => html`<${Counts} counts=${data.counts} />
      <${Firing} alerts=${inState(wanted(data), 'firing')} one=${Boolean(rule)} onTake=${open('take')} onSilence=${open('silence')} />
      <${Others} key=${rule} data=${wanted(data)} open=${Boolean(rule)} />
      <${Silences} silences=${data.silences} onLift=${open('lift')} onNew=${() => open('new')(rulesOf(data))} />
      <${Channels} channels=${data.channels} onTest=${open('test')} /><${ReadAt} load=${load} />`}<//>
    ${dialog && html`<${DialogOf} kind=${dialog.kind} of=${asItIs(load.data, dialog.of)} onClose=${() => setDialog(null)} />`}`;
}

/** An alert as it is by now, as somebody else may have taken it; silences, which have an id, and the rest as they were. */
function asItIs(data, of) {
  return (!of.id && data?.alerts.find(({ rule, subject }) => rule === of.rule && subject === of.subject)) || of;
}

function DialogOf({ kind, of, onClose }) {
  switch (kind) {
    case 'take': return html`<${TakeDialog} alert=${of} onClose=${onClose} />`;
    case 'silence': return html`<${SilenceDialog} alert=${of} onClose=${onClose} />`;
    case 'new': return html`<${NewSilenceDialog} rules=${of} onClose=${onClose} />`;
    case 'lift': return html`<${LiftDialog} silence=${of} onClose=${onClose} />`;
    default: return html`<${TestDialog} channel=${of} onClose=${onClose} />`;
  }
}

function inState({ alerts }, state) {
  return alerts.filter((alert) => alert.state === state);
}

function rulesOf({ alerts }) {
  return [...new Set([...Object.keys(PLACES), ...alerts.map(({ rule }) => rule)])].sort();
}

const alertKey = ({ rule, subject }) => `${rule} ${subject}`;

function Counts({ counts }) {
  return html`<ul class="facts">${['firing', 'taken', 'silenced', 'pending'].map((name) => html`
    <li key=${name} title=${t(`alerts.${name}.help`)}>${t(`alerts.${name}`)} <b>${counts[name]}</b></li>`)}</ul>`;
}

function Firing({ alerts, one, onTake, onSilence }) {
  return html`<section class="card"><h2>${t('alerts.firing')}</h2>${alerts.length === 0
    ? html`<${Empty} good title=${t(one ? 'alerts.over' : 'alerts.none')} text=${t('alerts.none.text')} />`
    : html`<${Table} label=${t('alerts.firing')} rows=${alerts.slice(0, ROWS_MAX)} rowKey=${alertKey} columns=${[
      ...common(), column('alerts.since', 'tight', ({ since }) => ago(since)), column('alerts.told', 'name', told),
      column('acts', 'decide', (alert) => html`<${Acts} alert=${alert} onTake=${onTake} onSilence=${onSilence} />`),
    ]} /><${Cut} rows=${alerts} />`}</section>`;
}

/** Says that more rows than are shown are there. */
function Cut({ rows }) {
  return rows.length > ROWS_MAX && html`<p class="dim">${t('alerts.cut', number(ROWS_MAX), number(rows.length))}</p>`;
}

function common() {
  return [column('alerts.severity', 'tight', severity), column('alerts.alert', 'name', about), column('alerts.text', 'grow', text)];
}

function severity({ severity: name }) {
  const [symbol, tone] = SEVERITIES[name] ?? ['disc', ''];
  return html`<${Pill} tone=${tone} symbol=${symbol} title=${textOr(`alerts.severity.${name}.help`, '')}>
    ${textOr(`alerts.severity.${name}`, name)}<//>`;
}

function about({ rule, subject }) {
  const [page, params] = PLACES[rule]?.(subject) ?? [];
  const text = html`<b title=${rule}>${ruleName(rule)}</b>`;
  return html`${page ? html`<${Link} page=${page} params=${params}>${text}<//>` : text}<br />${mono(subject)}`;
}

/** What was found, what it means, and who looks after it. */
function text({ rule, text: found, taken, silencedUntil }) {
  const meaning = `alerts.rule.${rule}.help`;
  return html`${foreign(found, 3)}${hasText(meaning) && html`<p class="dim small alert-note">${t(meaning)}</p>`}
    ${taken && html`<p class="small alert-note"><${Pill} tone="info" symbol="person">${t('alerts.taken')}<//>
      ${' '}${rich('alerts.takenBy', foreign(taken.by), shortTime(taken.at))}</p>
      ${taken.note && html`<p class="dim small alert-note">${foreign(taken.note, 3)}</p>`}`}
    ${silencedUntil && html`<p class="small alert-note"><${Pill} symbol="bars">${t('alerts.silenced')}<//>
      ${' '}${rich('alerts.silencedUntil', shortTime(silencedUntil))}</p>`}`;
}

/** By which channel when, or why not. */
function told({ told: channels }) {
  if (channels.length === 0) return html`<span class="dim">${t('alerts.told.none')}</span>`;
  return html`<ul class="told">${channels.map(({ channel, what, at, failure }) => html`<li key=${channel}>${mono(channel)}
    ${' '}${at && html`<span>${rich(`alerts.told.${what}`, shortTime(at))}</span>`}
    ${failure && html`<p class="bad small">${rich(at ? 'alerts.told.failedLater' : 'alerts.told.failed', foreign(failure))}</p>`}</li>`)}</ul>`;
}

function Acts({ alert, onTake, onSilence }) {
  const isMine = alert.taken?.by === session.get().me?.operator;
  return html`<div class="acts"><${Action} right="operate" blocked=${isMine ? t('alerts.take.mine') : ''}
      onClick=${() => onTake(alert)} data-open>${t('alerts.take')}<//>
    <${Action} right="operate" onClick=${() => onSilence(alert)}>${t('alerts.silence')}<//></div>`;
}

/** What is not on yet, and what is over. */
function Others({ data, open }) {
  const pending = inState(data, 'pending');
  const after = databaseNow() - spanMillis(RECENT);
  const resolved = inState(data, 'resolved').filter(({ resolvedAt }) => Date.parse(resolvedAt) >= after)
    .sort((one, other) => other.resolvedAt.localeCompare(one.resolvedAt));
  const found = [...common(), column('alerts.since', 'tight', ({ since }) => ago(since))];
  const over = [...common(), column('alerts.resolvedAt', 'tight', lasted), column('alerts.told', 'name', told)];
  return html`<section class="card">
    ${pending.length > 0 && html`<${Fold} summary=${t('alerts.pendingNow', pending.length)} open=${open}>
      <${Rows} name="pending" alerts=${pending} columns=${found} /><//>`}
    <${Fold} summary=${t('alerts.resolvedIn', resolved.length)} open=${open}><${Rows} name="resolved" alerts=${resolved} columns=${over} /><//></section>`;
}

function Rows({ name, alerts, columns }) {
  return alerts.length === 0 ? html`<p class="dim">${t(`alerts.${name}.none`)}</p>`
    : html`<p class="dim small">${t(`alerts.${name}.help`)}</p>
      <${Table} label=${t(`alerts.${name}`)} rows=${alerts.slice(0, ROWS_MAX)} rowKey=${alertKey} columns=${columns} />
      <${Cut} rows=${alerts} />`;
}

function lasted({ since, resolvedAt }) {
  return html`${shortTime(resolvedAt)}<br /><span class="dim small">${t('alerts.lasted', length(Date.parse(resolvedAt) - Date.parse(since)))}</span>`;
}

function Silences({ silences, onLift, onNew }) {
  const lift = (silence) => html`<${Action} right="operate" onClick=${() => onLift(silence)}>${t('alerts.lift')}<//>`;
  const columns = [
    column('alerts.covers', '', covers), column('alerts.until', 'tight', ({ until }) => html`${shortTime(until)}<br />${ago(until)}`),
    column('alerts.by', '', ({ by }) => foreign(by, 2)), column('alerts.reason', 'grow', ({ reason }) => foreign(reason, 3)),
    column('acts', 'decide', lift),
  ];
  return html`<section class="card"><header class="page-head"><h2>${t('alerts.silences')}</h2>
      <${Action} right="operate" onClick=${onNew}>${t('alerts.silence.new')}<//></header>${silences.length === 0
    ? html`<p class="dim">${t('alerts.silences.none')}</p>`
    : html`<${Table} label=${t('alerts.silences')} columns=${columns} rows=${silences} rowKey=${({ id }) => id} />`}</section>`;
}

function covers({ rule, subject }) {
  return html`<b title=${rule}>${rule === '*' ? t('alerts.covers.rules') : ruleName(rule)}</b><br />
    ${subject === '*' ? html`<span class="dim">${t('alerts.covers.subjects')}</span>` : mono(subject)}`;
}

function Channels({ channels, onTest }) {
  const { me } = useCell(session);
  const test = (channel) => html`<${Action} right="admin" blocked=${me?.scoped ? t('alerts.test.scoped') : ''}
    onClick=${() => onTest(channel)}>${t('alerts.test')}<//>`;
  return html`<section class="card"><h2>${t('alerts.channels')}</h2><p class="dim">${t(channels.length > 0 ? 'alerts.channels.what' : 'alerts.channels.none')}</p>
    <ul class="channels">${channels.map((channel) => html`<li key=${channel}>${mono(channel)}${test(channel)}</li>`)}</ul></section>`;
}
