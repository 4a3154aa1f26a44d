import { createMemoryStore } from '../../packages/library/secrets/memory.ts'
import type { GalleyEdges } from '../../src/main/galley.ts'
import { createGalley } from '../../src/main/galley.ts'
import { builtThreads } from './built-threads.ts'

export type Galley = Awaited<ReturnType<typeof createGalley>>

/** The product's composition root on its real threads, without anything else. The caller closes it. */
export const openGalley = (edges: Pick<GalleyEdges, 'folder'> & Partial<GalleyEdges>): Promise<Galley> =>
  createGalley({
    secrets: createMemoryStore(),
    workerScript: builtThreads.archive,
    backgroundScript: builtThreads.background,
    version: '0.0.0-test',
    log: () => undefined,
    ...edges,
  })
