import { decide } from '@galley/library'
import type { GivenVerdict, ReviewRow } from '@galley/library/records'
import { fieldMax, reviewStates, waitingStates } from '@galley/library/records'

import type { Command } from './command.ts'
import { CommandFailure, command, failed } from './command.ts'
import { newPage, summarySentence } from './compare-words.ts'
import { decisionWords, shownVersion } from './mark.ts'
import { knownMaterial, ofMaterial, ofMaybeVersion } from './material.ts'
import { choice, flag, needed, parsed, several, trimmed, wholeNumber } from './option.ts'
import { decisionJson } from './outside.ts'
import { knownSite, ofSite } from './site.ts'

const deciding = (
  verb: string,
  decision: GivenVerdict['decision'],
  { summary, needsReason = false }: { readonly summary: string; readonly needsReason?: boolean },
): Command =>
  command({
    name: `review ${verb}`,
    summary,
    positionals: ofMaybeVersion,
    options: {
      by: needed(parsed('NAME', 'the name of the person who decides', '"Ada Lovelace"', trimmed(fieldMax.personName))),
      reason: needsReason
        ? needed(parsed('TEXT', 'what has to change', '"The figure is wrong"', trimmed(fieldMax.text)))
        : parsed('TEXT', 'why it is decided so', '"As agreed"', trimmed(fieldMax.text)),
      versionIsOld: flag('decide although the material has a newer version'),
    },
    examples: [`acme post --by Ada${needsReason ? ' --reason "The figure is wrong"' : ''}`],
    async run(context, { by, versionIsOld, ...given }) {
      const reason = given.reason ?? ''
      const { galley, site, materialId } = await knownMaterial(context)
      const { materials, commit } = galley.index
      const versionId = context.positionals[2] ?? materials.find(site, materialId)?.currentVersionId ?? null
      if (versionId === null)
        throw new CommandFailure('unknown_version', `${materialId} has no version yet. Nothing was changed.`)
      const version = { site, materialId, versionId, mayBeOld: versionIsOld }
      const at = galley.now().toISOString()
      const done = await commit.write(() => decide(galley.index, version, { decision, reason, by, at }))
      if (!done.ok) throw failed({ code: done.failure, versionId, materialId })
      return shownVersion(galley, site, materialId, versionId)
    },
  })

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

export const reviewQueue = command({
  name: 'review queue',
  summary: 'list the pages that wait, oldest first',
  positionals: ofSite,
  options: {
    state: { ...several(choice(reviewStates, 'only pages in this state')), default: 'all but the approved ones' },
    limit: { ...wholeNumber(1, all, 'at most so many', 20), default: 'all' },
  },
  examples: ['acme', 'acme --state changes_requested'],
  async run(context, { state: wanted, limit: atMost }) {
    const { id: site } = await knownSite(context)
    const { reviewing } = await context.galley()
    const query = {
      site,
      states: wanted.length > 0 ? [...wanted] : [...waitingStates],
      offset: 0,
      limit: atMost ?? all,
    }
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
})

/** Who brought a page into its state: who has decided, otherwise who saved it. */
const whoIn = ({ verdict, savedBy }: ReviewRow): string | null => verdict?.by ?? savedBy

const sentenceOf = ({ baseline, summary }: ReviewRow): string | null =>
  summary && (baseline === null ? newPage : summarySentence(summary))

export const reviewHistory = command({
  name: 'review history',
  summary: 'list all decisions about a material, newest first',
  positionals: ofMaterial,
  examples: ['acme post'],
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
})
