import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportFailure, ThemeProblem } from '@galley/library/records'
import { compare, fileOfTheme, invalidTheme } from '@galley/library/records'
import { isSystemError } from '@galley/platform'
import type { Cause, Result, Sha256 } from '@galley/wire'
import { cause, fail, ok } from '@galley/wire'

import { assetPath, placeAssets } from '../bundle/render/theme-assets.ts'
import type { Theme, ThemeManifest } from '../bundle/render/theme.ts'
import { parseThemeManifest, themeManifestFile } from '../bundle/render/theme.ts'
import type { BundleSource } from './source.ts'
import { unpackTheme } from './theme-file.ts'
import { verifiedBytes } from './verified-blob.ts'

/** A file of a theme's `assets/` and its path in a bundle. */
interface PlacedAsset {
  readonly name: string
  readonly path: string
  readonly bytes: Buffer
  readonly sha256: string
}

export interface ReadTheme {
  readonly theme: Theme
  readonly assets: readonly PlacedAsset[]
  /** Whether the first source has a manifest. */
  readonly isNamed: boolean
}

const limits = { entries: 5000, files: 500, templateMb: 1, assetsMb: 20 } as const

const isTemplate = (path: string): boolean => path.endsWith('.html') && !path.startsWith('assets/')
const isAsset = (path: string): boolean => path === 'style.css' || path.startsWith('assets/')
const isOfTheme = (path: string): boolean => path === themeManifestFile || isTemplate(path) || isAsset(path)

/**
 * Reads a theme, each file from the first source that has it: a person's theme may contain only a style sheet and take the
 * rest from the default one, which comes last. A source is a folder, or the `theme` of a site whose files the library has.
 * Reads nothing outside the folders, whatever a theme says.
 */
export async function readTheme(
  sources: readonly string[],
  stored: Pick<BundleSource, 'openBlob'>,
): Promise<Result<ReadTheme, ExportFailure>> {
  const files = new Map<string, Buffer>()
  let isNamed = false
  for (const [at, source] of sources.entries()) {
    const file = fileOfTheme(source)
    const found = await (file === null ? themeFilesIn(source, at === 0) : storedFiles(stored, file))
    if (!found.ok) return found
    if (at === 0) isNamed = found.value.has(themeManifestFile)
    // Older themes have the style sheet at the top. It replaces the one in the assets of the default theme.
    for (const [path, bytes] of found.value) {
      if (!files.has(assetName(path))) files.set(assetName(path), bytes)
    }
  }
  const manifest = manifestOf(files.get(themeManifestFile))
  if (!manifest.ok) return fail(invalidTheme(manifest.failure))
  const templates = new Map(
    [...files].filter(([path]) => isTemplate(path)).map(([path, bytes]) => [path, textOf(bytes)]),
  )
  if (!templates.has('page.html')) return fail(invalidTheme(wrong('page.html', cause('theme_missing'))))
  const placed = placedAssets(files)
  if (!placed.ok) return fail(invalidTheme(placed.failure))
  const assets = new Map(placed.value.map(({ name, path }) => [name, path]))
  return ok({ theme: { manifest: manifest.value, templates, assets }, assets: placed.value, isNamed })
}

type ThemeFiles = Result<ReadonlyMap<string, Buffer>, ExportFailure>

/** The files of a theme in a folder. `isNeeded`: a folder without any is no theme. */
export async function themeFilesIn(folder: string, isNeeded = true): Promise<ThemeFiles> {
  const found = await filesOf(folder)
  if (!found.ok) return fail(invalidTheme(found.failure))
  return isNeeded && found.value.size === 0 ? fail(invalidTheme(wrong(folder, cause('theme_empty')))) : found
}

/** The files of a theme in the library. */
async function storedFiles(stored: Pick<BundleSource, 'openBlob'>, file: Sha256): Promise<ThemeFiles> {
  const bytes = await verifiedBytes(stored, { name: 'theme', sha256: file })
  if (!bytes.ok) return bytes
  const files = unpackTheme(bytes.value)
  if (files === null) return fail(invalidTheme(wrong('theme', cause('theme_empty'))))
  const within = limited()
  const problem = [...files].map(([path, { length }]) => within(path, length)).find((each) => each !== null)
  return problem ? fail(invalidTheme(problem)) : ok(new Map([...files].filter(([path]) => isOfTheme(path))))
}

const wrong = (file: string, problem: Cause): ThemeProblem => ({ file, line: null, column: null, problem })

const assetName = (path: string): string => (path === 'style.css' ? 'assets/style.css' : path)

/** Normalizes line ends, so that a theme from Windows makes the same bundle. */
const textOf = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')

function manifestOf(bytes: Buffer | undefined): Result<ThemeManifest, ThemeProblem> {
  return bytes === undefined
    ? fail(wrong(themeManifestFile, cause('theme_missing')))
    : parseThemeManifest(textOf(bytes))
}

/** The returned function takes each file of a theme, and gives the problem with the first that is too much. */
function limited(): (path: string, bytes: number) => ThemeProblem | null {
  let count = 0
  let assetBytes = 0
  return (path, bytes) => {
    count += 1
    if (count > limits.files) return wrong(path, cause('theme_files', { name: limits.files }))
    if (isTemplate(path) && bytes > limits.templateMb * 1e6)
      return wrong(path, cause('theme_template_size', { name: limits.templateMb }))
    assetBytes += isAsset(path) ? bytes : 0
    return assetBytes > limits.assetsMb * 1e6
      ? wrong(path, cause('theme_assets_size', { name: limits.assetsMb }))
      : null
  }
}

/** Every file in one folder that is part of a theme. */
async function filesOf(folder: string): Promise<Result<ReadonlyMap<string, Buffer>, ThemeProblem>> {
  const files = new Map<string, Buffer>()
  const paths = await pathsIn(folder)
  if (paths === null) return fail(wrong(folder, cause('theme_entries', { name: limits.entries })))
  const within = limited()
  for (const path of paths) {
    const bytes = await readFile(join(folder, path))
    const problem = within(path, bytes.length)
    if (problem !== null) return fail(problem)
    files.set(path, bytes)
  }
  return ok(files)
}

/**
 * Paths with `/`, in a fixed order; null: the folder holds too much to be a theme. Links are not followed, since they could
 * lead anywhere.
 */
async function pathsIn(folder: string): Promise<readonly string[] | null> {
  try {
    const found: string[] = []
    let entries = 0
    const ahead = ['']
    for (let inside = ahead.pop(); inside !== undefined; inside = ahead.pop()) {
      for (const entry of await readdir(join(folder, inside), { withFileTypes: true })) {
        entries += 1
        if (entries > limits.entries) return null
        const path = inside + entry.name
        if (entry.name.startsWith('.')) continue
        if (entry.isDirectory() && entry.name !== 'node_modules') ahead.push(`${path}/`)
        else if (entry.isFile() && isOfTheme(path)) found.push(path)
      }
    }
    return found.toSorted(compare)
  } catch (error) {
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}

/** Every asset with a name made from its content, so that browsers may cache it forever. */
function placedAssets(files: ReadonlyMap<string, Buffer>): Result<readonly PlacedAsset[], ThemeProblem> {
  const bytesByName = new Map<string, Buffer>()
  for (const [path, bytes] of files) {
    if (!isAsset(path)) continue
    const name = path.slice('assets/'.length)
    const isText = /\.(?:css|js|svg)$/.test(name)
    bytesByName.set(name, isText ? Buffer.from(textOf(bytes)) : bytes)
  }
  const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
  const placed = new Map<string, PlacedAsset>()
  const made = placeAssets(
    [...bytesByName.keys()],
    (name) => bytesByName.get(name)?.toString('utf8') ?? '',
    (name, css) => {
      const bytes = css === null ? (bytesByName.get(name) ?? Buffer.alloc(0)) : Buffer.from(css)
      const sha256 = hashOf(bytes)
      const path = assetPath(name, sha256)
      placed.set(name, { name, path, bytes, sha256 })
      return path
    },
  )
  return made.ok ? ok([...placed.values()].toSorted((a, b) => compare(a.path, b.path))) : made
}
