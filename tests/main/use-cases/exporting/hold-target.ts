/** Holds the lock of the given folder until its input ends; prints whether it got it. */

import { once } from 'node:events'

import { ok } from '../../../../src/contract/result.ts'
import { withTargetLock } from '../../../../src/main/use-cases/exporting/target-lock.ts'

const [, , directory = ''] = process.argv
const held = await withTargetLock<null, never>({ kind: 'folder', directory }, async () => {
  process.stdout.write('held\n')
  process.stdin.resume()
  await once(process.stdin, 'end')
  return ok(null)
})
if (!held.ok) process.stdout.write(`${held.failure.kind}\n`)
