import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { ChangeForm } from './change-form.tsx'
import { toggled } from './question.ts'
import { useMaterialRows, useMaterials } from './store.ts'
import styles from './materials.module.css'

interface Props {
  readonly materialIds: readonly string[]
}

/** Adds and removes tags on all of these materials; other tags stay. */
export function TagsDialog({ materialIds }: Props) {
  const { t } = useTranslation('materials')
  const { facets, tag, setDialog } = useMaterials()
  const rows = useMaterialRows((state) => state.rows)
  const [add, setAdd] = useState<readonly string[]>([])
  const [remove, setRemove] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const known = [...rows.values()].filter((row) => materialIds.includes(row.materialId))
  const offered = [
    ...new Set([...(facets?.tags.map(({ value }) => value) ?? []), ...known.flatMap(({ tags }) => tags)]),
  ]
  const stateOf = (name: string): boolean | 'some' => {
    if (add.includes(name)) return true
    if (remove.includes(name)) return false
    const count = known.filter(({ tags }) => tags.includes(name)).length
    if (count === 0 && known.length === materialIds.length) return false
    return count === materialIds.length ? true : 'some'
  }
  const added = typed
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return (
    <ChangeForm
      title={t('tagging.title', { count: materialIds.length })}
      submit={t('tagging.submit')}
      isReady={add.length + remove.length + added.length > 0}
      onSubmit={() => tag(materialIds, [...add, ...added], remove)}
      onClose={() => setDialog({ kind: 'none' })}
    >
      <Field label={t('tagging.add')} hint={t('tagging.addHint')}>
        {(control) => <input {...control} value={typed} onChange={(event) => setTyped(event.target.value)} />}
      </Field>
      {offered.length > 0 && (
        <div role="group" aria-label={t('tagging.known')} className={styles.choices}>
          {offered.map((name) => (
            <Checkbox
              key={name}
              label={name}
              isChecked={stateOf(name)}
              onChange={(isIn) => {
                setAdd(
                  toggled(
                    add.filter((other) => other !== name),
                    name,
                    isIn,
                  ),
                )
                setRemove(
                  toggled(
                    remove.filter((other) => other !== name),
                    name,
                    !isIn,
                  ),
                )
              }}
            />
          ))}
        </div>
      )}
    </ChangeForm>
  )
}
