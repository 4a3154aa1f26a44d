import type { AppSettings } from '@galley/library/records'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { languages } from '../../../texts/catalogue.ts'
import { densities } from '../../ui/density.ts'
import { Fields } from '../../ui/field.tsx'
import { Group } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { SettingsState } from './store.ts'

interface Props extends Pick<SettingsState, 'change'> {
  readonly settings: AppSettings
}

const themes = ['system', 'light', 'dark'] as const

/** Theme, density, language, the name of the person here, and what is for developers. */
export function AppearanceSection({ settings, change }: Props) {
  const { t } = useTranslation('settings')
  // What is typed, not what comes back: a slow answer would take letters away.
  const [name, setName] = useState(settings.personName)
  return (
    <>
      <Group text={t('appearance.text')}>
        <Fields>
          <SelectField
            label={t('appearance.theme')}
            value={settings.theme}
            options={themes.map((value) => ({ value, label: t(`appearance.themes.${value}`) }))}
            onChange={(theme) => void change({ theme })}
          />
          <SelectField
            label={t('appearance.density')}
            value={settings.density}
            options={densities.map((value) => ({ value, label: t(`appearance.densities.${value}`) }))}
            onChange={(density) => void change({ density })}
          />
          <SelectField
            label={t('appearance.language')}
            value={settings.language}
            options={[
              { value: 'system', label: t('appearance.languageSystem') },
              { value: 'en', label: languages.en },
              { value: 'ru', label: languages.ru },
            ]}
            onChange={(language) => void change({ language })}
          />
          <TextField
            label={t('appearance.personName')}
            hint={t('appearance.personNameHint')}
            value={name}
            maxLength={200}
            onChange={(personName) => {
              setName(personName)
              void change({ personName })
            }}
          />
        </Fields>
      </Group>
      <Group title={t('appearance.developers')}>
        <Switch
          label={t('appearance.isForDevelopers')}
          hint={t('appearance.isForDevelopersHint')}
          isOn={settings.isForDevelopers}
          onChange={(isForDevelopers) => void change({ isForDevelopers })}
        />
      </Group>
    </>
  )
}
