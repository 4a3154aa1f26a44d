import { Check, Columns2, Copy, Eye, PackagePlus, Pin, PinOff, RotateCcw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { VersionRow } from '../../../contract/ipc/versions.ts'
import { useShownKeys } from '../../commands/shown-keys.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { neighbours, useVersionRows, useVersions } from './store.ts'
import type { VersionWays } from './version-ways.ts'

export function useVersionMenu(ways: VersionWays): (version: VersionRow) => readonly MenuItem[] {
  const { t } = useTranslation('versions')
  const keysOf = useShownKeys()
  const selected = useVersions((state) => state.selected)
  const rows = useVersionRows((state) => state.rows)
  const verdictLines = useVerdictLines(ways)
  return (version) => {
    const { versionId, pinned } = version
    const { pair, previousId, currentId } = neighbours(rows, selected, versionId)
    const compare = (key: string, label: string, first: string, second: string | null): readonly MenuItem[] =>
      second === null || second === first
        ? []
        : [
            {
              key,
              label,
              icon: Columns2,
              // The shortcut compares the selected pair, or else with the previous version.
              keys: key === (pair === null ? 'previous' : 'pair') ? keysOf('review.compare') : undefined,
              onSelect: () => ways.review(first, second),
            },
          ]
    return [
      {
        key: 'review',
        label: t('actions.review'),
        icon: Eye,
        keys: keysOf('version.review'),
        onSelect: () => ways.review(versionId, null),
      },
      ...(pair === null ? [] : compare('pair', t('actions.comparePair'), pair[0], pair[1])),
      ...compare('previous', t('actions.comparePrevious'), versionId, previousId),
      ...compare('current', t('actions.compareCurrent'), versionId, currentId),
      { kind: 'separator', key: 'separator' },
      ...verdictLines(version),
      {
        key: 'pin',
        label: pinned ? t('actions.unpin') : t('actions.pin'),
        icon: pinned ? PinOff : Pin,
        keys: keysOf('version.pin'),
        onSelect: () => void ways.mark(version, { pinned: !pinned }),
      },
      { key: 'export', label: t('actions.export'), icon: PackagePlus, onSelect: () => ways.exportIt(version) },
      { key: 'copy', label: t('actions.copyId'), icon: Copy, onSelect: () => ways.copy(versionId) },
    ]
  }
}

/** Menu items for verdicts, depending on the current verdict. */
function useVerdictLines(ways: VersionWays): (version: VersionRow) => readonly MenuItem[] {
  const { t } = useTranslation(['versions', 'review'])
  const keysOf = useShownKeys()
  return (version) => {
    const { verdict } = version
    return [
      ...(verdict?.kind === 'approved'
        ? []
        : [
            {
              key: 'approve',
              label: t('actions.approve'),
              icon: Check,
              keys: keysOf('version.approve'),
              onSelect: () => void ways.mark(version, { verdict: { kind: 'approved', note: '' } }),
            },
          ]),
      {
        key: 'reject',
        label: t('actions.rejectLong'),
        icon: X,
        keys: keysOf('version.reject'),
        onSelect: () => ways.reject(version),
      },
      ...(verdict === null
        ? []
        : [
            {
              key: 'undo',
              label: t('actions.takeBack'),
              icon: RotateCcw,
              onSelect: () => void ways.mark(version, { verdict: null }),
            },
          ]),
      ...(verdict?.kind === 'rejected'
        ? [
            {
              key: 'copyRejection',
              label: t('review:copyForAuthor'),
              icon: Copy,
              onSelect: () => ways.copyRejection(version),
            },
          ]
        : []),
    ]
  }
}
