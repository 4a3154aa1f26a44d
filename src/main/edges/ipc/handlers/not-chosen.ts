import { fail } from '../../../../contract/result.ts'

/** What a person did not choose or agree to in a dialog of main; a window cannot do either in their place. */

export const pathNotChosen = fail({
  code: 'path_not_chosen',
  message: 'This place was not chosen in a dialog of Galley. Nothing was written. Choose it again.',
} as const)

export const notConfirmed = fail({
  code: 'not_confirmed',
  message: 'This was not confirmed, so nothing was changed.',
} as const)
