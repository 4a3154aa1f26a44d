import { isSystemError } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

import type { Finding } from '../records/care-reports.ts'
import { isJobPath } from '../vault/staging.ts'
import type { Vault } from '../vault/vault.ts'
import { leftoversIn } from './leftovers.ts'
import type { CarePorts } from './ports.ts'
import { readFile } from './read-file.ts'
import type { CareRun } from './run.ts'

/** The files that nothing uses: those of interrupted saves, which are no fault, by their names, and all others. */
interface Unused {
  readonly findings: readonly Finding[]
  readonly interrupted: readonly string[]
}

/**
 * Finds the files that neither the index nor a running job uses. A save that was interrupted before it was in the log leaves whole
 * files, which no stored save needs. A repair moves unused files aside, and empties staging.
 */
export async function findUnused(ports: CarePorts, repair: boolean, { signal }: CareRun): Promise<Unused> {
  const { vault } = ports
  const unnamed = await vault.unreferenced(Number.POSITIVE_INFINITY, signal)
  const whole = new Set<Sha256>()
  for (const file of unnamed.files) if (await isWhole(vault, file, signal)) whole.add(file)
  const { files } = await vault[repair ? 'setAside' : 'stillUnreferenced'](unnamed.files, signal)
  signal.throwIfAborted()
  const leftovers = await leftoversIn(ports)
  if (repair) for (const { name } of leftovers) await vault.removeStaging(name)
  const finding = (kind: Finding['kind'], code: 'file_unused' | 'leftover') => (file: string) =>
    ({ kind, facts: { code }, file, usedBy: [], fixable: true, fixed: repair }) satisfies Finding
  const names = leftovers.map(({ name }) => name)
  return {
    findings: [
      ...files.filter((file) => !whole.has(file)).map(finding('orphan_file', 'file_unused')),
      ...names.filter((name) => !isJobPath(name)).map(finding('staging_leftover', 'leftover')),
    ],
    interrupted: [...files.filter((file) => whole.has(file)), ...names.filter(isJobPath)],
  }
}

/** Whether a file has the bytes that its name says. */
async function isWhole(vault: Vault, file: Sha256, signal: AbortSignal): Promise<boolean> {
  try {
    const sizeBytes = await vault.sizeOf(file)
    if (sizeBytes === null) return false
    const { sha256 } = await readFile(vault.read({ file, offset: 0, sizeBytes }), [], () => signal.throwIfAborted())
    return sha256 === file
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  }
}
