// @ts-check
import { number } from './format.js';
import { html, t, useMemo, useState } from './view.js';

const LINES_SHOWN = 200;

/** A string with the colon behind it, a string, a number, or a literal. Strings may be cut off at the end. */
const TOKEN = /("(?:[^"\\]|\\.)*(?:"|$))(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/**
 * Splits JSON text into coloured pieces. The text is never parsed, so that numbers keep all their
 * digits and repeated fields stay.
 * @param {string} text
 * @returns {{kind: string, text: string}[]}
 */
export function tokens(text) {
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) pieces.push({ kind: '', text: text.slice(end, match.index) });
    const [all, string, colon, digits] = match;
    const kind = colon ? 'name' : string ? 'string' : digits ? 'number' : 'literal';
    pieces.push({ kind, text: string ?? all });
    if (colon) pieces.push({ kind: '', text: colon });
    end = match.index + all.length;
  }
  if (end < text.length) pieces.push({ kind: '', text: text.slice(end) });
  return pieces;
}

/** JSON as text with colours; long texts begin folded. */
export function JsonView({ text }) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => text.split('\n'), [text]);
  const cut = !isWhole && lines.length > LINES_SHOWN;
  const pieces = useMemo(() => tokens(cut ? lines.slice(0, LINES_SHOWN).join('\n') : text), [text, cut]);
  const coloured = ({ kind, text: piece }, i) => (kind ? html`<span key=${i} class=${`json-${kind}`}>${piece}</span>` : piece);
  return html`<pre class="payload">${pieces.map(coloured)}</pre>
    ${cut && html`<button type="button" onClick=${() => setWhole(true)}>${t('payload.allLines', number(lines.length))}</button>`}`;
}
