import { callbacksStates } from './callbacks.ts'
import { designStates } from './design.ts'
import { deskStates } from './desk.ts'
import { exportsStates } from './exports.ts'
import { firstRunStates } from './first-run.ts'
import { fontsStates } from './fonts.ts'
import { healthStates } from './health.ts'
import { materialStates } from './material.ts'
import { materialsStates } from './materials.ts'
import { pagesStates } from './pages.ts'
import { publishStates } from './publish.ts'
import { reviewStates } from './review.ts'
import { settingsStates } from './settings.ts'
import { shellStates } from './shell.ts'
import type { ScreenState } from './state.ts'
import { teamStates } from './team.ts'

/** Every state of every screen. */
const allStates: readonly ScreenState[] = [
  ...materialsStates,
  ...materialStates,
  ...callbacksStates,
  ...fontsStates,
  ...deskStates,
  ...reviewStates,
  ...publishStates,
  ...pagesStates,
  ...designStates,
  ...exportsStates,
  ...healthStates,
  ...settingsStates,
  ...teamStates,
  ...shellStates,
  ...firstRunStates,
]

const wanted = (process.env['GALLEY_SCREENS'] ?? '').split(',').filter(Boolean)

/** The states to visit and check: all, or those whose names begin with a word in GALLEY_SCREENS. */
export const screenStates = allStates.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)),
)
