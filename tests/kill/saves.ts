import { expect } from 'vitest'

import type { Galley } from '../support/open-galley.ts'
import type { SavedAnswer, Sent } from '../support/saves.ts'
import { servedProblem } from '../support/saves.ts'

/** Checks that an acknowledged save is there: the same answer again, and every file over HTTP. */
export async function expectServed(listener: string, sent: Sent): Promise<void> {
  expect(await servedProblem(listener, sent)).toBeNull()
}

/** Checks the same without HTTP: version, page, state and media as the library returns them. */
export async function expectStored({ index, vault }: Galley, sent: Sent): Promise<void> {
  if (sent.kind === 'fonts') {
    const snapshot = index.snapshots.list('acme').find(({ snapshotId }) => snapshotId === sent.versionId)
    expect(snapshot?.files.toSorted(), sent.versionId).toStrictEqual([...sent.files.keys()].toSorted())
    return
  }
  const parts = index.versions.parts('acme', sent.materialId, sent.versionId)
  expect(parts, sent.versionId).not.toBeNull()
  if (!parts) return
  const text = async (blob: Parameters<typeof index.blobs.find>[0]): Promise<string> => {
    const place = index.blobs.find(blob)
    return place ? (await vault.readBytes(place)).toString('utf8') : 'missing'
  }
  const { data } = JSON.parse(sent.answer ?? '') as SavedAnswer
  const assets = data.vms_json?.assets ?? {}
  expect(await text(parts.state)).toBe(/"vms_json":(.*)\}\}$/s.exec(sent.answer ?? '')?.[1])
  const urls = new Map(Object.entries(assets).map(([name, { clientUrl }]) => [`dummy-${name}`, clientUrl]))
  expect(await text(parts.html)).toBe(sent.html.replaceAll(/dummy-[\w-]+\.bin/g, (name) => urls.get(name) ?? name))
  const media = index.versions.media('acme', sent.materialId, sent.versionId)
  expect(new Map(media.map(({ name, sha256 }) => [name, sha256])), sent.versionId).toEqual(sent.files)
}
