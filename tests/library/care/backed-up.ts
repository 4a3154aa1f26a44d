import { join } from 'node:path'

import { temporaryFolder } from '../../support/test-galley.ts'
import type { CaredLibrary } from './library.ts'
import { aCaredLibrary, aRun, reportOf, someFiles } from './library.ts'

/** A library with two versions and a font set, and paths for a backup and for the restored library. */
export async function aLibraryToBackUp() {
  const library = await aCaredLibrary()
  for (const versionId of ['one', 'two']) await library.save({ versionId, files: someFiles(versionId) })
  await library.saveFonts('snap', { 'vms_fonts/a.woff': 'x', 'vms_fonts.css': 'a{}', 'vms_fonts.json': '{"list":[]}' })
  const outside = await temporaryFolder()
  return { ...library, outside, file: join(outside, 'library.zip'), folder2: join(outside, 'restored') }
}

export const backUp = ({ care }: CaredLibrary, file: string) => reportOf(care.backUp({ file }, aRun()))
