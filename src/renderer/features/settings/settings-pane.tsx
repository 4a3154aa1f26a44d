import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Pane } from '../../ui/pane.tsx'
import { Sections } from '../../ui/sections.tsx'

export const settingsSections = [
  ...(['sites', 'rules', 'webhook', 'developer', 'listener', 'library'] as const),
  ...(['appearance', 'shortcuts', 'start'] as const),
] as const
export type SettingsSection = (typeof settingsSections)[number]

interface Props {
  readonly section: SettingsSection
  readonly onChoose: (section: SettingsSection) => void
  readonly children: ReactNode
}

/** The list of sections and the current section. */
export function SettingsPane({ section, onChoose, children }: Props) {
  const { t } = useTranslation('settings')
  return (
    <Pane name="list" title={t('title')}>
      <Sections
        label={t('title')}
        names={settingsSections}
        chosen={section}
        titleOf={(name) => t(`sections.${name}`)}
        onChoose={onChoose}
      >
        {children}
      </Sections>
    </Pane>
  )
}
