import { afterEach, beforeEach, expect, test } from 'vitest'

import type { Service } from './support/service.ts'
import { startService } from './support/service.ts'

let service: Service
beforeEach(async () => {
  service = await startService({ name: 'Acme & Söhne', signatureHeader: 'X-Test' })
})
afterEach(() => service.emulator.close())

const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(service.emulator.url, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })

test('the page escapes its contents and loads nothing', async () => {
  const page = await fetch(service.emulator.url)
  const text = await page.text()
  expect(text).toContain('Acme &amp; Söhne')
  expect(text).not.toContain('test-secret')
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; connect-src 'self'; img-src data:; form-action 'self'; /,
  )
})

test('its forms order faults, clear them and move the clock, each back to its place', async () => {
  const ordered = await submit({ do: 'fault', kind: 'truncated_download', times: '3', ms: '', at_byte: '7' })
  expect([ordered.status, ordered.headers.get('location')]).toEqual([303, '/#faults'])
  expect(await service.get('/_emulator/faults')).toEqual([{ kind: 'truncated_download', times: 3, at_byte: 7 }])
  expect((await submit({ do: 'clear' })).status).toBe(303)
  expect(await service.get('/_emulator/faults')).toEqual([])

  const now = async () => String((await service.get('/_emulator/clock'))['now']).slice(0, 13)
  const real = await now()
  const moved = await submit({ do: 'clock', now: '2031-05-06T07:08:09Z' })
  expect([moved.headers.get('location'), await now()]).toEqual(['/#clock', '2031-05-06T07'])
  await submit({ do: 'clock', now: '2031-05-06T07:08:09Z', days: '15' })
  expect(await now()).toBe('2031-05-21T07')
  await submit({ do: 'clock', now: '', days: '0' })
  expect((await now()).slice(0, 10)).toBe(real.slice(0, 10))
})

test.each([
  [{ do: 'fault', kind: 'earthquake' }, /No fault was scheduled: kind must be one of/],
  [{ do: 'fault', kind: 'drop', times: 'x' }, /No fault was scheduled: times must be/],
  [{ do: 'clock', now: 'soon' }, /The clock was not changed/],
  [{ do: 'clock', days: '99999999999' }, /The clock was not changed/],
  [{}, /Unknown form/],
])('%j is told on the page', async (fields, words) => {
  const answer = await submit(fields)
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(words)])
})

test('an unlisted callback is not sent, and the page reports it', async () => {
  const answer = await submit({ do: 'send', id: '7' })
  const words = /Nothing was sent: the callback is no longer listed/
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringMatching(words)])
})

test('a page from elsewhere cannot send its forms', async () => {
  const answer = await submit({ do: 'fault', kind: 'drop' }, { origin: 'http://evil.example' })
  expect([answer.status, await service.get('/_emulator/faults')]).toEqual([403, []])
})
