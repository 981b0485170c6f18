// @ts-check
import { exact, preciseClock, relative } from '../time.js';
import { foreign } from './basics.js';
import { Icon } from './icons.js';
import { html, t, textOr } from '../view.js';

const KINDS = {
  created: ['disc', 'info'], written: ['disc', 'info'], due: ['clock', ''], attempt: ['triangle', 'warn'], parked: ['bars', 'warn'],
  dead: ['square', 'bad'], sent: ['disc', 'ok'], unconfirmed: ['clock', 'warn'], discarded: ['cross', ''], act: ['diamond', 'accent'],
};

/** The server's words for places, attempts and acts, in the language of the page. */
function wording(kind, text) {
  const [, partition, number] = /^partition (-?\d+), number (\d+)$/.exec(text ?? '') ?? [];
  if (number) return t('message.place.value', partition, number);
  const [, attempt, error] = /^attempt (\d+)(?:: ([^]*))?$/.exec(text ?? '') ?? [];
  if (attempt) return `${t('moment.nth', attempt)}${error ? `: ${error}` : ''}`;
  const [, act, reason] = (kind === 'act' && /^([\w-]+): ([^]*)$/.exec(text)) || [];
  return act ? `${textOr(`audit.act.${act}`, act)}: ${reason}` : text;
}

/** The way of one message, moment by moment. */
export function Timeline({ moments }) {
  return html`<ol class="timeline">${moments.map(({ at, kind, text, by, exact: isExact }, i) => {
    const [symbol, tone] = KINDS[kind] ?? ['ring', ''];
    return html`<li key=${`${at} ${kind} ${i}`} class=${tone}><${Icon} name=${symbol} />
      <time datetime=${at} title=${`${exact(at)} · ${relative(at)}`}>${preciseClock(at)}</time>
      <div><b title=${t(`moment.${kind}.help`)}>${t(`moment.${kind}`)}</b>${!isExact && html` <span class="dim">${t('timeline.about')}</span>`}
        ${by && html` <span class="dim">${t('timeline.by')} ${foreign(by)}</span>`}${text && html`<p>${foreign(wording(kind, text), 3)}</p>`}</div></li>`;
  })}</ol>`;
}
