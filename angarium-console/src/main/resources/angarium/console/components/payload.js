// @ts-check
import { apiUrl, denial, get, inDatabase } from '../api.js';
import { bytes, number } from '../format.js';
import { HexView } from '../hex-view.js';
import { JsonView } from '../json-view.js';
import { useLoad } from '../load.js';
import { Action, Choice, foreign, mono } from './basics.js';
import { failureText, Loaded } from './states.js';
import { html, t, useState } from '../view.js';

const VIEWS = ['auto', 'json', 'text', 'hex'];

/** The payload of a message that was read `at` a time, masked by the server until somebody reveals it. */
export function Payload({ id, stage, depth, at }) {
  const [view, setView] = useState('auto');
  const [isRevealed, reveal] = useState(false);
  const path = (name, more) => inDatabase(`messages/${id}/${name}?${new URLSearchParams({ stage, depth, ...more })}`);
  const read = (from, signal) => get(path('payload', { view, from: String(from), reveal: String(isRevealed) }), { signal });
  const load = useLoad((signal) => read(0, signal), [id, stage, depth, view, isRevealed], { after: at });
  const views = VIEWS.map((name) => [name, t(`payload.view.${name}`), t(`payload.view.${name}.help`)]);
  return html`<section class="card"><div class="page-head"><h2 class="grow">${t('payload')}</h2>
      <${Choice} label=${t('payload.view')} value=${view} onChange=${setView} options=${views} /></div>
    <${Loaded} load=${load}>${(first) => html`<${Content} key=${`${view} ${isRevealed} ${load.at}`} first=${first} read=${read} />
      <div class="acts payload-acts"><${Reveal} first=${first} reveal=${reveal} />
        <${Download} name=${`${id}.bin`} href=${apiUrl(path('raw'))} mayReveal=${first.mayReveal} /></div>`}<//></section>`;
}

function Reveal({ first, reveal }) {
  if (!first.masked) return html`<button type="button" onClick=${() => reveal(false)}>${t('payload.hide')}</button>`;
  const blocked = first.mayReveal ? '' : t('denied.payload');
  return html`<${Action} right="payload" symbol="key" blocked=${blocked} onClick=${() => reveal(true)}>${t('payload.reveal')}<//>`;
}

function Download({ name, href, mayReveal }) {
  if (denial('payload') || !mayReveal) return html`<${Action} blocked=${t('denied.payload')}>${t('payload.download')}<//>`;
  return html`<a class="button" download=${name} href=${href}>${t('payload.download')}</a>`;
}

function Content({ first, read }) {
  const [parts, setParts] = useState([first]);
  const [failure, setFailure] = useState(/** @type {any} */ (null));
  const last = parts[parts.length - 1];
  const more = () => read(last.next).then((part) => setParts([...parts, part]), setFailure);
  return html`<${About} first=${first} />
    ${first.view === 'binary' ? html`<p>${t('payload.binary')}</p><p class="mono small dim">SHA-256 ${mono(first.sha256)}</p>`
      : parts.map((part) => html`<${Part} key=${part.from} part=${part} />`)}
    ${last.next !== null && html`<p class="list-end">${t('payload.part', number(last.next))}
      <button type="button" onClick=${more}>${t('payload.next')}</button></p>`}
    ${failure && html`<p class="bad">${failureText(failure)}</p>`}`;
}

function About({ first }) {
  const { bytes: size, contentType, masked, maskedFields } = first;
  const hidden = maskedFields.length > 0 ? t('payload.masked', maskedFields.join(', ')) : t('payload.nothingMasked');
  return html`<p class="dim small">${bytes(size)}${size >= 1000 && ` (${number(size)} B)`} ·
    ${' '}${contentType ? foreign(contentType) : t('payload.noType')} ·
    ${' '}${masked ? hidden : html`<span class="warn">${t('payload.revealed')}</span>`}</p>`;
}

function Part({ part }) {
  if (part.view === 'hex') return html`<${HexView} digits=${part.text} from=${part.from} />`;
  return part.view === 'json' ? html`<${JsonView} text=${part.text} />` : html`<pre class="payload">${part.text}</pre>`;
}
