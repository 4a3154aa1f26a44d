import { useTranslation } from 'react-i18next'

import type { AppSettings } from '../../../contract/ipc/settings.ts'
import { languages } from '../../../texts/catalogue.ts'
import { densities } from '../../ui/density.ts'
import { Field, Fields } from '../../ui/field.tsx'
import { Group } from '../../ui/group.tsx'
import { Select } from '../../ui/select.tsx'
import type { SettingsState } from './store.ts'

interface Props extends Pick<SettingsState, 'change'> {
  readonly settings: AppSettings
}

const themes = ['system', 'light', 'dark'] as const

/** Theme, density and language. */
export function AppearanceSection({ settings, change }: Props) {
  const { t } = useTranslation('settings')
  return (
    <Group text={t('appearance.text')}>
      <Fields>
        <Field label={t('appearance.theme')}>
          {(control) => (
            <Select
              {...control}
              value={settings.theme}
              options={themes.map((value) => ({ value, label: t(`appearance.themes.${value}`) }))}
              onChange={(theme) => void change({ theme })}
            />
          )}
        </Field>
        <Field label={t('appearance.density')}>
          {(control) => (
            <Select
              {...control}
              value={settings.density}
              options={densities.map((value) => ({ value, label: t(`appearance.densities.${value}`) }))}
              onChange={(density) => void change({ density })}
            />
          )}
        </Field>
        <Field label={t('appearance.language')}>
          {(control) => (
            <Select
              {...control}
              value={settings.language}
              options={[
                { value: 'system', label: t('appearance.languageSystem') },
                { value: 'en', label: languages.en },
                { value: 'ru', label: languages.ru },
              ]}
              onChange={(language) => void change({ language })}
            />
          )}
        </Field>
      </Fields>
    </Group>
  )
}
