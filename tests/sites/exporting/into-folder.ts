import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { ok } from '../../../packages/wire/result.ts'
import type { createSampleLibrary } from './sample-library.ts'
import { plainOptions } from './sample-library.ts'

export type Library = ReturnType<typeof createSampleLibrary>

/** The end of an export, with its report alone. */
export const reported = (done: Awaited<ReturnType<typeof exportBundle>>) => (done.ok ? ok(done.value.report) : done)

/** Exports into a folder. Returns the report. */
export const exported = async (library: Library, directory: string, options = plainOptions) => {
  const result = await exportBundle({ source: library.source(), target: { kind: 'folder', directory }, options })
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
  return result.value.report
}

/** Exports into a folder that must be refused. Returns the reason, or null if it was not refused. */
export const refused = async (library: Library, directory: string, options = plainOptions) => {
  const result = await exportBundle({ source: library.source(), target: { kind: 'folder', directory }, options })
  return result.ok ? null : result.failure
}
