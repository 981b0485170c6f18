// @ts-check
import { bounded, number } from '../format.js';
import { refreshAll } from '../load.js';
import { beginAll, changeAll, diedAgain, follow, isUntaken, permits, previewAll, totals, undoAll } from '../operation.js';
import { refreshPulse } from '../pulse.js';
import { Link } from '../router.js';
import { DANGEROUS, foreign, mono, shortTime } from './basics.js';
import { Warning } from './act-dialog.js';
import { actButtons, closeButton, Dialog, Field, useReason } from './dialog.js';
import { Icon } from './icons.js';
import { Failure, failureText, Skeleton } from './states.js';
import { html, rich, t, textOr, useEffect, useRef, useState } from '../view.js';

/** A larger number of messages has to be typed in. */
const TYPED_ABOVE = 1000;
const FIRST_FEW = 10;
const FOLLOW_PERIOD = 1000;
const WATCH_PERIOD = 3000;
/** How long it can be cancelled before anything happens. The first few begin at once if they are only put back. */
const DELAY = 'PT10S';
const NO_DELAY = 'PT0S';

/**
 * Offers operations to a page.
 * @returns {[(kind: string, parts: import('../operation.js').Part[]) => void, any]} what begins one, and its dialog
 */
export function useOperation() {
  const [operation, setOperation] = useState(/** @type {any} */ (null));
  const begin = (kind, parts) => setOperation({ kind, parts, turn: performance.now() });
  return [begin, operation && html`<${OperationDialog} key=${operation.turn} kind=${operation.kind} parts=${operation.parts}
    onClose=${() => setOperation(null)} />`];
}

/**
 * Does one thing to many messages: shows what it would do, asks why, begins operations that nodes
 * carry out, and says how far they are. They go on when the dialog is closed. Messages that arrive
 * after the preview are not touched.
 * @param {{kind: string, parts: import('../operation.js').Part[], onClose: () => void}} props
 */
function OperationDialog({ kind: asked, parts, onClose }) {
  const [kind, setKind] = useState(asked);
  const [runs, setRuns] = useState(/** @type {any[] | null} */ (null));
  const [failure, setFailure] = useState(/** @type {any} */ (null));
  const [isBusy, setBusy] = useState(false);
  const reason = useRef('');
  const guarded = async (action) => {
    setFailure(null);
    setBusy(true);
    try {
      await action();
    } catch (fault) {
      setFailure(fault);
    }
    setBusy(false);
  };
  const preview = () => guarded(async () => setRuns(await previewAll(kind, parts)));
  useEffect(() => void preview(), []);
  if (!runs) return html`<${Previewing} kind=${kind} failure=${failure} onClose=${onClose} again=${preview} />`;
  const begin = (why, firstFew) => guarded(async () => {
    reason.current = why;
    await beginAll(runs, { kind, reason: why, firstFew, delay: firstFew && !DANGEROUS.includes(kind) ? NO_DELAY : DELAY });
    setRuns([...runs]);
  });
  const change = (name) => guarded(async () => {
    await changeAll(runs, name, reason.current);
    setRuns([...runs]);
  });
  const undo = () => guarded(async () => {
    const why = t('undo.reason', reason.current).slice(0, 1000);
    const undone = await undoAll(runs, why);
    reason.current = why;
    setKind('restore');
    setRuns(undone);
  });
  const shared = { kind, runs, onClose, failure, busy: isBusy };
  return runs.some(({ now }) => !now) ? html`<${Asking} ...${shared} onRun=${begin} />`
    : html`<${Following} ...${shared} onNews=${() => setRuns([...runs])} onChange=${change} onUndo=${undo} />`;
}

function Previewing({ kind, failure, onClose, again }) {
  return html`<${Dialog} title=${t(`act.${kind}`)} onClose=${onClose}>
    ${failure ? html`<${Failure} failure=${failure} again=${again} />`
      : html`<p class="dim">${t('operation.counting')}</p><${Skeleton} rows=${3} />`}<//>`;
}

function Asking({ kind, runs, onClose, onRun, busy, failure }) {
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
  const buttons = actButtons({ text, danger: DANGEROUS.includes(kind), disabled, busy, onClose });
  return html`<${Dialog} wide title=${t(`operation.title.${kind}`, count)} onClose=${onClose} onSubmit=${submit} buttons=${buttons}>
    <${Consequences} kind=${kind} runs=${runs} />
    <label class="check"><input type="checkbox" checked=${few} onChange=${() => setFew(!few)} />
      <span>${t('operation.few', FIRST_FEW)}<small class="dim">${t('operation.few.help')}</small></span></label>
    ${mustType && html`<${Field} label=${t('operation.type', number(matched))} hint=${t('operation.type.hint')}>
      <input type="text" inputmode="numeric" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} /><//>`}
    ${field}<${Begun} runs=${runs} />${failure && html`<${Failure} failure=${failure} />`}<//>`;
}

/** Some of several operations have begun, and the others could not. */
function Begun({ runs }) {
  const begun = runs.filter(({ now }) => now).length;
  return begun > 0 && html`<p class="warning"><${Icon} name="triangle" /><span>${t('operation.partly', begun, runs.length)}
    ${' '}<${Link} page="operations">${t('operation.all')}<//></span></p>`;
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

/** Operations on their way, and what became of them. */
function Following({ kind, runs, onNews, onChange, onUndo, ...shared }) {
  const { state, halt } = totals(runs);
  const goesOn = state === 'running' || state === 'waiting';
  const [lost, setLost] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!goesOn) return undefined;
    const look = () => follow(runs).then(() => {
      setLost(null);
      onNews();
    }, setLost);
    const timer = setInterval(look, FOLLOW_PERIOD);
    return () => clearInterval(timer);
  }, [goesOn, runs[0].id]);
  useEffect(() => {
    if (goesOn) return;
    refreshAll();
    refreshPulse();
  }, [state]);
  const parts = { ...shared, kind, runs, failure: shared.failure ?? lost, onChange };
  if (goesOn) return html`<${Running} ...${parts} state=${state} />`;
  return state === 'paused' && halt === 'first-few' ? html`<${FewDone} ...${parts} />`
    : html`<${Result} ...${parts} state=${state} halt=${halt} onUndo=${onUndo} />`;
}

function Running({ kind, runs, state, failure, busy, onClose, onChange }) {
  const { startAt } = totals(runs);
  const isWaiting = state === 'waiting';
  const button = (change, text) => html`<button type="button" disabled=${busy} onClick=${() => onChange(change)}>${text}</button>`;
  return html`<${Dialog} title=${t(`operation.running.${kind}`)} onClose=${onClose} buttons=${html`
      ${button('cancel', t('operation.stop'))}
      ${isWaiting ? button('resume', t('operation.now')) : button('pause', t('operation.pause'))}
      ${closeButton(onClose)}`}>
    <${Bar} kind=${kind} runs=${runs} />
    ${runs.some(({ now }) => isUntaken(now)) ? html`<p class="warning" role="status"><${Icon} name="triangle" /><span>${t('operation.untaken')}</span></p>`
      : isWaiting && html`<p role="status">${rich('operation.starts', shortTime(startAt))}</p>`}
    <p class="dim small">${t('operation.goesOn')} <${Link} page="operations">${t('operation.all')}<//></p>
    ${failure && html`<p class="bad small">${failureText(failure)}</p>`}<//>`;
}

/** The first few are done. The page counts those that have died again so far; some may still wait or retry. */
function FewDone({ kind, runs, busy, onClose, onChange, failure: before }) {
  const [again, setAgain] = useState(/** @type {number | null} */ (null));
  const [seconds, setSeconds] = useState(0);
  const [failure, setFailure] = useState(/** @type {any} */ (before));
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
      <button type="button" disabled=${busy} onClick=${() => onChange('cancel')}>${t('operation.stopHere')}</button>
      <button type="button" class="primary" data-focus disabled=${busy} onClick=${() => onChange('resume')}>${t(`operation.rest.${kind}`, rest)}</button>`}>
    <${Bar} kind=${kind} runs=${runs} />
    ${kind === 'requeue' && (again ? html`<p class="warning"><${Icon} name="triangle" /><span>${t('operation.again', again)}</span></p>`
      : html`<p class="dim" role="status">${seconds ? t('operation.watching', seconds) : t('operation.watch')}</p>`)}
    ${failure && html`<p class="bad small">${failureText(failure)}</p>`}<//>`;
}

function Result({ kind, runs, state, halt, failure, busy, onClose, onChange, onUndo }) {
  const canUndo = runs.some(({ now }) => permits(now, 'undo'));
  const canResume = state === 'paused';
  const isDone = state === 'done';
  return html`<${Dialog} title=${t(isDone ? `operation.finished.${kind}` : `operation.state.${state}`)} onClose=${onClose} buttons=${html`
      ${canUndo && html`<button type="button" disabled=${busy} onClick=${onUndo}><${Icon} name="undo" />${t('undo')}</button>`}
      ${canResume && html`<button type="button" disabled=${busy} onClick=${() => onChange('resume')}>${t('operation.goOn')}</button>`}
      ${closeButton(onClose)}`}>
    <${Bar} kind=${kind} runs=${runs} />
    ${halt && html`<p>${textOr(`operation.halt.${halt}`, halt)}</p>`}
    ${failure && html`<${Failure} failure=${failure} />`}
    <p class="dim">${isDone ? t(`operation.after.${kind}`) : t('operation.left')}
      ${' '}<${Link} page="operations">${t('operation.all')}<//></p><//>`;
}
