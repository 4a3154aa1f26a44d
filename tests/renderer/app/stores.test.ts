import { describe, expect, it } from 'vitest'

import { ok } from '../../../packages/wire/result.ts'
import { createMaterialStores } from '../../../src/renderer/app/screens/material-stores.ts'
import { createCallbacks } from '../../../src/renderer/features/callbacks/store.ts'
import { createFonts } from '../../../src/renderer/features/fonts/store.ts'
import { createListener } from '../../../src/renderer/features/listener/store.ts'
import { createTargets } from '../../../src/renderer/features/publish/store.ts'
import { emptyDraft, formOf } from '../../../src/renderer/features/sites/site-draft.ts'
import { createSites } from '../../../src/renderer/features/sites/store.ts'
import { chosenVersion } from '../../../src/renderer/features/versions/store.ts'
import { follow, currentSite, currentView } from '../../../src/renderer/navigation/navigation.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { aMaterial, sampleData } from '../support/sample-data.ts'
import { createServices } from '../support/services.ts'
import { settled } from '../support/settled.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')

/** The stores of a window on a fake library, joined as its screens join them, after the first reads. */
async function started(start: Parameters<typeof createFakeBridge>[1] = sampleData(nowMs)) {
  const fake = createFakeBridge(nowMs, start)
  const services = createServices(fake.bridge)
  const { navigation } = services
  const stores = {
    ...createMaterialStores(services),
    sites: createSites(fake.bridge, navigation),
    callbacks: createCallbacks(fake.bridge),
    fonts: createFonts(fake.bridge),
    listener: createListener(fake.bridge),
  }
  follow(navigation, (site) => {
    for (const store of [stores.callbacks.list, stores.fonts]) store.getState().show(site)
  })
  await Promise.all([stores.sites.getState().load(), stores.listener.getState().load()])
  await settled()
  const select = (materialId: string) => navigation.getState().choose({ screen: 'materials', materialId })
  return { fake, navigation, site: () => currentSite(navigation.getState()), select, ...stores }
}

describe('the window', () => {
  it('starts with the first site and reads its data once', async () => {
    const { fake, site, materials, materialRows, callbacks, fonts, listener } = await started()
    expect(site()).toBe('magazine')
    expect(materials.getState().site).toBe('magazine')
    expect(materialRows.getState().kind).toBe('ready')
    expect(callbacks.callbackRows.getState().kind).toBe('ready')
    expect(fonts.getState().view.kind).toBe('ready')
    expect(listener.getState().state).toEqual({ kind: 'listening', url: 'http://127.0.0.1:8787' })
    expect(fake.called.toSorted()).toEqual([
      'listSites',
      'listViews',
      'listenerState',
      'materialFacets',
      'queryCallbacks',
      'queryMaterials',
      'querySnapshots',
    ])
  })

  it('leaves a dialog alone that was opened while the editor is being opened', async () => {
    const { fake, materials } = await started()
    const answered = Promise.withResolvers<void>()
    fake.answers.openEditor = async () => {
      await answered.promise
      return ok({ url: 'https://editor.example/', browser: 'opened' } as never)
    }
    const opening = materials.getState().open('about', null)
    const dialog = { kind: 'new' } as const
    materials.getState().setDialog(dialog)
    answered.resolve()
    await opening
    expect(materials.getState().dialog).toBe(dialog)
  })

  it('archives materials of the site that they are of, whichever is shown', async () => {
    const { fake, materials } = await started()
    const asked: unknown[] = []
    fake.answers.setFields = (input) => {
      asked.push(input.site)
      return ok(null)
    }
    materials.getState().select(new Set(['about']))
    await materials.getState().archive(['x'], false, 'elsewhere')
    expect([asked, materials.getState().selected.size]).toEqual([['elsewhere'], 1])
  })

  it('closes the dialog of a target when another site is shown', () => {
    const targets = createTargets(createFakeBridge(nowMs).bridge)
    targets.getState().show('one')
    targets.getState().open({ kind: 'add' })
    targets.getState().show('two')
    expect(targets.getState().dialog).toEqual({ kind: 'closed' })
  })

  it('reports a list that could not be read, and retries on request', async () => {
    const { fake, materials, materialRows } = await started()
    const { queryMaterials } = fake.answers
    fake.answers.queryMaterials = () => Promise.reject(new Error('fault'))
    await materials.getState().load()
    expect(materialRows.getState().kind).toBe('failed')
    fake.answers.queryMaterials = queryMaterials
    await materials.getState().load()
    expect(materialRows.getState().kind).toBe('ready')
  })
})

describe('sites', () => {
  it('keep the selection when the list changes, and select another when the site is removed', async () => {
    const { fake, navigation, site, sites, materials, materialRows } = await started()
    navigation.getState().setSite('shop')
    expect(materials.getState().site).toBe('shop')
    expect(materialRows.getState().kind).toBe('loading')
    fake.push('changed', { subjects: ['sites'] })
    await settled()
    expect(site()).toBe('shop')
    await sites.getState().remove('shop')
    expect(site()).toBe('magazine')
  })

  it('keep the dialog open with the problem until saving succeeds', async () => {
    const { sites, site } = await started({})
    sites.getState().show({ kind: 'add' })
    const form = formOf({ ...emptyDraft, id: 'blog', apiKey: 'k', secret: 's' })
    const refused = await sites.getState().save(form)
    expect(refused).toMatchObject({ ok: false, failure: { field: 'baseUrl' } })
    expect(sites.getState().dialog.kind).toBe('add')
    await sites.getState().save({ ...form, baseUrl: 'https://editor.example.com' })
    expect(sites.getState().dialog.kind).toBe('closed')
    expect(site()).toBe('blog')
  })

  it('report an unexpected error as a problem', async () => {
    const { fake, sites } = await started()
    fake.answers.removeSite = () => Promise.reject(new Error('SQLITE_BUSY'))
    const removed = await sites.getState().remove('shop')
    expect(removed).toMatchObject({ ok: false, failure: { code: 'unexpected' } })
    expect(JSON.stringify(removed)).not.toContain('SQLITE')
  })
})

describe('materials', () => {
  it('reload on a push and keep the search', async () => {
    const { fake, materials, materialRows } = await started()
    materials.getState().search('trains')
    await settled()
    fake.library.materials = [aMaterial(nowMs, 'night-trains', 'Night trains', 0, 1), ...fake.library.materials]
    fake.push('changed', { subjects: ['materials'] })
    await settled()
    expect(materials.getState().question).toMatchObject({ text: 'trains', sort: { column: 'relevance' } })
    const found = [...materialRows.getState().rows.values()].map(({ materialId }) => materialId)
    expect(found).toEqual(['night-trains', 'slow-trains'])
    materials.getState().search('')
    expect(materials.getState().question.sort.column).toBe('saved')
  })

  it('do not reload while another screen is shown, and reload once on return', async () => {
    const { fake, navigation, materialRows } = await started()
    const reads = (): number => fake.called.filter((name) => name === 'queryMaterials').length
    navigation.getState().go({ screen: 'delivery', callbackId: null })
    fake.library.materials = [aMaterial(nowMs, 'night-trains', 'Night trains', 0, 1), ...fake.library.materials]
    fake.push('changed', { subjects: ['materials'] })
    fake.push('changed', { subjects: ['materials', 'rules'] })
    await settled()
    expect(reads()).toBe(1)
    navigation.getState().go({ screen: 'materials', materialId: null })
    await settled()
    expect(reads()).toBe(2)
    expect(materialRows.getState().rows.get(0)?.materialId).toBe('night-trains')
  })

  it('drop an answer about a previous site', async () => {
    const { fake, navigation, materials, materialRows } = await started()
    const { queryMaterials } = fake.answers
    fake.answers.queryMaterials = async (input) => {
      await settled()
      return await queryMaterials(input)
    }
    const reading = materials.getState().load()
    navigation.getState().setSite('shop')
    await reading
    expect(materials.getState().site).toBe('shop')
    expect(materialRows.getState()).toMatchObject({ kind: 'ready', total: 0 })
  })

  it('open in the editor, select the opened material, and keep a failure visible', async () => {
    const { fake, navigation, materials } = await started()
    materials.getState().setDialog({ kind: 'new' })
    await materials.getState().open('about', 'About us')
    expect(materials.getState()).toMatchObject({
      opening: { kind: 'opened', materialId: 'about' },
      dialog: { kind: 'none' },
    })
    expect(currentView(navigation.getState())).toEqual({ screen: 'materials', materialId: 'about' })
    fake.answers.openEditor = () => ({
      ok: false,
      failure: { code: 'service_refused' },
    })
    await materials.getState().open('about', null)
    expect(materials.getState().opening).toMatchObject({
      kind: 'failed',
      problem: { code: 'service_refused' },
    })
  })
})

describe('versions', () => {
  it('follow the selected material and show its current version', async () => {
    const { select, versions, versionRows } = await started()
    select('slow-trains')
    await settled()
    expect(chosenVersion(versions.getState(), versionRows.getState().rows)?.versionId).toBe('v7')
    expect(versions.getState().detail).toMatchObject({ kind: 'ready', items: { version: { versionId: 'v7' } } })
  })

  it('stay on the open version when another save arrives, until asked to move on', async () => {
    const { fake, navigation, select, versions } = await started()
    const saveAgain = async (count: number): Promise<void> => {
      fake.library.materials = [aMaterial(nowMs, 'slow-trains', 'Slow trains of the north', 0, count)]
      fake.push('changed', { subjects: ['materials'] })
      await settled()
    }
    select('slow-trains')
    await settled()
    await saveAgain(8)
    expect(versions.getState().detail).toMatchObject({ items: { version: { versionId: 'v7' } } })
    versions.getState().showCurrent()
    await settled()
    expect(versions.getState().detail).toMatchObject({ items: { version: { versionId: 'v8' } } })
    navigation.getState().go({ screen: 'material', materialId: 'slow-trains', versionId: 'v3' })
    await settled()
    await saveAgain(9)
    expect(versions.getState()).toMatchObject({
      of: { versionId: 'v3' },
      detail: { items: { version: { versionId: 'v3' } } },
    })
  })

  it('reload when their marks may have changed', async () => {
    const { fake, select } = await started()
    select('slow-trains')
    await settled()
    fake.push('changed', { subjects: ['materials'] })
    await settled()
    expect(fake.called.filter((name) => name === 'inspectVersion')).toHaveLength(2)
  })
})

describe('callbacks', () => {
  it('do not reload for unrelated changes', async () => {
    const { fake } = await started()
    const before = fake.called.length
    fake.push('changed', { subjects: ['snapshots'] })
    await settled()
    expect(fake.called.slice(before)).toEqual(['querySnapshots'])
  })
})

describe('the listener', () => {
  it('prefers a push over an older answer', async () => {
    const { fake, listener } = await started()
    fake.answers.startListener = async () => {
      await settled()
      return { kind: 'starting' }
    }
    const starting = listener.getState().start()
    fake.push('listenerState', { kind: 'failed', code: 'EADDRINUSE', port: 8787 })
    await starting
    expect(listener.getState().state).toEqual({ kind: 'failed', code: 'EADDRINUSE', port: 8787 })
  })
})
