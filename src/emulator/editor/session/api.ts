import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'

/** How a save ended, as the emulator tells it. */
export interface SaveReport {
  readonly result: 'merged' | 'rejected' | 'webhook_failed'
  /** The site's own words, or what went wrong. */
  readonly message: string
}

/** A session as the page needs it. */
export interface SessionView {
  readonly materialId: string
  readonly state: unknown
  /** null before the first save, and while the site has not answered. */
  readonly lastSave: SaveReport | null
}

/** What the Save button sends. `files` are base64 texts by name. */
export interface SaveRequest {
  readonly html: string
  readonly state: Readonly<Record<string, unknown>>
  readonly files: Readonly<Record<string, string>>
}

/** The emulator as this page talks to it. Failures are sentences for the person at the page. */
export interface SessionApi {
  readonly read: () => Promise<Result<SessionView, string>>
  readonly save: (request: SaveRequest) => Promise<Result<SaveReport, string>>
  /** Address of a file of the last save that is in no public place yet. */
  readonly fileAddress: (name: string) => string
}

const unreachable = 'The emulator cannot be reached. Is it still running?'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function toReport(value: unknown): SaveReport | null {
  if (!isObject(value)) return null
  const { result, message } = value
  if (result !== 'merged' && result !== 'rejected' && result !== 'webhook_failed') return null
  return { result, message: typeof message === 'string' ? message : '' }
}

async function fetchJson(
  address: string,
  init?: RequestInit,
): Promise<Result<Readonly<Record<string, unknown>>, string>> {
  try {
    const response = await fetch(address, init)
    const body: unknown = await response.json()
    if (!isObject(body)) return fail('The emulator gave an answer that cannot be read.')
    return response.ok
      ? ok(body)
      : fail(typeof body['message'] === 'string' ? body['message'] : `The emulator answered ${response.status}.`)
  } catch {
    // fetch and json() reject for the same reasons: nobody there, or nobody who talks like the emulator.
    return fail(unreachable)
  }
}

/** Talks to the emulator that served this page. */
export function createSessionApi(fingerprint: string): SessionApi {
  const root = `/_emulator/sessions/${encodeURIComponent(fingerprint)}`
  return {
    async read() {
      const answer = await fetchJson(root)
      if (!answer.ok) return answer
      const { material_id: materialId, state, last_save: lastSave } = answer.value
      return ok({ materialId: String(materialId), state, lastSave: toReport(lastSave) })
    },
    async save(request) {
      const answer = await fetchJson(`${root}/save`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(request),
      })
      if (!answer.ok) return answer
      const report = toReport(answer.value)
      return report === null ? fail('The emulator gave an answer that cannot be read.') : ok(report)
    },
    fileAddress: (name) => `${root}/files/${encodeURIComponent(name)}`,
  }
}
