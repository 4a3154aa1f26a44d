import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import type { Outgoing } from '../../../packages/library/records/outgoing.ts'
import { publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { librarySource } from '../../../packages/sites/exporting/library-source.ts'
import { acme, aVersion, storeVersion } from '../../library/db/sample.ts'
import { aVerdict } from '../../support/a-verdict.ts'
import { fillLibrary } from '../../support/large-library.ts'
import { openGalley } from '../../support/open-galley.ts'
import { aFontsSave, aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'
import { plainOptions } from './sample-library.ts'

/**
 * Three materials: `kept` with an approved version before a rejected one, `new` without a verdict, and `bad`, which is
 * rejected.
 */
async function aLibrary() {
  const { galley, service, post } = await createTestGalley({ site: { unknownMaterials: 'accept' } })
  const { index, vault } = galley
  for (const [materialId, versionId] of [
    ['kept', 'k1'],
    ['kept', 'k2'],
    ['kept', 'k3'],
    ['new', 'n1'],
    ['bad', 'b1'],
  ] as const) {
    const { body, headers } = aSave(service, { materialId, versionId, html: `<h1>${versionId}</h1>`, files: {} })
    expect((await post(body, headers)).json.rc).toBe(1)
  }
  const judge = (materialId: string, versionId: string, decision: 'approved' | 'changes_requested') =>
    index.fields.set('version', 'acme', [{ materialId, versionId }], { verdict: aVerdict(decision) })
  judge('kept', 'k1', 'approved')
  judge('kept', 'k3', 'changes_requested')
  judge('bad', 'b1', 'changes_requested')
  const site = index.sites.find('acme')
  if (site === null) throw new Error('The sample has a site')
  const chosen = async (pins: Readonly<Record<string, string>> = {}, materials: readonly string[] = []) => {
    const source = await librarySource(index, vault, site, {
      materials,
      pins: new Map(Object.entries(pins)),
      at: galley.now(),
    })
    if (!source.ok) throw new Error(source.failure.code)
    const { pages, leftOut, rejectedPins } = source.value
    return {
      out: pages.map(({ version }) => version.versionId),
      left: leftOut.map(({ versionId, reason, insteadVersionId }) => [versionId, reason, insteadVersionId]),
      rejectedPins,
    }
  }
  const titles = async () => {
    const source = await librarySource(index, vault, site, { materials: [], pins: new Map(), at: galley.now() })
    return source.ok ? source.value.pages.map(({ title }) => title) : []
  }
  const say = (outgoing: Outgoing) => index.publishing.change('acme', { outgoing })
  return { index, chosen, titles, say }
}

describe('what goes out of a library', () => {
  it('is the newest version of each material that is not rejected, unless the site says otherwise', async () => {
    const { index, chosen, say } = await aLibrary()
    expect(index.publishing.of('acme')).toEqual(publishingDefaults)
    expect(await chosen()).toEqual({
      out: ['k2', 'n1'],
      left: [
        ['k3', 'rejected', 'k2'],
        ['b1', 'rejected', null],
      ],
      rejectedPins: [],
    })
    say('all')
    expect(await chosen()).toEqual({ out: ['k3', 'n1', 'b1'], left: [], rejectedPins: [] })
    say('approved')
    expect(await chosen()).toEqual({
      out: ['k1'],
      left: [
        ['k3', 'rejected', 'k1'],
        ['n1', 'not_approved', null],
        ['b1', 'rejected', null],
      ],
      rejectedPins: [],
    })
    index.publishing.change('acme', {})
    expect(index.publishing.of('acme'), 'what is not named stays').toEqual({
      ...publishingDefaults,
      outgoing: 'approved',
    })
  })

  it('is a pinned version in any case, and a rejected one is told', async () => {
    const { chosen } = await aLibrary()
    expect(await chosen({ kept: 'k3', new: 'n1' }, ['kept', 'new'])).toEqual({
      out: ['k3', 'n1'],
      left: [],
      rejectedPins: [{ materialId: 'kept', versionId: 'k3' }],
    })
    expect((await chosen({ bad: 'b1' }, ['bad'])).out).toEqual(['b1'])
  })

  it('has the heading of its version for a title, unless a person gave its material another', async () => {
    const { index, titles } = await aLibrary()
    expect(index.materials.find('acme', 'kept')?.title, 'named by the first save').toBe('k1')
    expect(await titles()).toEqual(['k2', 'n1'])
    index.materials.rename('acme', 'kept', 'Kept by hand', 'kept')
    expect(await titles()).toEqual(['Kept by hand', 'n1'])
  })

  it('names only what was asked for among what is left out', async () => {
    const { chosen } = await aLibrary()
    expect(await chosen({}, ['bad'])).toEqual({ out: [], left: [['b1', 'rejected', null]], rejectedPins: [] })
  })
})

it('chooses in slices: other work goes on, and what is saved or deleted meanwhile is seen as it is', async () => {
  const folder = await temporaryFolder()
  await fillLibrary(folder, acme, { materials: 3_000, versions: 3_000, callbacks: 0 })
  const galley = await openGalley({ folder })
  onTestFinished(galley.close)
  const { index, vault } = galley
  const site = index.sites.find('acme')
  if (site === null) throw new Error('The sample has a site')
  let turns = 0
  const count = (): void => {
    turns += 1
    turning = setImmediate(count)
  }
  let turning = setImmediate(count)
  onTestFinished(() => clearImmediate(turning))
  const choosing = librarySource(index, vault, site, { materials: [], pins: new Map(), at: galley.now() })
  // In its first slice, before it reaches the last materials.
  storeVersion(index, aVersion('v-new', { materialId: 'post-2998', versionCdate: '2027-01-01T10:00:00Z' }))
  index.retention.removeMaterial('acme', 'post-2999')
  const source = await choosing
  if (!source.ok) throw new Error(source.failure.code)
  expect(turns).toBeGreaterThan(2)
  const { pages, leftOut } = source.value
  expect(leftOut).toEqual([])
  expect(pages).toHaveLength(2_999)
  expect(pages.find(({ materialId }) => materialId === 'post-2998')?.version.versionId).toBe('v-new')
})

it('a page that names the CSS of an earlier font set takes it and its fonts along', async () => {
  const { galley, service, post, listener } = await createTestGalley({ site: { unknownMaterials: 'accept' } })
  for (const set of ['f1', 'f2']) {
    const { body, headers } = aFontsSave(service, set, {
      'vms_fonts/inter.woff2': `font bytes of ${set}`,
      'vms_fonts.css': '@font-face{font-family:I;src:url(dummy-inter.woff2)}',
      'vms_fonts.json': '{}',
    })
    expect((await post(body, headers)).json.rc).toBe(1)
  }
  const html = `<link rel="stylesheet" href="${listener}/fonts/acme/f1/vms_fonts.css"><h1>Before f2</h1>`
  const { body, headers } = aSave(service, { versionId: 'v1', html, files: {} })
  expect((await post(body, headers)).json.rc).toBe(1)
  const site = galley.index.sites.find('acme')
  if (site === null) throw new Error('The sample has a site')
  const choice = { materials: [], pins: new Map(), at: galley.now() }
  const source = await librarySource(galley.index, galley.vault, site, choice)
  if (!source.ok) throw new Error(source.failure.code)
  const directory = join(await temporaryFolder(), 'out')
  expect(
    (await exportBundle({ source: source.value, target: { kind: 'folder', directory }, options: plainOptions })).ok,
  ).toBe(true)
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
  expect(texts.filter((text) => text.includes(listener))).toEqual([])
  expect(texts.filter((text) => text.startsWith('font bytes of')).toSorted()).toEqual([
    'font bytes of f1',
    'font bytes of f2',
  ])
})
