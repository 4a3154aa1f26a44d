import type { MaterialId, Sha256, SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { AskedFace } from '../../records/asked-faces.ts'
import { stringList } from '../database/string-list.ts'

/** The font families that a page uses in its CSS, those it declares with `@font-face`, and the faces that its texts request. */
export interface PageFonts {
  readonly families: readonly string[]
  readonly own: readonly string[]
  readonly asked: readonly AskedFace[]
}

/** A material's current page with its font usage; null: not read yet. */
export interface CurrentPage {
  readonly materialId: MaterialId
  readonly title: string
  readonly html: Sha256
  readonly fonts: PageFonts | null
}

interface Row {
  material_id: string
  title: string
  html_sha256: Sha256
  families: string | null
  own: string | null
  asked: string | null
}

/** The font families that pages use, cached by page. */
export function createPageFonts(db: Database) {
  const current = db.prepare<[string], Row>(
    `SELECT m.material_id, m.title, v.html_sha256, p.families, p.own, p.asked FROM material m
       JOIN version v ON v.id = m.current_version LEFT JOIN page_font p ON p.html_sha256 = v.html_sha256
     WHERE m.site = ?`,
  )
  const put = db.prepare<[string, string, string, string]>(
    'INSERT OR REPLACE INTO page_font (html_sha256, families, own, asked) VALUES (?, ?, ?, ?)',
  )
  return {
    currentPages: (site: SiteId): readonly CurrentPage[] =>
      current.all(site).map((row) => ({
        materialId: row.material_id,
        title: row.title,
        html: row.html_sha256,
        fonts:
          row.families === null || row.own === null || row.asked === null
            ? null
            : {
                families: stringList(row.families),
                own: stringList(row.own),
                asked: JSON.parse(row.asked) as AskedFace[],
              },
      })),
    put: (read: readonly (PageFonts & { readonly html: Sha256 })[]): void =>
      db
        .transaction(() => {
          for (const { html, families, own, asked } of read)
            put.run(html, JSON.stringify(families), JSON.stringify(own), JSON.stringify(asked))
        })
        .immediate(),
  }
}
