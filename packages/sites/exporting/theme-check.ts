import type { ExportFailure, SitePublishing, ThemeProblem } from '@galley/library/records'
import { pageDefaults } from '@galley/library/records'
import { isSystemError, sha256Of, shownCode } from '@galley/platform'
import { cause } from '@galley/wire'
import type { Result } from '@galley/wire'

import type { BundlePage } from '../bundle/layout.ts'
import type { ThemeManifest } from '../bundle/render/theme.ts'
import { bytesOf } from './content.ts'
import { prepareBundle } from './export-bundle.ts'
import type { BundleSource } from './source.ts'
import { readTheme } from './theme-folders.ts'
import { unwatched } from './watch.ts'

export interface ThemeToCheck {
  /** The sources of the theme, in their order, see `readTheme`. */
  readonly sources: readonly string[]
  readonly publishing: SitePublishing
}

export interface CheckedTheme {
  /** null: `theme.json` cannot be read. */
  readonly manifest: ThemeManifest | null
  /** Whether the theme has a manifest of its own, and not only that of the default theme. */
  readonly isNamed: boolean
  /** The first mistake; null: every kind of page can be rendered. */
  readonly problem: ThemeProblem | null
}

/**
 * Reads a theme and renders a small site with it, with one of each kind of page, so that a mistake in any template is
 * found before the site is published.
 */
export async function checkTheme(
  { sources, publishing }: ThemeToCheck,
  stored: Pick<BundleSource, 'openBlob'>,
): Promise<CheckedTheme> {
  try {
    const read = await readTheme(sources, stored)
    if (!read.ok) return { manifest: null, isNamed: false, problem: problemIn(read) }
    const options = { baseUrl: null, check: 'off', themes: sources } as const
    const made = await prepareBundle(smallSite(publishing, stored), options, unwatched)
    const { theme, isNamed } = read.value
    return { manifest: theme.manifest, isNamed, problem: problemIn(made) }
  } catch (error) {
    if (!isSystemError(error)) throw error
    const file = error.path ?? sources[0] ?? ''
    const problem = cause('theme_unreadable', { name: shownCode(error) })
    return { manifest: null, isNamed: false, problem: { file, line: null, column: null, problem } }
  }
}

function problemIn(made: Result<unknown, ExportFailure>): ThemeProblem | null {
  if (made.ok || made.failure.code !== 'invalid_theme') return null
  const { code: _kind, ...problem } = made.failure
  return problem
}

const html = '<h1>A page</h1><p>A paragraph.</p>'
const sha256 = sha256Of(html)
const moment = '2026-01-01T00:00:00.000Z'

/** Three posts on two list pages, and a page; all have a tag. */
const pages = ['a', 'b', 'c', 'd'].map((name): BundlePage => ({
  materialId: name,
  title: `Page ${name}`,
  slug: name,
  settings: {
    ...pageDefaults,
    type: name === 'd' ? 'page' : 'post',
    tags: ['tag'],
    author: 'Author',
    published: moment,
  },
  version: {
    versionId: name,
    versionCdate: moment,
    receivedAt: moment,
    html: sha256,
    media: [],
    verdict: null,
  },
}))

const smallSite = (publishing: SitePublishing, stored: Pick<BundleSource, 'openBlob'>): BundleSource => ({
  site: {
    id: 'site',
    name: 'Site',
    publishing: { ...publishing, home: 'listing', menu: [], postsPerPage: 2 },
    tagFolders: new Map(),
    hasChosenHome: false,
    publicBases: [],
    withheld: [],
  },
  pages,
  fonts: null,
  mediaAt: () => null,
  openBlob: (blob) => (blob === sha256 ? bytesOf(html) : stored.openBlob(blob)),
})
