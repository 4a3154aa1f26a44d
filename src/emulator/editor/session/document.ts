import type { Result } from '../../../contract/result.ts'
import { ok } from '../../../contract/result.ts'
import type { Asset, Assets } from '../page/assets.ts'
import { freeName, isPublic, temporaryName } from '../page/assets.ts'
import { pageHtml } from '../page/html.ts'
import type { Page } from '../page/page.ts'
import { usedFiles } from '../page/page.ts'
import type { OpenedState } from '../page/state.ts'
import { writeState } from '../page/state.ts'
import { toBase64 } from './base64.ts'
import type { SaveRequest } from './api.ts'

/** The page in the works: its content, its files, and whether all of it is saved. */
export interface EditedDocument {
  readonly page: () => Page
  /** Takes over a changed page. */
  readonly change: (page: Page) => void
  /** Takes a chosen file in and gives the name it got. */
  readonly addFile: (file: File) => string
  /** Where the browser finds the picture of a file. */
  readonly addressOf: (file: string) => string
  readonly isDirty: () => boolean
  /** What to send, and the function to call once the emulator has it; fails when a file cannot be read. */
  readonly prepareSave: () => Promise<Result<{ readonly request: SaveRequest; readonly sent: () => void }, string>>
  /** Takes over the addresses the site has given; what was typed meanwhile stays. */
  readonly takeAddresses: (assets: Assets) => void
}

export function createDocument(opened: OpenedState, fileAddress: (name: string) => string): EditedDocument {
  let page = opened.page
  let revision = 0
  let savedRevision = 0
  const assets = new Map<string, Asset>(opened.assets)
  /** Files that the emulator does not have yet. */
  const unsent = new Map<string, File>()
  const blobAddresses = new Map<string, string>()

  return {
    page: () => page,
    change(changed) {
      if (changed === page) return
      page = changed
      revision++
    },
    addFile(file) {
      const name = freeName(file.name, (candidate) => assets.has(candidate))
      assets.set(name, { clientUrl: temporaryName(name) })
      unsent.set(name, file)
      blobAddresses.set(name, URL.createObjectURL(file))
      return name
    },
    addressOf(file) {
      const asset = assets.get(file)
      // A chosen picture is shown from the browser's memory for as long as the page is open: no flicker after a save.
      return blobAddresses.get(file) ?? (asset !== undefined && isPublic(asset) ? asset.clientUrl : fileAddress(file))
    },
    isDirty: () => revision !== savedRevision,
    async prepareSave() {
      const used = usedFiles(page)
      const sentRevision = revision
      const request = { html: pageHtml(page, assets), state: writeState({ ...opened, page, assets }) }
      const sending = [...unsent].filter(([name]) => used.has(name))
      const files: Record<string, string> = {}
      for (const [name, file] of sending) {
        const content = await toBase64(file)
        if (!content.ok) return content
        files[name] = content.value
      }
      const sent = (): void => {
        savedRevision = sentRevision
        for (const [name] of sending) unsent.delete(name)
      }
      return ok({ request: { ...request, files }, sent })
    },
    takeAddresses(answered) {
      for (const [name, asset] of answered) if (assets.has(name) && isPublic(asset)) assets.set(name, asset)
    },
  }
}
