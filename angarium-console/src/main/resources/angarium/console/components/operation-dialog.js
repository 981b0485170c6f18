// @ts-check
import { bounded, number } from '../format.js';
import { refreshAll } from '../load.js';
import { diedAgain, previewAll, runAll, totals, undoParts } from '../operation.js';
import { refreshPulse } from '../pulse.js';
import { Link } from '../router.js';
import { DANGEROUS, foreign, mono, shortTime } from './basics.js';
import { Warning } from './act-dialog.js';
import { actButtons, closeButton, Dialog, Field, useReason } from './dialog.js';
import { Icon } from './icons.js';
import { Failure, failureText, Skeleton } from './states.js';
import { html, rich, t, useEffect, useRef, useState } from '../view.js';

/** A larger number of messages has to be typed in. */
const TYPED_ABOVE = 1000;
const FIRST_FEW = 10;
const WATCH_PERIOD = 3000;

/**
 * Offers operations to a page.
 * @returns {[(kind: string, parts: import('../operation.js').Part[]) => void, any]} what begins one, and its dialog
 */
export function useOperation() {
  const [operation, setOperation] = useState(/** @type {any} */ (null));
  const begin = (kind, parts) => setOperation({ kind, parts, turn: performance.now() });
  return [begin, operation && html`<${OperationDialog} key=${operation.turn} kind=${operation.kind} parts=${operation.parts}
    onClose=${() => setOperation(null)} onUndo=${(undo) => begin('restore', undo)} />`];
}

/**
 * Does one thing to many messages: shows what it would do, asks why, does the first few and then
 * the rest, and says what became of them. Messages that arrive after the preview are not touched.
 * @param {{kind: string, parts: import('../operation.js').Part[], onClose: () => void,
 *   onUndo?: (parts: any[]) => void}} props
 */
function OperationDialog({ kind, parts, onClose, onUndo }) {
  const { step, setStep, runs, failure, preview, run } = useSteps(kind, parts);
  const [isStopping, stop] = useState(false);
  const last = useRef({ reason: '', stopped: false });
  const begin = (reason, limit) => {
    last.current = { reason, stopped: false };
    stop(false);
    run(reason, limit, () => last.current.stopped);
  };
  const rest = () => begin(last.current.reason, 0);
  const stopNow = () => {
    last.current.stopped = true;
    stop(true);
  };
  const shared = { kind, runs, onClose, failure };
  switch (step) {
    case 'preview': return html`<${Previewing} ...${shared} again=${preview} />`;
    case 'ask': return html`<${Asking} ...${shared} onRun=${begin} />`;
    case 'running': return html`<${Running} ...${shared} onStop=${stopNow} stopping=${isStopping} />`;
    case 'few': return html`<${FewDone} ...${shared} onRest=${rest} onStop=${() => setStep('result')} />`;
    default: return html`<${Result} ...${shared} reason=${last.current.reason} onUndo=${onUndo} onRest=${rest} />`;
  }
}

/** Where the operation is: preview, ask, running, few (the first few are done) or result. */
function useSteps(kind, parts) {
  const [step, setStep] = useState('preview');
  const [failure, setFailure] = useState(/** @type {any} */ (null));
  const [runs, setRuns] = useState(/** @type {any[]} */ ([]));
  const preview = () => {
    setFailure(null);
    previewAll(kind, parts).then((previews) => {
      setRuns(previews);
      setStep('ask');
    }, setFailure);
  };
  useEffect(preview, []);
  const run = async (reason, limit, stopped) => {
    setFailure(null);
    setStep('running');
    try {
      await runAll(runs, { kind, reason, limit, stopped, told: () => setRuns([...runs]) });
    } catch (fault) {
      setFailure(fault);
    }
    setStep(limit && !stopped() && totals(runs).left ? 'few' : 'result');
    refreshAll();
    refreshPulse();
  };
  return { step, setStep, runs, failure, preview, run };
}

function Previewing({ kind, failure, onClose, again }) {
  return html`<${Dialog} title=${t(`act.${kind}`)} onClose=${onClose}>
    ${failure ? html`<${Failure} failure=${failure} again=${again} />`
      : html`<p class="dim">${t('operation.counting')}</p><${Skeleton} rows=${3} />`}<//>`;
}

function Asking({ kind, runs, onClose, onRun }) {
  const { matched, atLeast } = totals(runs);
  const { field, take } = useReason();
  const [few, setFew] = useState(kind === 'requeue' && matched > FIRST_FEW * 2);
  const [typed, setTyped] = useState('');
  const mustType = matched > TYPED_ABOVE;
  const disabled = mustType && typed.replace(/\D/g, '') !== String(matched);
  const count = bounded({ count: matched, atLeast });
  const submit = () => {
    const reason = take();
    if (reason && !disabled) onRun(reason, few ? FIRST_FEW : 0);
  };
  if (matched === 0) {
    return html`<${Dialog} title=${t(`act.${kind}`)} onClose=${onClose} buttons=${closeButton(onClose)}><p>${t('operation.none')}</p><//>`;
  }
  const text = few ? t(`operation.first.${kind}`, FIRST_FEW) : t(`operation.do.${kind}`, count);
  const buttons = actButtons({ text, danger: DANGEROUS.includes(kind), disabled, onClose });
  return html`<${Dialog} wide title=${t(`operation.title.${kind}`, count)} onClose=${onClose} onSubmit=${submit} buttons=${buttons}>
    <${Consequences} kind=${kind} runs=${runs} />
    <label class="check"><input type="checkbox" checked=${few} onChange=${() => setFew(!few)} />
      <span>${t('operation.few', FIRST_FEW)}<small class="dim">${t('operation.few.help')}</small></span></label>
    ${mustType && html`<${Field} label=${t('operation.type', number(matched))} hint=${t('operation.type.hint')}>
      <input type="text" inputmode="numeric" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} /><//>`}
    ${field}<//>`;
}

/** What will happen, what will not, and what is worth knowing before. */
function Consequences({ kind, runs }) {
  const warnings = sums(runs.flatMap((run) => run.warnings.map(({ code, count }) => [code, count])));
  const destinations = sums(runs.flatMap((run) => Object.entries(run.byDestination)));
  const [{ untilAt, sample: [sample] }] = runs;
  return html`<p>${t(`operation.what.${kind}`)}</p><p class="dim">${rich('operation.frozen', shortTime(untilAt))}</p>
    <ul class="facts">${destinations.map(([name, count]) => html`<li key=${name}>${mono(name)} <b>${number(count)}</b></li>`)}</ul>
    ${warnings.map(([code, count]) => html`<${Warning} key=${code} code=${code} act=${kind} count=${count} />`)}
    ${sample?.error && html`<blockquote title=${t('operation.sample')}>${foreign(sample.error, 3)}</blockquote>`}`;
}

/** Adds up counts of the same name. */
function sums(pairs) {
  const all = new Map();
  for (const [name, count] of pairs) all.set(name, (all.get(name) ?? 0) + count);
  return [...all];
}

function Bar({ kind, runs }) {
  const { matched, atLeast, done, notFound, refused } = totals(runs);
  const all = Math.max(matched, done + notFound + refused, 1);
  return html`<progress max=${all} value=${done + notFound + refused} aria-label=${t(`act.${kind}`)}></progress>
    <p class="progress-text" role="status">${t(`operation.done.${kind}`, number(done), bounded({ count: matched, atLeast }))}
      ${notFound > 0 && ` · ${t('operation.notFound', number(notFound))}`}${refused > 0 && ` · ${t('operation.refused', number(refused))}`}</p>`;
}

function Running({ kind, runs, onClose, onStop, stopping }) {
  return html`<${Dialog} busy title=${t(`operation.running.${kind}`)} onClose=${onClose} buttons=${html`
      <button type="button" onClick=${onStop} disabled=${stopping}>${t(stopping ? 'operation.stopping' : 'operation.stop')}</button>`}>
    <${Bar} kind=${kind} runs=${runs} /><p class="dim small">${t('operation.stop.help')}</p><//>`;
}

/** The first few are done. The page watches whether they fail again before the rest is done. */
function FewDone({ kind, runs, onClose, onRest, onStop }) {
  const [again, setAgain] = useState(/** @type {number | null} */ (null));
  const [seconds, setSeconds] = useState(0);
  const [failure, setFailure] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (kind !== 'requeue') return undefined;
    const timer = setInterval(() => {
      setSeconds((n) => n + WATCH_PERIOD / 1000);
      diedAgain(runs).then((count) => {
        setAgain(count);
        setFailure(null);
      }, setFailure);
    }, WATCH_PERIOD);
    return () => clearInterval(timer);
  }, []);
  const { matched, done } = totals(runs);
  const rest = number(Math.max(matched - done, 0));
  return html`<${Dialog} title=${t(`operation.few.title.${kind}`, number(done))} onClose=${onClose} buttons=${html`
      <button type="button" onClick=${onStop}>${t('operation.stopHere')}</button>
      <button type="button" class="primary" data-focus onClick=${onRest}>${t(`operation.rest.${kind}`, rest)}</button>`}>
    <${Bar} kind=${kind} runs=${runs} />
    ${kind === 'requeue' && (again ? html`<p class="warning"><${Icon} name="triangle" /><span>${t('operation.again', again)}</span></p>`
      : html`<p class="dim" role="status">${seconds ? t('operation.watching', seconds) : t('operation.watch')}</p>`)}
    ${failure && html`<p class="bad small">${failureText(failure)}</p>`}<//>`;
}

function Result({ kind, runs, reason, failure, onClose, onUndo, onRest }) {
  const { left, done } = totals(runs);
  const canUndo = onUndo && done > 0 && (kind === 'discard' || kind === 'cancel');
  return html`<${Dialog} title=${t(failure || left ? 'operation.stopped' : `operation.finished.${kind}`)} onClose=${onClose} buttons=${html`
      ${canUndo && html`<button type="button" onClick=${() => onUndo(undoParts(runs, reason))}><${Icon} name="undo" />${t('undo')}</button>`}
      ${left && html`<button type="button" onClick=${onRest}>${t('operation.goOn')}</button>`}
      ${closeButton(onClose)}`}>
    <${Bar} kind=${kind} runs=${runs} />
    ${failure && html`<${Failure} failure=${failure} />`}
    <p class="dim">${left ? t('operation.left') : t(`operation.after.${kind}`)}
      ${' '}<${Link} page="audit">${t('operation.audit')}<//></p><//>`;
}
