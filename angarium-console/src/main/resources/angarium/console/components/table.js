// @ts-check
import { hasText, html, t, useEffect, useRef } from '../view.js';

/**
 * @typedef {object} Column
 * @property {string} head heading
 * @property {string} help what the values mean; shown in the heading's title and below the table
 * @property {(row: any) => any} cell content of a cell
 * @property {'' | 'num' | 'grow' | 'tight' | 'name' | 'decide'} kind how the column is laid out
 */

/**
 * A column whose heading and explanation are the texts of a name.
 * @param {string} name
 * @param {Column['kind']} kind
 * @param {(row: any) => any} cell
 * @returns {Column}
 */
export function column(name, kind, cell) {
  const help = `${name}.help`;
  return { head: t(name), help: hasText(help) ? t(help) : '', kind, cell };
}

/**
 * A table that turns into cards where it is narrow. Roles are explicit, as cards would lose them.
 * @param {{label: string, columns: Column[], rows: any[], rowKey: (row: any) => string,
 *   selection?: {chosen: Set<string>, choose: (chosen: Set<string>) => void, name: (row: any) => string},
 *   tone?: (row: any) => string}} props
 */
export function Table({ label, columns, rows, rowKey, selection, tone }) {
  return html`<div class="table-box"><table role="table" aria-label=${label}>
    <thead role="rowgroup"><tr role="row">
      ${selection && html`<th role="columnheader" class="tick"><${AllBox} rows=${rows} rowKey=${rowKey} selection=${selection} /></th>`}
      ${columns.map(({ head, help, kind }) => html`<th role="columnheader" scope="col" key=${head} class=${kind}
        title=${help || undefined}>${head}</th>`)}
    </tr></thead>
    <tbody role="rowgroup">${rows.map((row) => html`<${Row} key=${rowKey(row)} row=${row} id=${rowKey(row)} columns=${columns}
      selection=${selection} tone=${tone?.(row) ?? ''} />`)}</tbody>
  </table><${Legend} columns=${columns} /></div>`;
}

function Row({ row, id, columns, selection, tone }) {
  const chosen = selection?.chosen.has(id);
  const toggle = () => selection.choose(toggled(selection.chosen, id));
  return html`<tr role="row" data-row tabindex="-1" class=${`${chosen ? 'chosen' : ''} ${tone}`}>
    ${selection && html`<td role="cell" class="tick"><label class="tick-box"><input type="checkbox" checked=${chosen} onChange=${toggle}
      aria-label=${t('select.one', selection.name(row))} /></label></td>`}
    ${columns.map(({ head, kind, cell }) => html`<td role="cell" key=${head} class=${kind} data-label=${head}>${cell(row)}</td>`)}
  </tr>`;
}

function toggled(chosen, id) {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}

function AllBox({ rows, rowKey, selection }) {
  const box = useRef(null);
  const count = rows.filter((row) => selection.chosen.has(rowKey(row))).length;
  const all = count > 0 && count === rows.length;
  useEffect(() => {
    box.current.indeterminate = count > 0 && !all;
  });
  const toggle = () => selection.choose(all ? new Set() : new Set(rows.map(rowKey)));
  return html`<label class="tick-box"><input type="checkbox" ref=${box} checked=${all} onChange=${toggle} aria-label=${t('select.all')} /></label>`;
}

/** Explains the columns for those who cannot hover over a heading. */
function Legend({ columns }) {
  const explained = columns.filter(({ help }) => help);
  return explained.length > 0 && html`<details class="legend"><summary>${t('columns.help')}</summary><dl>
    ${explained.map(({ head, help }) => html`<div key=${head}><dt>${head}</dt><dd>${help}</dd></div>`)}</dl></details>`;
}
