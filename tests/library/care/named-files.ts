import { join } from 'node:path'
import { expect } from 'vitest'

import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { librarySource } from '../../../packages/sites/exporting/library-source.ts'
import { plainOptions } from '../../sites/exporting/sample-library.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import type { CaredLibrary } from './library.ts'
import { aRun, reportOf } from './library.ts'

export const dateOf = (at: number): string => new Date(1.7e12 + at * 86_400_000).toISOString()

export const pruneTo = ({ care }: Pick<CaredLibrary, 'care'>, keepVersions: number, dryRun = false) =>
  care.prune({ site: null, retention: { keepVersions, keepDays: null }, dryRun }, aRun())

export const findingsOf = async ({ care }: Pick<CaredLibrary, 'care'>, repair = false) =>
  (await reportOf(care.check({ repair }, aRun()))).findings.map(({ kind, facts, usedBy }) => ({ kind, facts, usedBy }))

/** Exports the site with a check that allows no broken references. Returns the folder. */
export async function exported({ index, vault }: CaredLibrary): Promise<string> {
  const site = index.sites.find('acme')
  const choice = { materials: [], pins: new Map<string, string>(), at: new Date() }
  const source = site && (await librarySource(index, vault, site, choice))
  if (!source?.ok) throw new Error('The site cannot be exported')
  const target = { kind: 'folder' as const, directory: join(await temporaryFolder(), 'out') }
  const options = { ...plainOptions, check: 'block' as const }
  const done = await exportBundle({ source: source.value, target, options })
  if (!done.ok) expect.fail(JSON.stringify(done.failure))
  return target.directory
}
