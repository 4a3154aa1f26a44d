import type { CallProblem, SiteSummary } from '@galley/library/records'
import { keysIn } from '@galley/wire'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CancelAndSubmit, Dialog, DialogForm } from '../../ui/dialog.tsx'
import { useDiscardGuard } from '../../ui/discard-question.tsx'
import { Bar } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { BucketFields } from './bucket-fields.tsx'
import { limitedForm, limitsOf, wrongFields } from './limits-draft.ts'
import type { LimitsDraft } from './limits-draft.ts'
import { useSiteList } from './sites-store.ts'

interface Props {
  readonly site: SiteSummary
  readonly onClose: () => void
}

/** Maps site fields to form fields. */
const fieldOf: Readonly<Record<string, keyof LimitsDraft>> = {
  maxContentBytes: 'maxContentMb',
  requestTimeoutMs: 'requestSeconds',
  downloadTimeoutMs: 'downloadSeconds',
  publish: 'place',
  s3Endpoint: 'endpoint',
  s3Region: 'region',
  bucketKeys: 'keySecret',
}

type TextKey = Exclude<keyof LimitsDraft, 'publish' | 'chosenFolder' | 'isPublicChecked' | 'areKeysForgotten'>
const numbers: ReadonlySet<TextKey> = new Set(['maxContentMb', 'requestSeconds', 'downloadSeconds'])

const wrongWords: Readonly<
  Partial<Record<keyof LimitsDraft, `sites.limiting.${'noFolder' | 'noKeyId' | 'noKeySecret'}`>>
> = {
  place: 'sites.limiting.noFolder',
  keyId: 'sites.limiting.noKeyId',
  keySecret: 'sites.limiting.noKeySecret',
}

/** A site's size and time limits, and where its media are published. */
export function LimitsDialog({ site, onClose }: Props) {
  const { t } = useTranslation('settings')
  const problemText = useProblemText()
  const save = useSiteList((state) => state.save)
  const [kept] = useState(() => limitsOf(site))
  const [draft, setDraft] = useState(kept)
  const [wrong, setWrong] = useState<readonly (keyof LimitsDraft)[]>([])
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const isTyped = keysIn(draft).some((name) => draft[name] !== kept[name])
  const { leave, question } = useDiscardGuard(isTyped, onClose)
  const problemField = problem?.field === undefined ? undefined : fieldOf[problem.field]

  const edit = (change: Partial<LimitsDraft>): void => {
    setDraft({ ...draft, ...change })
    setWrong([])
    setProblem(null)
  }
  const submit = async (): Promise<void> => {
    const found = wrongFields(draft)
    setWrong(found)
    if (found.length > 0) return
    const refused = await save(limitedForm(site, draft))
    if (refused === null) onClose()
    else setProblem(refused)
  }
  const errorAt = (key: keyof LimitsDraft): string | undefined => {
    if (wrong.includes(key)) return t(wrongWords[key] ?? 'sites.limiting.wrong')
    return problem !== null && problemField === key ? problemText(problem) : undefined
  }
  const field = (key: TextKey, label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      error={errorAt(key)}
      value={draft[key]}
      readOnly={key === 'place' && draft.publish === 'folder'}
      type={key === 'keySecret' ? 'password' : 'text'}
      inputMode={numbers.has(key) ? 'decimal' : 'text'}
      onChange={(value) => edit({ [key]: value })}
    />
  )
  return (
    <Dialog title={t('sites.limiting.title', { name: site.name })} onClose={leave}>
      {problem !== null && problemField === undefined && <Banner tone="danger" text={problemText(problem)} />}
      <DialogForm
        onSubmit={() => void submit()}
        actions={question ?? <CancelAndSubmit onCancel={leave} submit={t('save')} />}
      >
        {field('maxContentMb', t('sites.limiting.maxContent'), t('sites.limiting.maxContentHint'))}
        {field('requestSeconds', t('sites.limiting.requestTimeout'))}
        {field('downloadSeconds', t('sites.limiting.downloadTimeout'))}
        <PublishFields site={site} draft={draft} field={field} onChange={edit} />
      </DialogForm>
    </Dialog>
  )
}

interface PublishProps {
  readonly site: SiteSummary
  readonly draft: LimitsDraft
  readonly field: (key: TextKey, label: string, hint?: string) => ReactNode
  readonly onChange: (change: Partial<LimitsDraft>) => void
}

/** Where the media of a site are published. */
function PublishFields({ site, draft, field, onChange }: PublishProps) {
  const { t } = useTranslation('settings')
  const { chooseFolder, bucketKeys } = useSiteList()
  const choosePlace = async (): Promise<void> => {
    const chosen = await chooseFolder(site.id)
    if (chosen !== null) onChange({ place: chosen.path, chosenFolder: chosen.token })
  }
  return (
    <>
      <SelectField
        label={t('sites.limiting.publish')}
        value={draft.publish}
        options={[
          { value: 'listener', label: t('sites.limiting.listener') },
          { value: 'folder', label: t('sites.limiting.folder') },
          { value: 's3', label: t('sites.limiting.s3') },
        ]}
        onChange={(publish) => onChange({ publish, place: '', chosenFolder: null })}
      />
      {draft.publish !== 'listener' && <p className={words.explanation}>{t('sites.limiting.movedText')}</p>}
      {draft.publish === 'folder' && (
        <>
          {field('place', t('sites.limiting.folderPath'))}
          <Bar>
            <Button onClick={() => void choosePlace()}>{t('sites.limiting.choose')}</Button>
          </Bar>
        </>
      )}
      {draft.publish === 's3' && (
        <BucketFields
          stored={site.bucketKeys}
          draft={draft}
          field={field}
          readVariables={bucketKeys}
          onChange={onChange}
        />
      )}
    </>
  )
}
