import { Plus } from 'lucide-react'
import type { Ref } from 'react'

import type { MaterialSummary } from '../../../contract/material.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Grid } from '../../ui/grid.tsx'
import { Message } from '../../ui/message.tsx'
import { modifier } from '../../ui/modifier.ts'
import { Note } from '../../ui/note.tsx'
import { useNow } from '../../ui/now.ts'
import { Pane } from '../../ui/pane.tsx'
import { Search } from '../../ui/search.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { materialColumns } from './material-columns.tsx'
import { NewMaterial } from './new-material.tsx'
import type { createMaterials } from './store.ts'

const words = texts.materials
const cap = 500

interface Props {
  readonly useMaterials: ReturnType<typeof createMaterials>
  readonly searchRef: Ref<HTMLInputElement>
  /** Leads on to the selected material. */
  readonly onEnter: () => void
}

/** The list of materials with its search. */
export function MaterialsPane({ useMaterials, searchRef, onEnter }: Props) {
  const { view, text, search, setCreating, isCreating } = useMaterials()
  const total = view.kind === 'ready' ? count(view.items.length, texts.locale) : undefined
  const isEmpty = view.kind === 'ready' && view.items.length === 0 && text.trim() === ''
  return (
    <Pane
      title={words.title}
      count={total}
      actions={
        <>
          {!isEmpty && (
            <Search
              ref={searchRef}
              label={words.search}
              hint={words.searchHint(modifier)}
              clear={words.clear}
              text={text}
              onChange={search}
            />
          )}
          <Button icon={Plus} look={isEmpty ? 'quiet' : 'plain'} onClick={() => setCreating(true)}>
            {words.create}
          </Button>
        </>
      }
    >
      <MaterialList useMaterials={useMaterials} onEnter={onEnter} />
      {view.kind === 'ready' && view.items.length >= cap && <Note text={words.capped} />}
      {isCreating && <NewMaterial useMaterials={useMaterials} />}
    </Pane>
  )
}

function MaterialList({ useMaterials, onEnter }: Omit<Props, 'searchRef'>) {
  const { view, text, selectedId, search, select, setCreating, load } = useMaterials()
  const nowMs = useNow()
  if (view.kind === 'loading') return <Skeleton label={texts.loading} />
  if (view.kind === 'failed') {
    return (
      <Message isFailure text={view.reason}>
        <Button onClick={() => void load()}>{texts.retry}</Button>
      </Message>
    )
  }
  if (view.items.length === 0 && text.trim() !== '') {
    return (
      <Message title={words.noMatch.title} text={words.noMatch.text(text.trim())}>
        <Button onClick={() => search('')}>{words.clear}</Button>
      </Message>
    )
  }
  if (view.items.length === 0) {
    return (
      <Message title={words.none.title} text={words.none.text}>
        <Button look="primary" onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      </Message>
    )
  }
  return (
    <Grid<MaterialSummary>
      label={words.title}
      columns={materialColumns(nowMs)}
      rows={view.items}
      keyOf={(material) => material.materialId}
      selectedKey={selectedId}
      onSelect={(material) => select(material.materialId)}
      onEnter={onEnter}
    />
  )
}
