// @ts-check
import { filterParts, splitParts } from '../filter.js';
import { refine, route } from '../router.js';
import { clock } from '../time.js';
import { IconButton, Select } from './basics.js';
import { html, t, useCell, useState } from '../view.js';

const SPANS = ['15m', '1h', '24h', '7d'];

/** How each part is asked for. */
const FIELDS = {
  destination: { list: 'suggestions', wide: true }, key: {}, type: {}, businessType: {}, businessKey: {}, createdBy: {},
  reasonHas: { wide: true }, attemptsMin: { type: 'number', min: 0 },
};

/**
 * The filters of a list. A change applies when the field is left or Enter is pressed.
 * @param {{main: string[], more?: string[], since?: boolean, blocks?: boolean, children?: any}} props
 */
export function Filters({ main, more = [], since = true, blocks = false, children }) {
  const parts = filterParts(useCell(route));
  const [isOpen, setOpen] = useState(more.some((name) => parts[name]) || false);
  const apply = (changed) => {
    const { params, hidden } = splitParts({ ...parts, ...changed });
    refine(params, hidden);
  };
  const names = isOpen ? [...main, ...more] : main;
  const active = Object.keys(parts);
  return html`<form class="filters" role="group" aria-label=${t('filters')} onSubmit=${(event) => event.preventDefault()}>
    ${children}
    ${since && html`<${SpanField} parts=${parts} apply=${apply} />`}
    ${names.map((name) => html`<${TextField} key=${name} name=${name} value=${parts[name] ?? ''} apply=${apply} />`)}
    ${blocks && html`<${Select} label=${t('filter.blocksKey')} value=${parts.blocksKey ?? ''} onChange=${(blocksKey) => apply({ blocksKey })}
      options=${['', 'true', 'false'].map((value) => [value, t(`filter.blocksKey.${value || 'any'}`)])} />`}
    ${parts.cause && html`<${Chip} text=${`${t('filter.cause')} ${parts.cause}`} onRemove=${() => apply({ cause: '' })} />`}
    ${more.length > 0 && html`<button type="button" class="quiet" aria-expanded=${String(isOpen)}
      onClick=${() => setOpen(!isOpen)}>${t(isOpen ? 'filter.less' : 'filter.more')}</button>`}
    ${active.length > 0 && html`<button type="button" class="quiet"
      onClick=${() => apply(Object.fromEntries(active.map((name) => [name, ''])))}>${t('filter.clear')}</button>`}
  </form>`;
}

function TextField({ name, value, apply }) {
  const { wide = false, ...input } = FIELDS[name];
  return html`<${FilterField} label=${t(`filter.${name}`)} title=${t(`filter.${name}.help`)} wide=${wide} value=${value} ...${input}
    onApply=${(text) => apply({ [name]: text })} />`;
}

/** A labelled text; it applies when the field is left or Enter is pressed. */
export function FilterField({ label, wide = false, onApply, ...input }) {
  return html`<label class=${wide ? 'wide' : ''}><span>${label}</span><input type="text" autocomplete="off" spellcheck="false"
    maxlength="200" ...${input} onChange=${(event) => onApply(event.currentTarget.value.trim())}
    onKeyDown=${(event) => event.key === 'Enter' && event.currentTarget.blur()} /></label>`;
}

function Chip({ text, onRemove }) {
  return html`<span class="chip">${text}<${IconButton} name="cross" label=${t('filter.remove', text)} onClick=${onRemove} /></span>`;
}

function SpanField({ parts, apply }) {
  if (parts.from || parts.to) {
    const text = `${parts.from ? clock(parts.from) : '…'} – ${parts.to ? clock(parts.to) : '…'}`;
    return html`<${Chip} text=${text} onRemove=${() => apply({ from: '', to: '' })} />`;
  }
  return html`<${SpanSelect} value=${parts.since} onChange=${(since) => apply({ since })} />`;
}

/** Chooses how far back a list goes. */
export function SpanSelect({ value = '', onChange }) {
  return html`<${Select} label=${t('filter.since')} value=${value} onChange=${onChange}
    options=${[['', t('filter.since.any')], ...SPANS.map((span) => [span, t(`span.${span}`)])]} />`;
}
