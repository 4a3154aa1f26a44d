import { isBundlePath } from './paths.ts'

/** Lies in a bundle's folder while an export runs, so that what a killed one left behind is known to be ours. */
export const journalPath = 'galley-bundle.unfinished'

const heading = 'Galley is writing this bundle, or was stopped while it did. The next export finishes it.'

/** The text of a journal: every path that belongs to the bundle, before or after the export. */
export const journalText = (paths: readonly string[]): string => `${[heading, ...paths].join('\n')}\n`

/** The paths of a journal, or null when the text is not a whole one. */
export function readJournal(text: string): readonly string[] | null {
  const [first, ...rest] = text.split('\n')
  const paths = rest.slice(0, -1)
  return first === heading && rest.at(-1) === '' && paths.every(isBundlePath) ? paths : null
}
