import { expect, it } from 'vitest'

import { defaultSettings } from '../../../src/contract/ipc/settings.ts'
import { createFirstRun } from '../../../src/renderer/features/first-run/store.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'

it('begins on an empty library that was never welcomed, and on no other', async () => {
  const shown = async (welcomed: boolean, hasSites: boolean) => {
    const fake = createFakeBridge(0)
    fake.answers.readSettings = () => ({ ...defaultSettings, welcomed })
    const useFirstRun = createFirstRun(fake.bridge)
    await useFirstRun.getState().begin(hasSites)
    return useFirstRun.getState().phase
  }
  expect(await shown(false, false)).toBe('shown')
  expect(await shown(true, false)).toBe('over')
  expect(await shown(false, true)).toBe('over')
})

it('goes on step by step and is over after the last one, for good', async () => {
  const fake = createFakeBridge(0)
  const useFirstRun = createFirstRun(fake.bridge)
  await useFirstRun.getState().begin(false)
  for (let step = 0; step < 4; step += 1) useFirstRun.getState().next()
  expect(useFirstRun.getState()).toMatchObject({ step: 'session', phase: 'shown' })
  useFirstRun.getState().next()
  expect(useFirstRun.getState().phase).toBe('over')
  expect(fake.called).toContain('changeSettings')
})

it('a sample that does not start says so and can be tried again', async () => {
  const fake = createFakeBridge(0)
  const useFirstRun = createFirstRun(fake.bridge)
  await useFirstRun.getState().begin(false)
  fake.answers.startTryIt = () => ({ ok: false, failure: { code: 'try_it_failed', message: '' } })
  await useFirstRun.getState().startTryIt()
  expect(useFirstRun.getState()).toMatchObject({ phase: 'shown', tryIt: { kind: 'failed' } })
  fake.answers.startTryIt = () => ({ ok: true, value: { kind: 'starting' } })
  await useFirstRun.getState().startTryIt()
  expect(useFirstRun.getState()).toMatchObject({ phase: 'over', tryIt: { kind: 'told' } })
})

it('a test that main could not make is told as a problem', async () => {
  const fake = createFakeBridge(0)
  const useFirstRun = createFirstRun(fake.bridge)
  fake.answers.probeKeychain = () => Promise.reject(new Error('fault'))
  await useFirstRun.getState().testKeychain()
  expect(useFirstRun.getState().keychain).toMatchObject({ kind: 'failed', problem: { code: 'unexpected' } })
  fake.answers.probeKeychain = () => 'locked'
  await useFirstRun.getState().testKeychain()
  expect(useFirstRun.getState().keychain).toEqual({ kind: 'told', value: 'locked' })
})
