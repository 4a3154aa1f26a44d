/** Failures for choices that a person did not make in a dialog of main. A window cannot make them instead. */

import { fail } from '@galley/wire'
export const pathNotChosen = fail({
  code: 'path_not_chosen',
} as const)

export const notConfirmed = fail({
  code: 'not_confirmed',
} as const)
