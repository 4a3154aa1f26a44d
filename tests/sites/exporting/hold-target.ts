/** Holds the lock of the given folder until its input ends; prints whether it got it. */

import { once } from 'node:events'

import { withTargetLock } from '../../../packages/sites/exporting/target-lock.ts'
import { ok } from '../../../packages/wire/result.ts'

const [, , directory = ''] = process.argv
const held = await withTargetLock<null, never>({ kind: 'folder', directory }, async () => {
  process.stdout.write('held\n')
  process.stdin.resume()
  await once(process.stdin, 'end')
  return ok(null)
})
if (!held.ok) process.stdout.write(`${held.failure.code}\n`)
