// @ts-check
import { inDatabase, post, session } from '../api.js';
import { refreshAll } from '../load.js';
import { refreshPulse } from '../pulse.js';
import { clock, databaseNow, untilTomorrow } from '../time.js';
import { foreign, mono, Select } from './basics.js';
import { actButtons, Dialog, Field, useReason, useRun } from './dialog.js';
import { tell } from './notices.js';
import { Failure } from './states.js';
import { html, t, textOr, useId, useState } from '../view.js';

const MINUTE = 60_000;
const HOUR = 60;
const MORNING = 8;
/** How long a silence lasts, in minutes. */
const LENGTHS = {
  '1h': () => HOUR, '4h': () => 4 * HOUR, morning: () => Math.ceil(untilTomorrow(MORNING) / MINUTE),
  '1d': () => 24 * HOUR, '7d': () => 7 * 24 * HOUR,
};
/** Which alerts a silence covers besides the one that it begins with. */
const REACHES = {
  one: ({ rule, subject }) => ({ rule, subject }), rule: ({ rule }) => ({ rule, subject: '*' }),
  subject: ({ subject }) => ({ rule: '*', subject }),
};

/** The name of a rule; rules of one's own have none but their own. */
export function ruleName(rule) {
  return textOr(`alerts.rule.${rule}`, rule);
}

/**
 * Acts with a reason.
 * @param {{title: string, button: string, path: string, body: any, onClose: () => void,
 *   done: (answer: any) => void, children: any}} props `done` says what was achieved
 */
export function ReasonDialog({ title, button, path, body, onClose, done, children }) {
  const { field, take } = useReason();
  const { busy, failure, run } = useRun();
  const submit = () => {
    const reason = take();
    if (!reason) return;
    run(async () => {
      try {
        done(await post(inDatabase(path), { ...body, reason }));
        onClose();
      } finally { // what refused it may be news
        refreshAll();
        refreshPulse();
      }
    });
  };
  return html`<${Dialog} title=${title} onClose=${onClose} busy=${busy} onSubmit=${submit}
    buttons=${actButtons({ text: button, danger: false, busy, onClose })}>${children}${field}
    ${failure && html`<${Failure} failure=${failure} />`}<//>`;
}

function About({ alert }) {
  return html`<p><b>${ruleName(alert.rule)}</b> · ${mono(alert.subject)}</p><blockquote>${foreign(alert.text, 3)}</blockquote>`;
}

/** Tells that something was achieved. */
export const achieved = (text) => tell({ tone: 'ok', text });

/** Takes care of an alert. */
export function TakeDialog({ alert, onClose }) {
  const { rule, subject, taken } = alert;
  return html`<${ReasonDialog} title=${t('alerts.take.title')} button=${t('alerts.take.do')} path="alerts/take" body=${{ rule, subject, from: taken?.by ?? null }}
    onClose=${onClose} done=${() => achieved(t('alerts.take.done'))}><${About} alert=${alert} />
    <p>${taken ? t('alerts.take.over', taken.by) : t('alerts.take.what')}</p><//>`;
}

/** How long a silence lasts: the field, and what it says. */
function useLength() {
  const [length, setLength] = useState('1h');
  const minutes = LENGTHS[length]();
  const field = html`<${Select} label=${t('alerts.silence.length')} value=${length} onChange=${setLength}
    options=${Object.keys(LENGTHS).map((name) => [name, t(`alerts.silence.length.${name}`)])} />`;
  const end = html`<p class="dim small">${t('alerts.silence.until', clock(databaseNow() + minutes * MINUTE, { seconds: false }))}</p>`;
  return { minutes, field, end };
}

const silenced = ({ until }) => achieved(t('alerts.silence.done', clock(until)));

/** Silences an alert and others like it for a while. */
export function SilenceDialog({ alert, onClose }) {
  const [reach, setReach] = useState('one');
  const { minutes, field, end } = useLength();
  // Whoever sees a part of the alerts can silence that part only.
  const reaches = session.get().me?.scoped ? ['one', 'subject'] : Object.keys(REACHES);
  return html`<${ReasonDialog} title=${t('alerts.silence.title')} button=${t('alerts.silence.do')} path="alerts/silences"
    body=${{ ...REACHES[reach](alert), minutes }} onClose=${onClose} done=${silenced}><${About} alert=${alert} />
    <p>${t('alerts.silence.what')}</p>
    <div class="filters">${field}
      <${Select} label=${t('alerts.silence.reach')} value=${reach} onChange=${setReach}
        options=${reaches.map((name) => [name, t(`alerts.silence.reach.${name}`)])} /></div>
    ${end}<//>`;
}

/** Silences alerts that somebody expects, by rule and subject. */
export function NewSilenceDialog({ rules, onClose }) {
  const id = useId();
  const isScoped = session.get().me?.scoped;
  const [rule, setRule] = useState('');
  const [subject, setSubject] = useState(isScoped ? '' : '*');
  const { minutes, field, end } = useLength();
  const input = (value, change, more) => html`<input type="text" required value=${value} autocomplete="off" spellcheck=${false}
    onInput=${(event) => change(event.currentTarget.value)} ...${more} />`;
  return html`<${ReasonDialog} title=${t('alerts.silence.new.title')} button=${t('alerts.silence.do')} path="alerts/silences"
    body=${{ rule: rule.trim(), subject: subject.trim(), minutes }} onClose=${onClose} done=${silenced}>
    <p>${t('alerts.silence.new.what')}</p>
    <${Field} label=${t('alerts.silence.rule')} hint=${t('alerts.silence.rule.hint')}>${input(rule, setRule, { maxlength: 64, list: id })}<//>
    <datalist id=${id}>${rules.map((name) => html`<option key=${name} value=${name}>${ruleName(name)}</option>`)}</datalist>
    <${Field} label=${t('alerts.silence.subject')} hint=${t(isScoped ? 'alerts.silence.subject.scoped' : 'alerts.silence.subject.hint')}>
      ${input(subject, setSubject, { maxlength: 300 })}<//>
    <div class="filters">${field}</div>${end}<//>`;
}

/** Ends a silence. */
export function LiftDialog({ silence, onClose }) {
  return html`<${ReasonDialog} title=${t('alerts.lift.title')} button=${t('alerts.lift.do')} path="alerts/silences/lift"
    body=${{ id: silence.id }} onClose=${onClose} done=${() => achieved(t('alerts.lift.done'))}>
    <p>${t('alerts.lift.what')}</p><blockquote>${foreign(silence.reason, 3)}</blockquote><//>`;
}

/** Sends a test notice by a channel, and says what became of it. */
export function TestDialog({ channel, onClose }) {
  const done = ({ told, failure }) => tell(told ? { tone: 'ok', text: t('alerts.test.done', channel) }
    : { tone: 'bad', text: t('alerts.test.failed', channel), detail: failure });
  return html`<${ReasonDialog} title=${t('alerts.test.title', channel)} button=${t('alerts.test.do')} path="alerts/test"
    body=${{ channel }} onClose=${onClose} done=${done}><p>${t('alerts.test.what')}</p><//>`;
}
