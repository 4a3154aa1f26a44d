import type { CallProblem, EditableRules, SiteRules } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { createStoreContext } from '../../context/provided.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { draftIn } from '../../stores/drafts.ts'
import type { DraftsState } from '../../stores/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Fields } from '../../ui/field.tsx'
import { FormGroup, Group } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './rules.module.css'
import type { RulesState } from './store.ts'

const [useRulesDrafts, provideRulesDrafts] = createStoreContext<DraftsState<RulesDraft>>('drafts of rules')
export { provideRulesDrafts }

interface Props extends Pick<RulesState, 'save'> {
  readonly title: string
  readonly site: SiteId
  readonly rules: SiteRules
}

interface EditorLine {
  readonly key: number
  readonly pattern: string
  readonly reason: string
}

/** Form input for the rules. */
export interface RulesDraft extends Pick<SiteRules, 'unknownMaterials' | 'expiredToken'> {
  readonly lines: readonly EditorLine[]
}

const draftOf = ({ unknownMaterials, expiredToken, editors }: SiteRules): RulesDraft => ({
  unknownMaterials,
  expiredToken,
  lines: editors.map((editor, key) => ({ ...editor, key })),
})

/** Whether a pattern is usable: an address without blanks, commas or semicolons. */
const isPattern = (pattern: string): boolean => pattern.trim() !== '' && !/[\s,;]/.test(pattern.trim())

/** Rules that are saved together: unknown materials, expired tokens, blocked people. */
export function RulesForm({ title, site, rules, save }: Props) {
  const { t } = useTranslation('settings')
  const problemText = useProblemText()
  const { draft, isTyped, setDraft, dropDraft } = draftIn(useRulesDrafts(), site, draftOf(rules))
  const { unknownMaterials, expiredToken: expired, lines } = draft
  const [state, setState] = useState<'editing' | 'checked' | 'saved'>('editing')
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const edit = (change: Partial<RulesDraft>): void => {
    setDraft({ ...draft, ...change })
    setState('editing')
    setProblem(null)
  }
  const addLine = (): void => {
    const key = Math.max(-1, ...lines.map((line) => line.key)) + 1
    edit({ lines: [...lines, { key, pattern: '', reason: '' }] })
  }
  const submit = async (): Promise<void> => {
    setState('checked')
    if (expired.key.trim() === '' || !lines.every(({ pattern }) => isPattern(pattern))) return
    const editors = lines.map(({ pattern, reason }) => ({ pattern, reason }))
    const next: EditableRules = { unknownMaterials, editors, expiredToken: expired }
    const refused = await save(next)
    setProblem(refused)
    // Text typed during the save is still unsaved.
    setState(refused !== null ? 'checked' : dropDraft() ? 'saved' : 'editing')
  }
  const statusText = isTyped ? t('unsaved') : state === 'saved' ? t('saved') : ''
  const choices = [
    { value: 'refuse', label: t('rules.refuseChoice') },
    { value: 'accept', label: t('rules.acceptChoice') },
  ] as const
  return (
    <FormGroup
      title={title}
      submit={t('save')}
      outcome={problem === null ? statusText : problemText(problem)}
      isRefused={problem !== null}
      onSubmit={() => void submit()}
      more={<Button onClick={addLine}>{t('rules.addPattern')}</Button>}
    >
      <Fields>
        <SelectField
          label={t('rules.unknownMaterials')}
          hint={t('rules.unknownHint')}
          value={unknownMaterials}
          options={choices}
          onChange={(value) => edit({ unknownMaterials: value })}
        />
        <SelectField
          label={t('rules.expired')}
          value={expired.action}
          options={choices}
          onChange={(action) => edit({ expiredToken: { ...expired, action } })}
        />
        {expired.action === 'refuse' && (
          <ExpiredKey
            value={expired.key}
            isChecked={state === 'checked'}
            onChange={(key) => edit({ expiredToken: { ...expired, key } })}
          />
        )}
      </Fields>
      <RefusedEditors lines={lines} isChecked={state === 'checked'} onChange={(changed) => edit({ lines: changed })} />
    </FormGroup>
  )
}

interface EditorsProps {
  readonly lines: readonly EditorLine[]
  readonly isChecked: boolean
  readonly onChange: (lines: readonly EditorLine[]) => void
}

/** Address patterns of people whose saves are blocked. */
function RefusedEditors({ lines, isChecked, onChange }: EditorsProps) {
  const { t } = useTranslation('settings')
  const change = (key: number, changed: Partial<EditorLine>): void =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...changed } : line)))
  return (
    <Group title={t('rules.editors')} text={lines.length === 0 ? t('rules.noEditors') : t('rules.editorsHint')}>
      {lines.map(({ key, pattern, reason }) => (
        <div key={key} className={styles.editor}>
          <TextField
            label={t('rules.pattern')}
            error={isChecked && !isPattern(pattern) ? t('rules.patternWrong') : undefined}
            value={pattern}
            maxLength={300}
            onChange={(value) => change(key, { pattern: value })}
          />
          <TextField
            label={t('rules.reason')}
            value={reason}
            maxLength={500}
            onChange={(typed) => change(key, { reason: typed })}
          />
          <Button
            look="quiet"
            aria-label={pattern === '' ? t('rules.removeEmpty') : t('rules.removePattern', { pattern })}
            onClick={() => onChange(lines.filter((line) => line.key !== key))}
          >
            {t('sites.remove')}
          </Button>
        </div>
      ))}
    </Group>
  )
}

interface KeyProps {
  readonly value: string
  readonly isChecked: boolean
  readonly onChange: (key: string) => void
}

/** The key required when saves with an expired token are blocked. */
function ExpiredKey({ value, isChecked, onChange }: KeyProps) {
  const { t } = useTranslation('settings')
  return (
    <TextField
      label={t('rules.expiredKey')}
      hint={t('rules.expiredKeyHint')}
      error={isChecked && value.trim() === '' ? t('rules.expiredKeyWrong') : undefined}
      value={value}
      maxLength={200}
      onChange={onChange}
    />
  )
}
