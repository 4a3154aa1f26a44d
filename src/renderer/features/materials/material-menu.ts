import type { MaterialRow } from '@galley/library/records'
import type { CallbackId, MaterialId } from '@galley/wire'
import {
  Archive,
  ArchiveRestore,
  Ban,
  BellOff,
  Braces,
  Check,
  CircleCheck,
  Copy,
  ExternalLink,
  Eye,
  Globe,
  History,
  PackagePlus,
  Pencil,
  Tag,
  Trash2,
  X,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useShownKeys } from '../../commands/shown-keys.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { useMaterials } from './store.ts'

/** Actions that need more than the list. */
export interface MaterialHandlers {
  readonly show: (material: MaterialRow) => void
  readonly review: (material: MaterialRow) => void
  /** Approves the current version. */
  readonly approve: (material: MaterialRow) => void
  /** Asks for a reason to reject the current version. */
  readonly reject: (material: MaterialRow) => void
  readonly allow: (materialIds: readonly MaterialId[]) => Promise<void>
  /** Archives materials, or restores them. */
  readonly archive: (materialIds: readonly MaterialId[], isArchived: boolean) => Promise<void>
  /** Starts an export of these materials. */
  readonly exportThem: (materialIds: readonly MaterialId[]) => void
  /** Shows how the site publishes the material. */
  readonly showPage: (material: MaterialRow) => void
  readonly copy: (text: string) => void
  readonly showCallback: (callbackId: CallbackId) => void
  /** Sets a failed save aside. */
  readonly dismissFailure: (callbackId: CallbackId) => void
}

/** Actions for any number of materials. */
export function useManyActions(handlers: MaterialHandlers) {
  const { t } = useTranslation('materials')
  const { setDialog } = useMaterials()
  const keysOf = useShownKeys()
  /** `isArchive`: these materials are archived. */
  return (materialIds: readonly MaterialId[], isArchive: boolean) =>
    ({
      tags: {
        label: t('actions.tags'),
        icon: Tag,
        keys: keysOf('material.tags'),
        onSelect: () => setDialog({ kind: 'tags', materialIds }),
      },
      refuse: { label: t('actions.refuse'), icon: Ban, onSelect: () => setDialog({ kind: 'refuse', materialIds }) },
      allow: { label: t('actions.allow'), icon: CircleCheck, onSelect: () => void handlers.allow(materialIds) },
      export: { label: t('actions.export'), icon: PackagePlus, onSelect: () => handlers.exportThem(materialIds) },
      archive: {
        label: t(isArchive ? 'actions.unarchive' : 'actions.archive'),
        icon: isArchive ? ArchiveRestore : Archive,
        keys: keysOf('material.archive'),
        onSelect: () => void handlers.archive(materialIds, !isArchive),
      },
      delete: {
        label: t('actions.delete'),
        icon: Trash2,
        keys: keysOf('material.delete'),
        onSelect: () => setDialog({ kind: 'delete', materialIds }),
      },
    }) as const
}

/** Decisions about the current version, depending on its decision. */
function useDecisionItems(handlers: MaterialHandlers): (material: MaterialRow) => readonly MenuItem[] {
  const { t } = useTranslation('versions')
  return (material) => [
    ...(material.status === 'approved'
      ? []
      : [{ key: 'approve', label: t('actions.approve'), icon: Check, onSelect: () => handlers.approve(material) }]),
    {
      key: 'reject',
      label: t(material.status === 'changes_requested' ? 'actions.editReason' : 'actions.rejectLong'),
      icon: X,
      onSelect: () => handlers.reject(material),
    },
  ]
}

/** The menu of one material, in the list and beside its title. */
export function useMaterialMenu(handlers: MaterialHandlers) {
  const { t } = useTranslation('materials')
  const { edit, preview, setDialog } = useMaterials()
  const actionsOf = useManyActions(handlers)
  const keysOf = useShownKeys()
  const decisionsOn = useDecisionItems(handlers)
  return (material: MaterialRow): readonly MenuItem[] => {
    const { materialId, failedSave } = material
    const isArchive = material.archivedAt !== null
    const actions = actionsOf([materialId], isArchive)
    const isSaved = material.currentVersionId !== null
    return [
      {
        key: 'open',
        label: t('actions.open'),
        icon: ExternalLink,
        keys: keysOf('material.openEditor'),
        onSelect: () => void edit(materialId),
      },
      {
        key: 'openForm',
        label: t('actions.openForm'),
        icon: Braces,
        keys: keysOf('material.openForm'),
        onSelect: () => void preview(materialId),
      },
      { key: 'show', label: t('actions.show'), icon: History, onSelect: () => handlers.show(material) },
      ...(isSaved
        ? [
            { key: 'review', label: t('actions.review'), icon: Eye, onSelect: () => handlers.review(material) },
            ...decisionsOn(material),
          ]
        : []),
      ...(failedSave === null
        ? []
        : [
            {
              key: 'dismissFailure',
              label: t('actions.dismissFailure'),
              icon: BellOff,
              onSelect: () => handlers.dismissFailure(failedSave.callback),
            },
          ]),
      { kind: 'separator', key: 'separator' },
      { key: 'tags', ...actions.tags },
      {
        key: 'rename',
        label: t('actions.rename'),
        icon: Pencil,
        keys: keysOf('material.rename'),
        onSelect: () => setDialog({ kind: 'rename', material }),
      },
      material.isRefused ? { key: 'allow', ...actions.allow } : { key: 'refuse', ...actions.refuse },
      ...(isSaved
        ? [
            {
              key: 'page',
              label: t('actions.page'),
              icon: Globe,
              keys: keysOf('page.settings'),
              onSelect: () => handlers.showPage(material),
            },
            { key: 'export', ...actions.export },
          ]
        : []),
      { key: 'copy', label: t('actions.copyId'), icon: Copy, onSelect: () => handlers.copy(materialId) },
      { kind: 'separator', key: 'ending' },
      { key: 'archive', ...actions.archive },
      { key: 'delete', ...actions.delete },
    ]
  }
}

/** The context menu of a row; on a selected row it applies to the whole selection. */
export function useRowMenu(handlers: MaterialHandlers) {
  const selected = useMaterials((state) => state.selected)
  const actionsOf = useManyActions(handlers)
  const menuOf = useMaterialMenu(handlers)
  return (material: MaterialRow): readonly MenuItem[] =>
    selected.size > 1 && selected.has(material.materialId)
      ? Object.entries(actionsOf([...selected], material.archivedAt !== null)).map(([key, action]) => ({
          key,
          ...action,
        }))
      : menuOf(material)
}
