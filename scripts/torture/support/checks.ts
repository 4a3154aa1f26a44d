/** Checks a library after a torture, only through its command line. Each problem is one sentence. */

import type { SavedAnswer, Sent } from '../../../tests/support/saves.ts'
import type { Stage } from './stage.ts'

interface Finding {
  readonly kind: string
  readonly detail: string
}

interface Version {
  readonly version_id: string
  readonly media_count: number
  readonly current: boolean
}

/** What an interrupted save leaves: used disk space, but nothing that was acknowledged. */
const leftovers = new Set(['orphan_file', 'staging_leftover'])

/** The findings of `fsck`, without leftovers of interrupted saves. */
export async function fsckProblems({ galley }: Stage): Promise<readonly string[]> {
  const ran = await galley('fsck')
  if (ran.stdout.trim() === '') return [`fsck ended with ${ran.code}: ${ran.stderr}`]
  const { findings = null } = ran.json() as { readonly findings?: readonly Finding[] }
  if (findings === null) return [`fsck ended with ${ran.code}: ${ran.stdout}`]
  return findings.filter(({ kind }) => !leftovers.has(kind)).map(({ kind, detail }) => `fsck: ${kind}: ${detail}`)
}

/**
 * Compares the lists of `versions` and `fonts` with the acknowledged saves: each must be listed once and complete, the last
 * one must be current, and unacknowledged saves may be listed only if `maybe` contains them.
 */
export const listProblems = (
  stage: Stage,
  acknowledged: readonly Sent[],
  maybe: readonly Sent[] = [],
): Promise<readonly string[]> => orRefusal(() => listedOtherwise(stage, acknowledged, maybe))

async function listedOtherwise(
  { jsonOf }: Stage,
  acknowledged: readonly Sent[],
  maybe: readonly Sent[],
): Promise<readonly string[]> {
  const problems: string[] = []
  const lines = Map.groupBy(acknowledged, ({ kind, materialId }) => (kind === 'media' ? materialId : ''))
  for (const [materialId, saves] of lines) {
    const listed =
      materialId === ''
        ? ((await jsonOf('fonts', 'acme')) as { snapshot_id: string }[]).map(({ snapshot_id: id }) => id)
        : await listedVersions(materialId, saves)
    const wanted = saves.map(({ versionId }) => versionId)
    const possible = new Set([...wanted, ...maybe.map(({ versionId }) => versionId)])
    problems.push(
      ...wanted.filter((id) => !listed.includes(id)).map((id) => `${id} was acknowledged and is not listed`),
      ...listed.filter((id, at) => listed.indexOf(id) !== at).map((id) => `${id} is listed twice`),
      ...listed.filter((id) => !possible.has(id)).map((id) => `${id} is listed and was never sent so`),
    )
  }

  async function listedVersions(materialId: string, saves: readonly Sent[]): Promise<readonly string[]> {
    const versions = (await jsonOf('versions', 'acme', materialId)) as Version[]
    for (const { versionId, files } of saves) {
      const count = versions.find(({ version_id: id }) => id === versionId)?.media_count
      if (count !== undefined && count !== files.size) problems.push(`${versionId} has ${count} of ${files.size} files`)
    }
    const newest = newestOf([...saves, ...maybe.filter((save) => isListed(versions, save))])
    const current = versions.find((version) => version.current)?.version_id
    if (newest !== null && current !== newest) problems.push(`${current} is current in place of ${newest}`)
    return versions.map(({ version_id: id }) => id)
  }
  return problems
}

const isListed = (versions: readonly Version[], { versionId }: Sent): boolean =>
  versions.some(({ version_id: id }) => id === versionId)

/** The version that was saved last, or null if the archives do not tell. */
function newestOf(saves: readonly Sent[]): string | null {
  const dated = saves.filter(({ kind, versionCdate }) => kind === 'media' && versionCdate !== null)
  if (dated.length < saves.length) return null
  return dated.reduce((one, other) => ((one.versionCdate ?? '') >= (other.versionCdate ?? '') ? one : other)).versionId
}

/** Compares page and state of one acknowledged save, as `show version` prints them, with what was sent and answered. */
export const showProblems = (stage: Stage, sent: Sent): Promise<readonly string[]> =>
  orRefusal(() => shownOtherwise(stage, sent))

/** A command that fails unexpectedly is also a problem. */
const orRefusal = (check: () => Promise<readonly string[]>): Promise<readonly string[]> =>
  check().catch((error: unknown) => [error instanceof Error ? error.message : String(error)])

async function shownOtherwise({ jsonOf }: Stage, sent: Sent): Promise<readonly string[]> {
  const { materialId, versionId, html, answer } = sent
  const show = ['show', 'version', 'acme', materialId, versionId]
  const page = ((await jsonOf(...show, '--html')) as { html: string }).html
  const { state } = (await jsonOf(...show, '--state')) as { state: string }
  const assets = (JSON.parse(answer ?? '') as SavedAnswer).data.vms_json?.assets ?? {}
  const wanted = html.replaceAll(/dummy-([\w-]+\.bin)/g, (_dummy, name: string) => assets[name]?.clientUrl ?? name)
  const answered = /"vms_json":(.*)\}\}$/s.exec(answer ?? '')?.[1]
  return [
    ...(page === wanted ? [] : [`the page of ${versionId} is another one`]),
    ...(state === answered ? [] : [`the state of ${versionId} is not the answered one`]),
  ]
}
