import { materialOrders } from '@galley/library/records'
import type { MaterialRow } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { KeyedSearch } from '../../commands/keyed-search.tsx'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Grid } from '../../ui/grid/grid.tsx'
import { usePagedRows } from '../../ui/grid/use-paged-rows.ts'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SelectionStrip } from '../../ui/strip.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useMaterialColumns } from './material-columns.tsx'
import { useManyActions, useRowMenu } from './material-menu.ts'
import type { MaterialHandlers } from './material-menu.ts'
import { everything, isFiltered } from './question.ts'
import { useMaterialRows, useMaterials } from './store.ts'

interface SelectionBarProps {
  readonly handlers: MaterialHandlers
}

/** Actions for the selected materials; replaces the filters. */
function SelectionBar({ handlers }: SelectionBarProps) {
  const { selected, select, question } = useMaterials()
  const actions = useManyActions(handlers)([...selected], question.archived)
  return (
    <SelectionStrip count={selected.size} onClear={() => select(new Set())}>
      {Object.entries(actions).map(([key, { label, icon, onSelect }]) => (
        <Button key={key} look="quiet" icon={icon} onClick={onSelect}>
          {label}
        </Button>
      ))}
    </SelectionStrip>
  )
}

interface Props {
  readonly chosenId: string | null
  readonly onChoose: (materialId: MaterialId) => void
  /** Opens the material's own screen. */
  readonly onOpen: (materialId: MaterialId) => void
  readonly handlers: MaterialHandlers
  /** Shown above the list. */
  readonly notice: ReactNode
}

const keyOf = ({ materialId }: MaterialRow): string => materialId

/** The materials table with search and filters. */
export function MaterialsPane(props: Props) {
  const { t } = useTranslation(['materials', 'ui'])
  const formats = useFormats()
  const { question, search, setDialog, selected, facets } = useMaterials()
  const { kind, total } = useMaterialRows()
  const isEmpty = kind === 'ready' && total === 0 && question.text.trim() === '' && !isFiltered(question)
  return (
    <Pane
      name="list"
      title={t('title')}
      count={kind === 'ready' ? formats.count(total) : undefined}
      actions={
        <>
          {!isEmpty && <KeyedSearch label={t('search')} text={question.text} onChange={search} />}
          <KeyedButton
            icon={Plus}
            look={isEmpty ? 'quiet' : 'plain'}
            command="material.new"
            onClick={() => setDialog({ kind: 'new' })}
          >
            {t('create')}
          </KeyedButton>
        </>
      }
    >
      {props.notice}
      {selected.size > 0 ? (
        <SelectionBar handlers={props.handlers} />
      ) : (
        (!isEmpty || (facets?.archived ?? 0) > 0) && <FilterBar />
      )}
      <MaterialList {...props} isEmpty={isEmpty} />
    </Pane>
  )
}

function MaterialList({ isEmpty, ...props }: Props & { readonly isEmpty: boolean }) {
  const { t } = useTranslation(['materials', 'ui'])
  const { question, ask, search, setDialog, selected, select, idsBetween } = useMaterials()
  const list = useMaterialRows()
  const { kind, total, refresh } = list
  const columns = useMaterialColumns()
  const menuOf = useRowMenu(props.handlers)
  const rows = usePagedRows(list)
  const { onChoose } = props
  const onActivate = useCallback(({ materialId }: MaterialRow) => onChoose(materialId), [onChoose])
  if (kind === 'loading') return <Skeleton isTall />
  if (kind === 'failed') return <Failed text={t('failed')} onRetry={() => void refresh()} />
  if (isEmpty) {
    return (
      <Message title={t('none.title')} text={t('none.text')}>
        <KeyedButton look="primary" command="material.new" onClick={() => setDialog({ kind: 'new' })}>
          {t('create')}
        </KeyedButton>
      </Message>
    )
  }
  if (total === 0) {
    const text = question.text.trim()
    return (
      <Message title={t('noMatch.title')} text={text === '' ? t('noMatch.filters') : t('noMatch.text', { text })}>
        {text !== '' && <Button onClick={() => search('')}>{t('ui:clearSearch')}</Button>}
        {isFiltered(question) && (
          <Button onClick={() => ask({ ...everything, text: question.text, sort: question.sort })}>
            {t('ui:clearFilters')}
          </Button>
        )}
      </Message>
    )
  }
  return (
    <Grid
      name="materials"
      label={t('title')}
      isTall
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      nameOf={titleOf}
      activeKey={props.chosenId}
      onActivate={onActivate}
      selected={selected}
      onSelect={select}
      readKeys={idsBetween}
      sort={question.sort}
      onSort={({ column, direction }) => {
        const order = materialOrders.find((known) => known === column)
        if (order !== undefined) ask({ sort: { column: order, direction } })
      }}
      onOpen={({ materialId }) => props.onOpen(materialId)}
      onQuickLook={props.handlers.review}
      menuOf={menuOf}
    />
  )
}
