/** The path segments of a public path. Throws where they would lead out of the folder or the prefix. */
export function namesIn(path: string): readonly string[] {
  const names = decodedNames(path)
  if (!areInside(names)) throw new Error('A public path would leave its folder')
  return names
}

/** Whether `namesIn` accepts a path: snapshot ids are external and may contain encoded slashes and dots. */
export const isInside = (path: string): boolean => areInside(decodedNames(path))

const decodedNames = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(1)
    .flatMap((segment) => decodeURIComponent(segment).split('/'))

const areInside = (names: readonly string[]): boolean =>
  !names.some((name) => name === '' || name === '.' || name === '..' || /[\\\0]/.test(name))
