import type { VersionRef } from '@galley/library/records'
import type { VersionId } from '@galley/wire'
import { keysIn, reportTexts } from '@galley/wire'
import { FileDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { versionFileKinds } from '../../ipc/version-files.ts'
import { catchUnexpected } from '../bridge/answers.ts'
import { useBridge } from '../bridge/use-bridge.ts'
import type { MenuItem } from '../ui/menu.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { useSucceeded } from './call-toasts.ts'
import { headWords, lineOf, sentenceOf } from './change-sentence.ts'

/** A version, and the one that a report compares it with. */
interface SavedVersion extends VersionRef {
  readonly from: VersionId | null
}

const kinds = [...versionFileKinds, 'pdf', 'png', 'report', 'reportPdf', 'named'] as const

/** Saves a version to a file that the person chooses, and says how that ended. */
export function useSaveVersion(): (version: SavedVersion, kind: (typeof kinds)[number]) => Promise<void> {
  const { t, i18n } = useTranslation('desk')
  const bridge = useBridge()
  const toasts = useToasts()
  const succeeded = useSucceeded()

  async function reportOf({ from, versionId, ...material }: SavedVersion, withNames: boolean) {
    const compared = await catchUnexpected(bridge.call('compareVersions', { ...material, from, to: versionId }))
    if (!succeeded(t('save.failed'), compared) || !compared.ok) return null
    const { changes, head, other } = compared.value
    return {
      from,
      withNames,
      language: i18n.language,
      texts: Object.fromEntries(keysIn(reportTexts).map((key) => [key, t(`report.${key}`)])),
      summary: sentenceOf(from === null ? null : compared.value, t),
      changes: changes.map((change) => lineOf(change, t)),
      elsewhere: [
        ...head.map((change) => headWords(change, t)),
        ...(['fonts', 'metadata', 'state'] as const).filter((part) => other[part]).map((part) => t(`parts.${part}`)),
      ],
    }
  }
  return async (version, kind) => {
    const { site, materialId, versionId } = version
    const isReport = kind === 'report' || kind === 'reportPdf' || kind === 'named'
    const report = isReport ? await reportOf(version, kind === 'named') : null
    if (isReport && report === null) return
    const as = kind === 'named' ? 'report' : kind
    const saved = await catchUnexpected(bridge.call('saveVersion', { site, materialId, versionId, kind: as, report }))
    if (!succeeded(t('save.failed'), saved) || !saved.ok || saved.value === null) return
    const { path, isCut } = saved.value
    toasts.add({ title: t('save.done', { path }), ...(isCut && { description: t('save.cut') }) })
  }
}

/** Menu items that save a version: its page or archive as stored, the page on paper or as a picture, or a report about it. */
export function useSaveItems(): (version: SavedVersion) => readonly MenuItem[] {
  const { t } = useTranslation('desk')
  const save = useSaveVersion()
  return (version) =>
    kinds.map((kind) => ({
      key: kind,
      label: t(`save.${kind}`),
      icon: FileDown,
      onSelect: () => void save(version, kind),
    }))
}
