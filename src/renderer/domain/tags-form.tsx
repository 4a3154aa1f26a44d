import type { Result } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../ipc/calls.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { ChangeForm } from './change-form.tsx'
import styles from './tags-form.module.css'

interface Props {
  readonly title: string
  /** Tags to choose from besides those of the items. */
  readonly offered: readonly string[]
  /** The tags of each item that is loaded. */
  readonly tagged: readonly (readonly string[])[]
  /** How many items change, also those that are not loaded. */
  readonly count: number
  readonly onSubmit: (add: readonly string[], remove: readonly string[]) => Promise<Result<unknown, CallProblem>>
  readonly onClose: () => void
}

/** Adds and removes tags on several items; other tags stay. */
export function TagsForm({ title, offered, tagged, count, onSubmit, onClose }: Props) {
  const { t } = useTranslation('materials')
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [typed, setTyped] = useState('')
  const shown = [...new Set([...offered, ...tagged.flat()])]
  const stateOf = (name: string): boolean | 'some' => {
    const change = changes.get(name)
    if (change !== undefined) return change
    const tagCount = tagged.filter((tags) => tags.includes(name)).length
    if (tagCount === 0 && tagged.length === count) return false
    return tagCount === count ? true : 'some'
  }
  const chosen = (isIn: boolean): readonly string[] =>
    [...changes].filter(([, change]) => change === isIn).map(([name]) => name)
  const added = typed
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return (
    <ChangeForm
      title={title}
      submit={t('tagging.submit')}
      isReady={changes.size + added.length > 0}
      onSubmit={() => onSubmit([...chosen(true), ...added], chosen(false))}
      onClose={onClose}
    >
      <Field label={t('tagging.add')} hint={t('tagging.addHint')}>
        {(control) => <input {...control} value={typed} onChange={(event) => setTyped(event.target.value)} />}
      </Field>
      {shown.length > 0 && (
        <div role="group" aria-label={t('tagging.known')} className={styles.choices}>
          {shown.map((name) => (
            <Checkbox
              key={name}
              label={name}
              isChecked={stateOf(name)}
              onChange={(isIn) => setChanges(new Map([...changes, [name, isIn]]))}
            />
          ))}
        </div>
      )}
    </ChangeForm>
  )
}
