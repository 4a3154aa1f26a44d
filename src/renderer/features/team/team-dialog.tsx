import type { Answer } from '@galley/library/records'
import { keysIn } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import type { TeamLocationTest } from '../../../ipc/team.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { useDiscardGuard } from '../../ui/discard-question.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Fields } from '../../ui/field.tsx'
import { Status } from '../../ui/status.tsx'
import { PathField, draftTextField, useFocusOnError } from '../../ui/text-field.tsx'
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
  const { t } = useTranslation(['team', 'ui'])
  const bridge = useBridge()
  const problemText = useProblemText()
  const [draft, setDraft] = useState(emptyDraft)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [tested, setTested] = useState<{ readonly form: string; readonly result: TeamLocationTest } | null>(null)
  const isTyped = keysIn(draft).some((name) => draft[name] !== emptyDraft[name])
  const { leave, question } = useDiscardGuard(isTyped, onClose)
  const form = { place: placeOf(draft), keys: keysOf(draft) }
  // A result applies only while nothing is changed.
  const result = tested?.form === JSON.stringify(form) ? tested.result : null
  const isTest = what !== 'keys' && result === null
  const send = (): Promise<Answer<unknown>> => {
    if (what === 'keys') return bridge.call('changeTeamKeys', form.keys)
    if (what === 'import') return bridge.call('startTeamImport', form)
    return bridge.call('startTeamJoin', { ...form, folder: draft.folder?.token ?? null })
  }
  const test = async (as: 'join' | 'import'): Promise<void> => {
    const answer = await catchUnexpected(bridge.call('testTeamPlace', { ...form, what: as }))
    if (answer.ok) setTested({ form: JSON.stringify(form), result: answer.value })
    setProblem(answer.ok ? null : answer.failure)
  }
  const finish = async (): Promise<void> => {
    const sent = await catchUnexpected(send())
    if (sent.ok) onClose()
    else setProblem(sent.failure)
  }
  const submit = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await (isTest ? test(what) : finish())
    setBusy(false)
  }
  const change = (changed: Partial<TeamDraft>): void => {
    setDraft({ ...draft, ...changed })
    // An error applies only while its field is unchanged.
    if (problem?.field !== undefined && Object.hasOwn(changed, problem.field)) setProblem(null)
  }
  const isAtField = problem?.field !== undefined && Object.hasOwn(draft, problem.field)
  return (
    <Dialog title={t(titles[what])} size="large" onClose={leave}>
      {problem !== null && !isAtField && <Banner tone="danger" text={problemText(problem)} />}
      <DialogForm
        onSubmit={() => void submit()}
        actions={
          question ?? (
            <>
              {isBusy && (isTest || what === 'keys') && (
                <span role="status" className={words.meta}>
                  {t(isTest ? 'form.testing' : 'form.trying')}
                </span>
              )}
              <Button onClick={leave}>{t('ui:cancel')}</Button>
              <Button look="primary" type="submit" aria-disabled={isBusy}>
                {t(isTest ? 'form.submitTest' : submits[what])}
              </Button>
            </>
          )
        }
      >
        <p>{t(texts[what])}</p>
        {what === 'import' && <p className={words.explanation}>{t('form.importAfter')}</p>}
        <TeamFields what={what} draft={draft} problem={isAtField ? problem : null} onChange={change} />
        <div role="status">{result !== null && <TestResult result={result} />}</div>
      </DialogForm>
    </Dialog>
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
  readonly draft: TeamDraft
  readonly problem: CallProblem | null
  readonly onChange: (change: Partial<TeamDraft>) => void
}

type TextKey = Exclude<keyof TeamDraft, 'folder' | 'keyId' | 'keySecret'>

function TeamFields({ what, draft, problem, onChange }: FieldsProps) {
  const { t } = useTranslation('team')
  const problemText = useProblemText()
  const fields = useFocusOnError(problem)
  const errorAt = (key: keyof TeamDraft) => (problem?.field === key ? problemText(problem) : undefined)
  const text = draftTextField<TextKey>({ draft, errorAt, onChange: (key, value) => onChange({ [key]: value }) })
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
      <KeyFields draft={draft} problem={problem} onChange={onChange} />
      {what === 'join' && <FolderField draft={draft} error={errorAt('folder')} onChange={onChange} />}
    </div>
  )
}

function FolderField({
  draft,
  error,
  onChange,
}: Pick<FieldsProps, 'draft' | 'onChange'> & { readonly error: string | undefined }) {
  const { t } = useTranslation('team')
  const bridge = useBridge()
  const choose = async (): Promise<void> => {
    const folder = await bridge.call('chooseTeamFolder', undefined)
    if (folder !== null) onChange({ folder })
  }
  return (
    <PathField
      label={t('form.folder')}
      hint={t('form.folderHint')}
      error={error}
      path={draft.folder?.path ?? ''}
      placeholder={t('form.noFolder')}
      choose={t('form.choose')}
      onChoose={() => void choose()}
    />
  )
}
