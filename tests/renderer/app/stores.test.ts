import { describe, expect, it } from 'vitest'

import { createMaterialParts } from '../../../src/renderer/app/screens/material-stores.ts'
import { createCallbacks } from '../../../src/renderer/features/callbacks/store.ts'
import { createFonts } from '../../../src/renderer/features/fonts/store.ts'
import { createListener } from '../../../src/renderer/features/listener/store.ts'
import { emptyDraft, formOf } from '../../../src/renderer/features/sites/site-draft.ts'
import { createSites } from '../../../src/renderer/features/sites/store.ts'
import { chosenVersion } from '../../../src/renderer/features/versions/store.ts'
import { follow, siteNow, viewNow } from '../../../src/renderer/navigation/navigation.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { createServices } from '../support/services.ts'
import { settled } from '../support/settled.ts'
import { aMaterial, sampleData } from '../support/sample-data.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')

/** The stores of a window on a fake library, joined as its screens join them, after the first reads. */
async function started(start: Parameters<typeof createFakeBridge>[1] = sampleData(nowMs)) {
  const fake = createFakeBridge(nowMs, start)
  const services = createServices(fake.bridge)
  const { useNavigation } = services
  const { materials, versions } = createMaterialParts(services)
  const stores = {
    useMaterials: materials.useMaterials,
    useRows: materials.useRows,
    versions,
    useVersions: versions.useVersions,
    useSites: createSites(services),
    callbacks: createCallbacks(fake.bridge),
    useFonts: createFonts(fake.bridge),
    useListener: createListener(fake.bridge),
  }
  follow(useNavigation, (site) => {
    for (const store of [stores.callbacks.useList, stores.useFonts]) store.getState().show(site)
  })
  await Promise.all([stores.useSites.getState().load(), stores.useListener.getState().load()])
  await settled()
  const select = (materialId: string) => useNavigation.getState().choose({ screen: 'materials', materialId })
  return { fake, useNavigation, site: () => siteNow(useNavigation.getState()), select, ...stores }
}

describe('the window', () => {
  it('starts with the first site and reads everything of it once', async () => {
    const { fake, site, useMaterials, useRows, callbacks, useFonts, useListener } = await started()
    expect(site()).toBe('magazine')
    expect(useMaterials.getState().site).toBe('magazine')
    expect(useRows.getState().kind).toBe('ready')
    expect(callbacks.usePages.getState().kind).toBe('ready')
    expect(useFonts.getState().view.kind).toBe('ready')
    expect(useListener.getState().state).toEqual({ kind: 'listening', url: 'http://127.0.0.1:8787' })
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

  it('says that a list could not be read, and reads it again when asked', async () => {
    const { fake, useMaterials, useRows } = await started()
    const { queryMaterials } = fake.answers
    fake.answers.queryMaterials = () => Promise.reject(new Error('fault'))
    await useMaterials.getState().load()
    expect(useRows.getState().kind).toBe('failed')
    fake.answers.queryMaterials = queryMaterials
    await useMaterials.getState().load()
    expect(useRows.getState().kind).toBe('ready')
  })
})

describe('sites', () => {
  it('keep the selection when the list changes, and move on when the site is gone', async () => {
    const { fake, useNavigation, site, useSites, useMaterials, useRows } = await started()
    useNavigation.getState().setSite('shop')
    expect(useMaterials.getState().site).toBe('shop')
    expect(useRows.getState().kind).toBe('loading')
    fake.push('changed', { subjects: ['sites'] })
    await settled()
    expect(site()).toBe('shop')
    await useSites.getState().remove('shop')
    expect(site()).toBe('magazine')
  })

  it('stay in the dialog with the problem until the save is taken', async () => {
    const { useSites, site } = await started({})
    useSites.getState().show({ kind: 'add' })
    const form = formOf({ ...emptyDraft, id: 'blog', apiKey: 'k', secret: 's' })
    const refused = await useSites.getState().save(form)
    expect(refused).toMatchObject({ ok: false, failure: { field: 'baseUrl' } })
    expect(useSites.getState().dialog.kind).toBe('add')
    await useSites.getState().save({ ...form, baseUrl: 'https://editor.example.com' })
    expect(useSites.getState().dialog.kind).toBe('closed')
    expect(site()).toBe('blog')
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
  it('read again on a push, with the search as it was', async () => {
    const { fake, useMaterials, useRows } = await started()
    useMaterials.getState().search('trains')
    await settled()
    fake.library.materials = [aMaterial(nowMs, 'night-trains', 'Night trains', 0, 1), ...fake.library.materials]
    fake.push('changed', { subjects: ['materials'] })
    await settled()
    expect(useMaterials.getState().question).toMatchObject({ text: 'trains', sort: { column: 'relevance' } })
    const found = [...useRows.getState().rows.values()].map(({ materialId }) => materialId)
    expect(found).toEqual(['night-trains', 'slow-trains'])
    useMaterials.getState().search('')
    expect(useMaterials.getState().question.sort.column).toBe('saved')
  })

  it('read nothing for a save while another screen is shown, and once when somebody comes back', async () => {
    const { fake, useNavigation, useRows } = await started()
    const reads = (): number => fake.called.filter((name) => name === 'queryMaterials').length
    useNavigation.getState().go({ screen: 'health' })
    fake.library.materials = [aMaterial(nowMs, 'night-trains', 'Night trains', 0, 1), ...fake.library.materials]
    fake.push('changed', { subjects: ['materials'] })
    fake.push('changed', { subjects: ['materials', 'rules'] })
    await settled()
    expect(reads()).toBe(1)
    useNavigation.getState().go({ screen: 'materials', materialId: null })
    await settled()
    expect(reads()).toBe(2)
    expect(useRows.getState().rows.get(0)?.materialId).toBe('night-trains')
  })

  it('show no answer about a site that was left meanwhile', async () => {
    const { fake, useNavigation, useMaterials, useRows } = await started()
    const { queryMaterials } = fake.answers
    fake.answers.queryMaterials = async (input) => {
      await settled()
      return await queryMaterials(input)
    }
    const reading = useMaterials.getState().load()
    useNavigation.getState().setSite('shop')
    await reading
    expect(useMaterials.getState().site).toBe('shop')
    expect(useRows.getState()).toMatchObject({ kind: 'ready', total: 0 })
  })

  it('open in the editor, select what was opened, and keep a refusal in view', async () => {
    const { fake, useNavigation, useMaterials } = await started()
    useMaterials.getState().setDialog({ kind: 'new' })
    await useMaterials.getState().open('about', 'About us')
    expect(useMaterials.getState()).toMatchObject({
      opening: { kind: 'opened', materialId: 'about' },
      dialog: { kind: 'none' },
    })
    expect(viewNow(useNavigation.getState())).toEqual({ screen: 'materials', materialId: 'about' })
    fake.answers.openEditor = () => ({
      ok: false,
      failure: { code: 'service_refused', message: 'The API key is unknown.' },
    })
    await useMaterials.getState().open('about', null)
    expect(useMaterials.getState().opening).toMatchObject({
      kind: 'failed',
      problem: { message: 'The API key is unknown.' },
    })
  })
})

describe('versions', () => {
  it('follow the selected material and show its current version', async () => {
    const { select, versions, useVersions } = await started()
    select('slow-trains')
    await settled()
    expect(chosenVersion(versions)?.versionId).toBe('v7')
    expect(useVersions.getState().detail).toMatchObject({ kind: 'ready', items: { version: { versionId: 'v7' } } })
  })

  it('never move away from what is looked at when another save arrives, until asked to', async () => {
    const { fake, useNavigation, select, useVersions } = await started()
    const saveAgain = async (versions: number): Promise<void> => {
      fake.library.materials = [aMaterial(nowMs, 'slow-trains', 'Slow trains of the north', 0, versions)]
      fake.push('changed', { subjects: ['materials'] })
      await settled()
    }
    select('slow-trains')
    await settled()
    await saveAgain(8)
    expect(useVersions.getState().detail).toMatchObject({ items: { version: { versionId: 'v7' } } })
    useVersions.getState().showCurrent()
    await settled()
    expect(useVersions.getState().detail).toMatchObject({ items: { version: { versionId: 'v8' } } })
    useNavigation.getState().go({ screen: 'material', materialId: 'slow-trains', versionId: 'v3' })
    await settled()
    await saveAgain(9)
    expect(useVersions.getState()).toMatchObject({
      of: { versionId: 'v3' },
      detail: { items: { version: { versionId: 'v3' } } },
    })
  })

  it('are read again when their marks may have changed', async () => {
    const { fake, select } = await started()
    select('slow-trains')
    await settled()
    fake.push('changed', { subjects: ['materials'] })
    await settled()
    expect(fake.called.filter((name) => name === 'inspectVersion')).toHaveLength(2)
  })
})

describe('callbacks', () => {
  it('are not read for a change of something else', async () => {
    const { fake } = await started()
    const before = fake.called.length
    fake.push('changed', { subjects: ['snapshots'] })
    await settled()
    expect(fake.called.slice(before)).toEqual(['querySnapshots'])
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
