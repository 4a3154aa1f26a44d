import { LibraryReadOnlyError } from '@galley/library'
import { counted } from '@galley/platform'
import { readCacheLimits, writeCacheLimits } from '@galley/team'
import type { CacheLimits, CacheReport } from '@galley/team'

import type { Command, Context } from './command.ts'
import { CommandFailure, UsageError, text, wholeNumber } from './command.ts'

const mebibyte = 1024 ** 2

/** How much of the team's files this computer keeps. */
export const teamCache: Command = {
  name: 'team cache',
  usage: '[--limit-mb N|none] [--keep-offline SITE,SITE|none]',
  summary: "limit the copies of the team's files on this computer, and choose sites to keep whole",
  positionals: [],
  options: { 'limit-mb': { type: 'string' }, 'keep-offline': { type: 'string' } },
  async run(context) {
    const galley = await context.galley()
    const { team, index } = galley
    if (team === null) throw new CommandFailure('not_a_member', 'This library is not a member of a team.')
    const limits = requested(context, readCacheLimits(index), (id) => index.sites.find(id) !== null)
    if (text(context, 'limit-mb') !== null || text(context, 'keep-offline') !== null) {
      if (galley.library.state === 'read_only') throw new LibraryReadOnlyError()
      writeCacheLimits(index, limits)
    }
    const report = await team.maintainCache(context.interrupted)
    return { json: reportJson(report), text: reportText(report) }
  },
}

function requested(context: Context, before: CacheLimits, isSite: (id: string) => boolean): CacheLimits {
  const sites = text(context, 'keep-offline')
  const keepOffline = sites === null ? before.keepOffline : sites === 'none' ? [] : sites.split(',')
  const unknown = sites === null ? undefined : keepOffline.find((id) => !isSite(id))
  if (unknown !== undefined) throw new UsageError(`--keep-offline: there is no site ${unknown}`)
  if (text(context, 'limit-mb') === 'none') return { keepOffline, limitBytes: null }
  const limit = wholeNumber(context, 'limit-mb', 0, 1_000_000_000)
  return { keepOffline, limitBytes: limit === null ? before.limitBytes : limit * mebibyte }
}

const reportJson = ({ limitBytes, keepOffline, files, bytes, fetched, freed, damaged }: CacheReport) => ({
  limit_mb: limitBytes === null ? null : limitBytes / mebibyte,
  keep_offline: keepOffline,
  files,
  bytes,
  fetched,
  freed,
  damaged,
})

function reportText({ limitBytes, keepOffline, files, bytes, fetched, freed, damaged }: CacheReport): string {
  const size = (count: number): string => `${(count / mebibyte).toFixed(1)} MiB`
  return [
    `${counted(files, 'file')} here, ${size(bytes)}. ${limitBytes === null ? 'There is no limit.' : `The limit is ${size(limitBytes)}.`}`,
    ...(keepOffline.length === 0 ? [] : [`Kept whole: ${keepOffline.join(', ')}.`]),
    ...(fetched === 0 ? [] : [`${counted(fetched, 'file')} fetched.`]),
    ...(freed.files === 0
      ? []
      : [`${counted(freed.files, 'file')} deleted here, ${size(freed.bytes)}. The bucket has them.`]),
    ...(damaged === 0
      ? []
      : [
          `${counted(damaged, 'file')} ${damaged === 1 ? 'is' : 'are'} damaged or missing in the bucket, so the copies here were kept. Run galley fsck --repair.`,
        ]),
    ...(limitBytes !== null && bytes > limitBytes
      ? [
          'The copies are still over the limit: files that were used within the last hour or belong to a site kept whole are not deleted.',
        ]
      : []),
  ].join('\n')
}
