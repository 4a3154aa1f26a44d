import { fieldMax, isEditLink } from '@galley/library/records'
import type { SiteRules } from '@galley/library/records'
import { fail, ok } from '@galley/wire'
import type { SiteId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Fields } from '../../ui/field.tsx'
import { FormGroup, Group } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './rules.module.css'
import type { RulesState } from './store.ts'

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
interface RulesDraft extends Pick<
  SiteRules,
  'unknownMaterials' | 'expiredToken' | 'samePersonMayApprove' | 'approveUnchanged' | 'editLink'
> {
  readonly lines: readonly EditorLine[]
}

const draftOf = ({ editors, ...rules }: SiteRules): RulesDraft => ({
  unknownMaterials: rules.unknownMaterials,
  expiredToken: rules.expiredToken,
  samePersonMayApprove: rules.samePersonMayApprove,
  approveUnchanged: rules.approveUnchanged,
  editLink: rules.editLink,
  lines: editors.map((editor, key) => ({ ...editor, key })),
})

/** Whether a pattern is usable: an address without blanks, commas or semicolons. */
const isPattern = (pattern: string): boolean => pattern.trim() !== '' && !/[\s,;]/.test(pattern.trim())

/** Rules that are saved together: unknown materials, expired tokens, the link to the editor, approval, blocked people. */
export function RulesForm({ title, site, rules, save }: Props) {
  const { t } = useTranslation('settings')
  const form = useForm({
    about: `rules ${site}`,
    kept: draftOf(rules),
    isWhole: true,
    isQuiet: true,
    saved: t('saved'),
    read: ({ lines, ...others }) => {
      const isKeyWrong = others.expiredToken.key.trim() === ''
      const isLineWrong = !lines.every(({ pattern }) => isPattern(pattern))
      const editLink = others.editLink.trim()
      const isLinkWrong = !isEditLink(editLink)
      if (!isKeyWrong && !isLineWrong && !isLinkWrong)
        return ok({ ...others, editLink, editors: lines.map(({ pattern, reason }) => ({ pattern, reason })) })
      return fail({
        ...(isLinkWrong && { editLink: t('rules.editLinkWrong') }),
        ...(isKeyWrong && { expiredToken: t('rules.expiredKeyWrong') }),
        ...(isLineWrong && { lines: t('rules.patternWrong') }),
      })
    },
    save,
    fieldOf: () => null,
  })
  const { draft, edit, errorAt, bind } = form
  const { expiredToken: expired, lines } = draft
  const addLine = (): void => {
    const key = Math.max(-1, ...lines.map((line) => line.key)) + 1
    edit({ lines: [...lines, { key, pattern: '', reason: '' }] })
  }
  const choices = [
    { value: 'refuse', label: t('rules.refuseChoice') },
    { value: 'accept', label: t('rules.acceptChoice') },
  ] as const
  return (
    <FormGroup
      title={title}
      submit={t('save')}
      form={form}
      more={<Button onClick={addLine}>{t('rules.addPattern')}</Button>}
    >
      <Fields>
        <SelectField
          label={t('rules.unknownMaterials')}
          hint={t('rules.unknownHint')}
          options={choices}
          {...bind('unknownMaterials')}
        />
        <SelectField
          label={t('rules.expired')}
          value={expired.action}
          options={choices}
          onChange={(action) => edit({ expiredToken: { ...expired, action } })}
        />
        {expired.action === 'refuse' && (
          <TextField
            label={t('rules.expiredKey')}
            hint={t('rules.expiredKeyHint')}
            error={errorAt('expiredToken')}
            value={expired.key}
            maxLength={fieldMax.tokenKey}
            onChange={(key) => edit({ expiredToken: { ...expired, key } })}
          />
        )}
      </Fields>
      <TextField label={t('rules.editLink')} hint={t('rules.editLinkHint')} maxLength={2000} {...bind('editLink')} />
      <Checkbox
        label={t('rules.otherPerson')}
        isChecked={!draft.samePersonMayApprove}
        onChange={(isOn) => edit({ samePersonMayApprove: !isOn })}
      />
      <Checkbox
        label={t('rules.approveUnchanged')}
        isChecked={draft.approveUnchanged}
        onChange={(approveUnchanged) => edit({ approveUnchanged })}
      />
      <RefusedEditors lines={lines} error={errorAt('lines')} onChange={(changed) => edit({ lines: changed })} />
    </FormGroup>
  )
}

interface EditorsProps {
  readonly lines: readonly EditorLine[]
  /** Shown at every wrong line. */
  readonly error: string | undefined
  readonly onChange: (lines: readonly EditorLine[]) => void
}

/** Address patterns of people whose saves are blocked. */
function RefusedEditors({ lines, error, onChange }: EditorsProps) {
  const { t } = useTranslation('settings')
  const change = (key: number, changed: Partial<EditorLine>): void =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...changed } : line)))
  return (
    <Group title={t('rules.editors')} text={lines.length === 0 ? t('rules.noEditors') : t('rules.editorsHint')}>
      {lines.map(({ key, pattern, reason }) => (
        <div key={key} className={styles.editor}>
          <TextField
            label={t('rules.pattern')}
            error={isPattern(pattern) ? undefined : error}
            value={pattern}
            maxLength={fieldMax.refusedPattern}
            onChange={(value) => change(key, { pattern: value })}
          />
          <TextField
            label={t('rules.reason')}
            value={reason}
            maxLength={fieldMax.refusalReason}
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
