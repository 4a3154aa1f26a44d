import type { VersionRow } from '@galley/library/records'
import { Check, Columns2, Copy, Eye, History, PackagePlus, Pin, PinOff, RotateCcw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useShownKeys } from '../../commands/shown-keys.ts'
import { useGoingBack } from '../../domain/going-back.ts'
import { useSaveItems } from '../../domain/save-version.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { comparisonsOf, useVersionRows, useVersions } from './store.ts'
import type { VersionHandlers } from './version-handlers.ts'

export function useVersionMenu(handlers: VersionHandlers): (version: VersionRow) => readonly MenuItem[] {
  const { t } = useTranslation('versions')
  const keysOf = useShownKeys()
  const selected = useVersions((state) => state.selected)
  const rows = useVersionRows((state) => state.rows)
  const verdictLines = useVerdictLines(handlers)
  const saveItems = useSaveItems()
  const goBack = useGoingBack(({ ask }) => ask)
  return (version) => {
    const { site, materialId, versionId, pinned, verdict, change } = version
    const { pair, previousId, currentId } = comparisonsOf(rows, selected, versionId)
    const compare = (key: string, label: string, first: string, second: string | null): readonly MenuItem[] =>
      second === null || second === first
        ? []
        : [
            {
              key,
              label,
              icon: Columns2,
              // The shortcut compares the selected pair, or else with the previous version.
              keys: key === (pair === null ? 'previous' : 'pair') ? keysOf('version.compare') : undefined,
              onSelect: () => handlers.review(first, second),
            },
          ]
    return [
      {
        key: 'review',
        label: t('actions.review'),
        icon: Eye,
        keys: keysOf('version.review'),
        onSelect: () => handlers.review(versionId, null),
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
        onSelect: () => void handlers.mark(version, { pinned: !pinned }),
      },
      ...(version.current
        ? []
        : [
            {
              key: 'goBack',
              label: t('actions.goBack'),
              icon: History,
              onSelect: () => goBack({ site, materialId, versionId }),
            },
          ]),
      { key: 'export', label: t('actions.export'), icon: PackagePlus, onSelect: () => handlers.exportIt(version) },
      ...saveItems({ site, materialId, versionId, from: verdict?.baseline ?? change?.from ?? null }),
      { key: 'copy', label: t('actions.copyId'), icon: Copy, onSelect: () => handlers.copy(versionId) },
    ]
  }
}

/** Menu items for verdicts, depending on the current verdict. */
function useVerdictLines(handlers: VersionHandlers): (version: VersionRow) => readonly MenuItem[] {
  const { t } = useTranslation(['versions', 'review'])
  const keysOf = useShownKeys()
  return (version) => {
    const { verdict } = version
    return [
      ...(verdict?.decision === 'approved'
        ? []
        : [
            {
              key: 'approve',
              label: t('actions.approve'),
              icon: Check,
              keys: keysOf('version.approve'),
              onSelect: () => void handlers.decide(version, { decision: 'approved', reason: '' }),
            },
          ]),
      {
        key: 'reject',
        label: t(verdict?.decision === 'changes_requested' ? 'actions.editReason' : 'actions.rejectLong'),
        icon: X,
        keys: keysOf('version.reject'),
        onSelect: () => handlers.reject(version),
      },
      ...(verdict === null
        ? []
        : [
            {
              key: 'clear',
              label: t('actions.takeBack'),
              icon: RotateCcw,
              onSelect: () => void handlers.decide(version, null),
            },
          ]),
      ...(verdict?.decision === 'changes_requested'
        ? [
            {
              key: 'copyRejection',
              label: t('review:copyForAuthor'),
              icon: Copy,
              onSelect: () => handlers.copyRejection(version),
            },
          ]
        : []),
    ]
  }
}
