import type { BlockPlace } from '@galley/compare'
import type { IndexReads } from '@galley/library'
import { fieldMax } from '@galley/library/records'
import type { Answer, IgnoredPart, MaterialRef, VersionRef } from '@galley/library/records'
import { ok } from '@galley/wire'

import type { HandlersOf } from '../../ipc/call.ts'
import type { deskCalls, FoundPart } from '../../ipc/desk.ts'
import { findInVersion } from './find-anchors.ts'
import type { AnchorPorts } from './find-anchors.ts'

interface Ports extends AnchorPorts {
  readonly index: Pick<IndexReads, 'fields'>
}

const all = { x: 0, y: 0, width: 1, height: 1 }

/** Parts of pages whose looks are not compared, such as a clock. What was written there is always compared. */
export function createIgnored({ index, ...ports }: Ports) {
  const partsOf = ({ site, materialId }: MaterialRef): readonly IgnoredPart[] =>
    index.fields.asSet('material', site, { materialId })?.ignored ?? []
  /** Whether the parts wait for the bucket of a team: what is known of pages follows from the log. */
  const waits = (ref: MaterialRef): boolean =>
    JSON.stringify(index.fields.of('material', ref.site, { materialId: ref.materialId })?.ignored ?? []) !==
    JSON.stringify(partsOf(ref))

  /** The parts of a material, each with the blocks of it that are in this version. */
  async function find(version: VersionRef): Promise<Answer<readonly FoundPart[]>> {
    const parts = partsOf(version)
    const wanted = parts.flatMap(({ versionId, blocks, label }) =>
      blocks.map((block) => ({
        versionId,
        anchor: { kind: 'region', block, picture: null, region: all, label } as const,
      })),
    )
    const found = await findInVersion(ports, version, wanted)
    if (!found.ok) return found
    let at = 0
    return ok(
      parts.map((part) => {
        const own = found.value.slice(at, (at += part.blocks.length))
        return { ...part, places: own.flatMap(({ places }) => places.map(({ block }) => block)) }
      }),
    )
  }

  const handlers: HandlersOf<Pick<typeof deskCalls, 'ignoredParts' | 'partOfPage'>> = {
    ignoredParts: find,
    async partOfPage({ around, within, ...version }) {
      const page = await ports.reviewing.version(version)
      if (!page.ok) return page
      const part = await ports.background.run('partOfPage', { page: page.value, around, within })
      if (!part.ok) return part
      if (part.value === null) return ok(null)
      const { blocks, label } = part.value
      return ok(blocks.length > fieldMax.partBlocks ? null : { blocks, label, versionId: version.versionId })
    },
  }
  return {
    /** Equal as long as the same parts are left out. */
    key: (ref: MaterialRef): string => JSON.stringify([partsOf(ref), waits(ref)]),
    waits,
    /** Where a version is not compared. */
    async places(version: VersionRef): Promise<readonly BlockPlace[]> {
      const found = partsOf(version).length === 0 ? ok([]) : await find(version)
      return found.ok ? found.value.flatMap(({ places }) => places) : []
    },
    handlers,
  }
}

export type Ignored = ReturnType<typeof createIgnored>
