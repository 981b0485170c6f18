// @ts-check
import { bounded } from '../format.js';
import { databaseNow, length } from '../time.js';
import { ago, foreign, mono } from './basics.js';
import { html, rich, t, useState } from '../view.js';

const OWNER_TONES = 6;

/** Ways to colour a partition: each returns a class for 0 (nothing) to 4 (much). */
const SHADES = {
  waiting: ({ waiting }) => `heat-${step(waiting.count, [1, 10, 100, 1000])}`,
  oldest: ({ oldest }) => `heat-${oldest ? step((databaseNow() - Date.parse(oldest)) / 1000, [0, 10, 60, 600]) : 0}`,
  owner: ({ node }, owners) => (node ? `owner-${owners.indexOf(node) % OWNER_TONES}` : 'heat-0'),
};

function step(value, limits) {
  return limits.filter((limit) => value >= limit).length;
}

/**
 * A map of all partitions. Arrow keys move through it; the line below says what the partition is.
 * @param {{partitions: any[], by: 'waiting' | 'oldest' | 'owner'}} props
 */
export function Heat({ partitions, by }) {
  const [current, setCurrent] = useState(/** @type {number | null} */ (null));
  const owners = [...new Set(partitions.map(({ node }) => node).filter(Boolean))].sort();
  const shown = partitions.find(({ partition }) => partition === current);
  const keyed = partitions.filter(({ partition }) => partition >= 0);
  const keyless = partitions.filter(({ partition }) => partition < 0);
  const group = (label, list) => list.length > 0 && html`<div class="heat-group"><p class="dim small">${label}</p>
    <div class="heat" role="listbox" aria-label=${label} onKeyDown=${(event) => move(event, list, current, setCurrent)}>
      ${list.map((each, index) => html`<${Cell} key=${each.partition} each=${each} shade=${SHADES[by](each, owners)}
        focusable=${each === shown || (index === 0 && !list.includes(shown))} chosen=${each === shown} onChoose=${setCurrent} />`)}
    </div></div>`;
  return html`${group(t('heat.keyed'), keyed)}${group(t('heat.keyless'), keyless)}
    <${Key} by=${by} owners=${owners} />
    <p class="heat-line" aria-live="polite">${shown ? html`<${About} each=${shown} />` : html`<span class="dim">${t('heat.hint')}</span>`}</p>`;
}

function Cell({ each, shade, focusable, chosen, onChoose }) {
  const { partition, waiting, node, live } = each;
  const choose = () => onChoose(partition);
  return html`<span role="option" data-partition=${partition} class=${`cell ${shade} ${live ? '' : 'unowned'}`} tabindex=${focusable ? 0 : -1}
    aria-selected=${String(chosen)} aria-label=${t('heat.cell', partition, bounded(waiting), live ? node : t('heat.nobody'))}
    onMouseEnter=${choose} onFocus=${choose} onClick=${choose}></span>`;
}

function move(event, list, current, setCurrent) {
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 16, ArrowUp: -16 }[event.key];
  if (!by) return;
  event.preventDefault();
  const at = list.findIndex(({ partition }) => partition === current);
  const next = list[Math.min(Math.max(at + by, 0), list.length - 1)].partition;
  setCurrent(next);
  event.currentTarget.querySelector(`[data-partition="${next}"]`)?.focus();
}

function About({ each }) {
  const { partition, waiting, oldest, node, live, epoch } = each;
  const owner = node ? mono(node) : t('heat.nobody');
  return html`<b>${t('partition', partition)}</b> · ${t('heat.waiting', bounded(waiting))}
    ${oldest && html` · ${rich('heat.oldest', ago(oldest))}`}
    ${' · '}${live ? owner : html`<span class="bad">${node ? rich('heat.silent', owner) : owner}</span>`} · ${t('heat.epoch', epoch)}`;
}

function Key({ by, owners }) {
  const steps = { waiting: ['0', '1', '10', '100', '1000+'], oldest: ['–', '< 10 s', '10 s', '1 min', '10 min'].map(unitText) }[by];
  return html`<p class="heat-key dim small">${steps
    ? steps.map((text, i) => html`<span key=${i}><i class=${`cell heat-${i}`}></i>${text}</span>`)
    : owners.map((node, i) => html`<span key=${node}><i class=${`cell owner-${i % OWNER_TONES}`}></i>${foreign(node)}</span>`)}
    <span><i class="cell heat-0 unowned"></i>${t('heat.unowned')}</span></p>`;
}

function unitText(text) {
  const [, less, count, unit] = /^(< )?(\d+) (s|min)$/.exec(text) ?? [];
  return count ? (less ?? '') + length(Number(count) * (unit === 's' ? 1000 : 60_000)) : text;
}
