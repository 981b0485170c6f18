// @ts-check
import { get, inDatabase } from '../api.js';
import { foreign, mono, PageHead, Pill, shortTime } from '../components/basics.js';
import { FilterField, SpanSelect } from '../components/filters.js';
import { IdLink } from '../components/message-list.js';
import { Empty, ListEnd, Loaded, ReadAt } from '../components/states.js';
import { column, Table } from '../components/table.js';
import { isMessageId } from '../format.js';
import { usePages } from '../load.js';
import { refine, route } from '../router.js';
import { databaseNow, spanMillis } from '../time.js';
import { html, t, textOr, useCell } from '../view.js';

const FIELDS = ['by', 'act', 'target'];
const PARTS = [...FIELDS, 'targetKind', 'since'];

/** Who did what, when and why. Entries are only added. */
export function Audit() {
  const { params } = useCell(route);
  const chosen = Object.fromEntries(PARTS.filter((name) => params[name]).map((name) => [name, params[name]]));
  const pages = usePages((before, signal) => {
    const { since, ...parts } = chosen;
    const query = new URLSearchParams({ ...parts, limit: '50', ...(before && { before }) });
    if (since) query.set('from', new Date(databaseNow() - spanMillis(since)).toISOString());
    return get(inDatabase(`audit?${query}`), { signal });
  }, [chosen]);
  const isFiltered = Object.keys(chosen).length > 0;
  const clear = () => refine(Object.fromEntries(PARTS.map((name) => [name, ''])));
  return html`<${PageHead} title=${t('page.audit')} lead=${t('audit.what')} />
    <form class="filters" role="group" aria-label=${t('filters')} onSubmit=${(event) => event.preventDefault()}>
      <${SpanSelect} value=${chosen.since} onChange=${(since) => refine({ since })} />
      ${FIELDS.map((name) => html`<${FilterField} key=${name} label=${t(`audit.${name}`)} title=${t(`audit.${name}.help`)}
        wide=${name === 'target'} value=${params[name] ?? ''} onApply=${(text) => refine({ [name]: text })} />`)}
      ${isFiltered && html`<button type="button" class="quiet" onClick=${clear}>${t('filter.clear')}</button>`}</form>
    <section class="card"><${Loaded} load=${pages}>${() => html`
      ${pages.items.length === 0 ? html`<${NoEntries} isFiltered=${isFiltered} next=${pages.next} />` : html`<${Table} label=${t('page.audit')}
        columns=${columns()} rows=${pages.items} rowKey=${({ id }) => id} />`}
      ${(pages.items.length > 0 || pages.next) && html`<${ListEnd} pages=${pages} />`}
      <${ReadAt} load=${pages} />`}<//></section>`;
}

function NoEntries({ isFiltered, next }) {
  if (next) return html`<${Empty} title=${t('list.noneYet')} text=${t('list.noneYet.text')} />`;
  return isFiltered ? html`<${Empty} title=${t('list.noMatch')} text=${t('audit.noMatch.text')} />`
    : html`<${Empty} title=${t('audit.none')} text=${t('audit.none.text')} />`;
}

function target({ targetKind, target: name }) {
  const isMessage = targetKind === 'message' && isMessageId(name);
  return html`<span class="dim">${textOr(`audit.kind.${targetKind}`, targetKind)}</span>
    ${' '}${isMessage ? html`<${IdLink} row=${{ id: name }} />` : mono(name)}`;
}

function who({ by, via }) {
  const how = html`<${Pill} title=${t('audit.via.help')}>${textOr(`audit.via.${via}`, via)}<//>`;
  return html`${foreign(by, 2)} ${via !== 'page' && how}`;
}

function columns() {
  return [
    column('audit.at', 'tight', ({ at }) => shortTime(at)),
    column('audit.by', '', who),
    column('audit.act', 'tight', ({ act }) => html`<b>${textOr(`audit.act.${act}`, act)}</b>`),
    column('audit.target', '', target),
    column('audit.reason', 'grow', ({ reason, details }) => html`${foreign(reason)}
      ${details && html`<p class="dim small">${foreign(details, 3)}</p>`}`),
  ];
}
