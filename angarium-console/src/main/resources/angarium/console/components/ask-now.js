// @ts-check
import { databaseFacts, inDatabase, post } from '../api.js';
import { number } from '../format.js';
import { refreshAll } from '../load.js';
import { Action, foreign, Pill } from './basics.js';
import { closeButton, Dialog, useRun } from './dialog.js';
import { Failure, Skeleton } from './states.js';
import { html, t, textOr, useEffect, useState } from '../view.js';

/** Verdicts that would settle a half message. */
const FINAL = ['committed', 'rolled-back'];

/** A button that asks the producer of a half message at once, and shows what it says. */
export function AskNow({ half }) {
  const [isOpen, open] = useState(false);
  const blocked = databaseFacts()?.features?.includes('half-ask') ? '' : t('half.ask.nobody');
  return html`<${Action} right="operate" blocked=${blocked} onClick=${() => open(true)}>${t('half.ask')}<//>
    ${isOpen && html`<${AskDialog} half=${half} onClose=${() => open(false)} />`}`;
}

function AskDialog({ half: { business, key }, onClose }) {
  const [answer, setAnswer] = useState(/** @type {any} */ (null));
  const { busy, failure, run } = useRun();
  const ask = () => run(async () => {
    setAnswer(null);
    setAnswer(await post(inDatabase('half/try'), { business, key }));
    refreshAll();
  });
  useEffect(() => void ask(), []);
  const buttons = html`<button type="button" disabled=${busy} onClick=${ask}>${t('half.ask.again')}</button>${closeButton(onClose)}`;
  return html`<${Dialog} title=${t('half.ask.title')} onClose=${onClose} buttons=${buttons}>
    <p>${foreign(business)} / <b>${foreign(key)}</b></p>
    ${busy && html`<${Skeleton} rows=${2} />`}${failure && html`<${Failure} failure=${failure} />`}
    ${answer && html`<${Answer} answer=${answer} />`}<//>`;
}

function Answer({ answer: { verdict, reason, millis } }) {
  const tone = verdict === 'unreachable' ? 'bad' : FINAL.includes(verdict) ? 'ok' : 'info';
  return html`<div role="status"><p><${Pill} tone=${tone}>${textOr(`half.verdict.${verdict}`, verdict)}<//>
      <span class="dim small"> ${t('half.ask.took', number(millis))}</span></p>
    ${reason && html`<blockquote>${foreign(reason)}</blockquote>`}
    <p class="dim">${t('half.ask.undecided')}</p></div>`;
}
