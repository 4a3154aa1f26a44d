import { decide } from '@galley/library'
import type { GivenVerdict, ReviewRow } from '@galley/library/records'
import { fieldMax, reviewStates, waitingStates } from '@galley/library/records'

import type { Command, Context } from './command.ts'
import { CommandFailure, UsageError, failed, flag, text, texts, wholeNumber } from './command.ts'
import { newPage, summarySentence } from './compare-words.ts'
import { decisionWords, shownVersion } from './mark.ts'
import { knownMaterial } from './material.ts'
import { decisionJson } from './outside.ts'
import { atMost } from './page.ts'
import { knownSite } from './site.ts'

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
    if (!done.ok) throw failed({ code: done.failure, versionId, materialId })
    return shownVersion(galley, site, materialId, versionId)
  },
})

function given(context: Context, name: string, maxChars: number): string | null {
  const value = text(context, name)
  return value === null ? null : atMost(maxChars)(name, value).trim()
}

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

/** More than any library has. */
const all = 1_000_000_000

export const reviewQueue: Command = {
  name: 'review queue',
  usage: 'SITE [--state new|changed|changes_requested|approved]... [--limit N]',
  summary: 'list the pages that wait, oldest first; by default all but those that are approved',
  positionals: ['SITE'],
  options: { state: { type: 'string', multiple: true }, limit: { type: 'string' } },
  async run(context) {
    const given = texts(context, 'state') ?? []
    const states = given.map((name) => reviewStates.find((state) => state === name))
    if (states.includes(undefined)) throw new UsageError(`--state must be one of ${reviewStates.join(', ')}`)
    const limit = wholeNumber(context, 'limit', 1, all) ?? all
    const { id: site } = await knownSite(context)
    const { reviewing } = await context.galley()
    const wanted = states.flatMap((state) => state ?? [])
    const query = { site, states: wanted.length > 0 ? wanted : [...waitingStates], offset: 0, limit }
    const rows = await reviewing.compared({ ...query, order: 'oldest' }, context.interrupted)
    return context.list({
      rows: () => rows,
      json: (row) => ({
        material_id: row.materialId,
        title: row.title,
        version_id: row.version.versionId,
        baseline: row.baseline?.versionId ?? null,
        state: row.state,
        since: row.since,
        by: whoIn(row),
        summary: sentenceOf(row),
        changes: row.summary?.changes ?? null,
      }),
      headings: ['SINCE', 'MATERIAL', 'STATE', 'BY', 'SUMMARY'],
      cells: (row) => [row.since, row.materialId, row.state, whoIn(row) ?? '', sentenceOf(row) ?? 'cannot be read'],
      none: 'No page waits.',
    })
  },
}

/** Who brought a page into its state: who has decided, otherwise who saved it. */
const whoIn = ({ verdict, savedBy }: ReviewRow): string | null => verdict?.by ?? savedBy

const sentenceOf = ({ baseline, summary }: ReviewRow): string | null =>
  summary && (baseline === null ? newPage : summarySentence(summary))

export const reviewHistory: Command = {
  name: 'review history',
  usage: 'SITE MATERIAL',
  summary: 'list all decisions about the versions of a material, newest first',
  positionals: ['SITE', 'MATERIAL'],
  async run(context) {
    const { galley, site, materialId } = await knownMaterial(context)
    return context.list({
      rows: () => galley.index.versionList.decisions(site, materialId),
      json: ({ versionId, number, ...decision }) => ({ version_id: versionId, number, ...decisionJson(decision) }),
      headings: ['AT', 'VERSION', 'DECISION', 'BY', 'REASON'],
      cells: ({ at, versionId, decision, by, reason }) => [at, versionId, decisionWords[decision], by, reason],
      none: 'No decisions yet.',
    })
  },
}
