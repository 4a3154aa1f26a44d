/** A page of a bundle; `formerPaths`: the files at its earlier addresses, newest first. All of them redirect to it. */
interface MovablePage {
  readonly path: string
  readonly formerPaths: readonly string[]
}

/**
 * Where pages that look new were before: the file at the earlier address, by the file of the page. A page moved when the
 * target lacks its file, and has one at an earlier address that becomes a redirect now.
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
