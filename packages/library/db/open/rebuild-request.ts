import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { otherOwner } from '../owner.ts'
import type { RebuildSource, Request } from './opening.ts'

/** A file next to the index that requests a rebuild at the next start. */
const rebuildRequest = (folder: string): string => join(folder, 'index.rebuild')
export const requestRebuild = (folder: string, what: Request): void =>
  writeFileSync(rebuildRequest(folder), what, { mode: 0o600 })
export const withdrawRebuild = (folder: string): void => rmSync(rebuildRequest(folder), { force: true })

/** What is requested; null if nothing is. What cannot be read requests a rebuild from the log. */
export function requestIn(folder: string): Request | null {
  if (!existsSync(rebuildRequest(folder))) return null
  const text = readFileSync(rebuildRequest(folder), 'utf8')
  return text === 'index' || text === 'damaged' || text === 'replacing' ? text : 'log'
}

/** Whether an open library has to be reopened for a rebuild. */
export function isRebuildDue(folder: string): boolean {
  const request = requestIn(folder)
  return request !== null && request !== 'replacing'
}

/** null if no rebuild is requested. */
export function requestedRebuild(folder: string): RebuildSource | null {
  const request = requestIn(folder)
  return request === null || request === 'index' ? request : 'log'
}

/** How long to wait for another process, and how often to look. */
const ownerLimitMs = 60_000
const askOwnerMs = 200

/** Resolves when the process that listens has rebuilt the index as requested, or has ended, or takes too long. */
export async function ownerHasRebuilt(folder: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < ownerLimitMs; waitedMs += askOwnerMs) {
    if (requestIn(folder) === null || otherOwner(folder) === null) return
    await delay(askOwnerMs)
  }
}
