/** Whether a tag, the version and the changelog name the same release. */

interface Given {
  /** The name of the tag, `v0.1.0`. */
  readonly tag: string
  readonly version: string
  readonly changelog: string
}

export type ReleaseFacts = { readonly notes: string } | { readonly problem: string }

/** What the changelog says of the newest version, below its heading `## VERSION, YYYY-MM-DD`; or what does not agree. */
export function releaseFacts({ tag, version, changelog }: Given): ReleaseFacts {
  if (tag !== `v${version}`) return { problem: `The tag is ${tag}, but package.json has version ${version}.` }
  const [, newest = '', when = '', notes = ''] = /^## (\S+), (.+)\n([^]*?)(?=^## |(?![^]))/m.exec(changelog) ?? []
  if (newest !== version)
    return { problem: `The newest version of CHANGELOG.md is ${newest || 'none'}, not ${version}.` }
  if (!/^\d{4}-\d\d-\d\d$/.test(when))
    return { problem: `CHANGELOG.md says “${when}” of ${version} in place of a date.` }
  if (notes.trim() === '') return { problem: `CHANGELOG.md says nothing about ${version}.` }
  return { notes: `${notes.trim()}\n` }
}
