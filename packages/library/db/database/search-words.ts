import { tokensOf } from '@galley/wire'

/** A short text as the columns `words` of the index have it: each of its tokens behind a space. */
export const searchWords = (...texts: readonly string[]): string =>
  texts
    .flatMap((text) => tokensOf(text))
    .map((token) => ` ${token}`)
    .join('')
