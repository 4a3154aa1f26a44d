import BetterSqlite3 from 'better-sqlite3'

import { outgoingRules } from '../../src/contract/domain/outgoing.ts'
import type { ThemeSettings } from '../../src/contract/domain/site-model.ts'
import { pageStates, pageTypes } from '../../src/contract/domain/site-model.ts'
import type { Change, ChangeKind, ChangeOf } from '../../src/contract/domain/changes.ts'
import type { Index } from '../../src/main/library/db/library-index.ts'
import {
  sha,
  siteIds,
  materialIds,
  versionIds,
  blobNames,
  paths,
  texts,
  moments,
  diceFrom,
  someMembers,
  unique,
  aBlob,
  aSite,
  versionName,
  mediaReferences,
  exportRequest,
  aVersion,
  aFontSet,
} from './random-values.ts'
import type { Dice } from './random-values.ts'

// Random histories of libraries. The same seed gives the same history.

/** One random change of each kind. The index decides whether it is consistent. */
const changes: { readonly [Kind in ChangeKind]: (dice: Dice) => ChangeOf<Kind> } = {
  library_named: (dice) => ({ kind: 'library_named', library: `library-${dice.below(3)}`, at: dice.oneOf(moments) }),
  site_saved: (dice) => ({
    ...{ kind: 'site_saved', site: aSite(dice) },
    ...(dice.chance(0.3) && { publicBases: dice.someOf(['https://one.test', 'http://[::1]:8080/a'], 2) }),
  }),
  site_removed: (dice) => ({ kind: 'site_removed', site: dice.oneOf(siteIds), at: dice.oneOf(moments) }),
  rules_saved: (dice) => ({
    kind: 'rules_saved',
    site: dice.oneOf(siteIds),
    editors: dice.someOf(
      [
        { reason: 'left', pattern: '*@old.test' },
        { pattern: 'x', reason: '' },
      ],
      2,
    ),
    expiredToken: { action: dice.oneOf(['refuse', 'accept'] as const), key: dice.oneOf(texts) },
  }),
  publishing_changed: (dice) => ({
    kind: 'publishing_changed',
    site: dice.oneOf(siteIds),
    ...someMembers(dice, {
      outgoing: dice.oneOf(outgoingRules),
      home: dice.oneOf(['listing', ...materialIds] as const),
      language: dice.oneOf(['en', 'ar', 'pt-BR']),
      baseUrl: dice.oneOf([null, 'https://example.org/', 'http://127.0.0.1:8080/sub/']),
      description: dice.oneOf([null, 'A site', '']),
      theme: dice.oneOf(['default', '/srv/a theme']),
      themeSettings: dice.oneOf<ThemeSettings>([{}, { b: 1, a: 'x', c7: true }]),
      menu: dice.oneOf([
        [],
        [
          { label: 'Über', target: { material: dice.oneOf(materialIds) } },
          { target: { url: 'about/' }, label: 'x' },
        ],
      ]),
      footer: dice.oneOf([null, 'Fin']),
      postsPerPage: 1 + dice.below(99),
      headSnippet: dice.oneOf(['', '<meta name="x">']),
      bodySnippet: dice.oneOf(['', '<script src="/a.js"></script>']),
    }),
  }),
  pages_changed: (dice) => ({
    kind: 'pages_changed',
    site: dice.oneOf(siteIds),
    materialIds: unique(dice.someOf(materialIds, 2)),
    settings: someMembers(dice, {
      path: dice.oneOf([null, ...paths]),
      redirectsFrom: unique(dice.someOf(paths, 2)),
      state: dice.oneOf(pageStates),
      type: dice.oneOf(pageTypes),
      published: dice.oneOf([null, ...moments]),
      notBefore: dice.oneOf([null, ...moments]),
      pinned: dice.chance(0.5),
      language: dice.oneOf([null, 'he']),
      description: dice.oneOf([null, '', 'x']),
      tags: unique(dice.someOf(['a', 'B', 'ü'], 3)),
      author: dice.oneOf([null, 'Ida']),
      socialImage: dice.oneOf([null, 'a.png']),
      canonical: dice.oneOf([null, 'https://elsewhere.test/x']),
      version: dice.oneOf(['latest', 'approved', ...versionIds] as const),
    }),
  }),
  addresses_decided: (dice) => ({
    kind: 'addresses_decided',
    site: dice.oneOf(siteIds),
    addresses: dice.someOf(materialIds, 2).map((materialId) => ({ materialId, path: dice.oneOf(paths) })),
  }),
  pages_published: (dice) => ({
    kind: 'pages_published',
    site: dice.oneOf(siteIds),
    pages: dice.someOf(materialIds, 3).map((materialId) => ({ materialId, at: dice.oneOf(moments) })),
  }),
  saves_paused: (dice) => ({
    kind: 'saves_paused',
    site: dice.oneOf([null, ...siteIds]),
    pause: dice.chance(0.5) ? null : { since: dice.oneOf(moments), reason: dice.oneOf(texts) },
  }),
  material_opened: (dice) => ({
    kind: 'material_opened',
    site: dice.oneOf(siteIds),
    materialId: dice.oneOf(materialIds),
    title: dice.chance(0.5) ? null : dice.oneOf(texts),
    slug: dice.chance(0.5) ? null : dice.oneOf(texts),
    sessionId: dice.oneOf(texts),
    fingerprint: 'f',
    url: 'https://svc.test/editor/f',
    at: dice.oneOf(moments),
    sentMetadata: '{}',
    callbackUrl: dice.oneOf([null, 'https://site.test/callback/acme']),
  }),
  material_renamed: (dice) => ({
    kind: 'material_renamed',
    site: dice.oneOf(siteIds),
    materialId: dice.oneOf(materialIds),
    title: dice.oneOf(texts),
    slug: dice.oneOf(texts),
  }),
  materials_tagged: (dice) => ({
    kind: 'materials_tagged',
    site: dice.oneOf(siteIds),
    materialIds: dice.someOf(materialIds, 4),
    add: dice.someOf(['front page', 'archive', 'Ä', ''], 3),
    remove: dice.someOf(['front page', 'archive', 'Ä', ''], 2),
  }),
  materials_refused: (dice) => ({
    kind: 'materials_refused',
    site: dice.oneOf(siteIds),
    materialIds: dice.someOf(materialIds, 3),
    reason: dice.oneOf([null, 'locked', '']),
    at: dice.oneOf(moments),
  }),
  materials_archived: (dice) => ({
    kind: 'materials_archived',
    site: dice.oneOf(siteIds),
    materialIds: dice.someOf(materialIds, 3),
    at: dice.oneOf([null, ...moments]),
  }),
  materials_deleted: (dice) => ({
    kind: 'materials_deleted',
    site: dice.oneOf(siteIds),
    materialIds: dice.someOf(materialIds, 2),
    blobs: dice.someOf(blobNames, 1),
  }),
  version_stored: (dice) => aVersion(dice),
  fonts_stored: aFontSet,
  version_marked: (dice) => ({
    kind: 'version_marked',
    version: versionName(dice),
    ...(dice.chance(0.4) ? { pinned: dice.chance(0.5) } : {}),
    ...(dice.chance(0.4) ? { tags: dice.someOf(['good', 'Ü'], 2) } : {}),
    ...(dice.chance(0.4) ? { note: dice.oneOf(texts) } : {}),
    ...(dice.chance(0.5)
      ? { verdict: dice.oneOf([null, { kind: 'approved', note: dice.oneOf(texts), at: dice.oneOf(moments) } as const]) }
      : {}),
  }),
  versions_pruned: (dice) => ({
    kind: 'versions_pruned',
    versions: Array.from({ length: 1 + dice.below(3) }, () => versionName(dice)),
    blobs: dice.someOf(blobNames, 1),
  }),
  references_found: (dice) => ({
    kind: 'references_found',
    versions: Array.from({ length: dice.below(3) }, () => ({
      ...versionName(dice),
      references: mediaReferences(dice, 3),
    })),
    ...(dice.chance(0.7) && {
      sheets: dice.someOf(blobNames, 2).map((sheet) => ({ sheet, references: mediaReferences(dice, 2) })),
    }),
    ...(dice.chance(0.2) && { blobs: dice.someOf(blobNames, 2).map((blob) => aBlob(dice, blob)) }),
  }),
  person_erased: (dice) => ({
    kind: 'person_erased',
    versions: Array.from({ length: dice.below(3) }, () => ({
      ...versionName(dice),
      isEditor: dice.chance(0.5),
      metadata: dice.chance(0.5) ? '{"version_id":"v"}' : null,
      keptSha256: dice.oneOf(blobNames),
    })),
    snapshots: [],
    materials: [],
    deliveries: [],
    blobs: blobNames.map((blob) => aBlob(dice, blob)),
    dropped: [],
  }),
  archives_unredacted: (dice) => ({ kind: 'archives_unredacted', archives: dice.someOf(blobNames, 3) }),
  archives_redacted: (dice) => ({
    kind: 'archives_redacted',
    rewritten: dice.someOf(blobNames, 2).map((archive) => ({ archive, kept: aBlob(dice, dice.oneOf(blobNames)) })),
    dropped: dice.someOf(blobNames, 1),
    done: dice.someOf(blobNames, 1),
  }),
  blobs_dropped: (dice) => ({ kind: 'blobs_dropped', blobs: dice.someOf([...blobNames, sha('unknown')], 2) }),
  files_dropped: (dice) => ({ kind: 'files_dropped', files: dice.someOf([...blobNames, sha('unknown')], 2) }),
  blobs_moved: (dice) => ({
    kind: 'blobs_moved',
    blobs: dice.someOf([...blobNames, sha('unknown')], 3).map((blob) => aBlob(dice, blob)),
  }),
  exported: (dice) => ({
    kind: 'exported',
    id: `export-${dice.below(1_000_000)}`,
    site: dice.oneOf(siteIds),
    at: dice.oneOf(moments),
    wish: exportRequest(dice),
    report: { counts: { files: dice.below(9) }, ...exportRequest(dice) },
    pages: dice.someOf(materialIds, 3).map((materialId) => ({ materialId, versionId: dice.oneOf(versionIds) })),
  }),
  target_saved: (dice) => ({
    kind: 'target_saved',
    site: dice.oneOf(siteIds),
    name: dice.oneOf(['live', 'staging']),
    settings: {
      place: dice.oneOf([
        { kind: 'folder', directory: '/srv/with "quotes"' },
        { kind: 's3', bucket: 'bucket', prefix: '', endpoint: null, region: 'eu' },
      ] as const),
      publicUrl: dice.oneOf([null, 'https://www.test']),
      compress: dice.chance(0.5),
      schedule: dice.oneOf([null, '06:00']),
    },
  }),
  target_removed: (dice) => ({
    kind: 'target_removed',
    site: dice.oneOf(siteIds),
    name: dice.oneOf(['live', 'staging']),
  }),
  released: (dice) => ({
    kind: 'released',
    release: {
      id: `release-${dice.below(1_000_000)}`,
      site: dice.oneOf(siteIds),
      target: dice.oneOf(['live', 'staging']),
      at: dice.oneOf(moments),
      record: dice.oneOf(blobNames),
      rollbackOf: dice.oneOf([null, 'release-1']),
      by: dice.oneOf(['person', 'schedule'] as const),
      counts: { files: dice.below(9), added: 1, changed: 2, removed: 3, unchanged: 4, bytes: 2 ** 40 },
      pages: unique(dice.someOf(materialIds, 3)).map((materialId) => ({
        materialId,
        versionId: dice.oneOf(versionIds),
      })),
      links: { checked: 9, broken: 1, list: [{ page: 'index.html', ref: 'x', reason: { code: 'not_in_bundle' } }] },
    },
  }),
}

/** How often each kind occurs on its own. A library is named when it is copied, not during its history. */
const weights: readonly (readonly [ChangeKind, number])[] = [
  ['version_stored', 10],
  ['fonts_stored', 4],
  ['site_saved', 3],
  ['material_opened', 3],
  ['version_marked', 3],
  ['versions_pruned', 3],
  ['references_found', 2],
  ['person_erased', 1],
  ['archives_unredacted', 1],
  ['archives_redacted', 1],
  ['blobs_dropped', 3],
  ['files_dropped', 1],
  ['blobs_moved', 3],
  ['exported', 2],
  ['materials_tagged', 2],
  ['materials_refused', 2],
  ['materials_archived', 2],
  ['materials_deleted', 1],
  ['material_renamed', 2],
  ['rules_saved', 1],
  ['publishing_changed', 3],
  ['pages_changed', 4],
  ['addresses_decided', 2],
  ['pages_published', 2],
  ['saves_paused', 2],
  ['site_removed', 1],
  ['target_saved', 2],
  ['target_removed', 1],
  ['released', 3],
]
const kinds = weights.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind))

/** A change of each kind. */
export const changesOfAllKinds = (seed: number): readonly Change[] => {
  const dice = diceFrom(seed)
  return Object.values(changes).map((make) => make(dice))
}

const aChange = (dice: Dice): Change => changes[dice.oneOf(kinds)](dice)

/** What people and saves do, through the methods that the product uses for it. */
const doings: readonly ((index: Index, dice: Dice) => void | Promise<void>)[] = [
  (index, dice) => index.sites.put(aSite(dice)),
  (index, dice) => void index.sites.remove(dice.oneOf(siteIds), dice.oneOf(moments)),
  (index, dice) => {
    const { site, editors, expiredToken } = changes.rules_saved(dice)
    index.rules.put(site, { editors: [...editors], expiredToken })
  },
  (index, dice) => {
    const { site, outgoing } = changes.publishing_changed(dice)
    index.publishing.change(site, outgoing === undefined ? {} : { outgoing })
  },
  (index, dice) => {
    const { site, pause } = changes.saves_paused(dice)
    index.rules.pause(site, pause)
  },
  (index, dice) => {
    const { kind: _kind, callbackUrl, ...session } = changes.material_opened(dice)
    index.materials.recordOpen({ ...session, callbackUrl: callbackUrl ?? '' })
  },
  (index, dice) => void index.materials.rename(dice.oneOf(siteIds), dice.oneOf(materialIds), dice.oneOf(texts), 'slug'),
  (index, dice) => {
    const { site, materialIds: tagged, ...tags } = changes.materials_tagged(dice)
    index.materialTags.change(site, tagged, tags)
  },
  (index, dice) => {
    const { site, materialIds: refused, reason, at } = changes.materials_refused(dice)
    index.rules.refuse(site, refused, reason, at)
  },
  (index, dice) => {
    const { site, materialIds: archived, at } = changes.materials_archived(dice)
    index.materials.archive(site, archived, at)
  },
  (index, dice) => {
    const { site, materialId } = someMaterial(index, dice) ?? versionName(dice)
    index.retention.removeMaterial(site, materialId)
  },
  saveSome,
  saveSome,
  saveSome,
  (index, dice) => {
    const { blobs, snapshot, delivery } = aFontSet(dice)
    return index.storeSave({ blobs, content: { snapshot }, delivery: () => delivery })
  },
  markSome,
  markSome,
  pruneSome,
  pruneSome,
  (index, dice) => {
    for (let at: string | null = ''; at !== null;) {
      const { loose, next } = index.looseBlobs.stretch(at)
      index.looseBlobs.drop(loose.filter(() => dice.chance(0.5)))
      at = next
    }
  },
  (index, dice) => index.blobs.move(changes.blobs_moved(dice).blobs),
  (index, dice) =>
    index.blobs.retire(changes.files_dropped(dice).files.map((file) => ({ file, droppedAt: dice.below(2) }))),
  (index, dice) => {
    const counts = { files: 1, added: 0, changed: 0, removed: 0, unchanged: 1, bytes: dice.below(9) }
    const pages = index.materials
      .list(dice.oneOf(siteIds), 5)
      .flatMap(({ materialId, currentVersionId }) =>
        currentVersionId === null ? [] : [{ materialId, versionId: currentVersionId }],
      )
    index.exports.add({
      id: `export-${dice.below(1_000_000)}`,
      site: dice.oneOf(siteIds),
      at: dice.oneOf(moments),
      wish: {
        site: 'acme',
        materials: [],
        pins: [],
        target: { kind: 'folder', path: '/x' },
        baseUrl: null,
        check: 'off',
      },
      counts,
      references: { checked: 1, broken: 0, list: [] },
      leftOut: { count: 0, list: [] },
      sha256: sha('bundle'),
      pages,
    })
  },
]

/** Several saves at once, as they arrive: some are refused, the others are committed together. */
async function saveSome(index: Index, dice: Dice): Promise<void> {
  const saves = Array.from({ length: 1 + dice.below(4) }, () => aVersion(dice))
  const outcomes = await Promise.allSettled(
    saves.map(({ version, blobs, delivery }) =>
      index.storeSave({ blobs, content: { version, text: dice.oneOf(texts) }, delivery: () => delivery }),
    ),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

function someMaterial(index: Index, dice: Dice) {
  const materials = siteIds.flatMap((site) => index.materials.list(site, 20))
  return materials.length === 0 ? null : dice.oneOf(materials)
}

function someVersion(index: Index, dice: Dice) {
  const material = someMaterial(index, dice)
  if (material === null) return null
  const { site, materialId } = material
  const versions = index.versions.list(site, materialId)
  return versions.length === 0 ? null : dice.oneOf(versions)
}

function markSome(index: Index, dice: Dice): void {
  const { version: named, pinned = false, tags = [], note = '', verdict } = changes.version_marked(dice)
  const { site, materialId, versionId } = someVersion(index, dice) ?? named
  const marks = {
    ...(dice.chance(0.5) ? { pinned } : {}),
    ...(dice.chance(0.5) ? { tags: [...tags] } : {}),
    ...(dice.chance(0.5) ? { note } : {}),
    ...(verdict === undefined ? {} : { verdict: verdict && { kind: verdict.kind, note: verdict.note } }),
  }
  index.versionList.mark(site, materialId, versionId, marks, dice.oneOf(moments))
}

/** All but the newest, as a retention rule would select them. */
function pruneSome(index: Index, dice: Dice): void {
  for (
    let after = 0, grown = index.retention.nextGrown(after, null);
    grown;
    grown = index.retention.nextGrown(after, null)
  ) {
    after = grown.row
    const old = index.retention.history(after).slice(1)
    if (dice.chance(0.5)) index.retention.remove(old.map(({ row }) => row))
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')

/** Plays steps of a history. A change that contradicts the library is refused and counted; any other error is thrown. */
export async function playHistory(
  index: Index,
  {
    seed,
    steps,
    afterStep,
  }: { readonly seed: number; readonly steps: number; readonly afterStep?: (at: number) => void },
): Promise<{ readonly refused: number }> {
  const dice = diceFrom(seed)
  let refused = 0
  for (const id of siteIds) if (dice.chance(0.8)) index.sites.put({ ...aSite(dice), id })
  for (let at = 0; at < steps; at += 1) {
    try {
      if (dice.chance(0.5)) await dice.oneOf(doings)(index, dice)
      else if (dice.chance(0.7)) index.commit.now(() => [aChange(dice)])
      else index.commit.now(() => Array.from({ length: 1 + dice.below(5) }, () => aChange(dice)))
    } catch (error) {
      if (!isRefusal(error)) throw error
      refused += 1
    }
    afterStep?.(at)
  }
  return { refused }
}
