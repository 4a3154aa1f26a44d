import BetterSqlite3 from 'better-sqlite3'

import type { Index } from '../../packages/library/db/library-index.ts'
import { changes, changesIn, fieldsToSet, happeningsOf } from './random-changes.ts'
import {
  sha,
  siteIds,
  materialIds,
  texts,
  titles,
  moments,
  diceFrom,
  aSite,
  versionName,
  aVersion,
  aFontSet,
} from './random-values.ts'
import type { Dice } from './random-values.ts'

// Random histories of libraries. The same seed gives the same history.

/** What people and saves do, through the methods that the product uses for it. */
const actions = {
  putSite: (index, dice) => index.sites.put(aSite(dice)),
  removeSite: (index, dice) => void index.sites.remove(dice.oneOf(siteIds), dice.oneOf(moments)),
  setSite: (index, dice) => {
    const { site, set } = fieldsToSet(dice, 'site')
    index.fields.set('site', dice.oneOf(['', site]), [{}], set)
  },
  open: (index, dice) => {
    const { kind: _kind, callbackUrl, ...session } = changes.material_opened(dice)
    index.materials.recordOpen({ ...session, callbackUrl: callbackUrl ?? '' })
  },
  rename: (index, dice) =>
    void index.materials.rename(dice.oneOf(siteIds), dice.oneOf(materialIds), dice.oneOf(titles), 'slug'),
  setFields: (index, dice) => {
    const { site, of, set } = fieldsToSet(dice, 'material')
    index.fields.set('material', site, of, set)
  },
  deleteMaterial: (index, dice) => {
    const { site, materialId } = someMaterial(index, dice) ?? versionName(dice)
    index.retention.removeMaterial(site, materialId)
  },
  saveSome,
  storeFonts: (index, dice) => {
    const { blobs, snapshot, delivery } = aFontSet(dice)
    return index.storeSave({ blobs, content: { snapshot }, delivery: () => delivery })
  },
  markSome,
  pruneSome,
  dropUnused: (index, dice) => {
    for (let at: string | null = ''; at !== null;) {
      const { unused, next } = index.unusedBlobs.range(at)
      index.unusedBlobs.drop(unused.filter(() => dice.chance(0.5)))
      at = next
    }
  },
  moveBlobs: (index, dice) => index.blobs.move(changes.blobs_moved(dice).blobs),
  retireFiles: (index, dice) =>
    index.blobs.retire(changes.files_dropped(dice).files.map((file) => ({ file, droppedAt: dice.below(2) }))),
  export: (index, dice) => {
    const counts = { files: 1, added: 0, changed: 0, removed: 0, unchanged: 1, bytes: dice.below(9) }
    const pages = [...index.materials.list(dice.oneOf(siteIds))]
      .slice(0, 5)
      .flatMap(({ materialId, currentVersionId }) =>
        currentVersionId === null ? [] : [{ materialId, versionId: currentVersionId }],
      )
    index.exports.add({
      id: `export-${dice.below(1_000_000)}`,
      site: dice.oneOf(siteIds),
      at: dice.oneOf(moments),
      request: {
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
} satisfies Readonly<Record<string, (index: Index, dice: Dice) => unknown>>

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
  const materials = siteIds.flatMap((site) => [...index.materials.list(site)].slice(0, 20))
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
  const { site, materialId, versionId } = someVersion(index, dice) ?? versionName(dice)
  index.fields.set('version', site, [{ materialId, versionId }], fieldsToSet(dice, 'version').set)
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

/** How often each of them is done in a round. */
const frequencies = Object.fromEntries(
  Object.keys(actions).map((name) => [name, { saveSome: 6, setFields: 6, markSome: 4, pruneSome: 4 }[name] ?? 2]),
) as Readonly<Record<keyof typeof actions, number>>

const isRefusal = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')

/** What is done in a round, and the changes that are committed: one by one, or all at once. */
function stepsOf(index: Index, seed: number, round: number): readonly (() => unknown)[] {
  const done = happeningsOf({ seed, round }, frequencies, (name, dice) => () => actions[name](index, dice))
  const written = changesIn(seed, round)
  const commits = diceFrom(seed, `at once ${round}`).chance(0.5) ? [written] : written.map((change) => [change])
  return [...done, ...commits.map((each) => () => index.commit.now(() => each))]
}

/**
 * Plays a history, of about five steps a round. A change that contradicts the library is refused and counted; any other
 * error is thrown.
 */
export async function playHistory(
  index: Index,
  {
    seed,
    rounds,
    afterRound,
  }: { readonly seed: number; readonly rounds: number; readonly afterRound?: (round: number) => void },
): Promise<{ readonly refused: number }> {
  let refused = 0
  for (const id of siteIds) {
    const dice = diceFrom(seed, id)
    if (dice.chance(0.8)) index.sites.put({ ...aSite(dice), id })
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const step of stepsOf(index, seed, round)) {
      try {
        await step()
      } catch (error) {
        if (!isRefusal(error)) throw error
        refused += 1
      }
    }
    afterRound?.(round)
  }
  return { refused }
}
