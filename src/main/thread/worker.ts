import {
  comparePages,
  forgetSearchPages,
  headOf,
  pairBlocks,
  readFamilies,
  readLevel,
  readMediaReferences,
  readPageFacts,
  readPageWords,
  readPiece,
  saveJobs,
  scrubIndex,
  searchPages,
  summarizePages,
  wholeOf,
} from '@galley/library'
import type { JobHandlers } from '@galley/platform'
import { serveJobs } from '@galley/platform'
import { checkThemeHere, exportHere, pageInTheme, prepareRelease } from '@galley/sites'
import { indexJobs, joinHere } from '@galley/team'

import { anchorSelection, findComments, pageFiles, partOfPage, readTexts } from '../review/comment-places.ts'
import { comparePictures } from '../review/compare-pictures.ts'
import { encodeWhole } from '../review/png.ts'
import { preparePage, prepareTexts } from '../review/prepare.ts'
import { kitJobs } from '../try-it/kit-job.ts'
import type { BackgroundJobs } from './jobs.ts'

// The entry of a background thread.
serveJobs({
  jsonLevel: readLevel,
  jsonPiece: readPiece,
  pageFacts: readPageFacts,
  pageWords: readPageWords,
  searchPages,
  forgetPages: forgetSearchPages,
  mediaReferences: readMediaReferences,
  pageFamilies: readFamilies,
  export: exportHere,
  checkTheme: checkThemeHere,
  pageInTheme,
  prepareRelease,
  callbackHead: async (body) => headOf(body),
  callbackWhole: async (body) => wholeOf(body),
  ...saveJobs,
  scrub: scrubIndex,
  reviewPage: preparePage,
  reviewTexts: prepareTexts,
  findComments,
  anchorSelection,
  partOfPage,
  readTexts,
  pageFiles,
  comparePages,
  pairBlocks,
  summarizePages,
  comparePictures,
  encodeWhole,
  ...kitJobs,
  joinTeam: joinHere,
  replaceIndex: indexJobs.replace,
  compactIndex: indexJobs.compact,
} satisfies JobHandlers<BackgroundJobs>)
