// @ts-check
import { inDatabase, post } from '../api.js';
import { number } from '../format.js';
import { refreshAll } from '../load.js';
import { refreshPulse } from '../pulse.js';
import { DANGEROUS, foreign } from './basics.js';
import { actButtons, closeButton, Dialog, useReason, useRun } from './dialog.js';
import { Icon } from './icons.js';
import { tell } from './notices.js';
import { Failure, failureText } from './states.js';
import { html, t, useState } from '../view.js';

/**
 * Decides about chosen messages with a reason.
 * @param {{act: string, rows: any[], onClose: () => void, onDone?: () => void}} props
 */
export function ActDialog({ act, rows, onClose, onDone }) {
  const { field, take } = useReason();
  const { busy, failure, run } = useRun();
  const [result, setResult] = useState(/** @type {any} */ (null));
  const count = number(rows.length);
  const submit = () => {
    const reason = take();
    if (!reason) return;
    run(async () => {
      const answer = await actOn(act, rows.map(({ id }) => id), reason);
      onDone?.();
      if (answer.notFound.length + Object.keys(answer.refused).length > 0) setResult(answer);
      else onClose();
    });
  };
  if (result) return html`<${ActResult} act=${act} result=${result} onClose=${onClose} />`;
  const buttons = actButtons({ text: t(`operation.do.${act}`, count), danger: DANGEROUS.includes(act), busy, onClose });
  return html`<${Dialog} title=${t(`operation.title.${act}`, count)} onClose=${onClose} busy=${busy} onSubmit=${submit} buttons=${buttons}>
    <p>${t(`operation.what.${act}`)}</p><${Warnings} act=${act} rows=${rows} />${field}
    ${failure && html`<${Failure} failure=${failure} />`}<//>`;
}

/** What is worth knowing before; the server says the same before it acts on many. */
function Warnings({ act, rows }) {
  const blocking = rows.filter(({ blocksKey }) => blocksKey).length;
  const refused = rows.filter(({ stage, attempts }) => stage === 'dead' && attempts <= 1).length;
  return html`${act === 'requeue' && html`<${Warning} code="REFUSED_BEFORE" act=${act} count=${refused} />`}
    ${(act === 'requeue' || act === 'discard') && html`<${Warning} code="BLOCKS_KEYS" act=${act} count=${blocking} />`}`;
}

/** A warning about some of the messages; nothing if there are none. */
export function Warning({ code, act, count }) {
  const text = `warning.${code}.${['requeue', 'restore'].includes(act) ? act : 'other'}`;
  return count > 0 && html`<p class="warning"><${Icon} name="triangle" /><span>${t(text, number(count))}</span></p>`;
}

/** Acts, says so, and offers to take it back where that is possible. */
async function actOn(act, ids, reason) {
  const answer = await post(inDatabase('messages/acts'), { act, ids, reason });
  refreshAll();
  refreshPulse();
  const { done } = answer;
  if (done.length > 0) {
    const undo = () => actOn('restore', done, t('undo.reason', reason).slice(0, 1000))
      .catch((failure) => tell({ tone: 'bad', text: failureText(failure) }));
    const action = DANGEROUS.includes(act) ? { text: t('undo'), run: undo } : undefined;
    tell({ tone: 'ok', text: t(`acted.${act}`, number(done.length)), action });
  }
  return answer;
}

function ActResult({ act, result, onClose }) {
  const refused = Object.entries(result.refused);
  return html`<${Dialog} title=${t('acted.partly')} onClose=${onClose} buttons=${closeButton(onClose)}>
    <p>${t(`acted.${act}`, number(result.done.length))}</p>
    ${result.notFound.length > 0 && html`<p>${t('acted.notFound', number(result.notFound.length))}</p>`}
    ${refused.length > 0 && html`<p>${t('acted.refused', number(refused.length))}</p><dl class="plain">
      ${refused.map(([id, why]) => html`<div key=${id}><dt class="mono small">${id}</dt><dd>${foreign(why)}</dd></div>`)}</dl>`}<//>`;
}
