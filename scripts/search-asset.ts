/** `npm run search-asset`: builds the script of the search page into the default theme, from which exports copy it. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
export const searchAsset = join(root, 'resources/themes/default/assets/search.js')

/** The same sources give the same text. Readers of published sites may have older browsers than ours. */
export async function builtSearch(): Promise<string> {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2020',
      minify: true,
      lib: { entry: join(root, 'packages/sites/search/search.ts'), formats: ['iife'], name: 'galleySearch' },
    },
  })
  const [made] = Array.isArray(output) ? output : [output]
  const chunk = made !== undefined && 'output' in made ? made.output[0] : undefined
  if (chunk === undefined) throw new Error('The search page was not built')
  return `/* Search with MiniSearch, https://github.com/lucaong/minisearch, MIT licence. */\n${chunk.code}`
}

if (import.meta.main) await writeFile(searchAsset, await builtSearch())
