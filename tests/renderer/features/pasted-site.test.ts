import { expect, it } from 'vitest'

import { readPasted } from '../../../src/renderer/features/sites/pasted-site.ts'

const url = 'https://editor.example.com/integration'
const key = 'pk_live_7f3a'
const secret = 's3cr+t/with=signs=='
const all = { baseUrl: url, apiKey: key, secret }

/** The same three values in the shapes in which services send them. */
const shapes: Readonly<Record<string, string>> = {
  'lines with colons': `Service URL: ${url}\nAPI key: ${key}\nSecret: ${secret}`,
  'another order, with equals signs': `secret = ${secret}\nurl = ${url}\nkey = ${key}`,
  'environment lines': `GALLEY_SECRET=${secret}\nexport GALLEY_API_KEY="${key}"\nBASE_URL=${url}`,
  'JSON with snake case': JSON.stringify({ api_key: key, api_secret: secret, base_url: url }, null, 2),
  'JSON in a mail, nested, camel case': `Here you are:\n${JSON.stringify({ dev: { apiKey: key, apiSecret: secret, baseUrl: url } })}\nBye`,
  YAML: `integration:\n  url: ${url}\n  api_key: '${key}'\n  secret: "${secret}"`,
  'Markdown list': `- **API key:** \`${key}\`\n- **Secret:** \`${secret}\`\n- **Endpoint:** <${url}>`,
  'Markdown table with a row for each': `| Name | Value |\n|---|---|\n| API key | ${key} |\n| Secret key | ${secret} |\n| URL | ${url} |`,
  'Markdown table with a column for each': `| URL | API key | Secret |\n|---|:-:|---|\n| ${url} | ${key} | ${secret} |`,
  'table copied from a page': `URL\t${url}\nKey\t${key}\nSecret\t${secret}`,
  'table with a head, copied from a page': `Service URL\tAPI key\tSecret\n${url}\t${key}\t${secret}`,
  'names above their values': `Service URL\n${url}\n\nAPI key\n${key}\n\nAPI secret\n${secret}\n`,
  'sentences of a mail': `Hello,\n\nyour API key is ${key} and the secret is ${secret} - keep both safe.\nThe service is at ${url}.\n\nRegards`,
  'a quoted mail': `> Your API key: ${key}\n> Secret: ${secret}\n> Base URL: ${url}\n`,
  Russian: `Адрес сервиса: ${url}\nAPI-ключ: ${key}\nСекретный ключ: ${secret}`,
  'a Russian sentence': `Ключ API — ${key}, секрет — ${secret}. Сервис работает по адресу ${url}`,
  'Windows line ends': `URL: ${url}\r\nAPI key: ${key}\r\nSecret: ${secret}\r\n`,
  CSV: `url,key,secret\n${url},${key},${secret}`,
}

it.each(Object.entries(shapes))('recognises URL, key and secret: %s', (_, text) => {
  expect(readPasted(text)).toEqual({ fields: all, several: [] })
})

it('a callback URL is not the URL of the service', () => {
  const callback = 'https://hooks.example.com/callback/acme'
  expect(readPasted(`Callback URL: ${callback}\nURL: ${url}`).fields).toEqual({ callbackUrl: callback, baseUrl: url })
  expect(readPasted(`${callback}\n${url}`).fields).toEqual({ callbackUrl: callback, baseUrl: url })
})

it('of two environments the first is used, and the other is mentioned', () => {
  const text = `Production\nAPI key: one\nSecret: first\nURL: ${url}\n\nTest\nAPI key: two\nSecret: second`
  expect(readPasted(text)).toEqual({
    fields: { baseUrl: url, apiKey: 'one', secret: 'first' },
    several: ['apiKey', 'secret'],
  })
})

it.each([
  ['prose', 'We will send the API key and the secret next week. Keep them in a safe place.'],
  ['values that were left out', 'API key: ********\nSecret: <your secret>\nURL: see below'],
  ['a heading', 'API key and secret:\nboth follow by post'],
  ['other words', 'Keyboard: qwerty\nMonkey: banana\nSecretary: Ann'],
  ['broken JSON', '{"api'],
  ['nothing', ''],
])('recognises nothing in %s', (_, text) => {
  expect(readPasted(text)).toEqual({ fields: {}, several: [] })
})

it('a secret with spaces is taken from its quotes, and one with quotes from JSON', () => {
  expect(readPasted('SECRET="two words"').fields).toEqual({ secret: 'two words' })
  expect(readPasted(JSON.stringify({ secret: 'a "b" c' })).fields).toEqual({ secret: 'a "b" c' })
})

it('of a long text, the beginning is read', () => {
  expect(readPasted(`Secret: ${secret}\n${'key '.repeat(5_000)}\nAPI key: ${key}`).fields).toEqual({ secret })
})
