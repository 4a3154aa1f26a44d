import type { Index, OpenedLibrary } from '@galley/library'
import { storageCause } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { causeSentence } from '@galley/wire'

import type { TeamConnection } from './bucket/connection.ts'
import type { Membership, ProbeResult } from './bucket/membership.ts'
import { writeMembership } from './bucket/membership.ts'
import { mayWrite } from './bucket/probe.ts'
import { probeAsAllowed } from './probe-as-allowed.ts'
import { isPassingCause } from './team-fault.ts'

interface Ports {
  readonly folder: string
  readonly membership: Membership
  readonly connection: TeamConnection
  readonly library: Pick<OpenedLibrary, 'state'>
  readonly index: Pick<Index, 'teamMarks'>
  readonly now: () => Date
  readonly log: (line: string) => void
}

/** Since when the bucket refuses writes, and why. */
export interface WriteRefusal {
  readonly since: Date
  readonly why: Cause
}

/** How often a bucket that refuses writes is tested again in the background. */
const againAfterMs = 60_000

/** Tests the bucket, and knows whether it refuses writes: storages change the rights of keys without notice. */
export function createBucketTest(ports: Ports, isBucketAway: () => boolean) {
  const { folder, connection, library, index, now, log } = ports
  let { membership } = ports
  /** The bucket has not been tested since the library was opened. */
  let isDue = true
  let refusal: WriteRefusal | null = null
  let askedMs = Number.NEGATIVE_INFINITY
  connection.onRefusedWrite((why) => {
    if (refusal?.why.code !== why.code) log(`the bucket of the team refuses writes: ${causeSentence(why)}`)
    refusal = { since: refusal?.since ?? now(), why }
  })
  const isRefusing = (): boolean => refusal !== null || membership.isReadOnly

  /** No rounds: the keys can only read. */
  function keep(rounds: ProbeResult['rounds']): void {
    const isReadOnly = rounds.length === 0
    if (!isReadOnly) accepted()
    membership = { ...membership, isReadOnly, probe: { at: now().toISOString(), rounds } }
    index.teamMarks?.letWait(!isReadOnly)
    if (library.state !== 'read_only') writeMembership(folder, membership)
  }

  function accepted(): void {
    if (isRefusing()) log('the bucket of the team accepts writes now')
    refusal = null
  }

  /** The log was applied up to its end. `mark` completes an import that was killed before its last step. */
  async function caughtUp(mark: () => Promise<void>): Promise<void> {
    const { isCatchingUp, isUnmarked, ...rest } = membership
    if (isCatchingUp !== true && isUnmarked !== true) return
    if (isUnmarked === true) await mark()
    if (library.state !== 'read_only') writeMembership(folder, rest)
    membership = rest
  }

  /** The whole test. */
  async function run(): Promise<void> {
    // A bucket that cannot be reached says nothing about its suitability, and each request to it may take ten seconds.
    if (isBucketAway()) return
    isDue = false
    askedMs = performance.now()
    try {
      keep(await probeAsAllowed(await connection.reached()))
    } catch (error) {
      const why = storageCause(error)
      if (why.code === 'unexpected') throw error
      isDue = isPassingCause(why.code)
      if (why.code !== 'bucket_unsuitable') return
      connection.refuse(why)
      throw error
    }
  }

  /** Asks with one small object whether the keys may write, and tests the bucket if they may do so again. */
  async function askAgain(): Promise<void> {
    if (isBucketAway()) return
    askedMs = performance.now()
    try {
      if (!(await mayWrite(await connection.reached()))) {
        if (!membership.isReadOnly) keep([])
        return
      }
    } catch (error) {
      if (storageCause(error).code === 'unexpected') throw error
      return
    }
    if (membership.isReadOnly) await run()
    else accepted()
  }

  return {
    membership: (): Membership => membership,
    isDue: (): boolean => isDue || (isRefusing() && performance.now() - askedMs >= againAfterMs),
    isRefusing,
    caughtUp,
    refusal: (): WriteRefusal | null => refusal,
    run,
    askAgain,
  }
}
