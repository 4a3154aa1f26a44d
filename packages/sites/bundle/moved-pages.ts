/** A page of a bundle; `formerPaths`: the files at its earlier addresses, newest first. All of them redirect to it. */
interface MovablePage {
  readonly path: string
  readonly formerPaths: readonly string[]
}

/**
 * The earlier file of each page that seems new, by the file of the page. A page has moved if the target lacks its file but
 * has one at an earlier address that now becomes a redirect.
 */
export function movedPages(
  pages: readonly MovablePage[],
  { isAdded, isChanged }: { isAdded(path: string): boolean; isChanged(path: string): boolean },
): ReadonlyMap<string, string> {
  const moved = new Map<string, string>()
  for (const { path, formerPaths } of pages) {
    const from = isAdded(path) ? formerPaths.find(isChanged) : undefined
    if (from !== undefined) moved.set(path, from)
  }
  return moved
}
