import { describe, expect, it } from 'vitest'

import { createStores } from '../../src/renderer/app/stores.ts'
import { emptyDraft, formOf } from '../../src/renderer/features/sites/site-draft.ts'
import { shownVersion } from '../../src/renderer/features/versions/store.ts'
import { createFakeBridge } from './support/fake-bridge.ts'
import { aCallback, aMaterial, sampleData } from './support/sample-data.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')
const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 5))

/** The stores of a window on a fake library, after the first reads. */
async function started(start: Parameters<typeof createFakeBridge>[1] = sampleData(nowMs)) {
  const fake = createFakeBridge(nowMs, start)
  const stores = createStores(fake.bridge)
  await stores.start()
  await settled()
  return { fake, ...stores }
}

describe('the window', () => {
  it('starts with the first site and reads everything of it once', async () => {
    const { fake, useSites, useMaterials, useCallbacks, useFonts, useListener } = await started()
    expect(useSites.getState().selectedId).toBe('magazine')
    expect(useMaterials.getState()).toMatchObject({ site: 'magazine', view: { kind: 'ready' }, selectedId: null })
    expect(useCallbacks.getState().view.kind).toBe('ready')
    expect(useFonts.getState().view.kind).toBe('ready')
    expect(useListener.getState().state).toEqual({ kind: 'listening', url: 'http://127.0.0.1:8787' })
    expect(fake.called.toSorted()).toEqual([
      'listCallbacks',
      'listMaterials',
      'listSites',
      'listSnapshots',
      'listenerState',
    ])
  })

  it('says that a list could not be read, and reads it again when asked', async () => {
    const { fake, useMaterials } = await started()
    const { listMaterials } = fake.answers
    fake.answers.listMaterials = () => Promise.reject(new Error('fault'))
    await useMaterials.getState().load()
    expect(useMaterials.getState().view.kind).toBe('failed')
    fake.answers.listMaterials = listMaterials
    await useMaterials.getState().load()
    expect(useMaterials.getState().view.kind).toBe('ready')
  })
})

describe('sites', () => {
  it('keep the selection when the list changes, and move on when the site is gone', async () => {
    const { fake, useSites, useMaterials } = await started()
    useSites.getState().select('shop')
    expect(useMaterials.getState()).toMatchObject({ site: 'shop', view: { kind: 'loading' } })
    fake.push('changed', { subjects: ['sites'] })
    await settled()
    expect(useSites.getState().selectedId).toBe('shop')
    await useSites.getState().remove('shop')
    expect(useSites.getState().selectedId).toBe('magazine')
  })

  it('stay in the dialog with the problem until the save is taken', async () => {
    const { useSites } = await started({})
    useSites.getState().show({ kind: 'add' })
    const form = formOf({ ...emptyDraft, id: 'blog', apiKey: 'k', secret: 's' })
    const refused = await useSites.getState().save(form)
    expect(refused).toMatchObject({ ok: false, failure: { field: 'baseUrl' } })
    expect(useSites.getState().dialog.kind).toBe('add')
    await useSites.getState().save({ ...form, baseUrl: 'https://editor.example.com' })
    expect(useSites.getState()).toMatchObject({ dialog: { kind: 'closed' }, selectedId: 'blog' })
  })

  it('tell of a fault calmly', async () => {
    const { fake, useSites } = await started()
    fake.answers.removeSite = () => Promise.reject(new Error('SQLITE_BUSY'))
    const removed = await useSites.getState().remove('shop')
    expect(removed).toMatchObject({ ok: false, failure: { code: 'unexpected' } })
    expect(JSON.stringify(removed)).not.toContain('SQLITE')
  })
})

describe('materials', () => {
  it('read again on a push, with search and selection as they were', async () => {
    const { fake, useMaterials } = await started()
    useMaterials.getState().select('slow-trains')
    useMaterials.getState().search('trains')
    await settled()
    fake.library.materials = [aMaterial(nowMs, 'night-trains', 'Night trains', 0, 1), ...fake.library.materials]
    fake.push('changed', { subjects: ['materials'] })
    await settled()
    const { view, text, selectedId } = useMaterials.getState()
    expect({ text, selectedId }).toEqual({ text: 'trains', selectedId: 'slow-trains' })
    expect(view.kind === 'ready' && view.items.map((material) => material.materialId)).toEqual([
      'night-trains',
      'slow-trains',
    ])
  })

  it('show no answer about a site that was left meanwhile', async () => {
    const { fake, useSites, useMaterials } = await started()
    const { listMaterials } = fake.answers
    fake.answers.listMaterials = async (input) => {
      await settled()
      return await listMaterials(input)
    }
    const reading = useMaterials.getState().load()
    useSites.getState().select('shop')
    await reading
    expect(useMaterials.getState()).toMatchObject({ site: 'shop', view: { kind: 'ready', items: [] } })
  })

  it('open in the editor, select what was opened, and keep a refusal in view', async () => {
    const { fake, useMaterials } = await started()
    useMaterials.getState().setCreating(true)
    await useMaterials.getState().open('about', 'About us')
    expect(useMaterials.getState()).toMatchObject({
      opening: { kind: 'opened' },
      selectedId: 'about',
      isCreating: false,
    })
    fake.answers.openEditor = () => ({ ok: false, failure: { code: 'refused', message: 'The API key is unknown.' } })
    await useMaterials.getState().open('about', null)
    expect(useMaterials.getState().opening).toMatchObject({
      kind: 'failed',
      problem: { message: 'The API key is unknown.' },
    })
  })
})

describe('versions', () => {
  it('follow the selected material and show its current version', async () => {
    const { useMaterials, useVersions } = await started()
    useMaterials.getState().select('slow-trains')
    await settled()
    expect(shownVersion(useVersions.getState())?.versionId).toBe('v7')
    expect(useVersions.getState().detail).toMatchObject({ kind: 'ready', items: { version: { versionId: 'v7' } } })
  })

  it('move to a new current version, but never away from a chosen one', async () => {
    const { fake, useMaterials, useVersions } = await started()
    const saveAgain = async (versions: number): Promise<void> => {
      fake.library.materials = [aMaterial(nowMs, 'slow-trains', 'Slow trains of the north', 0, versions)]
      fake.push('changed', { subjects: ['materials'] })
      await settled()
    }
    useMaterials.getState().select('slow-trains')
    await settled()
    await saveAgain(8)
    expect(useVersions.getState().detail).toMatchObject({ items: { version: { versionId: 'v8' } } })
    useVersions.getState().select('v3')
    await settled()
    await saveAgain(9)
    expect(useVersions.getState()).toMatchObject({
      selectedId: 'v3',
      detail: { items: { version: { versionId: 'v3' } } },
    })
  })

  it('read a version that is shown only once', async () => {
    const { fake, useMaterials } = await started()
    useMaterials.getState().select('slow-trains')
    await settled()
    fake.push('changed', { subjects: ['materials'] })
    await settled()
    expect(fake.called.filter((name) => name === 'showVersion')).toHaveLength(1)
  })
})

describe('callbacks', () => {
  it('arrive without moving the selection, and are announced; what was there before is not', async () => {
    const { fake, useCallbacks } = await started()
    expect(useCallbacks.getState().arrival).toBe('')
    useCallbacks.getState().select('c00006')
    fake.library.callbacks = [aCallback(nowMs, 90, 0), ...fake.library.callbacks]
    fake.push('changed', { subjects: ['callbacks'] })
    await settled()
    expect(useCallbacks.getState().arrival).toMatch(/^Stored: slow-trains, /)
    expect(useCallbacks.getState().selectedId).toBe('c00006')
  })

  it('are not read for a change of something else', async () => {
    const { fake } = await started()
    const before = fake.called.length
    fake.push('changed', { subjects: ['snapshots'] })
    await settled()
    expect(fake.called.slice(before)).toEqual(['listSnapshots'])
  })
})

describe('the listener', () => {
  it('shows a push over an older answer', async () => {
    const { fake, useListener } = await started()
    fake.answers.startListener = async () => {
      await settled()
      return { kind: 'starting' }
    }
    const starting = useListener.getState().start()
    fake.push('listenerState', { kind: 'failed', reason: 'Port 8787 is in use.' })
    await starting
    expect(useListener.getState().state).toEqual({ kind: 'failed', reason: 'Port 8787 is in use.' })
  })
})
