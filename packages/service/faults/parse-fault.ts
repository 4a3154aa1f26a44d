import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { JsonObject } from '../json/json-value.ts'
import type { Fault } from './fault.ts'
import { faultKinds, isFaultKind } from './fault.ts'

const timesLimit = 10_000
const msLimit = 120_000

const isWhole = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max

/** Reads an order for faults, `{kind, times?, ms?, at_byte?}`; fails with a description of the problem. */
export function parseFault({ kind, times = 1, ms, at_byte: atByte }: JsonObject): Result<Fault, string> {
  if (!isFaultKind(kind)) return fail(`kind must be one of ${Object.keys(faultKinds).join(', ')}`)
  if (!isWhole(times, 1, timesLimit)) return fail(`times must be a whole number from 1 to ${timesLimit}`)
  if (ms !== undefined && !isWhole(ms, 0, msLimit)) return fail(`ms must be a whole number from 0 to ${msLimit}`)
  if (atByte !== undefined && !isWhole(atByte, 0, Number.MAX_SAFE_INTEGER))
    return fail('at_byte must be a whole number of bytes')
  return ok({ kind, times, ...(ms !== undefined && { ms }), ...(atByte !== undefined && { at_byte: atByte }) })
}
