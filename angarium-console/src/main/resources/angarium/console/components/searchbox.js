// @ts-check
import { isMessageId } from '../format.js';
import { open } from '../router.js';
import { cell } from '../cell.js';
import { Icon } from './icons.js';
import { html, t, useCell, useState } from '../view.js';

/** Destinations that answers have named; the box suggests them without a query of its own. */
const suggestions = cell(/** @type {string[]} */ ([]));
const SUGGESTIONS_MAX = 50;

/** Remembers destinations as suggestions. */
export function suggest(destinations) {
  const all = [...new Set([...destinations, ...suggestions.get()])].slice(0, SUGGESTIONS_MAX);
  if (all.length !== suggestions.get().length) suggestions.set(all);
}

/**
 * Reads what somebody typed into the search box.
 * @returns {{fault?: string, page?: string, params?: any, hidden?: any}}
 */
export function readSearch(typed) {
  const text = typed.trim();
  if (isMessageId(text)) return { page: 'message', params: { id: text.toLowerCase() } };
  if (/^[0-9a-f]{8}-[0-9a-f-]*$/i.test(text)) return { fault: t('search.partOfId') };
  const named = /^(type|business|half|key):\s*(.+)$/.exec(text);
  if (named) return readNamed(named[1], named[2]);
  const pair = /^([a-z][\w.+-]*:\S+)(?:\s+(.+))?$/i.exec(text);
  if (pair?.[2]) return { page: 'key', hidden: { destination: pair[1], key: pair[2] } };
  if (pair) return { page: 'messages', params: { destination: pair[1] } };
  return { page: 'messages', params: { stage: 'every' }, hidden: { key: text } };
}

function readNamed(name, value) {
  if (name === 'type') return { page: 'messages', params: { stage: 'every', type: value } };
  if (name === 'key') return { page: 'messages', params: { stage: 'every' }, hidden: { key: value } };
  const [type, key] = value.includes('/') ? [value.slice(0, value.indexOf('/')), value.slice(value.indexOf('/') + 1)]
    : value.split(/\s+/, 2);
  if (name === 'half') return { page: 'half', hidden: { business: type, halfKey: key ?? '' } };
  return key ? { page: 'messages', params: { stage: 'every', businessType: type }, hidden: { businessKey: key } }
    : { page: 'messages', params: { stage: 'every' }, hidden: { businessKey: type } };
}

/** The search box of the frame. */
export function SearchBox() {
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const known = useCell(suggestions);
  const submit = (event) => {
    event.preventDefault();
    if (!text.trim()) return;
    const found = readSearch(text);
    setFault(found.fault ?? '');
    if (found.page) {
      open(found.page, found.params, found.hidden);
      setText('');
    }
  };
  return html`<form class="search" role="search" onSubmit=${submit}>
    <${Icon} name="search" />
    <input id="search" type="search" value=${text} list="suggestions" placeholder=${t('search.placeholder')} aria-label=${t('search')}
      title=${t('search.help')} autocomplete="off" spellcheck="false" aria-describedby=${fault ? 'search-fault' : undefined}
      onInput=${(event) => {
        setText(event.currentTarget.value);
        setFault('');
      }} onBlur=${() => setFault('')} /><kbd aria-hidden="true">/</kbd>
    <datalist id="suggestions">${known.map((each) => html`<option key=${each} value=${each} />`)}</datalist>
    ${fault && html`<p class="search-fault" id="search-fault" role="alert">${fault}</p>`}</form>`;
}
