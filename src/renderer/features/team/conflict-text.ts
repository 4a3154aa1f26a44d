import type { FieldValue, TeamConflict } from '@galley/library/records'
import type { TFunction } from 'i18next'

type Texts = TFunction<['team', 'versions']>

/** The field in plain words, with its version. */
export function fieldText({ field, tag, version }: TeamConflict, t: Texts): string {
  const name = t(`team:conflicts.fields.${field}`, { tag: tag ?? '' })
  if (version === null) return name
  return version.number === null
    ? t('team:conflicts.ofGoneVersion', { field: name })
    : t('team:conflicts.ofVersion', { field: name, number: version.number })
}

/** The value of a field; null if it is empty. */
export function valueText({ field }: Pick<TeamConflict, 'field'>, value: FieldValue, t: Texts): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value === 'boolean') {
    const flag = field === 'pinned' || field === 'archivedAt' ? field : 'tag'
    return t(`team:conflicts.${value ? 'yes' : 'no'}.${flag}`)
  }
  if (value === null) return t('team:conflicts.none')
  if ('decision' in value) {
    const word = t(`versions:verdict.${value.decision}`)
    return value.reason === '' ? word : `${word}: ${value.reason}`
  }
  return value.length === 0 ? null : value.join(', ')
}
