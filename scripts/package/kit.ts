/** The developer kit as a package of npm: emulator, conformance kit and sample backends, without native code. */

import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

import { projectRoot } from '../runtime/project.ts'
import { bundledPackages } from './notices.ts'
import { packNpm, type Edges } from './npm-package.ts'

const readme = `# Galley, the developer kit

For developers of a site backend of the hosted layout editor, in any language.

    npx galley-kit --sample php backend      # a backend to start from: php, node or python
    npx galley-kit check http://127.0.0.1:8080/callback
    npx galley-kit emulator --port 8788

\`check\` sends signed callbacks to a backend as the service would, sound and hostile ones, and says where it breaks the
contract or is unsafe. Without --api-key and --secret-stdin, key and secret are those of the emulator and of the samples.
\`emulator\` is the service on your computer: sessions, an editor page, signed callbacks, versions, faults on demand.
\`galley-kit help COMMAND\` explains every option.

It needs Node 24, or 22.15 or later of Node 22, and nothing that compiles. MIT licence; NOTICES.txt has those of others.
`

/** Builds the package in `folder`, a new one, and packs it. Returns its files. */
export async function packKit(folder: string, edges: Edges): Promise<readonly string[]> {
  const target = join(folder, 'package')
  const out = join(target, 'out')
  mkdirSync(out, { recursive: true })
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'warn',
    // Node's own SQLite, since a package of native code may have to be compiled.
    resolve: { alias: { 'better-sqlite3': join(projectRoot, 'packages/service/store/node-sqlite.ts') } },
    ssr: { noExternal: true },
    build: {
      ssr: 'src/main/kit.ts',
      emptyOutDir: true,
      outDir: out,
      target: 'node22.15',
      // Read for the licences.
      sourcemap: 'hidden',
      rolldownOptions: {
        output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  })
  cpSync(join(projectRoot, 'out', 'editor'), join(out, 'editor'), { recursive: true })
  cpSync(join(projectRoot, 'packages/kit/samples'), join(target, 'samples'), { recursive: true })
  const bundled = bundledPackages(out, undefined, [])
  for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.map')) rmSync(join(out, name))
  return packNpm(target, edges, {
    name: 'galley-kit',
    description: 'Emulator and conformance kit for backends of a hosted layout editor',
    command: 'galley-kit',
    script: './out/kit.js',
    dependencies: {},
    bundled,
    readme,
  })
}
