import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

import { guidePlugin } from './scripts/runtime/guide.ts'
import { sourcesHash } from './scripts/runtime/staleness.ts'

// Main and preload are CommonJS: a sandboxed preload has to be, and the fallback runtime redirects `require` (docs/runtime.md).
// Maps give positions alone, here and below, since packages contain them.
const commonJs = {
  format: 'cjs',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  sourcemapExcludeSources: true,
} as const

// What the oldest runtime speaks: Node 20.18 and Chrome 130 of the fallback Electron (docs/runtime.md).
const nodeTarget = 'node20.18'
const browserTarget = 'chrome130'

export default defineConfig({
  main: {
    // Cached texts of exports count only for the program that made them.
    define: { __BUILT_FROM__: JSON.stringify(sourcesHash(import.meta.dirname)) },
    build: {
      target: nodeTarget,
      // For the log, which names places of the sources; no script names its map, so no start reads it.
      sourcemap: 'hidden',
      // Part of the build: a package brings only what is native, and their install scripts compile.
      externalizeDeps: { exclude: ['ssh2', 'undici'] },
      rolldownOptions: {
        // What ssh2 would rather have, and does without.
        external: ['cpu-features', /sshcrypto\.node$/],
        input: {
          entry: 'src/main/entry.ts',
          index: 'src/main/index.ts',
          cli: 'src/main/cli.ts',
          // The same commands without the process around them, for tests.
          commands: 'src/main/commands.ts',
          worker: 'packages/library/archive/worker.ts',
          background: 'src/main/thread/worker.ts',
        },
        output: commonJs,
      },
    },
  },
  preload: {
    build: {
      target: nodeTarget,
      rolldownOptions: { input: { index: 'src/preload/index.ts' }, output: commonJs },
    },
  },
  renderer: {
    root: 'src',
    // The app's window and its review windows.
    build: {
      target: browserTarget,
      // Read and parsed at every start.
      minify: true,
      sourcemap: 'hidden',
      // An inlined font would be a data: address, which the window's CSP refuses.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: { app: 'src/renderer/index.html' },
        output: { sourcemapExcludeSources: true },
      },
    },
    plugins: [react(), guidePlugin(import.meta.dirname)],
  },
})
