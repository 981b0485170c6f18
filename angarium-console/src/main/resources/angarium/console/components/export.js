// @ts-check
import { blob, inDatabase, session } from '../api.js';
import { number } from '../format.js';
import { databaseNow } from '../time.js';
import { Action, Choice } from './basics.js';
import { actButtons, Dialog, useReason, useRun } from './dialog.js';
import { tell } from './notices.js';
import { Failure } from './states.js';
import { html, t, useState } from '../view.js';

/** What the server gives at most. */
const ROWS_MAX = 100_000;

/** The end of a file says whether messages are missing. */
const END_BYTES = 1000;

/**
 * Offers the messages that match as a file.
 * @param {{stage: string, order?: string, makeFilter: () => any}} props
 */
export function ExportButton({ stage, order = 'newest', makeFilter }) {
  const [isOpen, setOpen] = useState(false);
  return html`<${Action} right="view" onClick=${() => setOpen(true)}>${t('export')}<//>
    ${isOpen && html`<${ExportDialog} stage=${stage} makeQuery=${() => ({ ...makeFilter(), stage, order })}
      onClose=${() => setOpen(false)} />`}`;
}

function ExportDialog({ stage, makeQuery, onClose }) {
  const { field, take } = useReason();
  const { busy, failure, run } = useRun();
  const [format, setFormat] = useState('csv');
  const [payloads, setPayloads] = useState('none');
  const mayReveal = session.get().me?.may?.includes('payload');
  const submit = () => {
    const reason = take();
    if (!reason) return;
    run(async () => {
      const file = await blob('POST', inDatabase('export'), { filter: makeQuery(), format, payloads, reason });
      save(file, `messages-${stage}-${new Date(databaseNow()).toISOString().replace(/[:.]/g, '')}.${format}`);
      const isWhole = await whole(file);
      tell({ tone: isWhole ? 'ok' : 'warn', text: t(isWhole ? 'export.done' : 'export.incomplete') });
      onClose();
    });
  };
  const options = (name, values) => values.map((value) => [value, t(`export.${name}.${value}`), t(`export.${name}.${value}.help`)]);
  const buttons = actButtons({ text: t('export.do'), danger: false, busy, onClose });
  return html`<${Dialog} title=${t('export.title')} onClose=${onClose} busy=${busy} onSubmit=${submit} buttons=${buttons}>
    <p>${t('export.what', number(ROWS_MAX))}</p>
    <div class="field"><span class="field-label">${t('export.format')}</span>
      <${Choice} label=${t('export.format')} value=${format} onChange=${setFormat} options=${options('format', ['csv', 'ndjson'])} /></div>
    <div class="field"><span class="field-label">${t('export.payloads')}</span>
      <${Choice} label=${t('export.payloads')} value=${payloads} onChange=${setPayloads}
        options=${options('payloads', ['none', 'masked', ...(mayReveal ? ['revealed'] : [])])} /></div>
    ${field}${failure && html`<${Failure} failure=${failure} />`}<//>`;
}

function save(file, name) {
  const href = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

async function whole(file) {
  const end = await file.slice(Math.max(0, file.size - END_BYTES)).text();
  const last = end.trimEnd().split('\n').pop() ?? '';
  return file.type.startsWith('text/csv') ? !last.startsWith('"incomplete"') : last.includes('"complete":true');
}
