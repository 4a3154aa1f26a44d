/** Whether a tag, the version and both changelogs name the same release. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Given {
  /** The name of the tag, `v0.1.0`. */
  readonly tag: string
  readonly version: string
  readonly changelog: string
  /** The news of each version in Russian. */
  readonly russian: string
}

interface Facts {
  /** What the changelog says of the version. */
  readonly notes: string
  /** What the app says of it, as plain text. */
  readonly news: { readonly en: string; readonly ru: string }
}

/** The most that a feed has of news in one language (`packages/update/feed.ts`). */
const newsMaxLength = 4_000

/** The heading of the newest version, and what is below it. */
function newestIn(changelog: string) {
  const [, version = '', when = '', text = ''] =
    /^## ([^\s,]+)(?:, (.+))?\n([^]*?)(?=^## |(?![^]))/m.exec(changelog) ?? []
  return { version, when, text: text.trim() }
}

/**
 * Reads the notes of the newest version below its heading in CHANGELOG.md, `## VERSION, YYYY-MM-DD`, and its news: what is before
 * the first part there, and below `## VERSION` in CHANGELOG.ru.md. Or what does not agree.
 */
export function releaseFacts({ tag, version, changelog, russian }: Given): Facts | { readonly problem: string } {
  if (tag !== `v${version}`) return { problem: `The tag is ${tag}, but package.json has version ${version}.` }
  const ours = newestIn(changelog)
  if (ours.version !== version)
    return { problem: `The newest version of CHANGELOG.md is ${ours.version || 'none'}, not ${version}.` }
  if (!/^\d{4}-\d\d-\d\d$/.test(ours.when))
    return { problem: `CHANGELOG.md says “${ours.when}” of ${version} in place of a date.` }
  if (ours.text === '') return { problem: `CHANGELOG.md says nothing about ${version}.` }
  const [intro = ''] = ours.text.split(/^### /m)
  const theirs = newestIn(russian)
  const news = { en: intro.trim(), ru: theirs.version === version ? theirs.text : '' }
  for (const [name, text] of [
    ['CHANGELOG.md', news.en],
    ['CHANGELOG.ru.md', news.ru],
  ] as const) {
    if (text === '') return { problem: `${name} has no news of ${version} for the app.` }
    if (text.length > newsMaxLength)
      return { problem: `The news of ${version} in ${name} have more than ${newsMaxLength} characters.` }
  }
  return { notes: `${ours.text}\n`, news }
}

/** The same of this checkout. */
export function ownReleaseFacts(given: Pick<Given, 'tag' | 'version'>): ReturnType<typeof releaseFacts> {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, '../..', name), 'utf8')
  return releaseFacts({ ...given, changelog: read('CHANGELOG.md'), russian: read('CHANGELOG.ru.md') })
}
