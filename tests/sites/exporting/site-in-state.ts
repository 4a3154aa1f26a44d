import { createSampleLibrary } from './sample-library.ts'

/** A site that differs by state: pages change, appear and disappear, with their own media. */
export function siteInState(state: number) {
  const library = createSampleLibrary()
  for (const id of ['1', '2', `only-${state}`]) {
    const own = library.media(`${id}.png`, Buffer.alloc(50_000, `state ${state} of ${id}`))
    const shared = library.media('shared.png', 'shared')
    library.save(id, `<p>State ${state}</p><img src="${own.url}"><img src="${shared.url}">${'<p>x</p>'.repeat(50)}`, [
      own,
      shared,
    ])
  }
  return library
}
