import type { DecisionFailure } from '@galley/library'
import { decide } from '@galley/library'
import type { GivenVerdict } from '@galley/library/records'
import { fieldMax } from '@galley/library/records'

import type { Command, Context } from './command.ts'
import { CommandFailure, UsageError, flag, text } from './command.ts'
import { decisionWords, shownVersion } from './mark.ts'
import { knownMaterial } from './material.ts'
import { atMost } from './page.ts'

const deciding = (
  verb: string,
  decision: GivenVerdict['decision'],
  { summary, needsReason = false }: { readonly summary: string; readonly needsReason?: boolean },
): Command => ({
  name: `review ${verb}`,
  usage: `SITE MATERIAL [VERSION] --by NAME ${needsReason ? '--reason T' : '[--reason T]'} [--version-is-old]`,
  summary,
  positionals: ['SITE', 'MATERIAL', '[VERSION]'],
  options: { by: { type: 'string' }, reason: { type: 'string' }, 'version-is-old': { type: 'boolean' } },
  async run(context) {
    const by = given(context, 'by', fieldMax.personName)
    const reason = given(context, 'reason', fieldMax.text) ?? ''
    if (by === null) throw new UsageError('--by is missing: the name of the person who decides')
    if (needsReason && reason === '') throw new UsageError('--reason is missing: it says what has to change')
    const { galley, site, materialId } = await knownMaterial(context)
    const { materials, commit } = galley.index
    const versionId = context.positionals[2] ?? materials.find(site, materialId)?.currentVersionId ?? null
    if (versionId === null)
      throw new CommandFailure('unknown_version', `${materialId} has no version yet. Nothing was changed.`)
    const version = { site, materialId, versionId, mayBeOld: flag(context, 'version-is-old') }
    const at = galley.now().toISOString()
    const done = await commit.write(() => decide(galley.index, version, { decision, reason, by, at }))
    if (!done.ok) throw explained(done.failure, versionId, materialId)
    return shownVersion(galley, site, materialId, versionId)
  },
})

function given(context: Context, name: string, maxChars: number): string | null {
  const value = text(context, name)
  return value === null ? null : atMost(maxChars)(name, value).trim()
}

const explained = (failure: DecisionFailure, versionId: string, materialId: string): CommandFailure =>
  new CommandFailure(
    failure,
    failure === 'moved_on'
      ? `${materialId} has a newer version than ${versionId}. Nothing was changed. Look at the newer one, or add --version-is-old to decide about this one.`
      : `There is no version ${versionId} of ${materialId}. Nothing was changed.`,
  )

export const reviewApprove = deciding('approve', 'approved', {
  summary: 'approve a version, by default the current one',
})
export const reviewRequest = deciding('request', 'changes_requested', {
  summary: 'request changes of a version, by default the current one',
  needsReason: true,
})
export const reviewClear = deciding('clear', 'cleared', {
  summary: 'take back the decision about a version, by default the current one',
})

export const reviewHistory: Command = {
  name: 'review history',
  usage: 'SITE MATERIAL',
  summary: 'list all decisions about the versions of a material, newest first',
  positionals: ['SITE', 'MATERIAL'],
  async run(context) {
    const { galley, site, materialId } = await knownMaterial(context)
    return context.list({
      rows: () => galley.index.versionList.decisions(site, materialId),
      json: ({ versionId, number, decision, by, at, reason, baseline }) => ({
        version_id: versionId,
        number,
        decision,
        by,
        at,
        reason,
        baseline,
      }),
      headings: ['AT', 'VERSION', 'DECISION', 'BY', 'REASON'],
      cells: ({ at, versionId, decision, by, reason }) => [at, versionId, decisionWords[decision], by, reason],
      none: 'No decisions yet.',
    })
  },
}
