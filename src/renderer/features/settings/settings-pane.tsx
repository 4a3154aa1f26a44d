import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Pane } from '../../ui/pane.tsx'
import styles from './settings.module.css'

export const settingsSections = [
  ...(['sites', 'rules', 'listener', 'library', 'storage'] as const),
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
      <div className={styles.body}>
        <nav aria-label={t('title')} className={styles.sections}>
          {settingsSections.map((name) => (
            <button
              key={name}
              type="button"
              className={styles.section}
              aria-current={name === section ? 'page' : undefined}
              onClick={() => onChoose(name)}
            >
              {t(`sections.${name}`)}
            </button>
          ))}
        </nav>
        <div className={styles.scroll}>
          <div className={styles.content}>
            <h2 className={styles.title}>{t(`sections.${section}`)}</h2>
            {children}
          </div>
        </div>
      </div>
    </Pane>
  )
}
