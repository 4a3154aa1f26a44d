import { expect, test } from 'vitest'

import { createTestGalley } from '../../support/test-galley.ts'

test('pauses are read with their scope, and watchers of the library are notified', async () => {
  const { galley } = await createTestGalley({ listen: false })
  const [acme] = galley.index.sites.list()
  if (acme === undefined) throw new Error('The test site is missing')
  galley.index.sites.put({ ...acme, id: 'harbour', name: 'Harbour' })
  let told = 0
  const stop = galley.changes.watch(() => (told += 1))
  const reach = () => galley.pauses.read().reach
  expect(galley.pauses.read()).toEqual({ reach: 'none', pauses: [] })

  await galley.pauses.pause('acme', ' a frozen page ')
  expect(galley.pauses.read()).toMatchObject({
    reach: 'some',
    pauses: [{ site: { id: 'acme', name: 'Acme' }, reason: 'a frozen page' }],
  })
  await galley.pauses.pause('harbour', '')
  expect(reach()).toBe('all')
  await galley.pauses.pause(null, '')
  expect(galley.pauses.read().pauses.map(({ site }) => site?.id ?? null)).toEqual([null, 'acme', 'harbour'])
  for (const site of ['acme', 'harbour']) await galley.pauses.resume(site)
  expect(reach()).toBe('all')
  await galley.pauses.resume(null)
  expect(reach()).toBe('none')
  expect(told).toBe(6)
  stop()
})
