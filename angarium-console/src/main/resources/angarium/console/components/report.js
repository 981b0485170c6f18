// @ts-check
import { get, inDatabase, session } from '../api.js';
import { number } from '../format.js';
import { useLoad } from '../load.js';
import { Link, open } from '../router.js';
import { Action, ago, Choice, foreign, mono, Pill, shortTime } from './basics.js';
import { ReasonDialog } from './alert-dialog.js';
import { tell } from './notices.js';
import { Empty, failureText, Loaded, ReadAt } from './states.js';
import { outcomeOf, OUTCOMES, span } from './windows.js';
import { html, rich, t, useCell, useState } from '../view.js';

const KINDS = ['missing', 'unexpected', 'repeated'];
const KEYS_SHOWN = 100;

/** A report with its keys, and what may be done about it. */
export function OneReport({ id }) {
  const [kind, setKind] = useState('');
  const [from, setFrom] = useState(0);
  const [acting, act] = useState('');
  const query = new URLSearchParams({ from: String(from), ...(kind && { kind }) });
  const load = useLoad((signal) => get(inDatabase(`reconciliation/reports/${encodeURIComponent(id)}?${query}`), { signal }), [id, kind, from]);
  const back = html`<button type="button" onClick=${() => open('reconciliation')}>${t('reconciliation.back')}</button>`;
  if (!load.data && load.failure?.status === 404) {
    return html`<section class="card"><${Empty} title=${t('reconciliation.nowhere')} text=${failureText(load.failure)}>${back}<//></section>`;
  }
  const choose = (name) => {
    setKind(name);
    setFrom(0);
  };
  return html`<${Loaded} load=${load}>${({ report, keys, complete }) => html`
    <section class="card"><${Head} report=${report} back=${back} onAct=${act} /><${Facts} report=${report} /></section>
    ${!report.agrees && html`<${Keys} report=${report} keys=${keys} complete=${complete} onKind=${choose} onFrom=${setFrom} />`}
    <${ReadAt} load=${load} />${acting && html`<${ActOn} act=${acting} report=${report} onClose=${() => act('')} />`}`}<//>`;
}

function Head({ report, back, onAct }) {
  const [symbol, tone] = OUTCOMES[outcomeOf(report)];
  const isOpen = !report.agrees && !report.repair;
  return html`<div class="page-head"><h2 class="grow">${foreign(report.task)} · ${span(report)}</h2>
    <${Pill} tone=${tone} symbol=${symbol}>${t(`reconciliation.${outcomeOf(report)}`)}<//>
    ${isOpen && report.missing > 0 && html`<${Action} right="operate" tone="primary" blocked=${report.destination ? '' : t('reconciliation.send.tables')}
      onClick=${() => onAct('repair')}>${t('reconciliation.send', report.missing)}<//>`}
    ${isOpen && html`<${Action} right="operate" onClick=${() => onAct('settle')}>${t('reconciliation.settle')}<//>`}${back}</div>`;
}

function Facts({ report: { destination, comparedAt, produced, consumed, repair } }) {
  return html`<dl class="facts-grid">
      <div><dt>${t('destination')}</dt><dd>${mono(destination)}</dd></div>
      <div><dt>${t('reconciliation.compared')}</dt><dd>${shortTime(comparedAt)} · ${ago(comparedAt)}</dd></div>
      <div><dt>${t('reconciliation.produced')}</dt><dd>${number(produced)}</dd></div>
      <div><dt>${t('reconciliation.consumed')}</dt><dd>${number(consumed)}</dd></div></dl>
    ${repair && html`<p><${Pill} tone="info" symbol="check">${t('reconciliation.repaired')}<//>
      ${' '}${rich('reconciliation.repairedBy', foreign(repair.by), shortTime(repair.at))}
      ${repair.sentAgain > 0 && html` ${t('reconciliation.sentAgain', repair.sentAgain)}`}</p><blockquote>${foreign(repair.reason, 3)}</blockquote>`}`;
}

function Keys({ report, keys: { kind, from, items, kept }, complete, onKind, onFrom }) {
  const options = KINDS.map((name) => [name, `${t(`reconciliation.${name}`)} ${number(report[name])}`, t(`reconciliation.${name}.help`)]);
  const last = Math.min(from + KEYS_SHOWN, kept);
  return html`<section class="card"><div class="page-head"><h2 class="grow">${t('reconciliation.keys')}</h2>
      <${Choice} label=${t('reconciliation.keys')} value=${kind} options=${options} onChange=${onKind} /></div>
    <p class="dim small">${t(`reconciliation.${kind}.help`)}</p>
    ${items.length === 0 ? html`<p class="dim">${t('reconciliation.keys.none')}</p>`
      : html`<ol class="key-list" start=${from + 1}>${items.map((key) => html`<li key=${key}><${Key} name=${key} isMessage=${Boolean(report.destination)} /></li>`)}</ol>
        <div class="list-end"><span>${t('reconciliation.keys.shown', number(from + 1), number(last), number(kept))}</span>
          ${from > 0 && html`<button type="button" onClick=${() => onFrom(from - KEYS_SHOWN)}>${t('reconciliation.keys.before')}</button>`}
          ${last < kept && html`<button type="button" onClick=${() => onFrom(last)}>${t('reconciliation.keys.next')}</button>`}</div>`}
    ${!complete && html`<p class="warn small">${t('reconciliation.keys.cut')}</p>`}</section>`;
}

function Key({ name, isMessage }) {
  return isMessage ? html`<${Link} page="message" params=${{ id: name }} class="mono">${name}<//>` : mono(name);
}

/** Asks why, and acts. */
function ActOn({ act, report, onClose }) {
  const { me } = useCell(session);
  const { missing, id } = report;
  const isRepair = act === 'repair';
  const done = ({ repair }) => tell({ tone: 'ok', text: isRepair ? t('reconciliation.send.done', repair.sentAgain, number(missing)) : t('reconciliation.settle.done') });
  return html`<${ReasonDialog} title=${isRepair ? t('reconciliation.send.title', missing) : t('reconciliation.settle.title')}
    button=${isRepair ? t('reconciliation.send.do', number(missing)) : t('reconciliation.settle.do')}
    path=${`reconciliation/reports/${id}/${act}`} body=${{}} onClose=${onClose} done=${done}>
    <p>${t(isRepair ? 'reconciliation.send.what' : 'reconciliation.settle.what')}</p>
    <p class="dim small">${t('reconciliation.noted', me?.operator ?? '')}</p><//>`;
}
