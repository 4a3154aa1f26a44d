import type { SitePublishing, ThemeSettings as Values } from '@galley/library/records'
import type { ThemeSetting } from '@galley/sites/bundle'
import { textIn } from '@galley/sites/bundle'
import { fail, ok } from '@galley/wire'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useDesignForm } from './design-form.ts'
import styles from './design.module.css'
import { useDesign } from './store.ts'

interface Props {
  readonly settings: readonly ThemeSetting[]
  readonly publishing: SitePublishing
}

type Value = Values[string]

const isColor = (value: Value): boolean => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

/** Whether the value is valid for a setting; a number is text while it is typed. */
function fits(setting: ThemeSetting, value: Value): boolean {
  if (setting.type === 'color') return isColor(value)
  if (setting.type !== 'number') return true
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  return number >= setting.min && number <= setting.max
}

const wrongText = (setting: ThemeSetting, t: TFunction<'design'>): string =>
  setting.type === 'number' ? t('wrong.number', { from: setting.min, to: setting.max }) : t('wrong.color')

/** The settings of the theme, as a form described by its `theme.json`. */
export function ThemeSettings({ settings, publishing }: Props) {
  const { t } = useTranslation('design')
  const save = useDesign((state) => state.save)
  const kept = publishing.themeSettings
  const valueOf = ({ key, default: initial }: ThemeSetting, draft: Values): Value => draft[key] ?? initial
  const form = useDesignForm('theme', kept, (typed) => {
    const wrong = settings.filter((setting) => !fits(setting, valueOf(setting, typed)))
    if (wrong.length > 0) return fail(Object.fromEntries(wrong.map((setting) => [setting.key, wrongText(setting, t)])))
    const values = settings
      .filter(({ key }) => typed[key] !== kept[key])
      .map(({ key, type }) => [key, type === 'number' ? Number(typed[key]) : typed[key]])
    return ok({ themeSettings: { ...kept, ...(Object.fromEntries(values) as Values) } })
  })
  const reset = (): Promise<boolean> => {
    const own = new Set(settings.map(({ key }) => key))
    const others = Object.entries(kept).filter(([key]) => !own.has(key))
    return form.send(save({ themeSettings: Object.fromEntries(others) }))
  }
  const isDefault = settings.every((setting) => valueOf(setting, form.draft) === setting.default)
  return (
    <FormGroup
      title={t('theme.settings')}
      submit={t('save')}
      form={form}
      more={!isDefault && <Button onClick={() => void reset()}>{t('theme.reset')}</Button>}
    >
      <div className={styles.settings}>
        {settings.map((setting) => (
          <SettingField
            key={setting.key}
            setting={setting}
            value={valueOf(setting, form.draft)}
            error={form.errorAt(setting.key)}
            onChange={(value) => form.edit({ [setting.key]: value })}
          />
        ))}
      </div>
    </FormGroup>
  )
}

interface FieldProps {
  readonly setting: ThemeSetting
  readonly value: Value
  readonly error: string | undefined
  readonly onChange: (value: Value) => void
}

function SettingField({ setting, value, error, onChange }: FieldProps) {
  const { t, i18n } = useTranslation('design')
  const label = textIn(setting.label, i18n.language)
  const hint = setting.help === undefined ? undefined : textIn(setting.help, i18n.language)
  if (setting.type === 'switch') {
    return (
      <Switch
        label={label}
        {...(hint !== undefined && { hint })}
        isOn={value === true}
        onChange={(isOn) => onChange(isOn)}
      />
    )
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => {
        if (setting.type === 'choice') {
          return (
            <Select
              {...control}
              value={String(value)}
              options={setting.choices.map((choice) => ({
                value: choice.value,
                label: textIn(choice.label, i18n.language),
              }))}
              onChange={onChange}
            />
          )
        }
        const text = (
          <input
            {...control}
            value={String(value)}
            spellCheck={setting.type === 'text'}
            maxLength={2000}
            inputMode={setting.type === 'number' ? 'decimal' : undefined}
            onChange={(event) => onChange(event.target.value)}
          />
        )
        return setting.type === 'color' ? (
          <div className={styles.color}>
            <input
              type="color"
              aria-label={t('theme.pick', { name: label })}
              value={isColor(value) ? String(value) : setting.default}
              className={styles.swatch}
              onChange={(event) => onChange(event.target.value)}
            />
            {text}
          </div>
        ) : (
          text
        )
      }}
    </Field>
  )
}
