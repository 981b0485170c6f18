// @ts-check
import { databaseFacts } from '../api.js';
import { PageHead, Select, StagePill, STAGES } from '../components/basics.js';
import { ExportButton } from '../components/export.js';
import { Filters } from '../components/filters.js';
import { MessageList, useMessages } from '../components/message-list.js';
import { useOperation } from '../components/operation-dialog.js';
import { Empty } from '../components/states.js';
import { apiFilter, filterParts } from '../filter.js';
import { bounded } from '../format.js';
import { vital } from '../pulse.js';
import { refine, route } from '../router.js';
import { html, t, useCell, useEffect, useState } from '../view.js';

const MORE = ['type', 'businessType', 'businessKey', 'createdBy', 'attemptsMin', 'reasonHas'];
const EVERY_LIMIT = 10;

/** Messages of one stage, or of every stage for somebody who searches one. */
export function Messages() {
  const now = useCell(route);
  const parts = filterParts(now);
  const stages = availableStages();
  const stage = now.params.stage === 'every' || stages.includes(now.params.stage) ? now.params.stage : 'waiting';
  const order = now.params.order === 'oldest' ? 'oldest' : 'newest';
  return html`<${PageHead} title=${t('page.messages')} lead=${t(stage === 'every' ? 'messages.every.what' : `stage.${stage}.help`)} />
    <${StageTabs} stage=${stage} stages=${stages} />
    <${Filters} main=${['destination', 'key']} more=${MORE} blocks>
      <${Select} label=${t('order')} value=${order} onChange=${(name) => refine({ order: name })}
        options=${[['newest', t('order.newest')], ['oldest', t('order.oldest')]]} /><//>
    ${stage === 'every' ? html`<${EveryStage} key=${JSON.stringify(parts)} stages=${stages} parts=${parts} order=${order} />`
      : html`<${OneStage} key=${stage} stage=${stage} parts=${parts} order=${order} />`}`;
}

function availableStages() {
  const facts = databaseFacts();
  return Object.keys(STAGES).filter((stage) => (stage !== 'sent' || facts?.history)
    && (stage !== 'unconfirmed' || facts?.features?.includes('confirmation')));
}

function StageTabs({ stage, stages }) {
  const { pulse } = useCell(vital);
  return html`<div class="tabs" role="group" aria-label=${t('stage')}>${[...stages, 'every'].map((each) => html`
    <button type="button" key=${each} aria-pressed=${String(each === stage)} onClick=${() => refine({ stage: each })}
      title=${t(each === 'every' ? 'messages.every.what' : `stage.${each}.help`)}>${t(`stage.${each}`)}
      ${pulse?.[each] && html`<span class="tab-count">${bounded(pulse[each])}</span>`}</button>`)}</div>`;
}

function OneStage({ stage, parts, order }) {
  const pages = useMessages(stage, () => apiFilter(parts), [parts], { order });
  const [begin, dialog] = useOperation();
  return html`<section class="card"><div class="acts"><${ExportButton} stage=${stage} order=${order} makeFilter=${() => apiFilter(parts)} /></div>
    <${MessageList} pages=${pages} stage=${stage} filtered=${Object.keys(parts).length > 0}
      empty=${html`<${Empty} good=${stage !== 'sent'} title=${t(`stage.${stage}.none`)} text=${t(`stage.${stage}.none.text`)} />`}
      onAll=${(kind) => begin(kind, [{ title: t(`stage.${stage}`), filter: apiFilter(parts) }])} /></section>
    ${dialog}`;
}

/** Searches the stages one after the other, as the server answers few questions at a time. */
function EveryStage({ stages, parts, order }) {
  const [reached, setReached] = useState(1);
  if (Object.keys(parts).length === 0) {
    return html`<section class="card"><${Empty} title=${t('messages.every.narrow')} text=${t('messages.every.narrow.text')} /></section>`;
  }
  return html`${stages.slice(0, reached).map((stage, index) => html`<${StageSection} key=${stage} stage=${stage} parts=${parts} order=${order}
    onReady=${() => setReached((n) => Math.max(n, index + 2))} />`)}`;
}

function StageSection({ stage, parts, order, onReady }) {
  const pages = useMessages(stage, () => apiFilter(parts), [parts], { order, limit: EVERY_LIMIT });
  const isReady = !pages.loading;
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady]);
  const isBare = pages.data && pages.items.length === 0 && !pages.next;
  return html`<section class=${`card ${isBare ? 'bare' : ''}`}><h2 class="stage-head"><${StagePill} stage=${stage} />
      ${isBare && html`<span class="dim">${t('messages.every.none')}</span>`}</h2>
    ${!isBare && html`<${MessageList} pages=${pages} stage=${stage} filtered empty=${null} />`}</section>`;
}
