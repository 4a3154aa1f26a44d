import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import type { Theme, ThemeFile } from '../../../contract/domain/bundle/theme.ts'
import { checkTheme, themeFiles } from '../../../contract/domain/bundle/theme.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import { isSystemError } from '../../platform/disk/system-error.ts'

/**
 * Reads a theme, each file from the first of the folders that has it: a person's own theme may bring a style sheet alone
 * and take the rest from the default one, which comes last.
 */
export async function readTheme(folders: readonly string[]): Promise<Result<Theme, ExportFailure>> {
  const [first = ''] = folders
  const names = Object.keys(themeFiles) as ThemeFile[]
  const found = await Promise.all(names.map(async (file) => ({ file, text: await firstText(folders, file) })))
  const missing = found.find(({ text }) => text === null)
  if (missing !== undefined)
    return fail({ kind: 'invalid_theme', file: missing.file, problem: 'there is no such file' })
  if (folders.length > 1 && !found.some(({ text }) => text?.folder === first)) {
    const problem = `${first} holds none of ${names.join(', ')}`
    return fail({ kind: 'invalid_theme', file: first, problem })
  }
  const text = (wanted: ThemeFile): string => found.find(({ file }) => file === wanted)?.text?.content ?? ''
  const checked = checkTheme({
    'page.html': text('page.html'),
    'home.html': text('home.html'),
    'home-item.html': text('home-item.html'),
    'style.css': text('style.css'),
  })
  return checked.ok ? ok(checked.value) : fail({ kind: 'invalid_theme', ...checked.failure })
}

async function firstText(folders: readonly string[], file: string) {
  for (const folder of folders) {
    const content = await textAt(join(folder, file))
    // A file from Windows makes the same bundle as the same file from elsewhere.
    if (content !== null) return { folder, content: content.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n') }
  }
  return null
}

async function textAt(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}
