import { statusFilters } from '@galley/library/records'
import type { Facet } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { useShownKeys } from '../../commands/shown-keys.ts'
import { useRemoveView } from '../../domain/remove-view.ts'
import { Button } from '../../ui/button.tsx'
import { Filter } from '../../ui/filter-menu.tsx'
import { parsedOr } from '../../ui/kept.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { SavedViews } from '../../ui/saved-views.tsx'
import { Strip } from '../../ui/strip.tsx'
import { everything, isFiltered, questionSchema, spans, toggled } from './question.ts'
import { useMaterialViews, useMaterials } from './store.ts'

/** The table's filters and saved views. */
export function FilterBar() {
  const { t } = useTranslation(['materials', 'ui'])
  const { question, facets, ask } = useMaterials()
  const countOf = (status: string): number => facets?.statuses.find(({ value }) => value === status)?.count ?? 0
  const label = (name: string, count: number): string => t('ui:filters.option', { name, count })
  const optionsOf = (offered: readonly Facet[] | undefined, chosen: readonly string[]): readonly Facet[] => [
    ...(offered ?? []),
    // Keep chosen values listed, even if no material has them, so that they can be cleared.
    ...chosen.filter((value) => !offered?.some((facet) => facet.value === value)).map((value) => ({ value, count: 0 })),
  ]
  const facetItems = (
    offered: readonly Facet[] | undefined,
    chosen: readonly string[],
    choose: (chosen: readonly string[]) => void,
  ): readonly MenuItem[] =>
    optionsOf(offered, chosen).map(({ value, count }) => ({
      kind: 'check',
      key: value,
      label: label(value, count),
      isChecked: chosen.includes(value),
      onChange: (isIn) => choose(toggled(chosen, value, isIn)),
    }))
  const tagItems = facetItems(facets?.tags, question.tags, (tags) => ask({ tags }))
  const editorItems = facetItems(facets?.editors, question.editors, (editors) => ask({ editors }))
  return (
    <Strip label={t('ui:filters.title')} end={<Views />}>
      <Filter
        name={t('columns.status')}
        chosen={question.statuses.map((status) => t(`status.${status}`))}
        items={statusFilters.map((status) => ({
          kind: 'check',
          key: status,
          label: label(t(`status.${status}`), countOf(status)),
          isChecked: question.statuses.includes(status),
          onChange: (isIn) => ask({ statuses: toggled(question.statuses, status, isIn) }),
        }))}
      />
      {tagItems.length > 0 && <Filter name={t('columns.tags')} chosen={question.tags} items={tagItems} />}
      {editorItems.length > 0 && <Filter name={t('columns.editor')} chosen={question.editors} items={editorItems} />}
      <Filter
        name={t('columns.saved')}
        chosen={question.span === 'any' ? [] : [t(`ui:spans.${question.span}`)]}
        items={spans.map((span) => ({
          kind: 'check',
          key: span,
          label: t(`ui:spans.${span}`),
          isChecked: question.span === span,
          isChoice: true,
          onChange: () => ask({ span }),
        }))}
      />
      {(question.archived || (facets?.archived ?? 0) > 0) && (
        <Filter
          name={t('archive')}
          chosen={question.archived ? [t('archiveShown')] : []}
          items={[
            {
              kind: 'check',
              key: 'archived',
              label: label(t('archived'), facets?.archived ?? 0),
              isChecked: question.archived,
              onChange: (archived) => ask({ archived }),
            },
          ]}
        />
      )}
      {isFiltered(question) && (
        <Button look="quiet" onClick={() => ask({ ...everything, text: question.text, sort: question.sort })}>
          {t('ui:clearFilters')}
        </Button>
      )}
    </Strip>
  )
}

function Views() {
  const { question, ask, setDialog } = useMaterials()
  const saved = useMaterialViews()
  const removeView = useRemoveView(saved)
  const keysOf = useShownKeys()
  return (
    <SavedViews
      views={saved.views}
      asked={JSON.stringify(question)}
      onChoose={(query) => ask(parsedOr(query, questionSchema, everything))}
      saveKeys={keysOf('material.saveView')}
      onSave={() => setDialog({ kind: 'view' })}
      onRemove={removeView}
    />
  )
}
