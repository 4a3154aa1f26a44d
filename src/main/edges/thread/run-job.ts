import { exportHere } from '../../use-cases/exporting/export-here.ts'
import { headOf, wholeOf } from '../../use-cases/intake/read-callback.ts'
import { readFamilies } from '../../use-cases/reading/read-families.ts'
import { readLevel, readPiece } from '../../use-cases/reading/read-json.ts'
import { readMediaReferences, readPageWords } from '../../use-cases/reading/read-stored.ts'
import { preparePage, prepareTexts } from '../../use-cases/review/prepare.ts'
import type { BackgroundJobs, JobName, JobSurroundings } from './jobs.ts'

type Jobs = {
  readonly [Name in JobName]: (
    input: BackgroundJobs[Name]['input'],
    surroundings: JobSurroundings,
  ) => Promise<BackgroundJobs[Name]['output']>
}

const jobs: Jobs = {
  jsonLevel: readLevel,
  jsonPiece: readPiece,
  pageWords: readPageWords,
  mediaReferences: readMediaReferences,
  pageFamilies: readFamilies,
  export: exportHere,
  callbackHead: async (body) => headOf(body),
  callbackWhole: async (body) => wholeOf(body),
  reviewPage: preparePage,
  reviewTexts: prepareTexts,
}

export function runJob(name: JobName, input: unknown, surroundings: JobSurroundings): Promise<unknown> {
  // The client ties each input to its name; TypeScript cannot follow that across threads.
  const job = jobs[name] as (input: unknown, surroundings: JobSurroundings) => Promise<unknown>
  return job(input, surroundings)
}
