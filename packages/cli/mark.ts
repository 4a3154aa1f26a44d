import { fieldMax, readTags, tagMaxChars } from '@galley/library/records'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { withoutUndefined } from '@galley/wire'

import type { Output } from './command.ts'
import { CommandFailure, command, positional } from './command.ts'
import { knownMaterial, ofVersion } from './material.ts'
import { UsageError, atMost, flag, orNone, parsed, several } from './option.ts'
import { versionJson } from './outside.ts'
import type { LibraryPorts } from './ports.ts'

export const mark = command({
  name: 'mark',
  summary: 'show or set the note, pin and tags of a version',
  positionals: ofVersion,
  options: {
    note: orNone(
      parsed('TEXT', 'a note for the people who work with it', '"With the new figures"', atMost(fieldMax.text)),
    ),
    pin: flag('keep it when old versions are deleted'),
    unpin: flag('do not keep it for that reason'),
    tag: several(parsed('TAG', 'a tag to add', 'print', tagFrom)),
    untag: several(parsed('TAG', 'a tag to remove', 'print', tagFrom)),
  },
  examples: ['acme post v1 --pin --tag print'],
  async run(context, { note, pin, unpin, tag: add, untag: remove }) {
    if (pin && unpin) throw new UsageError('use only one of --pin and --unpin')
    const pinned = pin ? true : unpin ? false : undefined
    const { galley, site, materialId } = await knownMaterial(context)
    const versionId = positional(context, 2)
    const { fields, commit } = galley.index
    await commit.write(() => {
      const before = fields.asSet('version', site, { materialId, versionId })?.tags ?? []
      const left = [...new Set([...before.filter((tag) => !remove.includes(tag)), ...add])]
      if (left.length > fieldMax.versionTags)
        throw new UsageError(`a version takes at most ${fieldMax.versionTags} tags. Nothing was changed.`)
      const isTagged = add.length + remove.length > 0
      const set = withoutUndefined({ note: note === null ? '' : note, pinned, tags: isTagged ? left : undefined })
      fields.set('version', site, [{ materialId, versionId }], set)
    })
    return shownVersion(galley, site, materialId, versionId)
  },
})

function tagFrom(name: string, given: string): string | null {
  const read = readTags([given])
  if (read.ok) return read.value[0] ?? null
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
