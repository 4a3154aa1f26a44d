/** The packages whose code is part of Galley, as the build's maps name them, and their licences. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { projectRoot } from '../runtime/project.ts'
import { nativePackages } from './stage.ts'

export interface Bundled {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly text: string
}

/** No map names what is not a script. */
const fonts = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono']

/** Every package with code in these scripts of a folder, by name; by default in all. Throws if one has no licence text. */
export function bundledPackages(
  built: string,
  isMeant: (script: string) => boolean = () => true,
  besides: readonly string[] = nativePackages(),
): readonly Bundled[] {
  const folders = new Set([...besides, ...fonts].map((name) => `node_modules/${name}`))
  for (const name of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.map') || !isMeant(name.slice(0, -'.map'.length))) continue
    const { sources } = JSON.parse(readFileSync(join(built, name), 'utf8')) as { readonly sources: readonly string[] }
    for (const source of sources) {
      // The innermost: packages may have packages of their own.
      const folder = /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(source)?.[0]
      if (folder !== undefined) folders.add(folder)
    }
  }
  return [...folders].toSorted().map(describe)
}

function describe(folder: string): Bundled {
  const path = join(projectRoot, folder)
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly license?: string
    readonly licenses?: readonly { readonly type: string }[]
  }
  const file = readdirSync(path).find((each) => /^licen[cs]e(?:[.-].*)?$/i.test(each))
  const licence = license ?? licenses?.[0]?.type
  // Each copy has to come with it.
  if (file === undefined || licence === undefined)
    throw new Error(`${name} ${version} names no licence or has no text of it`)
  return { name, version, licence, text: readFileSync(join(path, file), 'utf8').trim() }
}

/** `NOTICES.txt`. */
export const noticesOf = (packages: readonly Bundled[]): string =>
  packages
    .map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`)
    .join(`\n${'-'.repeat(78)}\n\n`)
