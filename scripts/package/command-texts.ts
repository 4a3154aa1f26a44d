/** What the command line says of itself to shells and to man. */

import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { capture } from '../runtime/processes.ts'
import { projectRoot } from '../runtime/project.ts'

/** The folders below `share` that these files are in. */
export const textFolders = ['man', 'bash-completion', 'zsh', 'fish'] as const

/** Completion and manual page as the built command makes them, by their places below `share`. `madeAt`: see `Release`. */
export async function commandTexts(madeAt: number): Promise<Readonly<Record<string, Buffer>>> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(madeAt) }
  const said = async (...words: readonly string[]): Promise<Buffer> => {
    const script = join(projectRoot, 'out', 'main', 'cli.js')
    const { code, stdout, stderr } = await capture(process.execPath, [script, ...words], { env })
    if (code !== 0) throw new Error(`galley ${words.join(' ')} failed: ${stderr.trim()}`)
    return Buffer.from(stdout)
  }
  const zsh = await said('completion', 'zsh')
  return {
    'man/man1/galley.1.gz': gzipSync(await said('manual'), { level: 9 }),
    'bash-completion/completions/galley': await said('completion', 'bash'),
    // Debian's zsh reads the first folder, others the second.
    'zsh/vendor-completions/_galley': zsh,
    'zsh/site-functions/_galley': zsh,
    'fish/vendor_completions.d/galley.fish': await said('completion', 'fish'),
  }
}
