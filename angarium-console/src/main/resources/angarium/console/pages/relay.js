// @ts-check
import { ago, Choice, Fold, mono, PageHead } from '../components/basics.js';
import { Heat } from '../components/heat.js';
import { Circuits, Nodes } from '../components/nodes.js';
import { Loaded, ReadAt } from '../components/states.js';
import { column, Table } from '../components/table.js';
import { bounded } from '../format.js';
import { useGet } from '../load.js';
import { html, t, useState } from '../view.js';

/** Who sends messages: nodes, destinations that do not take any, and the partitions that each node relays. */
export function RelayPage() {
  const [by, setBy] = useState('waiting');
  const load = useGet('relay', { every: 5000 });
  const ways = ['waiting', 'oldest', 'owner'].map((name) => [name, t(`relay.by.${name}`), t(`relay.by.${name}.help`)]);
  return html`<${PageHead} title=${t('page.relay')} lead=${t('relay.what')} />
    <${Loaded} load=${load}>${({ nodes, partitions, circuits }) => html`<${Nodes} nodes=${nodes} />
      ${circuits && html`<${Circuits} circuits=${circuits} />`}
      <section class="card"><div class="page-head"><h2 class="grow">${t('relay.partitions', partitions.length)}</h2>
        <${Choice} label=${t('relay.colour')} value=${by} onChange=${setBy} options=${ways} /></div>
        <${Heat} partitions=${partitions} by=${by} /><${Fold} summary=${t('relay.table')}>
          <${Table} label=${t('relay.table')} columns=${partitionColumns()} rows=${partitions}
            rowKey=${({ partition }) => String(partition)} tone=${({ live }) => (live ? '' : 'free')} /><//></section>
      <${ReadAt} load=${load} />`}<//>`;
}

function owner({ node, live }) {
  if (live) return mono(node);
  return html`<span class="bad">${node ? html`${mono(node)} · ${t('node.silent')}` : t('heat.nobody')}</span>`;
}

function partitionColumns() {
  return [
    column('relay.partition', 'num', ({ partition }) => partition),
    column('relay.waiting', 'num', ({ waiting }) => bounded(waiting)),
    column('relay.oldest', 'tight', ({ oldest }) => ago(oldest)),
    column('node', '', owner),
    column('relay.epoch', 'num', ({ epoch }) => epoch),
  ];
}
