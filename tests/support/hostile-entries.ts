import { createHash } from 'node:crypto'

import { headBytes } from '../../packages/library/log/line.ts'
import { logFormat } from '../../packages/library/records/changes.ts'
import { aChange } from './random-changes.ts'
import type { Dice } from './random-values.ts'

/** A line with a valid length and hash around any text. */
export function lineAround(entry: string): { readonly bytes: Buffer; readonly hash: string } {
  const hash = createHash('sha256').update(entry).digest('hex')
  const length = headBytes + Buffer.byteLength(entry) + 2
  return {
    bytes: Buffer.from(`{"length":"${String(length).padStart(10, '0')}","sha256":"${hash}","entry":${entry}}\n`),
    hash,
  }
}

/** An entry of these changes, as text: they may be anything. */
export const entryAround = (
  { position, hash }: { readonly position: number; readonly hash: string },
  changes: string,
  writer = 'a-stranger',
  format = logFormat,
): string =>
  `{"galley":${format},"position":${position + 1},"previous":"${hash}","writer":"${writer}","changes":${changes}}`

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

/** Values that no code expects somewhere. */
const oddValues = (dice: Dice): unknown =>
  dice.oneOf<() => unknown>([
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => '',
    () => 'nonsense',
    () => '2026-02-30T00:00:00.000Z',
    () => '2026-13-45T00:00:00.000Z',
    () => '+275760-09-13T00:00:00.000Z',
    () => '9999-12-31T23:59:59.999Z',
    () => '0000-01-01T00:00:00.000Z',
    () => 'half \ud800',
    () => 'a\u0000b',
    () => '\u202Egnp.exe',
    () => '../../../../etc/passwd',
    () => '/etc/passwd',
    () => 'C:\\Windows',
    () => 'x'.repeat(20_000),
    () => '__proto__',
    () => '[]',
    () => '{',
    () => `https://${':'.repeat(3)}`,
    () => 'javascript:alert(1)',
    () => 'files:' + 'a'.repeat(64),
    () => -1,
    () => 0.5,
    () => 1e308,
    () => Number.MAX_SAFE_INTEGER,
    () => Number.MIN_SAFE_INTEGER,
    () => 2 ** 63,
    () => deep(2_000),
    () => Array.from({ length: 3_000 }, (_, at) => `m${at}`),
  ])()

/** All places in a value: its own, and those inside it. */
function placesIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...path, key]))
  return [path, ...inside]
}

/** The value with another one at a place, with a member more, or with one less. */
function changedAt(value: unknown, [key, ...rest]: readonly (string | number)[], dice: Dice): unknown {
  if (key === undefined) return oddValues(dice)
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }
  const at = copy as Record<string | number, unknown>
  if (rest.length === 0 && dice.chance(0.15)) delete at[key]
  else at[key] = changedAt(at[key], rest, dice)
  return copy
}

/** The changes of an entry as text: random ones of which usually one is not as it should be. */
export function hostileChanges(dice: Dice): string {
  if (dice.chance(0.02)) return dice.oneOf(['', '[', 'null', '{}', '[]', '[null]', '"x"', '['.repeat(50_000)])
  const random = (isEven: boolean) => aChange(dice.below(2 ** 32), isEven)
  const change = JSON.parse(JSON.stringify(random(dice.chance(0.6)))) as unknown
  const mutated = changedAt(change, dice.oneOf(placesIn(change)), dice)
  const beside = dice.chance(0.3) ? [random(false)] : []
  return JSON.stringify([...beside, mutated])
}
