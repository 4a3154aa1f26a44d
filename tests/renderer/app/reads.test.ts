import { afterEach, expect, test, vi } from 'vitest'

import { anyChange } from '../../../packages/library/views/changes.ts'
import type { Change } from '../../../packages/library/views/changes.ts'
import { createStores } from '../../../src/renderer/app/stores.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { sampleData } from '../support/sample-data.ts'
import { emptyStorage } from '../support/services.ts'
import { settled } from '../support/settled.ts'

afterEach(() => void vi.unstubAllGlobals())

/** All stores of a window that shows one material, or the list. */
async function aWindow(screen: 'materials' | 'material') {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible', hasFocus: () => true })
  vi.stubGlobal('document', Object.assign(page, { documentElement: { dataset: {}, lang: 'en' } }))
  vi.stubGlobal('window', Object.assign(new EventTarget(), { matchMedia: () => new EventTarget() }))
  emptyStorage()
  const fake = createFakeBridge(0, sampleData(0))
  const { start } = createStores(fake.bridge, createTexts('en'))
  await start()
  await settled()
  if (screen === 'material') fake.push('edit', { site: 'magazine', materialId: 'about' })
  await settled()
  return async (change: Change): Promise<readonly string[]> => {
    fake.called.length = 0
    fake.push('changed', change)
    await settled()
    return fake.called.toSorted()
  }
}

const verdict = (materialId: string): Change => ({ subjects: ['marks'], materials: [{ site: 'magazine', materialId }] })

test('a verdict makes the window read the shown version, its list, its material and the counts, and nothing else', async () => {
  const readsAfter = await aWindow('material')
  expect(await readsAfter(verdict('about'))).toEqual([
    'findMaterial',
    'inspectVersion',
    'queryVersions',
    'sectionCounts',
  ])
  // How many pages wait is counted by the verdicts on all of them.
  expect(await readsAfter(verdict('another'))).toEqual(['sectionCounts'])
})

test('a list of materials is read after a verdict on any of them', async () => {
  const readsAfter = await aWindow('materials')
  expect(await readsAfter(verdict('another'))).toEqual(['materialFacets', 'queryMaterials', 'sectionCounts'])
})

test('after a save, or a change by another process or a team, everything that is shown is read', async () => {
  const readsAfter = await aWindow('material')
  expect(await readsAfter(anyChange)).toEqual([
    'findMaterial',
    'inspectVersion',
    'listSites',
    'materialFacets',
    'openProblems',
    'queryVersions',
    'savePauses',
    'sectionCounts',
  ])
})
