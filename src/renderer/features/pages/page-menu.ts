import type { PageChanges, PageState, PageType, SitePageRow } from '@galley/library/records'
import { pageStates, pageTypes } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'
import { FileText, Languages, SlidersHorizontal, Tag } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useShownKeys } from '../../commands/shown-keys.ts'
import type { MenuItem } from '../../ui/menu.tsx'

/** The actions of rows and selections. */
export interface PageHandlers {
  readonly choose: (materialId: MaterialId) => void
  /** Shows the settings in the inspector. */
  readonly open: (materialId: MaterialId) => void
  readonly change: (materialIds: readonly MaterialId[], changes: PageChanges) => void
  readonly editTags: (materialIds: readonly MaterialId[]) => void
  readonly editLanguage: (materialIds: readonly MaterialId[]) => void
  readonly showMaterial: (materialId: MaterialId) => void
}

/** The states as menu items, with the current one checked. */
export function useStateItems({ change }: PageHandlers): (page: SitePageRow) => readonly MenuItem[] {
  const { t } = useTranslation('pages')
  return ({ materialId, settings }) =>
    pageStates.map((state) => ({
      kind: 'check',
      key: state,
      label: t(`stateChoices.${state}`),
      isChecked: settings.state === state,
      isChoice: true,
      onChange: () => change([materialId], { state }),
    }))
}

/** Menu items that change any number of pages. */
export function useManyItems({ change, editTags, editLanguage }: PageHandlers) {
  const { t } = useTranslation('pages')
  const keysOf = useShownKeys()
  const keys: Readonly<Record<PageState, string | undefined>> = {
    draft: keysOf('page.draft'),
    published: keysOf('page.publish'),
    hidden: keysOf('page.hide'),
  }
  return (materialIds: readonly MaterialId[]) => ({
    states: pageStates.map((state): MenuItem => ({
      key: `state ${state}`,
      label: t(`stateChoices.${state}`),
      keys: keys[state],
      onSelect: () => change(materialIds, { state }),
    })),
    types: pageTypes.map((type: PageType): MenuItem => ({
      key: `type ${type}`,
      label: t(`types.${type}`),
      onSelect: () => change(materialIds, { type }),
    })),
    tags: {
      key: 'tags',
      label: t('actions.tags'),
      icon: Tag,
      keys: keysOf('page.tags'),
      onSelect: () => editTags(materialIds),
    },
    language: {
      key: 'language',
      label: t('actions.language'),
      icon: Languages,
      onSelect: () => editLanguage(materialIds),
    },
  })
}

/** The context menu of a row; on a selected row it applies to the whole selection. */
export function usePageMenu(handlers: PageHandlers, selected: ReadonlySet<string>) {
  const { t } = useTranslation('pages')
  const itemsOf = useManyItems(handlers)
  return ({ materialId }: SitePageRow): readonly MenuItem[] => {
    const isMany = selected.size > 1 && selected.has(materialId)
    const { states, types, tags, language } = itemsOf(isMany ? [...selected] : [materialId])
    return [
      ...(isMany
        ? []
        : ([
            {
              key: 'open',
              label: t('actions.open'),
              icon: SlidersHorizontal,
              onSelect: () => handlers.open(materialId),
            },
            {
              key: 'material',
              label: t('actions.material'),
              icon: FileText,
              onSelect: () => handlers.showMaterial(materialId),
            },
            { kind: 'separator', key: 'first' },
          ] satisfies readonly MenuItem[])),
      tags,
      language,
      { kind: 'separator', key: 'second' },
      { kind: 'heading', key: 'state', label: t('columns.state') },
      ...states,
      { kind: 'heading', key: 'type', label: t('fields.type') },
      ...types,
    ]
  }
}
