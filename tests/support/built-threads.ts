/**
 * The threads of the product as they are built, by `build-first.ts`. Node reads TypeScript with WebAssembly, and where several threads
 * of one process do, V8 now and then ends the process.
 */
export const builtThreads = {
  archive: new URL('../../out/main/worker.js', import.meta.url),
  background: new URL('../../out/main/background.js', import.meta.url),
}
