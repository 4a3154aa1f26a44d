import { isBundlePath } from '../../../contract/domain/bundle/paths.ts'

const heading = 'Galley is writing this export, or was stopped before it finished. The next export finishes it.'

/** The text of a journal: every path of the bundle, before or after the export. */
export const journalText = (paths: readonly string[]): string => `${[heading, ...paths].join('\n')}\n`

/** The paths of a journal, or null if the text is incomplete. */
export function readJournal(text: string): readonly string[] | null {
  const [first, ...rest] = text.split('\n')
  const paths = rest.slice(0, -1)
  return first === heading && rest.at(-1) === '' && paths.every(isBundlePath) ? paths : null
}
