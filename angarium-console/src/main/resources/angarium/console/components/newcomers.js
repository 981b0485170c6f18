// @ts-check
import { countOf, number } from '../format.js';
import { vital } from '../pulse.js';
import { clock } from '../time.js';
import { Icon } from './icons.js';
import { html, t, useCell, useEffect, useRef } from '../view.js';

/**
 * Announces dead letters that came after a list was read, instead of moving the list. Acts of this
 * page read the list anew and so do not count.
 */
export function Newcomers({ load }) {
  const { pulse } = useCell(vital);
  const known = useRef({ at: 0, count: 0 });
  useEffect(() => {
    known.current = { at: load.at, count: countOf(vital.get().pulse?.dead) };
  }, [load.at]);
  const latest = pulse?.latestDeath ? Date.parse(pulse.latestDeath) : 0;
  if (!load.at || latest <= load.at || known.current.at !== load.at) return null;
  const more = countOf(pulse.dead) - known.current.count;
  return html`<button type="button" class="newcomers" onClick=${load.again}><${Icon} name="refresh" />
    ${more > 0 && !pulse.dead.atLeast ? t('new.count', number(more)) : t('new.since', clock(load.at))}</button>`;
}
