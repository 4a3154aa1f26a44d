import { authorization } from './cases/authorization.ts'
import { addresses } from './cases/download/address.ts'
import { failures } from './cases/download/failure.ts'
import { requests } from './cases/download/request.ts'
import { fileNames } from './cases/file-names.ts'
import { answered } from './cases/fonts/answer.ts'
import { delivered } from './cases/fonts/delivery.ts'
import { styleSheet } from './cases/fonts/style-sheet.ts'
import { unusable } from './cases/fonts/unusable.ts'
import { unusual } from './cases/fonts/unusual.ts'
import { hostileArchives } from './cases/hostile-archives.ts'
import { http } from './cases/http.ts'
import { limits } from './cases/limits.ts'
import { lookingBack } from './cases/looking-back.ts'
import { malformedArchives } from './cases/malformed-archives.ts'
import { parallel } from './cases/parallel.ts'
import { payload } from './cases/payload.ts'
import { publicFiles } from './cases/public-files.ts'
import { replayAndOrder } from './cases/replay-and-order.ts'
import { forms } from './cases/save-answer/answer.ts'
import { assets } from './cases/save-answer/assets.ts'
import { media } from './cases/save-answer/media.ts'
import { page } from './cases/save-answer/page.ts'
import { signature } from './cases/signature.ts'
import { state } from './cases/state.ts'
import type { Theme } from './suite/case.ts'

const saveAnswer: Theme = {
  title: 'Saving and answering',
  dependsOn: 'save-accepted',
  cases: [...forms, ...media, ...assets, ...page],
}

const fonts: Theme = {
  title: 'Fonts',
  runs: 'fonts',
  dependsOn: 'fonts-accepted',
  cases: [...answered, ...styleSheet, ...unusual, ...unusable, ...delivered],
}

const download: Theme = {
  title: 'Download',
  dependsOn: 'save-accepted',
  cases: [...requests, ...failures, ...addresses],
}

/** All themes, in report order. */
export const themes: readonly Theme[] = [
  saveAnswer,
  signature,
  authorization,
  payload,
  download,
  fileNames,
  state,
  fonts,
  replayAndOrder,
  parallel,
  malformedArchives,
  hostileArchives,
  publicFiles,
  http,
  limits,
  lookingBack,
]
