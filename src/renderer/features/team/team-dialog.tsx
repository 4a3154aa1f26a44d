import type { Answer } from '@galley/library/records'
import { ok } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { TeamLocationTest } from '../../../ipc/team.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { FormDialog } from '../../domain/form-dialog.tsx'
import { useForm } from '../../stores/form.ts'
import type { Form } from '../../stores/form.ts'
import { Facts } from '../../ui/facts.tsx'
import { Fields } from '../../ui/field.tsx'
import { Status } from '../../ui/status.tsx'
import { PathField, TextField, useFocusOnError } from '../../ui/text-field.tsx'
import type { TextFieldOptions } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { KeyFields } from './key-fields.tsx'
import { emptyDraft, keysOf, placeOf } from './team-draft.ts'
import type { TeamDraft } from './team-draft.ts'
import styles from './team.module.css'

/** Joins another library, shares the open one, or changes the keys of its bucket. */
export type TeamForm = 'join' | 'import' | 'keys'

interface Props {
  readonly what: TeamForm
  readonly onClose: () => void
}

const titles = { join: 'form.joinTitle', import: 'form.importTitle', keys: 'form.keysTitle' } as const
const texts = { join: 'form.joinText', import: 'form.importText', keys: 'form.keysText' } as const
const submits = { join: 'form.submitJoin', import: 'form.submitImport', keys: 'form.submitKeys' } as const

/**
 * Joins a team, shares this library, or changes the keys; shows main's problems at their fields and keeps the input. A
 * bucket is tested first, so that a person sees the result before agreeing to join or share.
 */
export function TeamDialog({ what, onClose }: Props) {
  const { t } = useTranslation('team')
  const bridge = useBridge()
  const [tested, setTested] = useState<{ readonly form: string; readonly result: TeamLocationTest } | null>(null)
  const read = (draft: TeamDraft) => ok({ place: placeOf(draft), keys: keysOf(draft), folder: draft.folder })
  // A result applies only while nothing is changed.
  const resultOf = ({ place, keys }: ReturnType<typeof read>['value']): TeamLocationTest | null =>
    tested?.form === JSON.stringify({ place, keys }) ? tested.result : null
  const form = useForm({
    kept: emptyDraft,
    read,
    save: async (typed) => {
      const { place, keys, folder } = typed
      if (what !== 'keys' && resultOf(typed) === null) {
        const answer = await catchUnexpected(bridge.call('testTeamPlace', { place, keys, what }))
        if (answer.ok) setTested({ form: JSON.stringify({ place, keys }), result: answer.value })
        return answer
      }
      const sending: Promise<Answer<unknown>> =
        what === 'keys'
          ? bridge.call('changeTeamKeys', keys)
          : what === 'import'
            ? bridge.call('startTeamImport', { place, keys })
            : bridge.call('startTeamJoin', { place, keys, folder: folder?.token ?? null })
      const sent = await catchUnexpected(sending)
      if (sent.ok) onClose()
      return sent
    },
    messageStays: 'untilItsEdit',
  })
  const result = resultOf(read(form.draft).value)
  const isTest = what !== 'keys' && result === null
  return (
    <FormDialog
      title={t(titles[what])}
      size="large"
      submit={t(isTest ? 'form.submitTest' : submits[what])}
      isGuarded
      form={form}
      status={
        form.isSaving &&
        (isTest || what === 'keys') && (
          <span role="status" className={words.meta}>
            {t(isTest ? 'form.testing' : 'form.trying')}
          </span>
        )
      }
      onClose={onClose}
    >
      <p>{t(texts[what])}</p>
      {what === 'import' && <p className={words.explanation}>{t('form.importAfter')}</p>}
      <TeamFields what={what} form={form} />
      <div role="status">{result !== null && <TestResult result={result} />}</div>
    </FormDialog>
  )
}

function TestResult({ result: { requests } }: { readonly result: TeamLocationTest }) {
  const { t } = useTranslation('team')
  const isReadOnly = requests === 0
  return (
    <div className={styles.fields}>
      <Status tone={isReadOnly ? 'warning' : 'success'} word={t(isReadOnly ? 'form.testedReading' : 'form.tested')} />
      <Facts
        facts={[
          { name: t('access'), value: t(isReadOnly ? 'readOnly' : 'readWrite') },
          { name: t('probe'), value: isReadOnly ? t('notProbed') : t('form.probed', { count: requests }) },
        ]}
      />
      {isReadOnly && <p className={words.explanation}>{t('readOnlyText')}</p>}
    </div>
  )
}

interface FieldsProps {
  readonly what: TeamForm
  readonly form: Form<TeamDraft>
}

type TextKey = Exclude<keyof TeamDraft, 'folder' | 'keyId' | 'keySecret'>

function TeamFields({ what, form }: FieldsProps) {
  const { t } = useTranslation('team')
  const fields = useFocusOnError(form.refusal)
  const text = (key: TextKey, label: string, options: TextFieldOptions = {}) => (
    <TextField {...options} label={label} {...form.bind(key)} />
  )
  return (
    <div ref={fields} className={styles.fields}>
      {what !== 'keys' && (
        <>
          <Fields>
            {text('endpoint', t('form.endpoint'), {
              hint: t('form.endpointHint'),
              type: 'url',
              placeholder: 'https://',
            })}
            {text('region', t('form.region'))}
          </Fields>
          <Fields>
            {text('bucket', t('form.bucket'), { isRequired: true })}
            {text('prefix', t('form.prefix'), { hint: t('form.prefixHint') })}
          </Fields>
        </>
      )}
      <KeyFields form={form} />
      {what === 'join' && <FolderField form={form} />}
    </div>
  )
}

function FolderField({ form: { draft, edit, errorAt } }: Pick<FieldsProps, 'form'>) {
  const { t } = useTranslation('team')
  const bridge = useBridge()
  const choose = async (): Promise<void> => {
    const folder = await bridge.call('chooseTeamFolder', undefined)
    if (folder !== null) edit({ folder })
  }
  return (
    <PathField
      label={t('form.folder')}
      hint={t('form.folderHint')}
      error={errorAt('folder')}
      path={draft.folder?.path ?? ''}
      placeholder={t('form.noFolder')}
      choose={t('form.choose')}
      onChoose={() => void choose()}
    />
  )
}
