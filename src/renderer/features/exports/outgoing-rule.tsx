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
import { SelectField } from '../../ui/select.tsx'
import { useRead } from './read.ts'

interface Props {
  readonly site: SiteId
}

/** Which versions of the site are published: a setting of the site, changed here because its effect is visible here. */
export function OutgoingRule({ site }: Props) {
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
