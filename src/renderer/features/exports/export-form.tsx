import { outgoingRules } from '@galley/library/records'
import type { Outgoing } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { outgoingKeys } from '../../domain/outgoing-keys.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { ChosenMaterials } from './chosen-materials.tsx'
import type { DraftState } from './draft.ts'
import styles from './exports.module.css'
import { useRead } from './read.ts'

interface Props {
  readonly state: DraftState
}

interface OutgoingRuleProps {
  readonly site: SiteId
}

/** Which versions of the site are published: a setting of the site, changed here because its effect is visible here. */
function OutgoingRule({ site }: OutgoingRuleProps) {
  const bridge = useBridge()
  const { t } = useTranslation(['exports', 'ui'])
  const problemText = useProblemText()
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const { view, retry } = useRead(
    useCallback(() => catchUnexpected(bridge.call('sitePublishing', { site })), [bridge, site]),
  )
  if (view.kind === 'loading') return null
  if (view.kind === 'failed' || !view.items.ok)
    return (
      <Banner tone="danger" text={t('form.outgoingFailed')}>
        <Button onClick={retry}>{t('ui:retry')}</Button>
      </Banner>
    )
  const { outgoing: current } = view.items.value
  const change = async (outgoing: Outgoing): Promise<void> => {
    const changed = await catchUnexpected(bridge.call('saveSitePublishing', { site, changes: { outgoing } }))
    setProblem(changed.ok ? undefined : problemText(changed.failure))
    retry()
  }
  return (
    <SelectField
      label={t('form.outgoing')}
      hint={t('form.outgoingHint')}
      error={problem}
      value={current}
      onChange={(outgoing) => void change(outgoing)}
      options={outgoingRules.map((value) => ({ value, label: t(`form.outgoingRules.${outgoingKeys[value]}`) }))}
    />
  )
}

/** The materials, the destination, and how to treat broken links. */
export function ExportForm({ state: { draft, change, chooseKind, chooseDestination: choosePlace } }: Props) {
  const { t } = useTranslation('exports')
  return (
    <>
      <SelectField
        label={t('form.kind')}
        value={draft.kind}
        onChange={chooseKind}
        options={[
          { value: 'folder', label: t('form.folder') },
          { value: 'zip', label: t('form.zip') },
        ]}
      />
      <Field label={t('form.place')} hint={draft.kind === 'folder' ? t('form.folderHint') : undefined}>
        {(control) => (
          <span className={styles.place}>
            <input {...control} readOnly value={draft.path} placeholder={t('form.noPlace')} />
            <Button onClick={() => void choosePlace()}>{t('form.choose')}</Button>
          </span>
        )}
      </Field>
      <SelectField
        label={t('form.materials')}
        value={draft.materials === null ? 'all' : 'some'}
        onChange={(which) => change({ materials: which === 'all' ? null : [] })}
        options={[
          { value: 'all', label: t('form.all') },
          { value: 'some', label: t('form.some') },
        ]}
      />
      {draft.materials !== null && (
        <ChosenMaterials site={draft.site} chosen={draft.materials} onChange={(materials) => change({ materials })} />
      )}
      <OutgoingRule site={draft.site} />
      <TextField
        label={t('form.baseUrl')}
        hint={t('form.baseUrlHint')}
        value={draft.baseUrl}
        placeholder="https://"
        onChange={(baseUrl) => change({ baseUrl })}
      />
      <SelectField
        label={t('form.check')}
        value={draft.check}
        onChange={(check) => change({ check })}
        options={(['warn', 'block', 'off'] as const).map((value) => ({ value, label: t(`form.checks.${value}`) }))}
      />
      <div>
        <Checkbox label={t('form.verify')} isChecked={draft.verify} onChange={(verify) => change({ verify })} />
        <p className={words.meta}>{t('form.verifyHint')}</p>
      </div>
    </>
  )
}
