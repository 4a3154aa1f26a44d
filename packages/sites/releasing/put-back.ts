import { isStorageFault } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

import type { Aftermath } from './failure.ts'
import { FolderRefusedError } from './folder-target.ts'
import type { ReleaseSources } from './release-files.ts'
import { isKept, releaseReader } from './release-files.ts'
import type { OutgoingRelease, ReleaseTarget, TargetPlan } from './target-port.ts'
import { update } from './target-port.ts'

/**
 * Restores the previous content of the target. That need not be the latest release of this target here: it may come
 * from a target with another name, or from another library. Without those files, the target stays unchanged. A target
 * that is unreachable may stay in any state.
 */
export async function putBack(
  connected: ReleaseTarget,
  { held, note }: Pick<OutgoingRelease, 'note'> & Pick<TargetPlan, 'held'>,
  ports: ReleaseSources,
): Promise<Aftermath> {
  if (!connected.isTouched()) return 'unchanged'
  try {
    const files = held.map((file) => ({ ...file, stored: ports.index.blobs.find(file.sha256 as Sha256) !== null }))
    if (!(await isKept(files, ports))) return 'mixed'
    const previous = { files, note, read: releaseReader(ports) }
    await update(connected, previous, new AbortController().signal)
    await connected.finish(previous)
    return 'put_back'
  } catch (error) {
    if (isStorageFault(error) || error instanceof FolderRefusedError) return 'mixed'
    throw error
  }
}
