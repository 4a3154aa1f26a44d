import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Asset, Assets } from '../page/assets.ts'
import { addressesOf, isPublic, newAsset } from '../page/assets.ts'
import { freeName } from '../page/file-names.ts'
import type { Draft } from './drafts.ts'

/** The files of the open page: those in the state, and those added since. */
export interface PageFiles {
  readonly assets: () => Assets
  /** Adds a chosen file; returns its name and its URL in the browser. */
  readonly add: (file: File) => { readonly name: string; readonly address: string }
  /** The added files, for a draft. */
  readonly added: () => Draft['files']
  /** URLs at which the browser may find a file, in order of preference. */
  readonly addressesOf: (name: string) => readonly string[]
  /** The base64 contents to send with a save: used files that the service does not have. */
  readonly toSend: (used: ReadonlySet<string>) => Promise<Result<ReadonlyMap<string, string>, string>>
  /** After a save: updates the files the service has, and the URLs from the site. */
  readonly takeOver: (saved: Assets) => void
}

/** `fileAddress` returns the URL of the service's copy. Entries are never removed, since undo may restore a file. */
export function createPageFiles(
  opened: Assets,
  fileAddress: (name: string) => string,
  drafted: Pick<Draft, 'files' | 'assets'> = { files: [] },
): PageFiles {
  const assets = new Map<string, Asset>(opened)
  let held: ReadonlySet<string> = new Set(opened.keys())
  const added = new Map<string, { readonly file: File; readonly address: string }>()
  const keep = (name: string, file: File): string => {
    const address = URL.createObjectURL(file)
    added.set(name, { file, address })
    return address
  }
  // Public files stay where they are, whatever another tab has removed from its page.
  for (const [name, asset] of drafted.assets ?? []) if (!assets.has(name) && isPublic(asset)) assets.set(name, asset)
  for (const { name, file } of drafted.files) {
    if (!assets.has(name)) assets.set(name, newAsset(name))
    keep(name, file)
  }

  return {
    assets: () => assets,
    add(file) {
      const name = freeName(file.name, (candidate) => assets.has(candidate))
      assets.set(name, newAsset(name))
      return { name, address: keep(name, file) }
    },
    added: () => [...added].map(([name, { file }]) => ({ name, file })),
    addressesOf(name) {
      const here = added.get(name)
      // An added file is shown from memory while the page is open, so nothing flickers after a save.
      return here === undefined ? addressesOf(assets.get(name), fileAddress(name)) : [here.address]
    },
    async toSend(used) {
      const contents = new Map<string, string>()
      for (const name of used) {
        const asset = assets.get(name)
        if (asset === undefined || isPublic(asset) || held.has(name)) continue
        const content = await contentOf(name)
        if (!content.ok) return content
        contents.set(name, content.value)
      }
      return ok(contents)
    },
    takeOver(saved) {
      held = new Set(saved.keys())
      for (const [name, asset] of saved) assets.set(name, asset)
    },
  }

  async function contentOf(name: string): Promise<Result<string, string>> {
    const file = added.get(name)?.file
    return file === undefined
      ? fail(`The service no longer has ${name}. Remove it from the page and add it again.`)
      : toBase64(file, name)
  }
}

/** Encodes a chosen file as base64; fails when it was moved or deleted in the meantime. */
function toBase64(file: File, name: string): Promise<Result<string, string>> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => {
      const { result } = reader
      // Some browsers return nothing for a file that is longer than a text can be.
      if (typeof result !== 'string') resolve(fail(`${name} is too large to be saved. Remove it from the page.`))
      else resolve(ok(result.slice(result.indexOf(',') + 1)))
    }
    reader.onerror = () => resolve(fail(`${name} can no longer be read. Remove it from the page and add it again.`))
    reader.readAsDataURL(file)
  })
}
