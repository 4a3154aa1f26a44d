import { readLogObject } from '../../../../../src/main/library/team/entry-object.ts'
import { entryKey } from '../../../../../src/main/library/team/keys.ts'
import type { ModelBucket } from './bucket.ts'
import type { Attempt } from './machine.ts'
import type { Rows, Wish } from './rows.ts'
import { apply, changesIn, decide, digestOf, emptyRows, isNamed, keyOfFile } from './rows.ts'

/** What must hold at the end of every play; gives what did not. */
export function judge(bucket: ModelBucket, attempts: readonly Attempt[], replicas: readonly Rows[]): readonly string[] {
  const { objects, history } = bucket
  const problems: string[] = []
  const rows = emptyRows()
  /** Where each save is in the log, and which attempts are. */
  const places = new Map<number, number[]>()
  const granted = new Set<number>()
  const rightlyRefused = new Set<Attempt>()
  const refused = attempts.filter(({ end }) => end?.kind === 'refused')

  const lookAtRefusals = (position: number): void => {
    for (const attempt of refused) {
      if (position < attempt.from || position > attempt.to) continue
      // Wishes of one batch are decided together: what came before it in the batch counts.
      if (decide(rows, attempt.wish).kind === 'refused' || isOfABatch(attempt, attempts)) rightlyRefused.add(attempt)
    }
  }

  lookAtRefusals(0)
  for (const [at, bytes] of history.entries()) {
    const position = at + 1
    for (const change of changesIn(bytes)) {
      const verdict = decide(rows, change)
      if (verdict.kind !== 'write') problems.push(`entry ${position} holds what is to be refused: ${change.kind}`)
      else if (JSON.stringify(verdict.change) !== JSON.stringify(change))
        problems.push(`entry ${position} was decided on other rows: ${change.kind}`)
      granted.add(change.attempt)
      if (change.kind === 'save') places.set(change.id, [...(places.get(change.id) ?? []), position])
      apply(rows, change, position)
    }
    rows.position = position
    const entry = readLogObject(bytes)
    if (entry.kind === 'entry') rows.hash = entry.hash
    lookAtRefusals(position)
  }

  for (const attempt of attempts) problems.push(...problemsOf(attempt, { places, granted, rightlyRefused }))
  for (const replica of replicas)
    if (digestOf(replica) !== digestOf(rows))
      problems.push(`a replica ends at ${replica.position} of ${rows.position}, or has other rows`)
  for (let position = 1; position <= history.length; position += 1)
    if (!objects.has(entryKey(position))) problems.push(`the key of entry ${position} is gone`)
  for (const file of new Set(Object.values(rows.saves).flatMap(({ files }) => files)))
    if (isNamed(rows, file) && !objects.has(keyOfFile(rows, file))) problems.push(`file ${file} is gone`)
  return problems
}

interface Seen {
  readonly places: ReadonlyMap<number, readonly number[]>
  readonly granted: ReadonlySet<number>
  readonly rightlyRefused: ReadonlySet<Attempt>
}

function problemsOf(attempt: Attempt, { places, granted, rightlyRefused }: Seen): readonly string[] {
  const { wish, end, to } = attempt
  if (end?.kind === 'refused') {
    if (granted.has(wish.attempt)) return [`a refused ${wish.kind} is in the log`]
    return rightlyRefused.has(attempt)
      ? []
      : [`a ${wish.kind} was refused (${end.reason}) although nothing spoke against it`]
  }
  if (end?.kind !== 'stored' || wish.kind === 'prune') return []
  // A repeated delivery is answered from the ledger.
  const isThere =
    wish.kind === 'save' ? (places.get(wish.id) ?? []).some((position) => position <= to) : granted.has(wish.attempt)
  return isThere ? [] : [`an acknowledged ${wish.kind} is not in the log`]
}

/** Whether another wish for the same thing was decided just before it, in the same batch. */
const isOfABatch = ({ wish, from, to }: Attempt, attempts: readonly Attempt[]): boolean =>
  attempts.some(
    (other) =>
      other.wish.attempt < wish.attempt &&
      other.from === from &&
      other.to === to &&
      concerns(other.wish).some((thing) => concerns(wish).includes(thing)) &&
      other.end?.kind === 'stored',
  )

const concerns = (wish: Wish): readonly string[] => [
  ...(wish.kind === 'add' ? [`name ${wish.name}`] : []),
  ...('material' in wish ? [`material ${wish.material}`] : []),
  ...('id' in wish ? [`save ${wish.id}`] : []),
]
