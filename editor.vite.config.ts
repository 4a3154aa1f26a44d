import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The editor page of the service, built by itself: its HTML is outside the root of the app's pages. */
export default defineConfig({
  root: join(import.meta.dirname, 'packages/service/editor'),
  build: {
    target: 'chrome130',
    minify: true,
    sourcemap: 'hidden',
    // An inlined font would be a data: address, which the page's CSP refuses.
    assetsInlineLimit: 0,
  },
  plugins: [react()],
})
