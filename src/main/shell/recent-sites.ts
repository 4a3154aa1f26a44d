import { appLink } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import type { JumpListCategory } from 'electron'

/** More would not be found faster than in the window. */
const shownAtMost = 5

/** The sites that were shown last, with one that is shown now; newest first. */
export const withShown = (recent: readonly SiteId[], site: SiteId): readonly SiteId[] =>
  [site, ...recent.filter((other) => other !== site)].slice(0, shownAtMost)

/** A site outside the window: its name now, and the link that shows it. */
export interface RecentSite {
  readonly name: string
  readonly link: string
}

/** The recent sites that are still there. One site is no choice: none then. */
export function recentSites(
  recent: readonly SiteId[],
  sites: readonly { readonly id: SiteId; readonly name: string }[],
): readonly RecentSite[] {
  const there = recent.flatMap((id) => sites.find((site) => site.id === id) ?? [])
  if (there.length < 2) return []
  return there.map(({ id, name }) => ({ name, link: appLink({ site: id, materialId: null, versionId: null }) }))
}

interface Program {
  readonly path: string
  /** The library folder if it has to be named; null: the usual one. */
  readonly library: string | null
  readonly title: string
  /** The arguments of what the person took out of the list: Windows refuses a list that has them again. */
  readonly removed: readonly string[]
}

/** The jump list of Windows: each site starts the program with its link, which the running app shows. */
export function jumpList(
  sites: readonly RecentSite[],
  { path, library, title, removed }: Program,
): readonly JumpListCategory[] {
  // A path of Windows has no quotation mark; a backslash before the closing one would escape it.
  const before = library === null ? '' : `--library="${library.replace(/\\$/, '')}" `
  const items = sites
    .filter(({ link }) => !removed.includes(before + link))
    .map(({ name, link }) => ({
      type: 'task' as const,
      title: name,
      // Windows shows no more.
      description: name.slice(0, 260),
      program: path,
      args: before + link,
      iconPath: path,
      iconIndex: 0,
    }))
  return items.length === 0 ? [] : [{ type: 'custom', name: title, items }]
}
