import type { TeamSyncState, TeamView } from '@galley/library/records'
import type { TFunction } from 'i18next'

import type { Formats } from '../i18n/formats.ts'
import type { Tone } from '../ui/status.tsx'

export const teamTones: Readonly<Record<TeamSyncState['kind'], Tone>> = {
  looking: 'busy',
  current: 'success',
  behind: 'busy',
  offline: 'warning',
  stopped: 'danger',
  refusing: 'warning',
}

/** The state of this member of a team, in a few words. */
export function teamStateText(
  { syncState, waiting, undecided, isReadOnly }: TeamView,
  t: TFunction<'team'>,
  formats: Formats,
  nowMs: number,
): string {
  const word = (): string => {
    switch (syncState.kind) {
      case 'offline':
      case 'stopped':
        return t(`words.${syncState.kind}`, { time: timeSince(syncState.since, formats, nowMs) })
      case 'refusing':
        return t('words.refusing')
      case 'behind':
        return t('words.behind', { count: syncState.entries })
      case 'looking':
      case 'current':
        return waiting + undecided > 0 ? '' : t(`words.${syncState.kind}`)
    }
  }
  const parts = [
    word(),
    waiting > 0 ? t('words.waiting', { count: waiting }) : '',
    undecided > 0 ? t('words.undecided', { count: undecided }) : '',
    isReadOnly ? t('words.readOnly') : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** The time of day; with the date if that was another day. */
const timeSince = (iso: string, formats: Formats, nowMs: number): string =>
  new Date(iso).toDateString() === new Date(nowMs).toDateString()
    ? formats.hourAndMinute(iso)
    : formats.dayAndMinute(iso, nowMs)
