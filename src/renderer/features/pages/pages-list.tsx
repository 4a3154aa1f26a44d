import { pageOrders, pageStates, pageTypes } from '@galley/library/records'
import type { SitePageRow } from '@galley/library/records'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

import { KeyedSearch } from '../../commands/keyed-search.tsx'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Filter, FilterMenu } from '../../ui/filter-menu.tsx'
import { Grid } from '../../ui/grid/grid.tsx'
import { usePagedRows } from '../../ui/grid/use-paged-rows.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SelectionStrip, Strip } from '../../ui/strip.tsx'
import words from '../../ui/words.module.css'
import { usePageColumns } from './page-columns.tsx'
import { useManyItems, usePageMenu } from './page-menu.ts'
import type { PageHandlers } from './page-menu.ts'
import { everyPage, isNarrowed, usePageRows, useSitePages } from './store.ts'

interface Props {
  readonly chosenId: string | null
  readonly handlers: PageHandlers
  /** Opens Materials while there are no pages. */
  readonly onShowMaterials: () => void
}

const keyOf = ({ materialId }: SitePageRow): string => materialId

/** All publishable pages of the site, with filters and bulk changes. */
export function PagesList(props: Props) {
  const { kind, total } = usePageRows()
  const { question, selected } = useSitePages()
  const isEmpty = kind === 'ready' && total === 0 && question.text.trim() === '' && !isNarrowed(question)
  return (
    <>
      {!isEmpty && (selected.size > 0 ? <SelectionBar handlers={props.handlers} /> : <FilterBar />)}
      <Rows {...props} isEmpty={isEmpty} />
    </>
  )
}

function Rows({ chosenId, handlers, onShowMaterials, isEmpty }: Props & { readonly isEmpty: boolean }) {
  const { t } = useTranslation(['pages', 'ui'])
  const { site, question, ask, selected, select, idsBetween } = useSitePages()
  const list = usePageRows()
  const { kind, total, refresh } = list
  const columns = usePageColumns(site ?? '', handlers)
  const menuOf = usePageMenu(handlers, selected)
  const rows = usePagedRows(list)
  const onActivate = useCallback(({ materialId }: SitePageRow) => handlers.choose(materialId), [handlers])
  if (kind === 'loading') return <Skeleton isTall />
  if (kind === 'failed') return <Failed text={t('failed')} onRetry={() => void refresh()} />
  if (isEmpty) {
    return (
      <Message title={t('none.title')} text={t('none.text')}>
        <Button look="primary" onClick={onShowMaterials}>
          {t('none.show')}
        </Button>
      </Message>
    )
  }
  if (total === 0) {
    const text = question.text.trim()
    return (
      <Message title={t('noMatch.title')} text={text === '' ? t('noMatch.filters') : t('noMatch.text', { text })}>
        <Button onClick={() => ask(everyPage)}>{t(text === '' ? 'ui:clearFilters' : 'ui:clearSearch')}</Button>
      </Message>
    )
  }
  return (
    <Grid
      name="pages"
      label={t('title')}
      isTall
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      nameOf={titleOf}
      activeKey={chosenId}
      onActivate={onActivate}
      selected={selected}
      onSelect={select}
      readKeys={idsBetween}
      sort={question.sort}
      onSort={({ column, direction }) => {
        const order = pageOrders.find((known) => known === column)
        if (order !== undefined) ask({ sort: { column: order, direction } })
      }}
      onOpen={({ materialId }) => handlers.open(materialId)}
      menuOf={menuOf}
    />
  )
}

function FilterBar() {
  const { t } = useTranslation(['pages', 'ui'])
  const formats = useFormats()
  const { question, ask } = useSitePages()
  const { kind, total } = usePageRows()
  const choices = <Value extends string>(
    values: readonly Value[],
    chosen: Value | null,
    label: (value: Value) => string,
    choose: (value: Value | null) => void,
  ): readonly MenuItem[] =>
    values.map((value) => ({
      kind: 'check',
      key: value,
      label: label(value),
      isChecked: chosen === value,
      isChoice: true,
      onChange: () => choose(chosen === value ? null : value),
    }))
  return (
    <Strip
      label={t('ui:filters.title')}
      end={<KeyedSearch label={t('search')} text={question.text} onChange={(text) => ask({ text })} />}
    >
      <Filter
        name={t('columns.state')}
        chosen={question.state === null ? [] : [t(`states.${question.state}`)]}
        items={choices(
          pageStates,
          question.state,
          (state) => t(`states.${state}`),
          (state) => ask({ state }),
        )}
      />
      <Filter
        name={t('fields.type')}
        chosen={question.type === null ? [] : [t(`types.${question.type}`)]}
        items={choices(
          pageTypes,
          question.type,
          (type) => t(`types.${type}`),
          (type) => ask({ type }),
        )}
      />
      {isNarrowed(question) && (
        <Button look="quiet" onClick={() => ask({ state: null, type: null })}>
          {t('ui:clearFilters')}
        </Button>
      )}
      {kind === 'ready' && (
        <span className={words.meta}>{t('count', { count: total, formatted: formats.count(total) })}</span>
      )}
    </Strip>
  )
}

/** The actions for the selected pages; replaces the filters. */
function SelectionBar({ handlers }: Pick<Props, 'handlers'>) {
  const { t } = useTranslation('pages')
  const { selected, select } = useSitePages()
  const { states, types, tags, language } = useManyItems(handlers)([...selected])
  return (
    <SelectionStrip count={selected.size} onClear={() => select(new Set())}>
      <FilterMenu label={t('bulk.state')} isNarrowing={false} items={states} />
      <FilterMenu label={t('bulk.type')} isNarrowing={false} items={types} />
      <Button look="quiet" icon={tags.icon} onClick={tags.onSelect}>
        {tags.label}
      </Button>
      <Button look="quiet" icon={language.icon} onClick={language.onSelect}>
        {language.label}
      </Button>
    </SelectionStrip>
  )
}
