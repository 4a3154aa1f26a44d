import { createHash, randomUUID } from 'node:crypto'
import type { MaterialId, SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { Change, Entry } from '../../records/changes.ts'
import { editLinkOf } from '../../records/edit-link.ts'
import type { WebhookNews } from '../../records/webhook.ts'
import { newsOf, webhookBody } from '../../records/webhook.ts'
import { fieldValues } from '../database/field-columns.ts'
import { createConfirmedWebhooks } from './confirmed-webhooks.ts'

/** How many deliveries of each site are kept, those that wait among them. */
const keptOfSite = 1000

/** A name for a message that is the same when the message is queued again after a crash, so a receiver knows it. */
const messageId = (...source: readonly (string | number)[]): string =>
  `msg_${createHash('sha256').update(source.join(' ')).digest('hex').slice(0, 32)}`

/** An entry of the log; `writer` is '' in that of a folder. */
export type ToldEntry = Pick<Entry, 'changes' | 'position' | 'previous' | 'writer'>

/** How many commented places of a version are told. */
const quotesAtMost = 20

/** The title of a material, and the number and the commented places of a version at this moment. */
function createNames(db: Database) {
  const quotes = db
    .prepare<[string, string, number, number], string>(
      `SELECT coalesce(c.anchor ->> 'exact', c.anchor ->> 'label') FROM material m JOIN version v ON v.material = m.id
         JOIN comment c ON c.version = v.id
       WHERE m.site = ? AND m.material_id = ? AND v.number <= ? AND c.thread IS NULL AND c.resolved_at IS NULL
       ORDER BY c.id LIMIT ?`,
    )
    .pluck()
  const title = db
    .prepare<[string, string], string>('SELECT title FROM material WHERE site = ? AND material_id = ?')
    .pluck()
  const number = db
    .prepare<[string, string, string], number>(
      `SELECT v.number FROM material m JOIN version v ON v.material = m.id
       WHERE m.site = ? AND m.material_id = ? AND v.version_id = ?`,
    )
    .pluck()
  return ({ site, materialId, versionId, decision }: WebhookNews) => {
    if (materialId === undefined) return { title: null, number: null, quotes: [] }
    const ofVersion = versionId === undefined ? null : (number.get(site, materialId, versionId) ?? null)
    return {
      title: title.get(site, materialId) ?? null,
      number: ofVersion,
      quotes:
        ofVersion === null || decision === undefined
          ? []
          : quotes.all(site, materialId, ofVersion, quotesAtMost).filter((quote) => quote !== ''),
    }
  }
}

/** By which names this computer knows its own entries in the log of a team. */
export function createWriterNames(db: Database) {
  const read = db.prepare<[], string>(`SELECT value FROM local.setting WHERE name = 'team-writer'`).pluck()
  const put = db.prepare<[string]>(`INSERT OR IGNORE INTO local.setting (name, value) VALUES ('team-writer', ?)`)
  return {
    /** A new name for one entry. */
    next(): string {
      if (read.get() === undefined) put.run(randomUUID())
      return `${read.get() ?? ''}.${randomUUID()}`
    },
    /** Whether this computer has written an entry. A folder has no other writers. */
    isOurs: (writer: string): boolean => writer === '' || writer.startsWith(`${read.get() ?? writer}.`),
  }
}

/**
 * Queues messages to webhooks, in the transaction that stores what happened. Sends nothing: the queue is read by whichever
 * process sends.
 */
export function createWebhookQueue(db: Database) {
  const confirmed = createConfirmedWebhooks(db)
  const names = createNames(db)
  const setting = db.prepare<[string], object>('SELECT * FROM site_setting WHERE site = ?')
  const put = db.prepare<Record<string, string | number | null>>(
    `INSERT OR IGNORE INTO local.webhook_delivery (id, site, type, material_id, at, body, due_ms)
     VALUES (@id, @site, @type, @materialId, @at, @body, @dueMs)`,
  )
  const prune = db.prepare<[string, string, number]>(
    `DELETE FROM local.webhook_delivery WHERE site = ? AND arrival <= (
       SELECT arrival FROM local.webhook_delivery WHERE site = ? ORDER BY arrival DESC LIMIT 1 OFFSET ?)`,
  )

  function queue(news: WebhookNews, id: string): void {
    const { site, type, materialId = null, at } = news
    const here = confirmed.of(site)
    if (here === null || here.isGone) return
    const { webhookUrl, webhookEvents, namesInWebhook, editLink } = fieldValues('site', setting.get(site) ?? {})
    if (webhookUrl !== here.url || !webhookEvents.includes(type)) return
    const link = materialId === null ? null : editLinkOf(editLink, materialId)
    const body = webhookBody(news, { ...names(news), link, withNames: namesInWebhook })
    put.run({ id, site, type, materialId, at, body, dueMs: Date.parse(at) })
    prune.run(site, site, keptOfSite)
  }

  return {
    queue,
    /** Queues that a save failed. Part of the transaction that stores how its callback ended. */
    saveFailed(callback: string, site: SiteId, materialId: MaterialId, code: string | null, at: string): void {
      queue({ type: 'save.failed', site, at, materialId, code }, messageId(callback))
    },
    /** Queues a message that tells nothing, whatever events the site has chosen. Returns its id. */
    test(site: SiteId, at: string): string {
      const id = `msg_${randomUUID().replaceAll('-', '')}`
      const body = JSON.stringify({ type: 'webhook.test', timestamp: at, data: { site } })
      put.run({ id, site, type: 'webhook.test', materialId: null, at, body, dueMs: Date.parse(at) })
      prune.run(site, site, keptOfSite)
      return id
    },
  }
}

/** Queues what entries of the log tell. */
export function createToldLog(db: Database) {
  const { queue } = createWebhookQueue(db)
  const { forget } = createConfirmedWebhooks(db)
  const { isOurs } = createWriterNames(db)
  const told = db.prepare<[], number>('SELECT told FROM callbacks_of_log').pluck()
  const advance = db.prepare<[number]>('UPDATE callbacks_of_log SET told = ?')
  const forgetSite = db.prepare<[string]>('DELETE FROM local.webhook_delivery WHERE site = ?')
  const forgetMaterial = db.prepare<[string, string]>(
    'DELETE FROM local.webhook_delivery WHERE site = ? AND material_id = ?',
  )

  function forgetWith(change: Change): void {
    if (change.kind === 'site_removed') {
      forgetSite.run(change.site)
      forget(change.site)
    }
    if (change.kind === 'materials_deleted') for (const id of change.materialIds) forgetMaterial.run(change.site, id)
  }

  return {
    /** Queues what an entry of this computer tells, unless that was done before. Part of a transaction. */
    follow({ changes, position, previous, writer }: ToldEntry): void {
      if (position <= (told.get() ?? 0)) return
      advance.run(position)
      changes.forEach(forgetWith)
      if (!isOurs(writer)) return
      changes.flatMap(newsOf).forEach((news, at) => queue(news, messageId(previous, position, at)))
    },
    /** What was told stays told when the log is read again from its beginning, up to this position. */
    restart: (end: number): void => void advance.run(end),
  }
}
