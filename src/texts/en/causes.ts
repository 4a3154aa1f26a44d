import { causeSentences } from '@galley/wire'

/** Technical causes of failures. Responses and logs use the English ones. */
export const causes = causeSentences
