import { fieldMax, readTags, tagMaxChars } from '@galley/library/records'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { withoutUndefined } from '@galley/wire'

import type { Command, Context, Output } from './command.ts'
import { CommandFailure, UsageError, flag, orNone, positional, texts } from './command.ts'
import { knownMaterial } from './material.ts'
import { versionJson } from './outside.ts'
import { atMost } from './page.ts'
import type { LibraryPorts } from './ports.ts'

export const mark: Command = {
  name: 'mark',
  usage: 'SITE MATERIAL VERSION [--note T|none] [--pin|--unpin] [--tag T]... [--untag T]...',
  summary: 'set a note, a pin or tags on a version',
  positionals: ['SITE', 'MATERIAL', 'VERSION'],
  options: {
    note: { type: 'string' },
    pin: { type: 'boolean' },
    unpin: { type: 'boolean' },
    tag: { type: 'string', multiple: true },
    untag: { type: 'string', multiple: true },
  },
  async run(context) {
    const [isPinned, isUnpinned] = [flag(context, 'pin'), flag(context, 'unpin')]
    if (isPinned && isUnpinned) throw new UsageError('use only one of --pin and --unpin')
    const note = orNone(context, 'note', atMost(fieldMax.text))
    const pinned = isPinned ? true : isUnpinned ? false : undefined
    const [add, remove] = [tags(context, 'tag'), tags(context, 'untag')]
    const { galley, site, materialId } = await knownMaterial(context)
    const versionId = positional(context, 2)
    const { fields, commit } = galley.index
    await commit.write(() => {
      const before = fields.of('version', site, { materialId, versionId })?.tags ?? []
      const left = [...new Set([...before.filter((tag) => !remove.includes(tag)), ...add])]
      if (left.length > fieldMax.versionTags)
        throw new UsageError(`a version takes at most ${fieldMax.versionTags} tags. Nothing was changed.`)
      const isTagged = add.length + remove.length > 0
      const set = withoutUndefined({ note: note === null ? '' : note, pinned, tags: isTagged ? left : undefined })
      fields.set('version', site, [{ materialId, versionId }], set)
    })
    return shownVersion(galley, site, materialId, versionId)
  },
}

function tags(context: Context, name: string): readonly string[] {
  const read = readTags(texts(context, name) ?? [])
  if (read.ok) return read.value
  throw new UsageError(`--${name}: a tag has 1 to ${tagMaxChars} characters, and no control characters`)
}

/** A version as specified in docs/api.md, section 2, with the values that wait for the bucket of a team. */
export function shownVersion(
  { index }: Pick<LibraryPorts, 'index'>,
  site: SiteId,
  materialId: MaterialId,
  versionId: VersionId,
): Output {
  const stored = index.versions.find(site, materialId, versionId)
  const row = index.versionList.find(site, materialId, versionId)
  if (stored === null || row === null)
    throw new CommandFailure(
      'unknown_version',
      `There is no version ${versionId} of ${materialId}. Nothing was changed.`,
    )
  const { verdict, pinned, note, tags } = row
  const version = { ...stored, verdict, pinned, note, tags }
  const decision = verdict && `${decisionWords[verdict.decision]} by ${verdict.by}`
  const lines = [
    `Version ${versionId} (number ${version.number}) of ${materialId}`,
    `verdict  ${decision ?? 'none'}${verdict?.reason ? `: ${verdict.reason}` : ''}`,
    `pinned   ${pinned ? 'yes' : 'no'}`,
    `tags     ${version.tags.join(', ') || 'none'}`,
    `note     ${note || 'none'}`,
  ]
  return { json: versionJson(version), text: lines.join('\n') }
}

export const decisionWords = {
  approved: 'approved',
  changes_requested: 'changes requested',
  cleared: 'cleared',
} as const
