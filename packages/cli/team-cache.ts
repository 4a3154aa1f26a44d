import { LibraryReadOnlyError } from '@galley/library'
import { counted } from '@galley/platform'
import { readCacheLimits, writeCacheLimits } from '@galley/team'
import type { CacheLimits, CacheReport } from '@galley/team'

import { CommandFailure, command } from './command.ts'
import { UsageError, orNone, text, wholeNumber } from './option.ts'

const mebibyte = 1024 ** 2

const options = {
  limitMb: orNone(wholeNumber(0, 1_000_000_000, 'the limit, in MiB', 20_000)),
  keepOffline: text('SITE,SITE|none', 'sites whose files are fetched and kept', 'acme'),
}

/** How much of the team's files this computer keeps. */
export const teamCache = command({
  name: 'team cache',
  summary: 'limit the copies of the files of the team on this computer',
  detail: 'Copies above the limit are deleted, the least recently used first.',
  options,
  examples: ['', '--limit-mb 20000 --keep-offline acme'],
  async run(context, { limitMb, keepOffline }) {
    const galley = await context.galley()
    const { team, index } = galley
    if (team === null) throw new CommandFailure('not_a_member', 'This library is not a member of a team.')
    const given = { limitMb, sites: keepOffline }
    const limits = requested(given, readCacheLimits(index), (id) => index.sites.find(id) !== null)
    if (limitMb !== undefined || keepOffline !== null) {
      if (galley.library.state === 'read_only') throw new LibraryReadOnlyError()
      writeCacheLimits(index, limits)
    }
    const report = await team.maintainCache(context.interrupted)
    return { json: reportJson(report), text: reportText(report) }
  },
})

interface Requested {
  readonly limitMb: number | null | undefined
  readonly sites: string | null
}

function requested({ limitMb, sites }: Requested, before: CacheLimits, isSite: (id: string) => boolean): CacheLimits {
  const keepOffline = sites === null ? before.keepOffline : sites === 'none' ? [] : sites.split(',')
  const unknown = sites === null ? undefined : keepOffline.find((id) => !isSite(id))
  if (unknown !== undefined) throw new UsageError(`--keep-offline: there is no site ${unknown}`)
  const limitBytes = limitMb === undefined ? before.limitBytes : limitMb && limitMb * mebibyte
  return { keepOffline, limitBytes }
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
