import type { Result } from '@galley/wire'
import { ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../ipc/calls.ts'
import { useForm } from '../stores/form.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from './form-dialog.tsx'
import styles from './tags-form.module.css'
import { tagsIn } from './typed-text.ts'

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

interface TagsDraft {
  readonly typed: string
  /** Whether each item gets the tag. */
  readonly changes: ReadonlyMap<string, boolean>
}

const untouched: TagsDraft = { typed: '', changes: new Map() }

const chosen = (changes: TagsDraft['changes'], isIn: boolean): readonly string[] =>
  [...changes].filter(([, change]) => change === isIn).map(([name]) => name)

/** Adds and removes tags on several items; other tags stay. */
export function TagsForm({ title, offered, tagged, count, onSubmit, onClose }: Props) {
  const { t } = useTranslation('materials')
  const form = useForm({
    kept: untouched,
    read: (draft) => ok(draft),
    save: ({ typed, changes }) => onSubmit([...chosen(changes, true), ...tagsIn(typed)], chosen(changes, false)),
    fieldOf: () => null,
    messageStays: 'untilSaved',
  })
  const { changes, typed } = form.draft
  const shown = [...new Set([...offered, ...tagged.flat()])]
  const stateOf = (name: string): boolean | 'some' => {
    const change = changes.get(name)
    if (change !== undefined) return change
    const tagCount = tagged.filter((tags) => tags.includes(name)).length
    if (tagCount === 0 && tagged.length === count) return false
    return tagCount === count ? true : 'some'
  }
  return (
    <FormDialog
      title={title}
      submit={t('tagging.submit')}
      isReady={changes.size + tagsIn(typed).length > 0}
      form={form}
      onClose={onClose}
    >
      <Field label={t('tagging.add')} hint={t('tagging.addHint')}>
        {(control) => (
          <input {...control} value={typed} onChange={(event) => form.edit({ typed: event.target.value })} />
        )}
      </Field>
      {shown.length > 0 && (
        <div role="group" aria-label={t('tagging.known')} className={styles.choices}>
          {shown.map((name) => (
            <Checkbox
              key={name}
              label={name}
              isChecked={stateOf(name)}
              onChange={(isIn) => form.edit({ changes: new Map([...changes, [name, isIn]]) })}
            />
          ))}
        </div>
      )}
    </FormDialog>
  )
}
