import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { isStorageFault, storageCause, storageReason } from '@galley/platform'
import {
  cacheControl,
  createAddressReader,
  fontsCssName,
  mediaType,
  percentDecoded,
  readMediaUrl,
  requestedRange,
  storedMediaType,
  typeBytes,
} from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import type { IndexReads, IndexWith } from '../db/library-index.ts'
import { createCheckedFiles } from '../vault/checked-files.ts'
import type { Vault } from '../vault/vault.ts'
import { createListenerProbe } from './listener-probe.ts'

/** Handles the GET requests of the listener. Both resolve to false if the path has no file. */
export interface PublicFiles {
  exists(path: string): Promise<boolean>
  /** Calls `onAnswer` just before the response begins. */
  serve(path: string, request: IncomingMessage, response: ServerResponse, onAnswer: () => void): Promise<boolean>
}

interface Found {
  readonly blob: Sha256
  readonly name: string
  /** False for URLs whose content changes, such as `current.css`. */
  readonly immutable: boolean
}

/**
 * Prevents scripts in stored files from running, whatever their type and however they are opened (docs/api.md, section 3).
 */
const harmless = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** A host in front of a path, so that it can be read as browsers and exports read addresses. */
const origin = 'http://listener.invalid'
const readAddress = createAddressReader([origin])

/** The blob of a public path; null if there is none. */
export function publicBlob(index: IndexReads, asked: string): Found | null {
  const path = readAddress(origin + asked)?.slice(origin.length) ?? ''
  const address = readMediaUrl(path)
  if (address?.base === '') {
    const media = index.versions.mediaByAddress(address.hashStart, address.name)
    return media && { blob: media.sha256, name: address.name, immutable: true }
  }
  const parts = path.split('/').slice(1).map(percentDecoded)
  if (parts.includes(null)) return null
  const [root, first, second, third, ...rest] = parts as string[]
  if (root !== 'fonts' || rest.length > 0 || first === undefined || second === undefined) return null
  if (third === undefined) {
    const newest = second === 'current.css' ? index.snapshots.newest(first) : null
    return newest && { blob: newest.css, name: 'current.css', immutable: false }
  }
  const snapshot = index.snapshots.find(first, second)
  const file = snapshot?.files.find(({ name }) => name === third)
  if (file) return { blob: file.sha256, name: third, immutable: true }
  return snapshot && third === fontsCssName ? { blob: snapshot.css, name: third, immutable: true } : null
}

interface PublicFilePorts {
  readonly index: IndexWith<'settings'>
  readonly vault: Vault
  readonly log: (line: string) => void
  /** Applies the newest entries of the team; false if the bucket cannot be reached. Null outside a team library. */
  readonly syncTeam: (() => Promise<boolean>) | null
}

/**
 * Serves media, fonts and health directly from the vault. Paths are looked up in the index and never used on disk. Files
 * that have changed since they were stored are not served.
 */
export function createPublicFiles({ index, vault, log, syncTeam }: PublicFilePorts): PublicFiles {
  const files = createCheckedFiles(log)
  const probe = createListenerProbe(index.settings)
  /** An address that is not known here may have been stored by another member of the team. */
  async function find(path: string): Promise<Found | 'unknown' | null> {
    const found = publicBlob(index, path)
    if (found !== null || syncTeam === null || readAddress(origin + path) === null) return found
    const isUpToDate = await syncTeam()
    return publicBlob(index, path) ?? (isUpToDate ? null : 'unknown')
  }

  function answerLater(response: ServerResponse): true {
    const headers = { 'cache-control': 'no-store', 'retry-after': '5', 'content-length': 0 }
    response.writeHead(503, { ...harmless, ...headers }).end()
    return true
  }

  /** The bucket of the team has the file, and cannot be reached. */
  function unreached(error: unknown): null {
    if (!isStorageFault(error)) throw error
    log(`a file could not be fetched from the bucket: ${storageReason(error)}`)
    return null
  }

  return {
    exists: async (path) => path === '/health' || (await find(path)) !== null,
    async serve(path, request, response, onAnswer) {
      if (path === '/health') {
        onAnswer()
        const body = '{"ok":true}'
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': body.length,
          'access-control-allow-origin': '*',
        })
        response.end(request.method === 'HEAD' ? undefined : body)
        return true
      }
      const tested = probe.at(path)
      if (tested !== null) {
        onAnswer()
        const headers = { ...harmless, 'cache-control': 'no-store', 'content-type': mediaType(path) }
        response.writeHead(200, { ...headers, 'content-length': tested.length })
        response.end(request.method === 'HEAD' ? undefined : tested)
        return true
      }
      const found = await find(path)
      if (found === 'unknown') {
        onAnswer()
        return answerLater(response)
      }
      const slice = found && index.blobs.find(found.blob)
      if (!found || !slice) return false
      const location = await vault.locate(slice).catch(unreached)
      if (location === null) {
        onAnswer()
        return answerLater(response)
      }
      const opened = await files.open(found.blob, location)
      if (opened.kind === 'missing') return false
      onAnswer()
      if (opened.kind === 'altered') {
        response.writeHead(500, { ...harmless, 'cache-control': 'no-store', 'content-length': 0 }).end()
        return true
      }
      try {
        await answerFile(found, slice.offset, slice.sizeBytes, opened.handle, request, response).catch(
          (error: unknown) => {
            // A reader that disconnects is not an error.
            if (storageCause(error).code === 'disk_error')
              log(`a public file could not be read: ${storageReason(error)}`)
            response.destroy()
          },
        )
      } finally {
        await opened.handle.close()
      }
      return true
    },
  }
}

/** Responds with the whole file, a range of it, or 304. */
async function answerFile(
  { blob, name, immutable }: Found,
  offset: number,
  sizeBytes: number,
  handle: FileHandle,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const etag = `"${blob}"`
  const headers = {
    ...harmless,
    etag,
    'cache-control': immutable ? cacheControl.immutable : cacheControl.changing,
    'content-type': await storedMediaType(name, async () => {
      const start = Buffer.alloc(Math.min(typeBytes, sizeBytes))
      await handle.read(start, 0, start.length, offset)
      return start
    }),
    'accept-ranges': 'bytes',
  }
  // Weak comparison as in the standard, because compressing proxies make tags weak.
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.some((tag) => tag === etag || tag === '*')) return void response.writeHead(304, headers).end()
  const ifRange = request.headers['if-range']
  const mayBePart = request.method === 'GET' && (ifRange === undefined || ifRange === etag)
  const range = requestedRange(mayBePart ? request.headers.range : undefined, sizeBytes)
  if (range === 'unsatisfiable') {
    return void response.writeHead(416, { ...harmless, 'content-range': `bytes */${sizeBytes}` }).end()
  }
  const { start, length } = range ?? { start: 0, length: sizeBytes }
  const partial = range && { 'content-range': `bytes ${start}-${start + length - 1}/${sizeBytes}` }
  response.writeHead(range ? 206 : 200, { ...headers, ...partial, 'content-length': length })
  // createReadStream cannot read an empty range.
  if (request.method === 'HEAD' || length === 0) return void response.end()
  const first = offset + start
  const bytes = handle.createReadStream({ start: first, end: first + length - 1, autoClose: false })
  await pipeline(bytes, response)
}
