import { fail } from '../../../../contract/result.ts'

/** What a person did not choose or agree to in a dialog of main; a window cannot do either in their place. */

export const pathNotChosen = fail({
  code: 'path_not_chosen',
} as const)

export const notConfirmed = fail({
  code: 'not_confirmed',
} as const)
