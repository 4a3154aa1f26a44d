import type { JobHandlers } from '../../platform/threads/serve-jobs.ts'
import { serveJobs } from '../../platform/threads/serve-jobs.ts'
import { readMediaReferences, readPageWords, scrubIndex } from '../../use-cases/care/read-stored.ts'
import { checkThemeHere, exportHere } from '../../use-cases/exporting/export-here.ts'
import { readFamilies } from '../../use-cases/fonts/read-families.ts'
import { headOf, wholeOf } from '../../use-cases/intake/read-callback.ts'
import { saveJobs } from '../../use-cases/intake/save-jobs.ts'
import { readLevel, readPiece } from '../../use-cases/reading/read-json.ts'
import { readPageFacts } from '../../use-cases/reading/read-page.ts'
import { prepareRelease } from '../../use-cases/releasing/prepare.ts'
import { preparePage, prepareTexts } from '../../use-cases/review/prepare.ts'
import { indexJobs, joinHere } from '../../use-cases/team/join-in-background.ts'
import type { BackgroundJobs } from './jobs.ts'

// The entry of a background thread.
serveJobs({
  jsonLevel: readLevel,
  jsonPiece: readPiece,
  pageFacts: readPageFacts,
  pageWords: readPageWords,
  mediaReferences: readMediaReferences,
  pageFamilies: readFamilies,
  export: exportHere,
  checkTheme: checkThemeHere,
  prepareRelease,
  callbackHead: async (body) => headOf(body),
  callbackWhole: async (body) => wholeOf(body),
  ...saveJobs,
  scrub: scrubIndex,
  reviewPage: preparePage,
  reviewTexts: prepareTexts,
  joinTeam: joinHere,
  replaceIndex: indexJobs.replace,
  compactIndex: indexJobs.compact,
} satisfies JobHandlers<BackgroundJobs>)
