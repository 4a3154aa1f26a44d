import type { Change, ChangeKind, ChangeOf } from '../../packages/library/records/changes.ts'
import type { CommentAnchor } from '../../packages/library/records/comment.ts'
import type { FieldsToSet, RecordKey, RecordKind } from '../../packages/library/records/fields.ts'
import { outgoingRules } from '../../packages/library/records/outgoing.ts'
import type { ThemeSettings } from '../../packages/library/records/site-model.ts'
import { pageStates, pageTypes } from '../../packages/library/records/site-model.ts'
import { webhookEvents } from '../../packages/library/records/webhook-setting.ts'
import {
  sha,
  siteIds,
  materialIds,
  versionIds,
  blobNames,
  paths,
  texts,
  titles,
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

/** Values of all fields, of which a change sets some. */
const fieldDice: { readonly [Kind in RecordKind]: (dice: Dice) => Required<FieldsToSet<Kind>> } = {
  version: (dice) => ({
    pinned: dice.chance(0.5),
    tags: dice.someOf(['good', 'Ü'], 2),
    note: dice.oneOf(texts),
    verdict: {
      decision: dice.oneOf(['approved', 'changes_requested', 'cleared'] as const),
      by: dice.oneOf(['Ida', 'Ädám']),
      at: dice.oneOf(moments),
      reason: dice.oneOf(texts),
      baseline: dice.oneOf([null, ...versionIds]),
      ...(dice.chance(0.2) && { rule: 'unchanged' as const }),
    },
  }),
  material: (dice) => ({
    title: dice.oneOf(titles),
    slug: dice.oneOf(texts),
    tags: {
      add: dice.someOf(['front page', 'archive', 'Ä', ''], 3),
      remove: dice.someOf(['front page', 'archive', 'Ä', ''], 2),
    },
    archivedAt: dice.oneOf([null, ...moments]),
    refused: dice.oneOf([null, { reason: dice.oneOf(['locked', '']), since: dice.oneOf(moments) }]),
    ignored: dice.chance(0.5)
      ? []
      : [{ versionId: dice.oneOf(versionIds), blocks: [{ path: [1, 2], run: null }], label: dice.oneOf(['Ä', '']) }],
  }),
  page: (dice) => ({
    path: dice.oneOf([null, ...paths]),
    redirectsFrom: unique(dice.someOf(paths, 2)),
    feedPath: dice.oneOf([null, ...paths]),
    state: dice.oneOf(pageStates),
    type: dice.oneOf(pageTypes),
    published: dice.oneOf([null, ...moments]),
    updated: dice.oneOf([null, 'none', ...moments]),
    firstSaved: dice.oneOf([null, ...moments]),
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
  site: (dice) => ({
    outgoing: dice.oneOf(outgoingRules),
    home: dice.oneOf(['listing', ...materialIds] as const),
    language: dice.oneOf(['en', 'ar', 'pt-BR']),
    timeZone: dice.oneOf(['UTC', 'Europe/Lisbon']),
    baseUrl: dice.oneOf([null, 'https://example.org/', 'http://127.0.0.1:8080/sub/']),
    description: dice.oneOf([null, 'A site', '']),
    theme: dice.oneOf(['default', `files:${dice.oneOf(blobNames)}`]),
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
    editors: dice.someOf(
      [
        { reason: 'left', pattern: '*@old.test' },
        { pattern: 'x', reason: '' },
      ],
      2,
    ),
    expiredToken: { action: dice.oneOf(['refuse', 'accept'] as const), key: dice.oneOf(['k', 'Ü']) },
    editLink: dice.oneOf(['', 'https://cms.example/edit/{material_id}']),
    samePersonMayApprove: dice.chance(0.5),
    approveUnchanged: dice.chance(0.5),
    liveTarget: dice.oneOf([null, 'www']),
    pause: dice.chance(0.5) ? null : { since: dice.oneOf(moments), reason: dice.oneOf(texts).slice(0, 500) },
    webhookUrl: dice.oneOf([null, 'https://hooks.example/a?b', 'http://[::1]:8080/']),
    webhookEvents: dice.someOf(webhookEvents, 5),
    namesInWebhook: dice.chance(0.5),
  }),
  fontSet: () => ({}),
}

const keyDice: { readonly [Kind in RecordKind]: (dice: Dice) => readonly RecordKey<Kind>[] } = {
  version: (dice) => [{ materialId: dice.oneOf(materialIds), versionId: dice.oneOf(versionIds) }],
  material: (dice) => dice.someOf(materialIds, 3).map((materialId) => ({ materialId })),
  page: (dice) => unique(dice.someOf(materialIds, 2)).map((materialId) => ({ materialId })),
  site: () => [{}],
  fontSet: (dice) => [{ snapshotId: aFontSet(dice).snapshot.snapshotId }],
}

/** What a change sets on records of a kind, by default on any. */
export function fieldsToSet<Kind extends RecordKind>(dice: Dice, record: Kind) {
  // Some of its members are what a change takes.
  const set = someMembers(dice, fieldDice[record](dice)) as FieldsToSet<Kind>
  return { site: dice.oneOf(siteIds), of: keyDice[record](dice), set }
}

const records = ['version', 'material', 'material', 'page', 'page', 'site', 'site', 'fontSet'] as const
function fieldsSet(dice: Dice): ChangeOf<'fields_set'> {
  const record = dice.oneOf(records)
  const { of, ...change } = fieldsToSet(dice, record)
  // The compiler cannot tell that keys and values are of the same record.
  return { kind: 'fields_set', record, ...change, ...(record !== 'site' && { of }) } as ChangeOf<'fields_set'>
}

const commentIds = Array.from({ length: 9 }, (_, at) => `5b4c5d80-6f0e-4d6e-9a36-3f1b7f6f0a0${String(at)}`)
const anchors: readonly CommentAnchor[] = [
  { kind: 'text', exact: 'the "bridge"', prefix: '', suffix: ' ü\ud800', start: 7 },
  {
    kind: 'region',
    block: { path: [1, 0], run: { from: 0, to: 1 } },
    picture: 0,
    region: { x: 0, y: 0.25, width: 1, height: 0.5 },
    label: 'a.png',
  },
]
const saidBy = (dice: Dice) => ({
  id: dice.oneOf(commentIds),
  text: `${dice.oneOf(texts)}.`,
  by: dice.oneOf(['Ida', 'Ädám', '']),
  at: dice.oneOf(moments),
})

/** One random change of each kind. The index decides whether it is consistent. */
export const changes: { readonly [Kind in ChangeKind]: (dice: Dice) => ChangeOf<Kind> } = {
  library_named: (dice) => ({ kind: 'library_named', library: `library-${dice.below(3)}`, at: dice.oneOf(moments) }),
  site_saved: (dice) => ({
    kind: 'site_saved',
    site: aSite(dice),
    owner: dice.oneOf(['5b4c5d80-6f0e-4d6e-9a36-3f1b7f6f0a01', 'c5cf0f52-3c5e-4a35-8d1d-0d8f2a4b7e02']),
  }),
  site_removed: (dice) => ({ kind: 'site_removed', site: dice.oneOf(siteIds), at: dice.oneOf(moments) }),
  addresses_decided: (dice) => ({
    kind: 'addresses_decided',
    site: dice.oneOf(siteIds),
    addresses: dice.someOf(materialIds, 2).map((materialId) => ({ materialId, path: dice.oneOf(paths) })),
    tags: dice.chance(0.5) ? [{ tag: dice.oneOf(['a', 'ü']), folder: dice.oneOf(['a', 'u']) }] : [],
  }),
  pages_published: (dice) => ({
    kind: 'pages_published',
    site: dice.oneOf(siteIds),
    pages: dice.someOf(materialIds, 3).map((materialId) => ({ materialId, at: dice.oneOf(moments) })),
  }),
  material_opened: (dice) => ({
    kind: 'material_opened',
    site: dice.oneOf(siteIds),
    materialId: dice.oneOf(materialIds),
    title: dice.chance(0.5) ? null : dice.oneOf(titles),
    slug: dice.chance(0.5) ? null : dice.oneOf(texts),
    sessionId: dice.oneOf(texts),
    fingerprint: 'f',
    url: 'https://svc.test/editor/f',
    at: dice.oneOf(moments),
    sentMetadata: '{}',
    callbackUrl: dice.oneOf(['https://other.test/callback/acme', 'https://site.test/callback/acme']),
  }),
  materials_deleted: (dice) => ({
    kind: 'materials_deleted',
    site: dice.oneOf(siteIds),
    materialIds: dice.someOf(materialIds, 2),
    blobs: dice.someOf(blobNames, 1),
  }),
  version_stored: (dice) => aVersion(dice),
  fonts_stored: aFontSet,
  fields_set: fieldsSet,
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
    ...(dice.chance(0.5) && {
      comments: { authors: dice.someOf(commentIds, 2), resolvers: dice.someOf(commentIds, 1) },
    }),
    decisions: Array.from({ length: dice.below(2) }, () => ({
      ...versionName(dice),
      at: dice.oneOf(moments),
      by: '[erased]',
      reason: '',
    })),
    blobs: blobNames.map((blob) => aBlob(dice, blob)),
    dropped: [],
  }),
  comment_added: (dice) => ({
    kind: 'comment_added',
    comment: { ...saidBy(dice), ...versionName(dice), anchor: dice.oneOf(anchors) },
  }),
  comment_answered: (dice) => ({
    kind: 'comment_answered',
    answer: { ...saidBy(dice), thread: dice.oneOf(commentIds) },
  }),
  comment_settled: (dice) => ({
    kind: 'comment_settled',
    thread: dice.oneOf(commentIds),
    isResolved: dice.chance(0.6),
    by: dice.oneOf(['Ida', 'Ädám']),
    at: dice.oneOf(moments),
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
    request: exportRequest(dice),
    report: {
      brokenReferences: 1,
      counts: { files: dice.below(9), added: 1, changed: 2, removed: 3, unchanged: 4, bytes: 2 ** 40 },
      sha256: dice.oneOf(blobNames),
      broken: dice.chance(0.5)
        ? [{ ref: dice.oneOf(texts), page: 'index.html', reason: { code: 'no_file', path: 'a' } }]
        : [],
      leftOut: { count: 0, list: [] },
    },
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
const weights: Readonly<Record<ChangeKind, number>> = {
  library_named: 0,
  version_stored: 10,
  fonts_stored: 4,
  site_saved: 3,
  material_opened: 3,
  fields_set: 21,
  versions_pruned: 3,
  references_found: 2,
  person_erased: 1,
  comment_added: 5,
  comment_answered: 4,
  comment_settled: 3,
  blobs_dropped: 3,
  files_dropped: 1,
  blobs_moved: 3,
  exported: 2,
  materials_deleted: 1,
  addresses_decided: 2,
  pages_published: 2,
  site_removed: 1,
  target_saved: 2,
  target_removed: 1,
  released: 3,
}
const kinds = Object.keys(weights) as readonly ChangeKind[]

/** A change of each kind. */
export const changesOfAllKinds = (seed: number): readonly Change[] =>
  kinds.map((kind) => changes[kind](diceFrom(seed, kind)))

/** A random change, by how often its kind occurs, or of every kind alike. One more kind takes only the draws that it wins. */
export function aChange(seed: number, isEven = false): Change {
  const draws = kinds.map((kind) => {
    const dice = diceFrom(seed, kind)
    return { kind, dice, height: dice.fraction() ** (1 / (isEven ? 1 : weights[kind])) }
  })
  const { kind, dice } = draws.reduce((highest, each) => (each.height > highest.height ? each : highest))
  return changes[kind](dice)
}

/** What happens in a round of a history, in its order. Each kind has dice of its own, so that one more moves no other. */
export function happeningsOf<Kind extends string, Happening>(
  { seed, round }: { readonly seed: number; readonly round: number },
  frequencies: Readonly<Record<Kind, number>>,
  make: (kind: Kind, dice: Dice) => Happening,
): readonly Happening[] {
  const happenings = (Object.entries<number>(frequencies) as [Kind, number][]).flatMap(([kind, frequency]) => {
    const dice = diceFrom(seed, `${kind} ${round}`)
    return Array.from({ length: frequency }, () => dice.fraction())
      .filter((draw) => draw < 0.05)
      .map((draw) => ({ draw, happening: make(kind, dice) }))
  })
  return happenings.toSorted((one, other) => one.draw - other.draw).map(({ happening }) => happening)
}

/** The changes of a round. */
export const changesIn = (seed: number, round: number): readonly Change[] =>
  happeningsOf({ seed, round }, weights, (kind, dice): Change => changes[kind](dice))
