import { expect, it } from 'vitest'

import { defaultSettings } from '../../../packages/library/views/settings.ts'
import { sampleCommand } from '../../../src/renderer/features/first-run/commands.ts'
import { createFirstRun } from '../../../src/renderer/features/first-run/store.ts'
import { createToasts } from '../../../src/renderer/ui/toasts.tsx'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'

it('starts only on an empty library whose setup was never completed', async () => {
  const shown = async (welcomed: boolean, hasSites: boolean) => {
    const fake = createFakeBridge(0)
    fake.answers.readSettings = () => ({ ...defaultSettings, welcomed })
    const firstRun = createFirstRun(fake.bridge)
    await firstRun.getState().begin(hasSites)
    return firstRun.getState().phase
  }
  expect(await shown(false, false)).toBe('shown')
  expect(await shown(true, false)).toBe('over')
  expect(await shown(false, true)).toBe('over')
})

it('goes step by step and ends for good after the last one', async () => {
  const fake = createFakeBridge(0)
  const firstRun = createFirstRun(fake.bridge)
  await firstRun.getState().begin(false)
  for (let step = 0; step < 4; step += 1) firstRun.getState().next()
  expect(firstRun.getState()).toMatchObject({ step: 'session', phase: 'shown' })
  firstRun.getState().next()
  expect(firstRun.getState().phase).toBe('over')
  expect(fake.called).toContain('changeSettings')
})

it('a demo that fails to start reports it and can be retried', async () => {
  const fake = createFakeBridge(0)
  const firstRun = createFirstRun(fake.bridge)
  await firstRun.getState().begin(false)
  fake.answers.startTryIt = () => ({ ok: false, failure: { code: 'try_it_failed' } })
  await firstRun.getState().startTryIt()
  expect(firstRun.getState()).toMatchObject({ phase: 'shown', tryIt: { kind: 'failed' } })
  fake.answers.startTryIt = () => ({ ok: true, value: { kind: 'starting' } })
  await firstRun.getState().startTryIt()
  expect(firstRun.getState()).toMatchObject({ phase: 'over', tryIt: { kind: 'done' } })
})

it('the command says why the sample did not start', async () => {
  const fake = createFakeBridge(0)
  const toasts = createToasts()
  const texts = createTexts('en')
  const heard: unknown[] = []
  toasts[' subscribe']((each) => void heard.push(each))
  fake.answers.startTryIt = () => ({ ok: false, failure: { code: 'try_it_failed' } })
  sampleCommand({ texts, toasts }, createFirstRun(fake.bridge)).run()
  await expect.poll(() => heard).toMatchObject([{ action: 'add', options: { type: 'error' } }])
})

it('a test that main could not run is reported as a problem', async () => {
  const fake = createFakeBridge(0)
  const firstRun = createFirstRun(fake.bridge)
  fake.answers.probeKeychain = () => Promise.reject(new Error('fault'))
  await firstRun.getState().testKeychain()
  expect(firstRun.getState().keychain).toMatchObject({ kind: 'failed', problem: { code: 'unexpected' } })
  fake.answers.probeKeychain = () => 'locked'
  await firstRun.getState().testKeychain()
  expect(firstRun.getState().keychain).toEqual({ kind: 'done', value: 'locked' })
})
