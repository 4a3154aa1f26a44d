import { createHash } from 'node:crypto'
import type { Index } from '@galley/library'
import type { Release, Target } from '@galley/library/records'
import type { Result } from '@galley/wire'

import type { LibrarySource } from '../exporting/library-source.ts'
import type { PublishFailure } from './failure.ts'

/** Whether a target shows what would be published now. */
export type TargetState = 'never' | 'current' | 'behind'

/** How the last attempt to publish failed; null: it succeeded. */
export interface LastFailure {
  readonly at: string
  readonly failure: PublishFailure
}

interface Shown {
  readonly release: string
  readonly content: string
}

/** In place of the hash of a content. */
const elsewhere = 'elsewhere'

const failureNote = ({ site, name }: Target): string => `publish-failed/${site}/${name}`
const shownNote = ({ site, name }: Target): string => `published/${site}/${name}`

/**
 * The hash of everything from the library and the target that decides what is published, except the theme's files. Takes
 * one page at a time, so that no large text is held. Materials that are left out only change the words about broken links.
 */
export function* contentInSteps({
  site,
  pages,
  fonts,
}: LibrarySource): Generator<undefined, (target: Target) => string> {
  const { withheld: _withheld, hasChosenHome, ...shown } = site
  // Left out where it changes nothing. Otherwise the hash would differ, and a target that was rolled back would count as changed.
  const formerList = hasChosenHome && site.publishing.home === 'listing' ? { hasChosenHome } : {}
  const hash = createHash('sha256').update(`[${JSON.stringify({ ...shown, ...formerList })},[`)
  for (const [at, page] of pages.entries()) {
    yield
    hash.update((at === 0 ? '' : ',') + JSON.stringify(page))
  }
  hash.update(`],${JSON.stringify(fonts)},`)
  return ({ publicUrl, compress }) =>
    hash
      .copy()
      .update(`${JSON.stringify(publicUrl)},${JSON.stringify(compress)}]`)
      .digest('hex')
}

/** What this machine knows about its publications, in notes of this machine only. The releases are in the log. */
export function createTargetNotes({ releases, settings }: Pick<Index, 'releases' | 'settings'>, now: () => Date) {
  const read = (name: string): unknown => JSON.parse(settings.get(name) ?? 'null')

  /** After a publication from another machine, compares only the versions of pages. */
  function isMadeFrom(
    release: Release,
    target: Target,
    { pages }: Pick<LibrarySource, 'pages'>,
    contentOf: (target: Target) => string,
  ): boolean {
    const shown = read(shownNote(target)) as Shown | null
    if (shown?.release === release.id) return shown.content === contentOf(target)
    const held = new Map(release.pages.map(({ materialId, versionId }) => [materialId, versionId]))
    return (
      release.rollbackOf === null &&
      held.size === pages.length &&
      pages.every(({ materialId, version }) => held.get(materialId) === version.versionId)
    )
  }

  return {
    /** Records how an attempt ended, unless a person cancelled it or another computer was publishing. */
    ended(target: Target, end: Result<unknown, PublishFailure>): void {
      if (end.ok) return settings.forget(failureNote(target))
      const { failure } = end
      const isBusy = failure.code === 'target_failed' && failure.reason.code === 'target_busy'
      if (failure.code !== 'publish_stopped' && !isBusy)
        settings.put(failureNote(target), JSON.stringify({ at: now().toISOString(), failure } satisfies LastFailure))
    },
    /** Records what a release was made from, as hashed by `contentInSteps`. */
    shows(target: Target, release: string, content: string): void {
      settings.put(shownNote(target), JSON.stringify({ release, content } satisfies Shown))
    },
    lastFailure(target: Target): LastFailure | null {
      return read(failureNote(target)) as LastFailure | null
    },
    /** Compares what is shown with what would be published. */
    stateOf(target: Target, source: LibrarySource, contentOf: (target: Target) => string): TargetState {
      const [latest] = releases.of(target.site, target.name, 1)
      if (!latest) return 'never'
      return isMadeFrom(latest, target, source, contentOf) ? 'current' : 'behind'
    },
    /** Whether a person has rolled back what would be published now. */
    isTakenBack(target: Target, source: LibrarySource, contentOf: (target: Target) => string): boolean {
      const [latest, ...earlier] = releases.of(target.site, target.name)
      const shown = read(shownNote(target)) as Shown | null
      if (shown?.release === latest?.id && shown?.content === elsewhere) return false
      const last = earlier.find(({ rollbackOf }) => rollbackOf === null)
      return latest?.rollbackOf != null && last !== undefined && isMadeFrom(last, target, source, contentOf)
    },
    /** Records that what was published is at another address, wherever the target is from now on. */
    left(target: Target): void {
      settings.forget(failureNote(target))
      const [latest] = releases.of(target.site, target.name, 1)
      if (latest)
        settings.put(shownNote(target), JSON.stringify({ release: latest.id, content: elsewhere } satisfies Shown))
    },
  }
}
