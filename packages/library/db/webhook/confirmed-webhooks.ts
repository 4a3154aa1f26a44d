import { parsedJson } from '@galley/wire'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'

const stored = z.object({
  url: z.string(),
  /** The private addresses that its host name may lead to. */
  addresses: z.array(z.string()),
  /** The receiver has answered that it wants no more. */
  isGone: z.boolean(),
  since: z.string(),
})
/** What a person has confirmed on this computer about the webhook of a site. */
export type ConfirmedWebhook = Readonly<z.infer<typeof stored>>

/** Webhooks that a person has confirmed on this computer, by site. Unreadable text confirms nothing. */
export function createConfirmedWebhooks(db: Database) {
  const one = db.prepare<[string], string>('SELECT value FROM setting WHERE name = ?').pluck()
  const put = db.prepare<[string, string]>('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')
  const forget = db.prepare<[string]>('DELETE FROM setting WHERE name = ?')
  const nameOf = (site: string): string => `webhook/${site}`
  return {
    of(site: string): ConfirmedWebhook | null {
      const text = one.get(nameOf(site))
      return text === undefined ? null : (stored.safeParse(parsedJson(text)).data ?? null)
    },
    put: (site: string, confirmed: ConfirmedWebhook): void => void put.run(nameOf(site), JSON.stringify(confirmed)),
    forget: (site: string): void => void forget.run(nameOf(site)),
  }
}
