import { redactPayload } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import type { Output } from './command.ts'
import { CommandFailure, command, positional } from './command.ts'
import { ofVersion } from './material.ts'
import { UsageError, flag } from './option.ts'
import { versionJson } from './outside.ts'
import type { LibraryPorts } from './ports.ts'
import { knownSite } from './site.ts'
import { table } from './table.ts'

/** With members that the types of ES2024 do not have. */
const json = JSON as typeof JSON & {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** The value of a JSON text, to be printed with its numbers as they are written: JavaScript rounds those of many digits. */
const asWritten = (text: string): unknown =>
  json.parse(text, (_key: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value,
  )

const parts = ['html', 'state', 'metadata', 'media'] as const

export const showVersion = command({
  name: 'show version',
  summary: 'show one version, or one part of it',
  positionals: ofVersion,
  options: {
    html: flag('only its page'),
    state: flag('only the state of the editor'),
    metadata: flag('only its metadata'),
    media: flag('only the list of its files'),
  },
  examples: ['acme post v1', 'acme post v1 --html'],
  async run(context, given): Promise<Output> {
    const wanted = parts.filter((part) => given[part])
    if (wanted.length > 1) throw new UsageError('use only one of --html, --state, --metadata and --media')
    const site = await knownSite(context)
    const galley = await context.galley()
    const { versions } = galley.index
    const [materialId, versionId] = [positional(context, 1), positional(context, 2)]
    const version = versions.find(site.id, materialId, versionId)
    const stored = versions.parts(site.id, materialId, versionId)
    if (!version || !stored)
      throw new CommandFailure('unknown_version', `There is no version ${versionId} of ${materialId}.`)
    switch (wanted[0]) {
      case 'html': {
        const html = await blobText(galley, stored.html)
        return { json: { html }, text: html, isExact: true }
      }
      case 'state': {
        const state = await blobText(galley, stored.state)
        return { json: { state }, text: state, isExact: true }
      }
      case 'metadata': {
        // Redacted again, because the stored text was redacted by the rules of its time.
        const text = stored.metadata && redactPayload(stored.metadata)
        return { json: { metadata: text && asWritten(text) }, text: text ?? '', isExact: true }
      }
      case 'media': {
        const media = [
          ...versions.media(site.id, materialId, versionId),
          ...versions.referred(site.id, materialId, versionId),
        ]
        return {
          json: { media: media.map(({ name, sizeBytes, sha256, url }) => ({ name, bytes: sizeBytes, sha256, url })) },
          text: table(
            ['NAME', 'BYTES', 'URL'],
            media.map(({ name, sizeBytes, url }) => [name, String(sizeBytes), url]),
          ),
        }
      }
      case undefined:
      default:
        return { json: versionJson(version), text: JSON.stringify(versionJson(version), null, 2) }
    }
  },
})

async function blobText({ index, vault }: Pick<LibraryPorts, 'index' | 'vault'>, blob: Sha256): Promise<string> {
  const place = index.blobs.find(blob)
  if (!place) throw new CommandFailure('missing_blob', 'A file of this version is missing from the library.')
  return (await vault.readWhole(blob, place)).toString('utf8')
}
