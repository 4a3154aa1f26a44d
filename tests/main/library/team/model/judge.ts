import { readLogObject } from '../../../../../src/main/library/team/entry-object.ts'
import { entryKey } from '../../../../../src/main/library/team/keys.ts'
import type { ModelBucket } from './bucket.ts'
import type { Attempt, Machine } from './machine.ts'
import type { Wish } from './rows.ts'
import { apply, changesIn, decide, digestOf, emptyRows, keyOfFile } from './rows.ts'

/** What must hold at the end of every play; gives what did not. */
export function judge(
  bucket: ModelBucket,
  attempts: readonly Attempt[],
  machines: readonly Machine[],
): readonly string[] {
  const { objects, history } = bucket
  const problems: string[] = []
  const rows = emptyRows()
  /** Where each save is in the log, and which attempts are. */
  const places = new Map<number, number[]>()
  const granted = new Set<number>()
  const marks = new Set<string>()
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
      if (change.kind === 'mark' && marks.size === marks.add(change.value).size)
        problems.push(`entry ${position} holds a mark again`)
      if (change.kind === 'save') places.set(change.id, [...(places.get(change.id) ?? []), position])
      apply(rows, change, position)
    }
    rows.position = position
    const entry = readLogObject(bytes)
    if (entry.kind === 'entry') rows.hash = entry.hash
    lookAtRefusals(position)
  }

  for (const attempt of attempts) problems.push(...problemsOf(attempt, { places, granted, marks, rightlyRefused }))
  for (const machine of machines) problems.push(...problemsOfMarks(machine, attempts, marks))
  for (const replica of machines.map((machine) => machine.rows()))
    if (digestOf(replica) !== digestOf(rows))
      problems.push(`a replica ends at ${replica.position} of ${rows.position}, or has other rows`)
  for (let position = 1; position <= history.length; position += 1)
    if (!objects.has(entryKey(position))) problems.push(`the key of entry ${position} is gone`)
  const named = new Set(Object.values(rows.saves).flatMap(({ files }) => files))
  const keys = new Set<string>([...named].map((file) => keyOfFile(rows, file)))
  for (const key of keys) if (!objects.has(key)) problems.push(`${key} is gone`)
  for (const key of objects.keys())
    if (key.startsWith('files/') && !keys.has(key)) problems.push(`${key} is left, and nothing names it`)
  return [...problems, ...tracesIn(bucket, attempts)]
}

/** What still names somebody whose erase has ended, and who was not added again. `stray` objects may. */
export function tracesIn(
  { objects, history }: ModelBucket,
  attempts: readonly Attempt[],
  stray: ReadonlySet<string> = new Set(),
): readonly string[] {
  const added = new Map<string, number>()
  for (const [at, bytes] of history.entries())
    for (const change of changesIn(bytes)) if (change.kind === 'add') added.set(change.name, at + 1)
  return attempts.flatMap(({ wish, end, from }) => {
    if (wish.kind !== 'erase' || end?.kind !== 'stored' || wish.name === undefined) return []
    const { name } = wish
    if ((added.get(name) ?? 0) > from) return []
    const naming = [...objects].filter(([key, bytes]) => !stray.has(key) && Buffer.from(bytes).includes(`"${name}"`))
    return naming.map(([key]) => `${key} still names somebody who was erased`)
  })
}

interface Seen {
  readonly places: ReadonlyMap<number, readonly number[]>
  readonly granted: ReadonlySet<number>
  readonly marks: ReadonlySet<string>
  readonly rightlyRefused: ReadonlySet<Attempt>
}

function problemsOf(attempt: Attempt, { places, granted, marks, rightlyRefused }: Seen): readonly string[] {
  const { wish, end, to } = attempt
  if (end?.kind === 'refused') {
    if (granted.has(wish.attempt)) return [`a refused ${wish.kind} is in the log`]
    return rightlyRefused.has(attempt)
      ? []
      : [`a ${wish.kind} was refused (${end.reason}) although nothing spoke against it`]
  }
  if (end?.kind !== 'stored' || ['prune', 'drop', 'erase'].includes(wish.kind)) return []
  if (wish.kind === 'mark') return marks.has(wish.value) ? [] : ['an acknowledged mark is not in the log']
  // A repeated delivery is answered from the ledger.
  const isThere =
    wish.kind === 'save' ? (places.get(wish.id) ?? []).some((position) => position <= to) : granted.has(wish.attempt)
  return isThere ? [] : [`an acknowledged ${wish.kind} is not in the log`]
}

/** What a person changed without the bucket is in the log, or is kept until somebody decides. */
function problemsOfMarks(
  machine: Machine,
  attempts: readonly Attempt[],
  marks: ReadonlySet<string>,
): readonly string[] {
  const conflicts = new Map(machine.conflicts())
  const vanished = [...machine.promised()].filter(
    ([field, value]) => !marks.has(value) && conflicts.get(field)?.wanted !== value,
  )
  // A mark that its machine died over is not known there to be its own.
  const own = new Set(
    attempts.flatMap(({ wish, end }) => (wish.kind === 'mark' && end?.kind !== 'unknown' ? [wish.value] : [])),
  )
  const againstItself = [...conflicts.values()].filter(
    ({ theirs }) => theirs !== null && theirs.startsWith(`${machine.name()} `) && own.has(theirs),
  )
  return [
    ...vanished.map(([field]) => `a change of ${field} that was to wait is gone`),
    ...againstItself.map(() => 'a person is asked about a change of the same person'),
    ...(machine.isWaiting() ? ['a change still waits'] : []),
  ]
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
