import { createHash } from 'node:crypto'

import type { ChangeOf, LoggedDelivery, NewBlob } from '../../packages/library/records/changes.ts'
import type { ExportRequest } from '../../packages/library/records/export-record.ts'
import { remarkCodes } from '../../packages/library/records/remark.ts'
import type { MaterialId, Sha256, SiteId, SnapshotId, VersionId } from '../../packages/wire/ids.ts'
import { randomFrom } from './random.ts'

// Random values for histories of libraries: few names, so that many changes hit the same things, and values that are
// plausible, odd or absurd. The same seed gives the same values.

export const sha = (text: string): Sha256 => createHash('sha256').update(text).digest('hex') as Sha256

export const siteIds: SiteId[] = ['acme', 'other', 'odd.one-1']
export const materialIds: MaterialId[] = ['post-1', 'post-2', 'Post-1', 'pöst', '', 'o\u0308', '日本', 'a/b?c']
export const versionIds: VersionId[] = Array.from({ length: 12 }, (_, at) => (at === 0 ? '' : `v${at}`))
const snapshotIds: SnapshotId[] = ['s1', 's2', 's/3', 's4', 's5']
const fileNames = ['a.png', 'b ü.png', 'c.woff2', 'd.css', 'x"y.jpg', 'folder/e']
export const blobNames = Array.from({ length: 24 }, (_, at) => sha(`blob ${at}`))
const packNames = Array.from({ length: 4 }, (_, at) => sha(`pack ${at}`))
export const paths = Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? `blog/2026/${at}` : `page-${at}`))
export const texts = [
  '',
  ' ',
  'Harbour',
  'ÄRGER am Hafen',
  'O\'Neill "; DROP TABLE',
  'a\u0000b',
  'half \ud800',
  '\u202e日本\u{1F600}',
  'x'.repeat(3_000),
]
export const titles = texts.map((each) => each.slice(0, 1_000))
export const moments = [
  '2026-11-01T10:00:00.000Z',
  '2026-11-01T10:00:00.001Z',
  '2026-10-31T23:59:59.999Z',
  '1999-12-31T00:00:00.000Z',
]
const dates = [
  ...moments,
  null,
  null,
  'yesterday',
  '',
  '2026-11-01T12:00:00+02:00',
  '1969-01-01T00:00:00Z',
  '2026-13-40',
]

/** Draws random values from a seed and a name. Each name has a stream of its own, so that one more moves no other. */
export function diceFrom(seed: number, name = '') {
  const random = randomFrom(createHash('sha256').update(`${seed} ${name}`).digest().readUInt32LE())
  const below = (count: number): number => Math.floor(random() * count)
  const oneOf = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)]
    if (item === undefined && items.length === 0) throw new Error('There is nothing to choose from')
    return item as Item
  }
  return {
    fraction: random,
    below,
    oneOf,
    chance: (probability: number): boolean => random() < probability,
    someOf: <Item>(items: readonly Item[], atMost: number): Item[] =>
      Array.from({ length: below(atMost + 1) }, () => oneOf(items)),
  }
}
export type Dice = ReturnType<typeof diceFrom>

/** Some members of a change whose members are all optional. */
export const someMembers = <Members extends object>(dice: Dice, members: Members): Partial<Members> =>
  Object.fromEntries(Object.entries(members).filter(() => dice.chance(0.5))) as Partial<Members>

export const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/** Usually the same location as before, sometimes a different one. */
export function aBlob(dice: Dice, sha256: Sha256): NewBlob {
  const pack = dice.chance(0.4) ? { sha256: dice.oneOf(packNames), offset: dice.below(3) * 100 } : null
  return { sha256, sizeBytes: 1 + dice.below(100), pack }
}

function aDelivery(dice: Dice, materialId: string | null): LoggedDelivery | null {
  if (dice.chance(0.2)) return null
  return {
    id: `callback-${dice.chance(0.05) ? 1 : dice.below(2 ** 40)}`,
    receivedAt: dice.oneOf(moments),
    materialId,
    contentUrl: dice.chance(0.1) ? null : `https://svc.test/${dice.below(200)}`,
    payload: dice.oneOf([null, '{"n":1.0}', dice.oneOf(texts)]),
    headers: dice.someOf(
      [
        { name: 'user-agent', value: 'x' },
        { name: 'x-odd', value: null },
      ],
      2,
    ),
    bodyBytes: dice.oneOf([null, 0, 2 ** 40]),
    rm: dice.oneOf(['Saved successfully', ...texts]),
    steps: dice.someOf(
      [
        { name: 'download', ms: 0.1 + 0.2 },
        { name: 'sync', ms: 1e-7 },
      ],
      2,
    ),
    durationMs: dice.oneOf([null, 0, 12]),
  }
}

const someRemarks = (dice: Dice) =>
  dice.someOf([...remarkCodes], 3).map((code) => {
    const name = dice.oneOf(titles)
    // The values do not depend on the order in which they are drawn.
    return dice.chance(0.5) ? { code, name } : { name, code }
  })

export function aSite(dice: Dice): ChangeOf<'site_saved'>['site'] {
  return {
    id: dice.oneOf(siteIds),
    name: dice.oneOf(['A site', 'x'.repeat(200), '\u202e日本\u{1F600}']),
    environment: dice.oneOf(['dev', 'prod'] as const),
    baseUrl: 'https://svc.test/integration',
    apiKey: dice.oneOf(['key', 'O\'Neill "; DROP TABLE']),
    callbackUrl: 'https://site.test/callback/acme',
    publicUrl: dice.oneOf([null, 'https://cdn.test']),
    allowedDomains: dice.someOf(['a.test', '*.b.test', 'xn--tda.test'], 3),
    downloadOrigins: dice.someOf(['https://dl.test'], 1),
    signatureHeader: 'X-Service-Signature',
    publish: dice.oneOf([
      { kind: 'listener' },
      { directory: '/srv/with "quotes"', kind: 'folder' },
      { prefix: '', kind: 's3', bucket: 'bucket' },
    ] as const),
    unknownMaterials: dice.oneOf(['refuse', 'accept'] as const),
    callbackAuth: dice.oneOf(['none', 'basic', 'bearer'] as const),
    maxContentBytes: 1 + dice.below(2 ** 30),
    requestTimeoutMs: 1 + dice.below(60_000),
    downloadTimeoutMs: 3_600_000,
  }
}

export const versionName = (dice: Dice) => ({
  site: dice.oneOf(siteIds),
  materialId: dice.oneOf(materialIds),
  versionId: dice.oneOf(versionIds),
})

export const mediaReferences = (dice: Dice, atMost: number) =>
  dice.someOf(blobNames, atMost).map((blob) => ({ hashStart: blob.slice(0, 32), name: dice.oneOf(fileNames) }))

export const exportRequest = (dice: Dice): ExportRequest => ({
  target: { path: dice.oneOf(['/srv/site', 'half \ud800']), kind: 'folder' },
  site: dice.oneOf(siteIds),
  materials: dice.someOf([...materialIds], 3),
  pins: [],
  baseUrl: dice.oneOf([null, 'https://example.org/']),
  check: dice.oneOf(['warn', 'block', 'off'] as const),
  ...(dice.chance(0.3) ? { verify: undefined } : {}),
})

export function aVersion(dice: Dice, names = versionName(dice)): ChangeOf<'version_stored'> {
  const [html, state, kept] = [dice.oneOf(blobNames), dice.oneOf(blobNames), dice.oneOf(blobNames)]
  const media = unique(dice.someOf(fileNames, 3)).map((name) => ({
    name,
    sha256: dice.oneOf(blobNames),
    sizeBytes: dice.below(99),
  }))
  const named = unique([html, state, kept, ...media.map(({ sha256 }) => sha256)])
  return {
    kind: 'version_stored',
    version: {
      ...names,
      versionCdate: dice.oneOf(dates),
      receivedAt: dice.oneOf(moments),
      userEmail: dice.oneOf([null, 'ida@a.test', 'otto@a.test']),
      html,
      state,
      metadata: dice.oneOf([null, '{"n":1.0}']),
      archiveSha256: sha(`archive ${names.versionId}`),
      keptSha256: kept,
      sizeBytes: dice.below(100_000),
      publicBase: dice.oneOf(['https://one.test', 'https://two.test']),
      warnings: someRemarks(dice),
      media,
      references: dice.chance(0.1) ? null : mediaReferences(dice, 2),
      title: dice.chance(0.5) ? null : dice.oneOf(titles),
    },
    // Sometimes one that was never stored, or that is already stored elsewhere.
    blobs: (dice.chance(0.05) ? named.slice(1) : named).map((blob) => aBlob(dice, blob)),
    delivery: aDelivery(dice, names.materialId),
  }
}

export function aFontSet(dice: Dice): ChangeOf<'fonts_stored'> {
  const [css, kept] = [dice.oneOf(blobNames), dice.oneOf(blobNames)]
  const [tree, answer] = [dice.oneOf([null, ...blobNames]), dice.oneOf([null, ...blobNames])]
  const files = unique(dice.someOf(fileNames, 2)).map((name) => ({ name, sha256: dice.oneOf(blobNames), sizeBytes: 1 }))
  const named = unique([css, kept, tree, answer, ...files.map(({ sha256 }) => sha256)].filter((each) => each !== null))
  const snapshotId = dice.oneOf(snapshotIds)
  return {
    kind: 'fonts_stored',
    snapshot: {
      site: dice.oneOf(siteIds),
      snapshotId,
      receivedAt: dice.oneOf(moments),
      css,
      tree,
      answer,
      archiveSha256: sha(`archive ${snapshotId}`),
      keptSha256: kept,
      publicBase: 'https://one.test',
      warnings: someRemarks(dice),
      files,
    },
    blobs: named.map((blob) => aBlob(dice, blob)),
    delivery: aDelivery(dice, 'site-fonts'),
  }
}
