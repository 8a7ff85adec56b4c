// The script of the reference page: shows the forms, and sends their requests to where the page came from, with the token
// that is in the field at that moment. It keeps nothing.

const root = new URL(document.documentElement.dataset.root, location.href);
const credential = document.getElementById('credential');

for (const part of document.querySelectorAll('.credential, .filter, .try')) part.hidden = false;
for (const code of document.querySelectorAll('.curl code'))
  code.textContent = code.textContent.replace('$BRANDPORT_URL', root.href.replace(/\/$/, ''));
for (const form of document.querySelectorAll('.try form')) prepare(form);
document.querySelector('.credential').addEventListener('submit', (event) => event.preventDefault());

const filter = document.getElementById('filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const group of document.querySelectorAll('nav .group')) {
    for (const item of group.querySelectorAll('li')) {
      const text = `${item.textContent} ${item.firstElementChild.hash}`.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
    }
    group.hidden = group.querySelector('li:not([hidden])') === null;
  }
});

function prepare(form) {
  const { operation } = form.dataset;
  const idempotencyKey = form.elements['Idempotency-Key'];
  const renewKey = () => {
    if (idempotencyKey) idempotencyKey.value = `${operation}-${Date.now()}`;
  };
  renewKey();
  const contentType = form.querySelector('[data-in="content-type"]');
  contentType?.addEventListener('change', () => {
    form.querySelector('[data-in="body"]').value = contentType.selectedOptions[0].dataset.example;
  });
  let isSending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    const answer = form.nextElementSibling;
    const key = idempotencyKey?.value;
    try {
      const response = await send(form);
      show(answer, response);
      // A key belongs to one write. One that was typed in stays, so that a replay can be tried.
      if (response.ok && key?.startsWith(`${operation}-`)) renewKey();
    } catch (error) {
      show(answer, { title: `No response: ${error.message}`, headers: '', body: '' });
    } finally {
      isSending = false;
    }
  });
}

/** Sends the request that a form describes. Fields that are empty are not sent. */
async function send(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = new Headers();
  if (credential.value.trim() !== '') headers.set('authorization', `Bearer ${credential.value.trim()}`);
  let body;
  for (const field of form.querySelectorAll('[data-in]')) {
    const { name, value } = field;
    const place = field.dataset.in;
    if (value === '') continue;
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query') query.set(name, value);
    else if (place === 'header') headers.set(name, value);
    else if (place === 'body') body = value;
    else if (form.querySelector('[data-in="body"]').value !== '') headers.set('content-type', value);
  }
  const url = new URL(path.slice(1), root);
  url.search = query;
  const began = performance.now();
  const { method } = form.dataset;
  const response = await fetch(url, { method, headers, body, cache: 'no-store', credentials: 'omit' });
  const text = await response.text();
  const duration = Math.round(performance.now() - began);
  return {
    ok: response.ok,
    // HTTP/2 has no status text.
    title: `${`${response.status} ${response.statusText}`.trim()} in ${duration} ms`,
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: indented(text),
  };
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(answer, { title, headers, body }) {
  const parts = [element('p', element('strong', title))];
  if (body !== '') parts.push(element('pre', element('code', body)));
  if (headers !== '') {
    parts.push(element('details', element('summary', 'Response headers'), element('pre', headers)));
  }
  answer.replaceChildren(...parts);
}

function element(name, ...children) {
  const created = document.createElement(name);
  created.append(...children);
  return created;
}
