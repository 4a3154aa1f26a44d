/** What a version was and who decided about it, in a ZIP that anybody can check without Galley. */

import type { Decision, ExportFailure, Site } from '@galley/library/records'
import { sha256Of } from '@galley/platform'
import type { Result } from '@galley/wire'

import checkerPage from './checker.html?raw'
// oxlint-disable-next-line import/default -- Its text is imported, not the module.
import checker from './checker.js?raw'
import readme from './evidence.txt?raw'
import type { VersionCopy } from './version-copy.ts'
import { checkedFiles } from './version-copy.ts'
import type { CopyEntry, WrittenCopy } from './write-copy.ts'
import { textEntry, writeCopy } from './write-copy.ts'

export interface EvidenceFacts {
  readonly site: Pick<Site, 'id' | 'name'>
  readonly title: string
  /** All decisions about the versions of the page, newest first. */
  readonly decisions: readonly Decision[]
  /** Whether the pack names who decided. */
  readonly withNames: boolean
  readonly software: string
  readonly at: Date
}

/**
 * Writes the pack: `manifest.json` with the hash of every file, the page as it was saved, the files that it shows, and a checker
 * for Node and one for browsers. It holds no metadata of the version, no state, no address of a person or computer, and names of
 * persons only `withNames`. A reason is a text of its own and stays as it was written.
 */
export function writeEvidence(
  file: string,
  copy: VersionCopy,
  facts: EvidenceFacts,
): Promise<Result<WrittenCopy, ExportFailure>> {
  const { bytesOf, failure } = checkedFiles(copy) // A file may be at several addresses.
  const stored = new Map(copy.files.map((each) => [each.sha256, each]))
  const pathOf = new Map(
    [...stored.values()].map(({ sha256, name }) => [sha256, `files/${sha256.slice(0, 32)}${extensionOf(name)}`]),
  )
  const aids = [
    ['README.txt', readme],
    ['check.html', checkerPage.replace('/* checker */', () => checker)],
    ['check.mjs', checker],
  ] as const
  const manifest = manifestOf(copy, facts, pathOf, aids)
  return writeCopy(
    file,
    [
      ...aids.map(([path, content]) => textEntry(path, content)),
      textEntry('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`),
      textEntry(pagePath, copy.html),
      ...[...stored.values()].map((each): CopyEntry => ({
        path: pathOf.get(each.sha256) ?? '',
        sizeBytes: each.sizeBytes,
        chunks: bytesOf(each),
      })),
    ],
    failure,
  )
}

const pagePath = 'page.html'

const extensionOf = (name: string): string => /\.[a-z0-9]{1,10}$/i.exec(name)?.[0].toLowerCase() ?? ''

function manifestOf(
  { version, html, htmlSha256, stateSha256, archiveSha256, files }: VersionCopy,
  { site, title, decisions, withNames, software, at }: EvidenceFacts,
  pathOf: ReadonlyMap<string, string>,
  aids: readonly (readonly [path: string, content: string])[],
) {
  return {
    format: 'galley-evidence',
    format_version: 1,
    made_at: at.toISOString(),
    made_with: software,
    site: { id: site.id, name: site.name },
    material: { id: version.materialId, title },
    version: {
      id: version.versionId,
      number: version.number,
      saved_at: version.versionCdate,
      received_at: version.receivedAt,
      archive_sha256: archiveSha256,
      state_sha256: stateSha256,
    },
    decisions: decisions.map(({ versionId, number, decision, at: decidedAt, reason, by }) => ({
      version_id: versionId,
      number,
      decision,
      at: decidedAt,
      reason,
      ...(withNames && { by }),
    })),
    files: [
      { path: pagePath, name: 'vms_html.html', bytes: html.length, sha256: htmlSha256 },
      ...files.map(({ url, name, sha256, sizeBytes }) => ({
        path: pathOf.get(sha256),
        name,
        url,
        bytes: sizeBytes,
        sha256,
      })),
      ...aids.map(([path, content]) => ({ path, bytes: Buffer.byteLength(content), sha256: sha256Of(content) })),
    ],
  }
}
