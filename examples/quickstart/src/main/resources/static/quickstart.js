'use strict';

const LANE_CELLS = 60;
const byId = id => document.getElementById(id);
const stored = name => { try { return localStorage.getItem(name); } catch { return null; } };
const store = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private window */ } };

let language = stored('language') || (navigator.language.startsWith('zh') ? 'zh' : 'en');
let theme = stored('theme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
let state = null;

const text = name => TEXTS[language][name];
const figure = n => n.toLocaleString(language === 'zh' ? 'zh-CN' : 'en');
const setText = (id, value) => { const e = byId(id); if (e.textContent !== value) e.textContent = value; };

function translate() {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  document.querySelectorAll('[data-text]').forEach(e => { e.textContent = text(e.dataset.text); });
  document.querySelectorAll('[data-label]').forEach(e => { e.ariaLabel = e.title = text(e.dataset.label); });
  byId('language').textContent = language === 'zh' ? 'English' : '中文';
  if (state) show();
}

function showVerdict() {
  const { placed, booked, pending, dead, outOfOrder } = state.counts;
  const missing = placed - booked;
  const wrong = dead > 0 || outOfOrder > 0 || missing < 0;
  byId('verdict').className = 'verdict' + (wrong ? ' wrong' : missing > 0 ? ' moving' : '');
  setText('sign', missing === 0 ? '=' : '≠');
  setText('placed', figure(placed));
  setText('booked', figure(booked));
  setText('booked-again', figure(booked));
  const down = state.servers.brokerState !== 'RUNNING';
  setText('sentence',
    wrong ? text('wrong')
      : placed === 0 ? text('nothingYet')
      : missing === 0 ? text('allThere')
      : down ? text('brokerDown')(figure(pending))
      : !state.relay.healthy ? text('relayDown')(figure(pending))
      : text('onTheWay')(figure(missing)));
}

function showWay() {
  const { servers, relay, counts } = state;
  const up = servers.brokerState === 'RUNNING';
  setText('database', servers.database);
  setText('pending', figure(counts.pending));
  setText('partitions', figure(relay.partitions));
  setText('circuit', relay.healthy ? text({ CLOSED: 'closed', OPEN: 'open', HALF_OPEN: 'halfOpen' }[relay.circuit]) : text('unhealthy'));
  byId('circuit-lamp').className = 'lamp ' + (relay.healthy ? relay.circuit : 'OPEN');
  setText('broker-title', servers.broker);
  setText('broker-state', text(servers.brokerState));
  document.querySelector('.broker').classList.toggle('down', !up);
  document.querySelectorAll('[data-broker]').forEach(b => {
    b.disabled = servers.brokerState !== (b.dataset.broker === 'start' ? 'STOPPED' : 'RUNNING');
  });
  document.querySelector('[data-relay=stop]').hidden = !relay.running;
  document.querySelector('[data-relay=start]').hidden = relay.running;
  byId('broker-error').hidden = !servers.brokerError;
  setText('broker-error', servers.brokerError || '');
  const moving = counts.placed > counts.booked;
  byId('road-relay').className = 'road' + (relay.running ? (moving && up ? ' busy' : '') : ' cut');
  byId('road-broker').className = 'road' + (up ? (moving && relay.running ? ' busy' : '') : ' cut');
  byId('road-stock').className = byId('road-broker').className;
}

function showTiles() {
  for (const name of ['sent', 'rolledBack', 'duplicates', 'outOfOrder', 'parked', 'dead']) {
    setText(name, figure(state.counts[name]));
  }
  for (const name of ['outOfOrder', 'dead']) {
    byId(name).parentElement.classList.toggle('bad', state.counts[name] > 0);
  }
}

/* Cells are kept and recoloured, so that a change is seen as a change. */
function showLanes() {
  const box = byId('lanes');
  state.lanes.forEach((lane, index) => {
    let row = box.children[index];
    if (!row) {
      row = document.createElement('div');
      row.className = 'lane';
      row.append(document.createElement('span'), document.createElement('div'));
      row.lastChild.className = 'cells';
      for (let i = 0; i < LANE_CELLS; i++) row.lastChild.append(document.createElement('i'));
      box.append(row);
    }
    row.firstChild.textContent = lane.customer;
    Array.from(row.lastChild.children).forEach((cell, i) => {
      const step = lane.steps[i] || '';
      if (cell.className !== step) cell.className = step;
      cell.title = step ? `${lane.customer} #${lane.first + i}: ${text('step' + step)}` : '';
    });
  });
}

function cell(content, kind) {
  const td = document.createElement('td');
  if (kind) td.className = kind;
  td.append(...[].concat(content));
  return td;
}

function track(step) {
  const dots = document.createElement('span');
  dots.className = 'track';
  const reached = 'PSR'.indexOf(step);
  for (let i = 0; i < 3; i++) {
    const dot = document.createElement('i');
    if (i <= reached) dot.className = step;
    dots.append(dot);
  }
  return dots;
}

function showRecent() {
  const millis = n => n === null ? '–' : n < 10000 ? `${figure(n)} ms` : `${figure(Math.round(n / 1000))} s`;
  byId('empty').hidden = state.recent.length > 0;
  byId('recent').replaceChildren(...state.recent.map(order => {
    const row = document.createElement('tr');
    row.append(
      cell(`${order.customer} #${order.number}`),
      cell(`${order.quantity} × ${text(order.item) || order.item}`),
      cell([track(order.step), text('step' + order.step)]),
      cell(millis(order.sentMillis), 'right'),
      cell(millis(order.receivedMillis), 'right'));
    return row;
  }));
}

function show() {
  showVerdict();
  showWay();
  showTiles();
  showLanes();
  showRecent();
}

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body || {}),
  });
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    throw new Error(problem.detail || `HTTP ${answer.status}`);
  }
}

async function place(button, send, count) {
  button.disabled = true;
  const rollBack = byId('form').rollBack.checked;
  const answer = byId('form-answer');
  try {
    await send(rollBack);
    answer.className = 'hint';
    answer.textContent = text(rollBack ? 'doneRolledBack' : 'done')(count);
  } catch (problem) {
    answer.className = 'hint error';
    answer.textContent = problem.message;
  } finally {
    button.disabled = false;
  }
}

byId('form').addEventListener('submit', event => {
  event.preventDefault();
  const form = event.target;
  const order = { customer: form.customer.value, item: form.item.value, quantity: Number(form.quantity.value) };
  place(event.submitter || form.querySelector('[type=submit]'),
    rollBack => post(rollBack ? 'demo/failing-order' : 'api/orders', order), 1);
});
byId('many').addEventListener('click', event =>
  place(event.target, rollBack => post('demo/orders', { count: 100, rollBack }), 100));
document.querySelectorAll('[data-broker]').forEach(button => button.addEventListener('click', () => {
  document.querySelectorAll('[data-broker]').forEach(b => { b.disabled = true; });
  post(`demo/broker/${button.dataset.broker}`).catch(problem => {
    byId('broker-error').hidden = false;
    setText('broker-error', problem.message);
  });
}));
document.querySelectorAll('[data-relay]').forEach(button => button.addEventListener('click', () => {
  button.disabled = true;
  post(`demo/relay/${button.dataset.relay}`).finally(() => { button.disabled = false; });
}));
byId('language').addEventListener('click', () => {
  language = language === 'zh' ? 'en' : 'zh';
  store('language', language);
  translate();
});
byId('theme').addEventListener('click', () => {
  theme = theme === 'dark' ? 'light' : 'dark';
  store('theme', theme);
  document.documentElement.dataset.theme = theme;
});

/* The browser reconnects by itself; silence means that the program is gone. */
let silence;
function listen() {
  clearTimeout(silence);
  silence = setTimeout(() => { byId('offline').hidden = false; }, 5000);
}
function connect() {
  const events = new EventSource('demo/events');
  events.onmessage = event => {
    state = JSON.parse(event.data);
    byId('offline').hidden = true;
    listen();
    show();
  };
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
  };
}

document.documentElement.dataset.theme = theme;
translate();
listen();
connect();
