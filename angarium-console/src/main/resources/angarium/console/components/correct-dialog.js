// @ts-check
import { blob, denial, inDatabase, post, session } from '../api.js';
import { number } from '../format.js';
import { refreshAll } from '../load.js';
import { refreshPulse } from '../pulse.js';
import { actButtons, Dialog, Field, useReason, useRun } from './dialog.js';
import { tell } from './notices.js';
import { Failure } from './states.js';
import { html, t, useState } from '../view.js';

/** The largest payload that the server takes. */
const PAYLOAD_MAX = 1_000_000;

/** What the server takes at once. */
const REDIRECTS_MAX = 200;

/**
 * Sends dead letters again with another destination; a single one also with another key or payload.
 * @param {{rows: any[], onClose: () => void, onDone?: () => void}} props
 */
export function CorrectDialog({ rows, onClose, onDone }) {
  const [first] = rows;
  const isOne = rows.length === 1;
  const { field, take } = useReason();
  const { busy, failure, run } = useRun();
  const [parts, setParts] = useState(/** @type {any} */ ({ destination: isOne ? first.destination : '', key: first.key ?? '' }));
  const [fault, setFault] = useState('');
  const change = (part) => {
    setParts({ ...parts, ...part });
    setFault('');
  };
  const submit = () => {
    const body = changed(parts, isOne ? first : { destination: '' });
    if (Object.keys(body).length === 0) setFault(t('correct.nothing'));
    const reason = take();
    if (!reason || Object.keys(body).length === 0) return;
    run(async () => {
      const done = isOne ? await correct(first.id, { ...body, reason }) : await redirect(rows, body.destination, reason);
      refreshAll();
      refreshPulse();
      tell({ tone: done === rows.length ? 'ok' : 'warn', text: t('acted.correct', number(done), number(rows.length)) });
      onDone?.();
      onClose();
    });
  };
  const buttons = actButtons({ text: t('correct.do', number(rows.length)), danger: false, busy, onClose });
  return html`<${Dialog} title=${t(isOne ? 'correct.title' : 'correct.title.many', number(rows.length))} onClose=${onClose}
      busy=${busy} onSubmit=${submit} buttons=${buttons} wide=${parts.payload !== undefined}>
    <p>${t('correct.what')}</p>
    <${TextField} name="destination" value=${parts.destination} fault=${fault} onChange=${(destination) => change({ destination })} />
    ${isOne && html`<${OtherParts} row=${first} parts=${parts} onChange=${change} />`}
    ${field}${failure && html`<${Failure} failure=${failure} />`}<//>`;
}

function TextField({ name, value, fault = '', onChange }) {
  return html`<${Field} label=${t(name)} hint=${t(`correct.${name}.hint`)} fault=${fault}>
    <input type="text" class="mono" value=${value} autocomplete="off" spellcheck=${false} maxlength="512"
      aria-invalid=${fault ? 'true' : undefined} onInput=${(event) => onChange(event.currentTarget.value)} /><//>`;
}

/** Key and payload, where the console may change them. */
function OtherParts({ row, parts, onChange }) {
  if (!session.get().me?.correct) return html`<p class="dim small">${t('correct.off')}</p>`;
  return html`<${TextField} name="key" value=${parts.key} onChange=${(key) => onChange({ key })} />
    ${parts.payload === undefined ? html`<${EditPayload} row=${row} onChange=${onChange} />`
      : html`<${Field} label=${t(parts.base64 ? 'correct.base64' : 'payload')} hint=${t('correct.payload.hint')}>
        <textarea class="mono" rows="12" spellcheck=${false} value=${parts.payload}
          onInput=${(event) => onChange({ payload: event.currentTarget.value })} /><//>`}`;
}

/** Fetches the payload as it is, which the audit notes. */
function EditPayload({ row, onChange }) {
  const { busy, failure, run } = useRun();
  const why = denial('payload') ? t('denied.payload') : row.payloadBytes > PAYLOAD_MAX ? t('correct.tooLarge') : '';
  const edit = () => run(async () => {
    const whole = await blob('GET', inDatabase(`messages/${row.id}/raw?stage=dead`));
    const now = editable(new Uint8Array(await whole.arrayBuffer()));
    onChange({ ...now, before: now.payload });
  });
  return html`<p>${t('correct.payload')} <button type="button" disabled=${busy || why !== ''} title=${why || undefined}
      onClick=${edit}>${t(busy ? 'loading' : 'correct.edit')}</button> <span class="dim small">${why}</span></p>
    ${failure && html`<${Failure} failure=${failure} />`}`;
}

/** Bytes as text if they are UTF-8, else as Base64. A byte order mark or a lone carriage return would not survive a text area. */
export function editable(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.startsWith('\uFEFF') && !/\r|\0/.test(text)) return { payload: text, base64: false };
  } catch {
    // no UTF-8
  }
  let binary = '';
  for (let from = 0; from < bytes.length; from += 8192) binary += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return { payload: btoa(binary), base64: true };
}

/** The parts that differ from the message. */
export function changed({ destination, key, payload, before, base64 }, row) {
  const body = /** @type {any} */ ({});
  if (destination.trim() && destination.trim() !== row.destination) body.destination = destination.trim();
  if (key && row.key !== undefined && key !== row.key) body.key = key;
  if (payload !== undefined && payload !== before) body[base64 ? 'base64' : 'text'] = base64 ? payload.replace(/\s/g, '') : payload;
  return body;
}

/** Sequences are longer than a number of JavaScript is exact. */
function bySequence(left, right) {
  const difference = BigInt(left.sequence) - BigInt(right.sequence);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

async function correct(id, body) {
  const { done } = await post(inDatabase(`messages/${id}/correct`), body);
  return done.length;
}

/** Goes from the oldest to the newest, so that every key keeps its order. */
async function redirect(rows, destination, reason) {
  const ids = [...rows].sort(bySequence).map(({ id }) => id);
  let count = 0;
  for (let from = 0; from < ids.length; from += REDIRECTS_MAX) {
    const { done } = await post(inDatabase('messages/redirect'), { ids: ids.slice(from, from + REDIRECTS_MAX), destination, reason });
    count += done.length;
  }
  return count;
}
