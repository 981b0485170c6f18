// @ts-check
import { inDatabase, post } from '../api.js';
import { number } from '../format.js';
import { refreshAll } from '../load.js';
import { refreshPulse } from '../pulse.js';
import { DANGEROUS, foreign } from './basics.js';
import { actButtons, closeButton, Dialog, useReason, useRun } from './dialog.js';
import { tell } from './notices.js';
import { Failure } from './states.js';
import { html, t, useState } from '../view.js';

const DECISIONS = ['commit', 'rollback', 'resume'];

/**
 * Decides about half messages in the place of their producer.
 * @param {{halves: any[], onClose: () => void, onDone?: () => void}} props
 */
export function HalfDialog({ halves, onClose, onDone }) {
  const [act, setAct] = useState('');
  const [fault, setFault] = useState('');
  const { field, take } = useReason();
  const { busy, failure, run } = useRun();
  const [refused, setRefused] = useState(/** @type {any[]} */ ([]));
  const submit = () => {
    const reason = take();
    setFault(act ? '' : t('half.choose'));
    if (!act || !reason) return;
    run(async () => {
      const answer = await decide(act, halves, reason);
      onDone?.();
      if (answer.refused.length > 0) setRefused(answer.refused);
      else onClose();
    });
  };
  if (refused.length > 0) return html`<${Refused} refused=${refused} onClose=${onClose} />`;
  const buttons = actButtons({ text: t(act ? `half.do.${act}` : 'half.decideNow'), danger: DANGEROUS.includes(act), busy, onClose });
  const title = t('half.title', number(halves.length));
  return html`<${Dialog} wide title=${title} onClose=${onClose} busy=${busy} onSubmit=${submit} buttons=${buttons}>
    <${Chosen} halves=${halves} />
    <fieldset class="options"><legend class="field-label">${t('half.question')}</legend>
      ${DECISIONS.map((name) => html`<label class="check" key=${name}><input type="radio" name="decision" checked=${act === name}
        onChange=${() => setAct(name)} /><span>${t(`half.${name}`)}<small class="dim">${t(`half.${name}.help`)}</small></span></label>`)}
      ${fault && html`<p class="bad small" role="alert">${fault}</p>`}</fieldset>
    ${field}${failure && html`<${Failure} failure=${failure} />`}<//>`;
}

function Chosen({ halves }) {
  const [{ business, key, check }] = halves;
  return html`<p>${foreign(business)} ${halves.length === 1 ? html`/ <b>${foreign(key)}</b>` : `· ${t('half.keys', number(halves.length))}`}</p>
    ${check?.reason && html`<blockquote title=${t('half.said')}>${foreign(check.reason, 3)}</blockquote>`}`;
}

async function decide(act, halves, reason) {
  const keys = halves.map(({ business, key }) => ({ business, key }));
  const answer = await post(inDatabase('half/acts'), { act, reason, keys });
  refreshAll();
  refreshPulse();
  if (answer.done.length > 0) tell({ tone: 'ok', text: t(`half.acted.${act}`, number(answer.done.length)) });
  return answer;
}

function Refused({ refused, onClose }) {
  return html`<${Dialog} title=${t('acted.partly')} onClose=${onClose} buttons=${closeButton(onClose)}>
    <p>${t('acted.refused', number(refused.length))}</p>
    <dl class="plain">${refused.map(({ business, key, reason }) => html`<div key=${key}>
      <dt>${foreign(business)} / ${foreign(key)}</dt><dd>${foreign(reason)}</dd></div>`)}</dl><//>`;
}
