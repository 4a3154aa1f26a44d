import { spawn } from 'node:child_process'
import { isOpenableEditorUrl } from '@galley/library'
import { fieldMax } from '@galley/library/records'

import { CommandFailure, command, failed, positional } from './command.ts'
import { givenFile } from './given-text.ts'
import { ofMaterial } from './material.ts'
import { UsageError, atMost, flag, parsed, text } from './option.ts'
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

export const open = command({
  name: 'open',
  summary: 'open a material in the editor, from its current version',
  positionals: ofMaterial,
  options: {
    title: parsed('TITLE', 'its title', '"A short walk"', atMost(fieldMax.title)),
    slug: text('SLUG', 'the address of its page', 'blog/a-short-walk'),
    metadata: text('FILE', 'a JSON file with what is sent along; it replaces what was sent before', 'metadata.json'),
    browser: flag('also show the editor in the browser'),
  },
  examples: ['acme post --title "A short walk" --browser'],
  async run(context, { title, slug, metadata: file, browser }) {
    const metadata = file === null ? null : await givenFile(file, 'the metadata file')
    const materialId = positional(context, 1)
    if (materialId === '') throw new UsageError('the material id is empty')
    const galley = await context.galley()
    const site = positional(context, 0)
    const keepsAddress = slug !== null && galley.index.materials.keepsAddress(site, materialId, slug)
    const opened = await galley.sessions.open({ site, materialId, title, slug, metadata })
    if (!opened.ok) throw failed(opened.failure)
    if (keepsAddress) context.log(printable(`The page keeps its address, because ${slug} is not a valid one.`))
    const { sessionId, fingerprint, url, resizeMode, reused, replaced } = opened.value
    if (replaced.length > 0)
      context.log(
        `This site has its own callback credentials. They were sent instead of ${replaced.join(' and ')} in ${file}.`,
      )
    if (browser) {
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
})
