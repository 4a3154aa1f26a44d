import { countBroken } from '@galley/library/records'
import { counted } from '@galley/platform'
import type { Choices, PublishFailure, Published, PublishedSite } from '@galley/sites'
import { isRepair, removesMany } from '@galley/sites'
import { causeSentence } from '@galley/wire'
import type { Result } from '@galley/wire'

import type { Command } from './command.ts'
import { UsageError, flag, oneOf, text } from './command.ts'
import {
  bundleFailure,
  choiceLines,
  choicesJson,
  keepHeapSmall,
  linksJson,
  noteJson,
  noteLines,
  themeFrom,
} from './export.ts'
import { printable, table } from './table.ts'
import { knownTarget } from './target.ts'

export const publish: Command = {
  name: 'publish',
  usage:
    'SITE [--target NAME] [--dry-run] [--rollback RELEASE] [--theme NAME|DIR] [--check warn|block|off] [--verify] [--take-over] [--allow-removals]',
  summary: 'publish a site to a target, or publish an earlier release of it again',
  positionals: ['SITE'],
  options: {
    target: { type: 'string' },
    'dry-run': { type: 'boolean' },
    rollback: { type: 'string' },
    theme: { type: 'string' },
    check: { type: 'string' },
    verify: { type: 'boolean' },
    'take-over': { type: 'boolean' },
    'allow-removals': { type: 'boolean' },
  },
  async run(context) {
    const { galley, site, target } = await knownTarget(context, text(context, 'target'))
    keepHeapSmall()
    const check = oneOf(context, 'check', ['warn', 'block', 'off']) ?? 'warn'
    const isDryRun = flag(context, 'dry-run')
    const release = text(context, 'rollback')
    const stray = release === null ? undefined : ['theme', 'check'].find((name) => text(context, name) !== null)
    if (stray !== undefined)
      throw new UsageError(`--${stray} does not apply to --rollback, which publishes a release unchanged`)
    const permits = {
      isThorough: flag(context, 'verify'),
      takeOver: flag(context, 'take-over'),
      allowRemovals: flag(context, 'allow-removals'),
    }
    const task = { signal: context.interrupted, progress: () => undefined }
    const published: Result<Outcome, PublishFailure> =
      release === null
        ? await galley.releasing.publish(
            { site, target, ...(await themeFrom(context)), by: 'person', check, isDryRun, permits },
            task,
          )
        : await galley.releasing.rollBack({ target, release, isDryRun, permits }, task)
    if (!published.ok) throw bundleFailure(context, published.failure)
    return { json: publishedJson(published.value), text: publishedText(published.value) }
  },
}

/** What was published or planned. A release that is published again leaves nothing out. */
type Outcome = Published | PublishedSite

const choicesOf = (outcome: Outcome): Choices | null => ('leftOut' in outcome ? outcome : null)

const publishedJson = (outcome: Outcome) => {
  const { release, target, counts, changes, pages, moved, verified, links, remarks, steps } = outcome
  const { added, changed, removed, unchanged, bytes } = counts
  const pageAt = new Map(pages.map((page) => [page.path, page]))
  const choices = choicesOf(outcome)
  const left = choices === null ? { notes: noteJson(pages) } : choicesJson(choices, pages)
  return {
    release,
    target,
    added,
    changed,
    removed,
    unchanged,
    bytes,
    repaired: changes.filter(isRepair).length,
    verified,
    steps,
    ...left,
    notes: [...left.notes, ...remarks.map((remark) => ({ code: remark.code, detail: causeSentence(remark) }))],
    links: links && linksJson(links),
    files: changes.map((file) => {
      const page = pageAt.get(file.path)
      const from = moved.get(file.path)
      return page
        ? {
            ...file,
            material_id: page.materialId,
            version_id: page.versionId,
            title: page.title,
            ...(from !== undefined && { moved_from: from }),
          }
        : file
    }),
  }
}

function publishedText(outcome: Outcome): string {
  const { release, target, counts, changes, removals, pages, moved, verified, links, remarks } = outcome
  const repaired = changes.filter(isRepair)
  const choices = choicesOf(outcome)
  const broken = links === null ? 0 : countBroken(links)
  return [
    release === null ? `Plan for ${target}:` : `${target} shows release ${release}.`,
    `${counted(counts.files, 'file')}: ${counts.added} added, ${counts.changed} changed, ${counts.removed} removed, ${counts.unchanged} unchanged`,
    ...(release === null
      ? changes.map(({ path, change, reason }) => {
          const from = moved.get(path)
          return printable(
            from === undefined
              ? `  ${change}  ${path} (${reason})`
              : `  moved  ${path} (from ${from}, which redirects to it)`,
          )
        })
      : []),
    ...(release === null || repaired.length === 0
      ? []
      : [
          `${counted(repaired.length, 'file')} sent again, because the target had lost or changed them:`,
          ...repaired.map(({ path }) => printable(`  ${path}`)),
        ]),
    ...(release === null && removesMany(removals)
      ? [`This removes ${removals.removed} of ${counted(removals.pages, 'page')}: publish with --allow-removals.`]
      : []),
    ...(verified === null
      ? []
      : [
          `${counted(verified.files, 'file')} read back${verified.found === 0 ? '' : `, ${counted(verified.found, 'media file')} found in place`}.`,
        ]),
    ...(choices === null ? [] : choiceLines(choices)),
    ...noteLines(pages),
    ...remarks.map((remark) => printable(`Note: ${causeSentence(remark)}.`)),
    ...(broken > 0 ? [`${counted(broken, 'broken link')}: galley publish --json lists them.`] : []),
  ].join('\n')
}

export const releases: Command = {
  name: 'releases',
  usage: 'SITE [--target NAME]',
  summary: 'list the releases of a target',
  positionals: ['SITE'],
  options: { target: { type: 'string' } },
  async run(context) {
    const { galley, target } = await knownTarget(context, text(context, 'target'))
    const history = await galley.releasing.history(target)
    const rows = history.map(({ id, at, counts, by, rollbackOf, isCurrent }) => [
      id,
      at,
      `+${counts.added} ~${counts.changed} -${counts.removed}`,
      by,
      [isCurrent ? 'current' : '', rollbackOf === null ? '' : `rollback to ${rollbackOf}`].filter(Boolean).join(', '),
    ])
    return {
      json: history.map(({ id, at, counts, by, rollbackOf, isCurrent, isKept, pages }) => ({
        release: id,
        target: target.name,
        at,
        by,
        current: isCurrent,
        kept: isKept,
        rollback_of: rollbackOf,
        ...counts,
        pages: pages.map(({ materialId, versionId }) => ({ material_id: materialId, version_id: versionId })),
      })),
      text: rows.length > 0 ? table(['RELEASE', 'AT', 'CHANGES', 'BY', ''], rows) : 'Nothing has been published yet.',
    }
  },
}
