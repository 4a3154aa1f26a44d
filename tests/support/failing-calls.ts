import { onTestFinished } from 'vitest'

import { attach } from '../../scripts/torture/support/trace.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Lets system calls of a running process fail on these files, as a broken disk does, until `mend`. Linux, with strace. */
export async function failCalls(
  processId: number,
  calls: readonly string[],
  error: string,
  paths: readonly string[],
): Promise<{ readonly mend: () => Promise<{ readonly failed: number }> }> {
  const names = calls.join(',')
  const injected = [`trace=${names}`, `inject=${names}:error=${error}`]
  const attached = await attach({ folder: await temporaryFolder() }, { processId }, injected, paths)
  let mending: Promise<{ failed: number }> | null = null
  const mend = () =>
    (mending ??= attached
      .detach()
      .then((seen) => ({ failed: seen.filter(({ result }) => result.includes('INJECTED')).length })))
  onTestFinished(async () => void (await mend()))
  return { mend }
}
