import { memberText } from '../../json/object-text.ts'
import { textOf, textOrNull } from '../page/text-value.ts'
import type { Fault, LostFile, SaveReport, SessionView, VersionView } from './session.ts'

type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

export function toReport(value: unknown): SaveReport | null {
  const { result, error, message, version_id: versionId } = fieldsOf(value)
  if (result !== 'merged' && result !== 'rejected' && result !== 'webhook_failed') return null
  return { result, error: textOrNull(error), message: textOf(message), versionId: textOrNull(versionId) }
}

const toLostFile = ({ name, url, reason }: Fields): LostFile => ({
  name: textOf(name),
  url: textOf(url),
  reason: textOf(reason),
})

/** Reads `GET /_emulator/sessions/<fingerprint>`; the state is cut from the response text to keep it exact. */
export function toSession(body: Fields, text: string): SessionView {
  const fonts = fieldsOf(body['fonts'])
  const families: unknown = fonts['families']
  const base = textOrNull(body['base_version_id'])
  return {
    materialId: textOf(body['material_id']),
    state: memberText(text, 'state') ?? '{}',
    lastSave: toReport(body['last_save']),
    baseVersionId: base,
    isRolledBack: base !== null && base !== fieldsOf(body['last_save'])['version_id'],
    lost: listOf(fieldsOf(body['restored'])['lost']).map(toLostFile),
    historyKeptUntil: textOrNull(body['history_kept_until']),
    fonts: {
      cssUrl: textOrNull(fonts['css_url']),
      families: Array.isArray(families) ? families.filter((name) => typeof name === 'string') : [],
    },
  }
}

const toVersion = (fields: Fields): VersionView => ({
  versionId: textOf(fields['version_id']),
  savedAt: textOf(fields['version_cdate']),
  userEmail: textOrNull(fields['user_email']),
  mediaCount: numberOf(fields['media_count']),
  outcome: toReport(fields),
  isCurrent: fields['current'] === true,
})

export const toVersions = (body: unknown): readonly VersionView[] => listOf(body).map(toVersion)

export const toFaults = (body: unknown): readonly Fault[] =>
  listOf(body).map(({ kind, times, ms }) => ({
    kind: textOf(kind),
    times: numberOf(times),
    ms: typeof ms === 'number' ? ms : null,
  }))
