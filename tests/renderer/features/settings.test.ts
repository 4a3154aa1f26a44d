import { beforeEach, describe, expect, it } from 'vitest'

import type { ListenerState } from '../../../packages/library/records/listener-state.ts'
import type { Task } from '../../../packages/library/views/tasks.ts'
import { fail, ok } from '../../../packages/wire/result.ts'
import { createFirstRun } from '../../../src/renderer/features/first-run/store.ts'
import { createHealth } from '../../../src/renderer/features/health/store.ts'
import { createErase, createPrune, provideErase } from '../../../src/renderer/features/settings/deletion.ts'
import { limitedForm, limitsOf, wrongFields } from '../../../src/renderer/features/settings/limits-draft.ts'
import { PeopleForm } from '../../../src/renderer/features/settings/people-form.tsx'
import { createSiteList } from '../../../src/renderer/features/settings/sites-store.ts'
import { wholeNumber } from '../../../src/renderer/features/settings/whole-number.ts'
import { createSites, onSiteChange } from '../../../src/renderer/features/sites/store.ts'
import { createDrafts, provideDrafts } from '../../../src/renderer/stores/drafts.ts'
import { called, handle, live } from '../support/called.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { aSite } from '../support/sample-data.ts'
import { createServices, emptyStorage } from '../support/services.ts'

beforeEach(() => void emptyStorage())

it.each([
  ['', null],
  [' 12 ', 12],
  ['0', 'wrong'],
  ['101', 'wrong'],
  ['1.5', 'wrong'],
  ['ten', 'wrong'],
])('a field for a whole number from 1 to 100 reads %j as %j', (text, value) => {
  expect(wholeNumber(text, 1, 100)).toBe(value)
})

describe('the limits of a site', () => {
  const site = { ...aSite(), publish: { kind: 's3', bucket: 'media', prefix: 'a/b' } } as const

  it('are entered in MB and seconds and sent in bytes and milliseconds, without a secret', () => {
    const draft = { ...limitsOf(site), maxContentMb: '1,5', requestSeconds: '30' }
    expect(draft).toMatchObject({ publish: 's3', place: 'media/a/b' })
    expect(wrongFields(draft)).toEqual([])
    expect(limitedForm(site, draft)).toMatchObject({
      maxContentBytes: 1_572_864,
      requestTimeoutMs: 30_000,
      publish: 's3:media/a/b',
      secret: null,
    })
  })

  it('send the location of a bucket and only new keys', () => {
    const draft = { ...limitsOf(site), endpoint: ' https://s3.example ', isPublicChecked: false }
    expect(limitedForm(site, draft)).toMatchObject({
      s3Endpoint: 'https://s3.example',
      s3Region: null,
      publicCheck: 'off',
    })
    expect('bucketKeys' in limitedForm(site, draft)).toBe(false)
    expect(limitedForm(site, { ...draft, areKeysForgotten: true }).bucketKeys).toBeNull()
    const typed = { ...draft, keyId: ' id ', keySecret: 'secret\n' }
    expect(limitedForm(site, typed).bucketKeys).toEqual({ id: 'id', secret: 'secret' })
    expect(limitedForm(site, { ...typed, publish: 'listener' })).not.toHaveProperty('bucketKeys')
    expect(wrongFields({ ...typed, keyId: '' })).toEqual(['keyId'])
    expect(wrongFields({ ...typed, keySecret: '' })).toEqual(['keySecret'])
  })

  it('name the fields without a positive number', () => {
    expect(wrongFields({ ...limitsOf(site), maxContentMb: '0', downloadSeconds: '' })).toEqual([
      'maxContentMb',
      'downloadSeconds',
    ])
  })
})

const report = { isDryRun: true, versions: 2, files: 2, bytes: 10, list: [], protected: {} }
const ended = (kind: Task['kind'], result: object): Task =>
  ({ id: 'one', kind, facts: {}, startedAt: '', endedAt: '', progress: null, end: { kind: 'done', result } }) as Task

it('deletes by the previewed retention only, and not after a change', async () => {
  const fake = createFakeBridge(0)
  const asked: boolean[] = []
  fake.answers.startPrune = ({ isDryRun }) => {
    asked.push(isDryRun)
    return ok({ task: 'one' })
  }
  fake.answers.listTasks = () => [ended('prune', { ...report, isDryRun: asked.at(-1) })]
  fake.answers.dismissTask = () => null
  const pruning = createPrune(fake.bridge)
  const { preview, run, reset } = pruning.getState()
  await run()
  expect(asked).toEqual([])
  await preview({ keepVersions: 3, keepDays: null })
  reset()
  await run()
  expect(asked).toEqual([true])
  await preview({ keepVersions: 3, keepDays: null })
  await run()
  expect(asked).toEqual([true, true, false])
  expect(pruning.getState().deletion.kind).toBe('done')
})

it.each([
  [true, undefined],
  [false, 'midway'],
])('a cancelled deletion (a dry run: %s) says whether some files were deleted', async (isDryRun, state) => {
  const fake = createFakeBridge(0)
  fake.answers.startPrune = () => ok({ task: 'one' })
  fake.answers.listTasks = () => [{ ...ended('prune', report), facts: { isDryRun }, end: { kind: 'cancelled' } }]
  const store = createPrune(fake.bridge)
  const retention = { keepVersions: 3, keepDays: null }
  if (!isDryRun) store.setState({ deletion: { kind: 'previewed', input: retention, report: report as never } })
  const { preview, run } = store.getState()
  await (isDryRun ? preview(retention) : run())
  expect(store.getState().deletion).toMatchObject({ kind: 'failed', problem: { code: 'cancelled' } })
  const { deletion } = store.getState()
  expect(deletion.kind === 'failed' && deletion.problem.state).toBe(state)
})

describe('erasing a person', () => {
  const found = { kind: 'previewed', input: 'a@x.example', report: {} } as never
  const erase = (end: Task['end']): Task => ({ ...ended('erase', {}), facts: { isDryRun: false }, end }) as Task

  it('drops a preview whose address changed under way', async () => {
    const fake = createFakeBridge(0)
    fake.answers.startErase = () => ok({ task: 'one' })
    fake.answers.listTasks = () => [ended('erase', {})]
    fake.answers.dismissTask = () => null
    const store = createErase(fake.bridge)
    const finding = store.getState().preview('a@x.example')
    handle(
      called(() => PeopleForm(), [provideErase(live(store)), provideDrafts(createDrafts())]),
      'onChange',
      'b@x.example',
    )
    await finding
    expect(store.getState().deletion).toEqual({ kind: 'idle' })
  })

  it('is not hidden by a change of the address', async () => {
    const fake = createFakeBridge(0)
    fake.answers.startErase = () => ok({ task: 'one' })
    fake.answers.listTasks = () => [erase({ kind: 'done', result: {} } as Task['end'])]
    fake.answers.dismissTask = () => null
    const store = createErase(fake.bridge)
    store.setState({ deletion: found })
    const erasing = store.getState().run()
    store.getState().reset()
    expect(store.getState().deletion.kind).toBe('running')
    await erasing
    expect(store.getState().deletion.kind).toBe('done')
  })

  it('keeps the preview if it was declined, and reports it if it was cancelled midway', async () => {
    const fake = createFakeBridge(0)
    const store = createErase(fake.bridge)
    store.setState({ deletion: found })
    fake.answers.startErase = () => ok(null)
    await store.getState().run()
    expect(store.getState().deletion).toBe(found)
    fake.answers.startErase = () => ok({ task: 'one' })
    fake.answers.listTasks = () => [erase({ kind: 'cancelled' })]
    await store.getState().run()
    const problem = { code: 'cancelled', state: 'midway' }
    expect(store.getState().deletion).toEqual({ kind: 'failed', problem })
  })
})

it('unused files are no longer listed once their deletion has started', async () => {
  const fake = createFakeBridge(0)
  fake.answers.startCollect = () => fail({ code: 'busy' })
  const health = createHealth(fake.bridge)
  health.setState({ collected: { isDryRun: true, blobs: 1, files: 1, bytes: 10, setAside: { files: 0, bytes: 0 } } })
  await health.getState().collect(false)
  expect(health.getState()).toMatchObject({ collected: null, jobs: { collect: { kind: 'failed' } } })
})

it('a backup whose dialog was cancelled is neither failed nor running', async () => {
  const fake = createFakeBridge(0)
  fake.answers.startBackup = () => ok(null)
  const health = createHealth(fake.bridge)
  await health.getState().backUp()
  expect(health.getState().jobs).toEqual({})
})

it('a test of the callback URL is discarded when the listener changes', async () => {
  const fake = createFakeBridge(0)
  let state: ListenerState = { kind: 'listening', url: 'http://127.0.0.1:8787' }
  fake.answers.checkSite = () => ok([])
  fake.answers.listenerState = () => state
  const health = createHealth(fake.bridge)
  fake.push('listenerState', state)
  const { testReach } = health.getState()
  const testing = testReach('harbour')
  state = { kind: 'stopped' }
  fake.push('listenerState', state)
  await testing
  expect(health.getState().reach.kind).toBe('untested')
  await testReach('harbour')
  expect(health.getState().reach.kind).toBe('done')
  fake.push('listenerState', { kind: 'listening', url: 'http://127.0.0.1:8788' })
  expect(health.getState().reach.kind).toBe('untested')
})

it('a test that starts a stopped listener for its duration keeps its result, also if its end is pushed late', async () => {
  const fake = createFakeBridge(0)
  fake.answers.checkSite = () => {
    fake.push('listenerState', { kind: 'listening', url: 'http://127.0.0.1:8787' })
    return ok([])
  }
  fake.answers.listenerState = () => ({ kind: 'stopped' })
  const health = createHealth(fake.bridge)
  fake.push('listenerState', { kind: 'stopped' })
  await health.getState().testReach('harbour')
  fake.push('listenerState', { kind: 'stopping' })
  fake.push('listenerState', { kind: 'stopped' })
  expect(health.getState().reach.kind).toBe('done')
})

it('the results of a test are discarded when its site changes, also during the test', async () => {
  const fake = createFakeBridge(0, { sites: [aSite()] })
  fake.answers.checkSite = () => ok([])
  const { navigation } = createServices(fake.bridge)
  const sites = createSites(fake.bridge, navigation)
  const list = createSiteList(fake.bridge)
  const firstRun = createFirstRun(fake.bridge)
  onSiteChange(sites, list.getState().forgetTest)
  onSiteChange(sites, firstRun.getState().forgetSiteChecks)
  await sites.getState().load()
  const { id } = aSite()
  const test = () => Promise.all([list.getState().test(id), firstRun.getState().testSite(id)])
  const found = () => [list.getState().tests[id]?.kind, firstRun.getState().siteChecks.kind]
  const change = (callbackUrl: string) => {
    fake.library.sites = [aSite({ callbackUrl })]
    return sites.getState().load()
  }
  await test()
  await sites.getState().load()
  expect(found()).toEqual(['done', 'done'])
  await change('https://other.example/callback/a')
  expect(found()).toEqual([undefined, 'untested'])
  const { promise, resolve } = Promise.withResolvers<void>()
  fake.answers.checkSite = () => promise.then(() => ok([]))
  const testing = test()
  await change('https://third.example/callback/a')
  resolve()
  await testing
  expect(found()).toEqual([undefined, 'untested'])
})

it.each([
  ['takeSaves', 'resumeSaves'],
  ['forgetSleep', 'forgetSleepGaps'],
  ['openFolder', 'openLibraryFolder'],
  ['openRestored', 'openRestoredLibrary'],
] as const)('%s that could not be done is told, and nothing when it was', async (what, call) => {
  const fake = createFakeBridge(0)
  const health = createHealth(fake.bridge)
  await health.getState()[what](null)
  expect(health.getState().failedAction).toEqual({ what, problem: { code: 'unexpected' } })
  health.setState({ failedAction: null })
  const isAnswer = call !== 'forgetSleepGaps'
  Object.assign(fake.answers, { [call]: () => (isAnswer ? ok(null) : null) })
  await health.getState()[what](null)
  expect(health.getState().failedAction).toBe(null)
})

it('resuming saves of a removed site changes nothing and reports why', async () => {
  const fake = createFakeBridge(0)
  fake.answers.resumeSaves = () => fail({ code: 'unknown_site' })
  const health = createHealth(fake.bridge)
  await health.getState().takeSaves('gone')
  expect(health.getState().failedAction).toMatchObject({ what: 'takeSaves', problem: { code: 'unknown_site' } })
})
