import { readLogObject } from '../../../../packages/library/team/entry-object.ts'
import { entryKey } from '../../../../packages/library/team/keys.ts'
import type { ModelBucket } from './bucket.ts'
import type { Attempt, Machine } from './machine.ts'
import type { Write } from './rows.ts'
import { apply, changesIn, decide, digestOf, emptyRows, keyOfFile } from './rows.ts'

/** Checks what must hold at the end of every simulation; returns the violations. */
export function judge(
  bucket: ModelBucket,
  attempts: readonly Attempt[],
  machines: readonly Machine[],
): readonly string[] {
  const { objects, history } = bucket
  const problems: string[] = []
  const rows = emptyRows()
  /** The position of each save in the log, and which attempts are in it. */
  const places = new Map<number, number[]>()
  const granted = new Set<number>()
  const marks = new Set<string>()
  const rightlyRefused = new Set<Attempt>()
  const refused = attempts.filter(({ end }) => end?.kind === 'refused')

  const lookAtRefusals = (position: number): void => {
    for (const attempt of refused) {
      if (position < attempt.from || position > attempt.to) continue
      // Writes of one batch are decided together, so earlier ones of the batch count.
      if (decide(rows, attempt.write).kind === 'refused' || isOfABatch(attempt, attempts)) rightlyRefused.add(attempt)
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

/** Objects that still name a person after an erase, unless the person was added again. `stray` objects may. */
export function tracesIn(
  { objects, history }: ModelBucket,
  attempts: readonly Attempt[],
  stray: ReadonlySet<string> = new Set(),
): readonly string[] {
  const added = new Map<string, number>()
  for (const [at, bytes] of history.entries())
    for (const change of changesIn(bytes)) if (change.kind === 'add') added.set(change.name, at + 1)
  return attempts.flatMap(({ write, end, from }) => {
    if (write.kind !== 'erase' || end?.kind !== 'stored' || write.name === undefined) return []
    const { name } = write
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
  const { write, end, to } = attempt
  if (end?.kind === 'refused') {
    if (granted.has(write.attempt)) return [`a refused ${write.kind} is in the log`]
    return rightlyRefused.has(attempt)
      ? []
      : [`a ${write.kind} was refused (${end.reason}) although nothing spoke against it`]
  }
  if (end?.kind !== 'stored' || ['prune', 'drop', 'erase'].includes(write.kind)) return []
  if (write.kind === 'mark') return marks.has(write.value) ? [] : ['an acknowledged mark is not in the log']
  // A repeated delivery is answered from the log.
  const isThere =
    write.kind === 'save' ? (places.get(write.id) ?? []).some((position) => position <= to) : granted.has(write.attempt)
  return isThere ? [] : [`an acknowledged ${write.kind} is not in the log`]
}

/** A change that a person made without the bucket is in the log, or kept until someone decides. */
function problemsOfMarks(
  machine: Machine,
  attempts: readonly Attempt[],
  marks: ReadonlySet<string>,
): readonly string[] {
  const conflicts = new Map(machine.conflicts())
  const vanished = [...machine.promised()].filter(
    ([field, value]) => !marks.has(value) && conflicts.get(field)?.wanted !== value,
  )
  // A machine that died while it sent a mark does not recognize it as its own.
  const own = new Set(
    attempts.flatMap(({ write, end }) => (write.kind === 'mark' && end?.kind !== 'unknown' ? [write.value] : [])),
  )
  const againstItself = machine.askedAgainst().filter((value) => own.has(value))
  return [
    ...vanished.map(([field]) => `a change of ${field} that was to wait is gone`),
    ...againstItself.map(() => 'a person is asked about a change of the same person'),
    ...(machine.isWaiting() ? ['a change still waits'] : []),
  ]
}

/** Whether another write of the same kind was decided just before it in the same batch. */
const isOfABatch = ({ write, from, to }: Attempt, attempts: readonly Attempt[]): boolean =>
  attempts.some(
    (other) =>
      other.write.attempt < write.attempt &&
      other.from === from &&
      other.to === to &&
      concerns(other.write).some((thing) => concerns(write).includes(thing)) &&
      other.end?.kind === 'stored',
  )

const concerns = (write: Write): readonly string[] => [
  ...(write.kind === 'add' ? [`name ${write.name}`] : []),
  ...('material' in write ? [`material ${write.material}`] : []),
  ...('id' in write ? [`save ${write.id}`] : []),
]
