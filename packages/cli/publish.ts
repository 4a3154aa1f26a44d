import { countBroken } from '@galley/library/records'
import { counted } from '@galley/platform'
import type { Choices, PublishFailure, Published, PublishedSite } from '@galley/sites'
import { isRepair, removesMany } from '@galley/sites'
import { causeSentence } from '@galley/wire'
import type { Result } from '@galley/wire'

import { command } from './command.ts'
import {
  bundleFailure,
  checkOption,
  choiceLines,
  choicesJson,
  keepHeapSmall,
  linksJson,
  noteJson,
  noteLines,
  themeFrom,
  themeOption,
} from './export.ts'
import { UsageError, flag, text } from './option.ts'
import { ofSite } from './site.ts'
import { printable, table } from './table.ts'
import { knownTarget } from './target.ts'

const targetOption = { ...text('NAME', 'the target', 'live'), default: 'the only one of the site' }

export const publish = command({
  name: 'publish',
  summary: 'publish a site to a target, or an earlier release again',
  positionals: ofSite,
  options: {
    target: targetOption,
    dryRun: flag('only report what would change'),
    rollback: text('RELEASE', 'publish this release again, as galley releases lists it', '20261121-090000'),
    theme: themeOption,
    check: { ...checkOption, default: 'warn' },
    verify: flag('read every file on the target, and write again what is damaged'),
    takeOver: flag('publish where another computer has published, or where other files are'),
    allowRemovals: flag('also where it removes many pages'),
  },
  examples: ['acme --dry-run', 'acme --target live --verify'],
  async run(context, { target: named, dryRun: isDryRun, rollback: release, theme, check: chosen, ...given }) {
    const { galley, site, target } = await knownTarget(context, named)
    keepHeapSmall()
    const stray = release === null ? undefined : theme === null ? chosen && 'check' : 'theme'
    if (stray) throw new UsageError(`--${stray} does not apply to --rollback, which publishes a release unchanged`)
    const permits = {
      isThorough: given.verify,
      takeOver: given.takeOver,
      allowRemovals: given.allowRemovals,
    }
    const task = { signal: context.interrupted, progress: () => undefined }
    const published: Result<Outcome, PublishFailure> =
      release === null
        ? await galley.releasing.publish(
            {
              site,
              target,
              ...(await themeFrom(context, theme)),
              by: 'person',
              check: chosen ?? 'warn',
              isDryRun,
              permits,
            },
            task,
          )
        : await galley.releasing.rollBack({ target, release, isDryRun, permits }, task)
    if (!published.ok) throw bundleFailure({ theme }, published.failure)
    return { json: publishedJson(published.value), text: publishedText(published.value) }
  },
})

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

export const releases = command({
  name: 'releases',
  summary: 'list the releases of a target',
  positionals: ofSite,
  options: { target: targetOption },
  examples: ['acme --target live'],
  async run(context, { target: named }) {
    const { galley, target } = await knownTarget(context, named)
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
})
