import type { Sha256 } from '@galley/wire'

interface File {
  readonly name: string
  readonly sha256: Sha256
}

/** Whether two sets of files have the same names and contents, in any order. */
export function haveSameFiles(some: readonly File[], others: readonly File[]): boolean {
  const byName = new Map(some.map(({ name, sha256 }) => [name, sha256]))
  return some.length === others.length && others.every(({ name, sha256 }) => byName.get(name) === sha256)
}
