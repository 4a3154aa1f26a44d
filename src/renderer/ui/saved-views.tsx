import { useTranslation } from 'react-i18next'

import { Filter } from './filter-menu.tsx'
import type { MenuItem } from './menu.tsx'

/** A list query with the name it was saved under. */
export interface NamedView {
  readonly name: string
  /** Compared as text: equal texts are the same query. */
  readonly query: string
}

interface Props {
  readonly views: readonly NamedView[]
  /** The list's current query. */
  readonly asked: string
  readonly onChoose: (query: string) => void
  /** The shortcut for saving, such as `Ctrl+S`. */
  readonly saveKeys?: string | undefined
  readonly onSave: () => void
  readonly onRemove: (name: string) => void
}

/** The saved views of a list: choosing one runs its query, and the current one can be deleted. */
export function SavedViews({ views, asked, onChoose, saveKeys, onSave, onRemove }: Props) {
  const { t } = useTranslation('ui')
  const shown = views.find(({ query }) => query === asked)
  return (
    <Filter
      align="end"
      name={shown === undefined ? t('views.title') : t('views.one')}
      chosen={shown === undefined ? [] : [shown.name]}
      items={[
        ...views.map(({ name, query }): MenuItem => ({
          kind: 'check',
          key: `view ${name}`,
          label: name,
          isChecked: query === asked,
          isChoice: true,
          onChange: () => onChoose(query),
        })),
        ...(views.length > 0 ? [{ kind: 'separator' as const, key: 'separator' }] : []),
        { key: 'save', label: t('views.save'), keys: saveKeys, onSelect: onSave },
        ...(shown === undefined
          ? []
          : [
              {
                key: 'remove',
                label: t('views.remove', { name: shown.name }),
                isDanger: true,
                onSelect: () => onRemove(shown.name),
              },
            ]),
      ]}
    />
  )
}
