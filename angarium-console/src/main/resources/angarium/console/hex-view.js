// @ts-check
import { html, useMemo } from './view.js';

const BYTES_A_LINE = 16;
const LINES_A_BLOCK = 256;

/**
 * Lays out hexadecimal digits: position, 16 bytes, and the characters that can be printed.
 * @param {string} digits two for each byte
 * @param {number} from position of the first byte
 * @returns {string[]} lines
 */
export function hexLines(digits, from) {
  const lines = [];
  for (let at = 0; at < digits.length; at += BYTES_A_LINE * 2) {
    const pairs = digits.slice(at, at + BYTES_A_LINE * 2).match(/../g) ?? [];
    const printed = pairs.map((pair) => {
      const code = parseInt(pair, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : '·';
    }).join('');
    const left = pairs.slice(0, 8).join(' ');
    const right = pairs.slice(8).join(' ');
    lines.push(`${(from + at / 2).toString(16).padStart(8, '0')}  ${left.padEnd(23)}  ${right.padEnd(23)}  ${printed}`);
  }
  return lines;
}

/** Bytes as hexadecimal digits. Blocks outside the window cost no layout. */
export function HexView({ digits, from }) {
  const lines = useMemo(() => hexLines(digits, from), [digits, from]);
  const blocks = [];
  for (let i = 0; i < lines.length; i += LINES_A_BLOCK) blocks.push(lines.slice(i, i + LINES_A_BLOCK).join('\n'));
  return html`<div class="payload hex">${blocks.map((block, i) => html`<pre key=${i} class="hex-block">${block}</pre>`)}</div>`;
}
