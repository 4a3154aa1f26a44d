import { spawn } from 'node:child_process'
import { isOpenableEditorUrl } from '@galley/library'
import { fieldMax } from '@galley/library/records'

import type { Command } from './command.ts'
import { CommandFailure, UsageError, failed, flag, positional, text } from './command.ts'
import { givenFile } from './given-text.ts'
import { printable } from './table.ts'

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a validated URL in the system's browser. Uses no shell, so nothing in the URL is interpreted. */
function showInBrowser(url: string): Promise<void> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () =>
      reject(new CommandFailure('no_browser', `The browser could not be started. Open this address yourself: ${url}`)),
    )
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

export const open: Command = {
  name: 'open',
  usage: 'SITE MATERIAL [--title T] [--slug S] [--metadata FILE] [--browser]',
  summary: 'open a material in the editor, starting from its current version',
  positionals: ['SITE', 'MATERIAL'],
  options: {
    title: { type: 'string' },
    slug: { type: 'string' },
    metadata: { type: 'string' },
    browser: { type: 'boolean' },
  },
  async run(context) {
    const file = text(context, 'metadata')
    const metadata = file === null ? null : await givenFile(file, 'the metadata file')
    const materialId = positional(context, 1)
    if (materialId === '') throw new UsageError('the material id is empty')
    const title = text(context, 'title')
    if (title !== null && title.length > fieldMax.title)
      throw new UsageError(`--title is longer than ${fieldMax.title} characters`)
    const galley = await context.galley()
    const [site, slug] = [positional(context, 0), text(context, 'slug')]
    const keepsAddress = slug !== null && galley.index.materials.keepsAddress(site, materialId, slug)
    const opened = await galley.sessions.open({ site, materialId, title, slug, metadata })
    if (!opened.ok) throw failed(opened.failure)
    if (keepsAddress) context.log(printable(`The page keeps its address, because ${slug} is not a valid one.`))
    const { sessionId, fingerprint, url, resizeMode, reused, replaced } = opened.value
    if (replaced.length > 0)
      context.log(
        `This site has its own callback credentials. They were sent instead of ${replaced.join(' and ')} in ${file}.`,
      )
    if (flag(context, 'browser')) {
      if (!isOpenableEditorUrl(url)) {
        throw new CommandFailure(
          'unsafe_editor_url',
          `The editor's address is neither https nor on this computer, so Galley did not open it: ${url}`,
        )
      }
      await showInBrowser(url)
    }
    return { json: { session_id: sessionId, fingerprint, url, resize_mode: resizeMode, reused }, text: url }
  },
}
