import type { SitePublishing, ThemeSettings as Values } from '@galley/library/records'
import type { ThemeSetting } from '@galley/sites/bundle'
import { textIn } from '@galley/sites/bundle'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import styles from './design.module.css'
import { useForm } from './use-form.ts'

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

/** The settings of the theme, as a form described by its `theme.json`. */
export function ThemeSettings({ settings, publishing }: Props) {
  const { t } = useTranslation('design')
  const { typed = {}, outcome, isRefused, write, refuse, submit } = useForm('theme')
  const kept = publishing.themeSettings
  const valueOf = ({ key, default: initial }: ThemeSetting): Value => typed[key] ?? kept[key] ?? initial
  const save = async (): Promise<void> => {
    if (!settings.every((setting) => fits(setting, valueOf(setting)))) return refuse()
    const values = settings
      .filter(({ key }) => typed[key] !== undefined)
      .map((setting) => [setting.key, setting.type === 'number' ? Number(typed[setting.key]) : typed[setting.key]])
    await submit({ themeSettings: { ...kept, ...(Object.fromEntries(values) as Values) } })
  }
  const reset = (): Promise<void> => {
    const own = new Set(settings.map(({ key }) => key))
    return submit({ themeSettings: Object.fromEntries(Object.entries(kept).filter(([key]) => !own.has(key))) })
  }
  const isDefault = settings.every((setting) => valueOf(setting) === setting.default)
  return (
    <FormGroup
      title={t('theme.settings')}
      submit={t('save')}
      outcome={outcome}
      isRefused={isRefused}
      onSubmit={() => void save()}
      more={!isDefault && <Button onClick={() => void reset()}>{t('theme.reset')}</Button>}
    >
      <div className={styles.settings}>
        {settings.map((setting) => (
          <SettingField
            key={setting.key}
            setting={setting}
            value={valueOf(setting)}
            isJudged={isRefused}
            onChange={(value) => write({ ...typed, [setting.key]: value })}
          />
        ))}
      </div>
    </FormGroup>
  )
}

interface FieldProps {
  readonly setting: ThemeSetting
  readonly value: Value
  readonly isJudged: boolean
  readonly onChange: (value: Value) => void
}

function SettingField({ setting, value, isJudged, onChange }: FieldProps) {
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
  const isWrong = isJudged && !fits(setting, value)
  const error = !isWrong
    ? undefined
    : setting.type === 'number'
      ? t('wrong.number', { from: setting.min, to: setting.max })
      : t('wrong.color')
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
