import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../contract/ipc/calls.ts'
import type { Answer } from '../../../contract/ipc/problem.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { useDiscardGuard } from '../../ui/discard-question.tsx'
import { Fields } from '../../ui/field.tsx'
import { PathField, draftTextField, useFocusOnError } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { KeyFields } from './key-fields.tsx'
import { emptyDraft, keysOf, placeOf } from './team-draft.ts'
import type { TeamDraft } from './team-draft.ts'
import styles from './team.module.css'
import { keysIn } from '../../../contract/keys-in.ts'

/** Joins another library, shares the open one, or changes the keys of its bucket. */
export type TeamForm = 'join' | 'import' | 'keys'

interface Props {
  readonly what: TeamForm
  readonly onClose: () => void
}

const titles = { join: 'form.joinTitle', import: 'form.importTitle', keys: 'form.keysTitle' } as const
const texts = { join: 'form.joinText', import: 'form.importText', keys: 'form.keysText' } as const
const submits = { join: 'form.submitJoin', import: 'form.submitImport', keys: 'form.submitKeys' } as const

/** Joins a team, shares this library, or changes the keys; shows main's problems at their fields and keeps the input. */
export function TeamDialog({ what, onClose }: Props) {
  const { t } = useTranslation(['team', 'ui'])
  const bridge = useBridge()
  const problemText = useProblemText()
  const [draft, setDraft] = useState(emptyDraft)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isTyped = keysIn(draft).some((name) => draft[name] !== emptyDraft[name])
  const { leave, question } = useDiscardGuard(isTyped, onClose)
  const send = (): Promise<Answer<unknown>> => {
    const keys = keysOf(draft)
    if (what === 'keys') return bridge.call('changeTeamKeys', keys)
    const form = { place: placeOf(draft), keys }
    if (what === 'import') return bridge.call('startTeamImport', form)
    return bridge.call('startTeamJoin', { ...form, folder: draft.folder?.token ?? null })
  }
  const submit = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    const sent = await catchUnexpected(send())
    setBusy(false)
    if (sent.ok) onClose()
    else setProblem(sent.failure)
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
              {isBusy && what === 'keys' && (
                <span role="status" className={words.meta}>
                  {t('form.trying')}
                </span>
              )}
              <Button onClick={leave}>{t('ui:cancel')}</Button>
              <Button look="primary" type="submit" aria-disabled={isBusy}>
                {t(submits[what])}
              </Button>
            </>
          )
        }
      >
        <p>{t(texts[what])}</p>
        {what === 'import' && <p className={words.explanation}>{t('form.importAfter')}</p>}
        <TeamFields what={what} draft={draft} problem={isAtField ? problem : null} onChange={change} />
      </DialogForm>
    </Dialog>
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
