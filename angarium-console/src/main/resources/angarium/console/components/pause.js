// @ts-check
import { number } from '../format.js';
import { isApplied } from '../pauses.js';
import { clock, databaseNow, untilTomorrow } from '../time.js';
import { achieved, ReasonDialog } from './alert-dialog.js';
import { Action, ago, foreign, mono, Select, shortTime } from './basics.js';
import { Field } from './dialog.js';
import { Icon } from './icons.js';
import { html, rich, t, useState } from '../view.js';

const MINUTE = 60_000;
const HOUR = 60;
const MORNING = 8;
/** How long a pause lasts, in minutes. */
const LENGTHS = {
  '15m': () => 15, '30m': () => 30, '1h': () => HOUR, '4h': () => 4 * HOUR,
  morning: () => Math.ceil(untilTomorrow(MORNING) / MINUTE), '7d': () => 7 * 24 * HOUR,
};

/** Pauses destinations for a while. */
export function PauseDialog({ destination = '', onClose }) {
  const [destinations, setDestinations] = useState(destination);
  const [length, setLength] = useState('30m');
  const minutes = LENGTHS[length]();
  return html`<${ReasonDialog} title=${t('pause.title')} button=${t('pause.do')} path="pauses"
    body=${{ destinations: destinations.trim(), minutes }} onClose=${onClose}
    done=${({ until }) => achieved(t('pause.done', clock(until)))}>
    <p>${t('pause.what')}</p>
    <${Field} label=${t('pause.destinations')} hint=${t('pause.destinations.hint')}>
      <input type="text" class="mono" required maxlength="512" value=${destinations} autocomplete="off"
        onInput=${(event) => setDestinations(event.currentTarget.value)} /><//>
    <div class="filters"><${Select} label=${t('pause.length')} value=${length} onChange=${setLength}
        options=${Object.keys(LENGTHS).map((name) => [name, t(`pause.length.${name}`)])} /></div>
    <p class="dim small">${t('pause.until', clock(databaseNow() + minutes * MINUTE, { seconds: false }))}</p><//>`;
}

/** Ends a pause. */
function ResumeDialog({ pause, onClose }) {
  return html`<${ReasonDialog} title=${t('pause.resume.title')} button=${t('pause.resume.do')} path="pauses/resume"
    body=${{ id: pause.id }} onClose=${onClose} done=${() => achieved(t('pause.resume.done'))}>
    <p><b>${mono(pause.destinations)}</b></p><p>${t('pause.resume.what')}</p>
    <blockquote>${foreign(pause.reason, 3)}</blockquote><//>`;
}

/** What is paused until when, by whom and why, and whether every node knows it. */
export function PauseLines({ pauses }) {
  const [ending, setEnding] = useState(/** @type {any} */ (null));
  return html`${pauses.map((pause) => html`<div class="line info pause" key=${pause.id}><${Icon} name="bars" />
      <div class="grow"><p>${rich('pause.line', mono(pause.destinations), shortTime(pause.until), foreign(pause.by))}
          ${' '}<span class="dim">${ago(pause.until)}</span></p>
        <p class="small">${foreign(pause.reason, 2)}</p><p class="dim small" role="status">${appliedText(pause)}</p></div>
      <${Action} right="operate" onClick=${() => setEnding(pause)}>${t('pause.resume')}<//></div>`)}
    ${ending && html`<${ResumeDialog} pause=${ending} onClose=${() => setEnding(null)} />`}`;
}

/** Whether the pause of a destination has taken effect. */
export function appliedText(pause) {
  return isApplied(pause) ? t('pause.applied', number(pause.nodes)) : t('pause.applying', number(pause.applied), number(pause.nodes));
}
