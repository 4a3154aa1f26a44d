import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { memberText, objectText } from '../../json/object-text.ts'
import { textOf, textOrNull } from '../page/text-value.ts'
import type { Fault, LostFile, SaveReport, SessionView, VersionView } from './session.ts'

/** The request of the Save button: `state` is JSON text, `files` are base64 texts by name. */
export interface SaveRequest {
  readonly html: string
  readonly state: string
  readonly files: ReadonlyMap<string, string>
  /** The version the page is based on; undefined replaces any version. */
  readonly over: string | null | undefined
}

/** The session has a newer version than the page is based on; nothing was saved. */
export const movedOn = Symbol('moved on')

/** The emulator's HTTP API for the editor. Failures are sentences for the user. */
export interface SessionApi {
  readonly read: () => Promise<Result<SessionView, string>>
  readonly save: (request: SaveRequest) => Promise<Result<SaveReport, string | typeof movedOn>>
  readonly versions: () => Promise<Result<readonly VersionView[], string>>
  /** The state text of one version. */
  readonly versionState: (versionId: string) => Promise<Result<string, string>>
  /** Rolls the session back to a version; returns the updated session. */
  readonly rollBack: (versionId: string) => Promise<Result<SessionView, string>>
  readonly faults: () => Promise<Result<readonly Fault[], string>>
  /** Orders one more fault; returns all pending ones. */
  readonly addFault: (fault: Fault) => Promise<Result<readonly Fault[], string>>
  readonly clearFaults: () => Promise<Result<readonly Fault[], string>>
  /** URL of the service's copy of a file, if it has one: of the session, or of one of its versions. */
  readonly fileAddress: (name: string, versionId?: string) => string
}

const unreachable = 'The service can’t be reached. Check that the emulator is running.'
const unreadable = 'The service returned an unreadable response.'

interface Answer {
  readonly body: unknown
  readonly text: string
}

interface Refusal {
  /** The service's error code; null when the response was unreadable. */
  readonly code: string | null
  readonly message: string
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

function toReport(value: unknown): SaveReport | null {
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
function toSession(body: Fields, text: string): SessionView {
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

const toVersions = (body: unknown): readonly VersionView[] => listOf(body).map(toVersion)

const toFaults = (body: unknown): readonly Fault[] =>
  listOf(body).map(({ kind, times, ms }) => ({
    kind: textOf(kind),
    times: numberOf(times),
    ms: typeof ms === 'number' ? ms : null,
  }))

async function ask(address: string, method = 'GET', body?: string): Promise<Result<Answer, Refusal>> {
  try {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(address, body === undefined ? { method } : { method, headers, body })
    const text = await response.text()
    const parsed: unknown = text === '' ? null : JSON.parse(text)
    if (response.ok) return ok({ body: parsed, text })
    const { error, message } = isFields(parsed) ? parsed : {}
    return fail({
      code: typeof error === 'string' ? error : null,
      message: typeof message === 'string' ? message : `The service returned status ${response.status}.`,
    })
  } catch (problem) {
    // fetch rejects with a TypeError when the server is unreachable; JSON.parse throws a SyntaxError.
    if (problem instanceof SyntaxError) return fail({ code: null, message: unreadable })
    if (problem instanceof TypeError) return fail({ code: null, message: unreachable })
    throw problem
  }
}

/** Parses the response; null when it is not as expected. */
async function askFor<Value>(
  answer: Promise<Result<Answer, Refusal>>,
  read: (body: unknown, text: string) => Value | null,
): Promise<Result<Value, string>> {
  const answered = await answer
  if (!answered.ok) return fail(answered.failure.message)
  const value = read(answered.value.body, answered.value.text)
  return value === null ? fail(unreadable) : ok(value)
}

const readSession = (body: unknown, text: string): SessionView | null => (isFields(body) ? toSession(body, text) : null)

/** Creates a client for the emulator that served this page. */
export function createSessionApi(fingerprint: string): SessionApi {
  const root = `/_emulator/sessions/${encodeURIComponent(fingerprint)}`
  const faults = '/_emulator/faults'
  const version = (id: string): string => `${root}/versions/${encodeURIComponent(id)}`
  return {
    read: () => askFor(ask(root), readSession),
    async save({ html, state, files, over }) {
      const body = objectText([
        ['html', JSON.stringify(html)],
        ['state', state],
        ['files', objectText([...files].map(([name, base64]) => [name, JSON.stringify(base64)]))],
        ...(over === undefined ? [] : [['base_version_id', JSON.stringify(over)] as const]),
      ])
      const answered = await ask(`${root}/save`, 'POST', body)
      if (!answered.ok && answered.failure.code === 'session_moved_on') return fail(movedOn)
      return askFor(Promise.resolve(answered), toReport)
    },
    versions: () => askFor(ask(`${root}/versions`), toVersions),
    versionState: (id) => askFor(ask(version(id)), (_body, text) => memberText(text, 'state')),
    rollBack: (id) => askFor(ask(`${root}/rollback`, 'POST', JSON.stringify({ version_id: id })), readSession),
    faults: () => askFor(ask(faults), toFaults),
    addFault: ({ kind, times, ms }) =>
      askFor(ask(faults, 'POST', JSON.stringify({ kind, times, ...(ms !== null && { ms }) })), toFaults),
    clearFaults: () => askFor(ask(faults, 'DELETE'), toFaults),
    fileAddress: (name, versionId) =>
      `${versionId === undefined ? root : version(versionId)}/files/${encodeURIComponent(name)}`,
  }
}
