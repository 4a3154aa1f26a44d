/**
 * The product's threads as built by `build-first.ts`. Node reads TypeScript with WebAssembly, and where several threads of
 * one process do so, V8 sometimes crashes.
 */
export const builtThreads = {
  archive: new URL('../../out/main/worker.js', import.meta.url),
  background: new URL('../../out/main/background.js', import.meta.url),
}

/** Never called: it tells `vitest --changed` what these are built from. */
const sources = () => [import('../../packages/library/archive/worker.ts'), import('../../src/main/thread/worker.ts')]
void sources
