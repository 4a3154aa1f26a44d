import { isBundlePath } from '@galley/library/records'

const heading = 'Galley is writing this export, or was stopped before it finished. The next export finishes it.'

const ownerLine = 'of '

/** The text of a journal: every path of the bundle, before or after the export. `owner`: the site that is published, if any. */
export const journalText = (paths: readonly string[], owner: string | null = null): string =>
  `${[heading, ...(owner === null ? [] : [ownerLine + owner]), ...paths].join('\n')}\n`

/** The owner and the paths of a journal, or null if the text is incomplete. */
export function readJournal(text: string): { readonly owner: string | null; readonly paths: readonly string[] } | null {
  const [first, ...rest] = text.split('\n')
  const owner = rest[0]?.startsWith(ownerLine) === true ? rest[0].slice(ownerLine.length) : null
  const paths = rest.slice(owner === null ? 0 : 1, -1)
  return first === heading && rest.at(-1) === '' && paths.every(isBundlePath) ? { owner, paths } : null
}
