import { exportHere } from '../exporting/export-here.ts'
import { headOf, wholeOf } from '../intake/read-callback.ts'
import { readFamilies } from '../reading/read-families.ts'
import { readLevel, readPiece } from '../reading/read-json.ts'
import { readMediaReferences, readPageWords } from '../reading/read-stored.ts'
import { preparePage, prepareTexts } from '../review/prepare.ts'
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
