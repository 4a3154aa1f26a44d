/** A package of npm from a folder that has its scripts: with no script that runs at its installation. */

import { chmodSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { capture } from '../runtime/processes.ts'
import { projectRoot } from '../runtime/project.ts'
import { settle } from './installed.ts'
import { noticesOf, type Bundled } from './notices.ts'
import { sbomOf } from './sbom.ts'
import { manifest } from './stage.ts'

interface NpmPackage {
  readonly name: string
  readonly description: string
  /** The command and the script that it runs. */
  readonly command: string
  readonly script: string
  readonly dependencies: Readonly<Record<string, string | undefined>>
  readonly bundled: readonly Bundled[]
  readonly readme: string
}

/** Where packages go, and the date of their files: seconds since 1970. */
export interface Edges {
  readonly out: string
  readonly madeAt: number
}

/** Adds to `target` what each package has, and packs it: equal files make equal packages. Returns the package and its SBOM. */
export async function packNpm(
  target: string,
  { out, madeAt }: Edges,
  { name, description, command, script, dependencies, bundled, readme }: NpmPackage,
): Promise<readonly string[]> {
  const { version, license, author } = manifest
  const npmPackage = {
    name,
    version,
    description,
    license,
    author,
    bin: { [command]: `${command}.js` },
    engines: { node: '^22.15.0 || >=24' },
    dependencies,
  }
  const put = (file: string, text: string): void => writeFileSync(join(target, file), text)
  put('package.json', `${JSON.stringify(npmPackage, null, 2)}\n`)
  put('README.md', readme)
  put('NOTICES.txt', noticesOf(bundled))
  put(`${command}.js`, `#!/usr/bin/env node\nrequire('${script}')\n`)
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(projectRoot, file), join(target, file))
  settle(target, madeAt)
  chmodSync(join(target, `${command}.js`), 0o755)
  const { code, stdout, stderr } = await capture('npm', ['pack', '--silent', '--pack-destination', out], {
    cwd: target,
  })
  if (code !== 0) throw new Error(`npm pack failed: ${stderr.trim()}`)
  const sbom = join(out, `${name}-${version}.cdx.json`)
  writeFileSync(sbom, sbomOf({ name, version, madeAt }, bundled))
  return [join(out, stdout.trim()), sbom]
}
