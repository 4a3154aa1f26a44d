import { authorization } from './cases/authorization.ts'
import { download } from './cases/download.ts'
import { fileNames } from './cases/file-names.ts'
import { fonts } from './cases/fonts.ts'
import { hostileArchives } from './cases/hostile-archives.ts'
import { http } from './cases/http.ts'
import { limits } from './cases/limits.ts'
import { lookingBack } from './cases/looking-back.ts'
import { malformedArchives } from './cases/malformed-archives.ts'
import { parallel } from './cases/parallel.ts'
import { payload } from './cases/payload.ts'
import { publicFiles } from './cases/public-files.ts'
import { replayAndOrder } from './cases/replay-and-order.ts'
import { saveAnswer } from './cases/save-answer.ts'
import { signature } from './cases/signature.ts'
import { state } from './cases/state.ts'
import type { Theme } from './suite/case.ts'

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
