/**
 * The path segments of a public path. Snapshot ids are external and may contain encoded slashes and dots: these cause an
 * error, so that no path leaves the folder or the prefix.
 */
export function namesIn(path: string): readonly string[] {
  const names = path
    .split('/')
    .slice(1)
    .flatMap((segment) => decodeURIComponent(segment).split('/'))
  if (names.some((name) => name === '' || name === '.' || name === '..' || /[\\\0]/.test(name))) {
    throw new Error('A public path would leave its folder')
  }
  return names
}
