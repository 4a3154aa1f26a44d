import { failuresInWindow } from '@galley/wire'

/** Why a call failed, by the code of its failure. The command line words failures with the same sentences. */
export const problems = failuresInWindow
