/** A review of a version as one HTML file, for readers without Galley. */

import type { IndexReads, WholePage } from '@galley/library'
import { keptWholePage } from '@galley/library'
import type {
  CommentThread,
  ComparedVersions,
  Decision,
  ExportFailure,
  Site,
  VersionRow,
} from '@galley/library/records'
import type { MaterialId, reportTexts, Result, Sha256, VersionId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { escapeText } from '../bundle/render/markup.ts'
import type { WrittenCopy } from './write-copy.ts'
import { writeTextCopy } from './write-copy.ts'

export type ReportTexts = Readonly<Record<keyof typeof reportTexts, string>>

/** What the words of the caller say. */
export interface ReportWords {
  readonly language: string
  readonly texts: ReportTexts
  /** One sentence about all changes. */
  readonly summary: string
  /** For each change, what happened. */
  readonly changes: readonly string[]
  /** What changed besides the content. */
  readonly elsewhere: readonly string[]
}

export interface ReportFacts {
  readonly site: Pick<Site, 'name'>
  readonly title: string
  readonly version: VersionRow
  readonly baseline: Pick<VersionRow, 'number'> | null
  /** Both pages, the earlier one first; null: the app has made no pictures of it. */
  readonly pages: readonly { readonly number: number; readonly pictures: WholePage | null }[]
  readonly compared: Pick<ComparedVersions, 'changes'>
  readonly threads: readonly CommentThread[]
  readonly decisions: readonly Decision[]
  readonly files: readonly { readonly name: string; readonly bytes: number | null; readonly sha256: Sha256 }[]
  readonly hashes: { readonly html: Sha256; readonly state: Sha256; readonly archive: Sha256 }
  readonly withNames: boolean
  readonly software: string
  readonly at: Date
}

interface Asked {
  readonly site: Site
  readonly materialId: MaterialId
  readonly versionId: VersionId
  readonly compared: ComparedVersions
  readonly withNames: boolean
  readonly software: string
  readonly at: Date
}

/** Collects what a report tells about a version and the one that it is compared with. `folder`: that of the library. */
export async function reportFacts(
  { index, folder }: { readonly index: IndexReads; readonly folder: string },
  { site, materialId, versionId, compared, ...rest }: Asked,
): Promise<Result<ReportFacts, { readonly code: 'unknown_version'; readonly versionId: VersionId }>> {
  const { versions, versionList, snapshots, comments, materials } = index
  const version = versionList.find(site.id, materialId, versionId)
  const stored = versions.find(site.id, materialId, versionId)
  const parts = versions.parts(site.id, materialId, versionId)
  if (version === null || stored === null || parts === null) return fail({ code: 'unknown_version', versionId })
  const baseline = compared.from === null ? null : versionList.find(site.id, materialId, compared.from)
  const fontsCss = snapshots.newest(site.id)?.css ?? null
  const pages: ReportFacts['pages'][number][] = []
  for (const each of [baseline, version]) {
    const html = each && versions.parts(site.id, materialId, each.versionId)?.html
    if (each !== null && html)
      pages.push({ number: each.number, pictures: await keptWholePage(folder, { html, fontsCss }) })
  }
  return ok({
    ...rest,
    site,
    title: materials.find(site.id, materialId)?.title ?? materialId,
    version,
    baseline,
    pages,
    compared,
    threads: comments.of(site.id, materialId),
    decisions: versionList.decisions(site.id, materialId),
    files: versions
      .media(site.id, materialId, versionId)
      .map(({ name, sizeBytes, sha256 }) => ({ name, bytes: sizeBytes, sha256 })),
    hashes: { html: parts.html, state: parts.state, archive: stored.archiveSha256 },
  })
}

/**
 * The report as HTML without scripts, and without anything from the network. It holds no metadata, no address of a person or
 * computer, and names only `withNames`. Reasons and comments are texts of their own and stay as they were written.
 */
export function reportHtml(facts: ReportFacts, words: ReportWords): string {
  const { texts, language } = words
  const title = `${facts.title} · ${texts.title}`
  return `<!doctype html>
<html lang="${escapeText(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeText(facts.title)}</h1>
${about(facts, words)}
${section(texts.pictures, pictures(facts, words))}
${section(texts.changes, changes(facts, words))}
${section(texts.comments, comments(facts, words))}
${section(texts.decisions, decisions(facts, words))}
${section(texts.hashes, hashes(facts, words))}
</body>
</html>
`
}

/** Writes it to a new file; nothing that exists there is replaced. */
export const writeReport = (
  file: string,
  facts: ReportFacts,
  words: ReportWords,
): Promise<Result<WrittenCopy, ExportFailure>> => writeTextCopy(file, reportHtml(facts, words))

const style = `body { max-width: 76rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1b1f26; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; } table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .6rem .35rem 0; border-top: 1px solid #d8dce3; text-align: start; vertical-align: top;
  overflow-wrap: anywhere; white-space: pre-line; } th { font-weight: 600; white-space: nowrap; overflow-wrap: normal; } code { font-size: 12px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dt { color: #555b66; } dd { margin: 0; }
.pages { display: flex; gap: 1rem; align-items: start; } figure { flex: 1; min-width: 0; max-width: 50rem; margin: 0; }
.page { border: 1px solid #d8dce3; } img { display: block; width: 100%; } figcaption { padding: .35rem 0; font-weight: 600; }
blockquote { margin: 0; padding-inline-start: .6rem; border-inline-start: 3px solid #1f5fd0; white-space: pre-line; }
article { margin: 0 0 1rem; break-inside: avoid; } p { margin: .2rem 0; white-space: pre-line; } .meta { color: #555b66; }`

const section = (title: string, body: string): string => `<section><h2>${escapeText(title)}</h2>\n${body}</section>`

const moment = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`

function about({ site, version, baseline, software, at, withNames }: ReportFacts, { texts }: ReportWords): string {
  const lines: readonly (readonly [string, string])[] = [
    [texts.ofSite, site.name],
    [texts.material, version.materialId],
    [texts.version, `${version.number} (${version.versionId})`],
    [texts.baseline, baseline === null ? texts.noBaseline : `${texts.version} ${baseline.number}`],
    [texts.received, moment(version.receivedAt)],
    [texts.made, `${moment(at.toISOString())}, ${software}`],
  ]
  const list = lines.map(([name, value]) => `<dt>${escapeText(name)}</dt><dd>${escapeText(value)}</dd>`).join('\n')
  return `<dl>\n${list}\n</dl>${withNames ? '' : `\n<p class="meta">${escapeText(texts.nameless)}</p>`}`
}

function pictures({ pages }: ReportFacts, { texts }: ReportWords): string {
  const sides = pages.length === 1 ? [] : [`${texts.before}: `, `${texts.after}: `]
  const figures = pages.map(({ number, pictures: all }, side) => {
    const name = escapeText(`${sides[side] ?? ''}${texts.version} ${number}`)
    if (all === null) return `<figure><figcaption>${name}</figcaption><p>${escapeText(texts.missing)}</p></figure>`
    const images = all.slices.map(
      (jpeg, at) => `<img src="data:image/jpeg;base64,${jpeg}" alt="${at === 0 ? name : ''}">`,
    )
    const end = all.isCut ? `<p>${escapeText(texts.cut)}</p>` : ''
    return `<figure><figcaption>${name}</figcaption><div class="page">${images.join('')}</div>${end}</figure>`
  })
  return `<div class="pages">\n${figures.join('\n')}\n</div>`
}

function changes(
  { compared, baseline }: ReportFacts,
  { texts, summary, changes: said, elsewhere }: ReportWords,
): string {
  if (baseline === null) return `<p>${escapeText(texts.noBaseline)}</p>`
  const rows = compared.changes.map(({ before, after, details, kind }, at) => {
    const sides =
      kind === 'attribute'
        ? [
            details.map((each) => `${each.name}=${each.before ?? ''}`),
            details.map((each) => `${each.name}=${each.after ?? ''}`),
          ]
        : [[before ?? ''], [after ?? '']]
    return [said[at] ?? kind, ...sides.map((side) => side.join('\n'))]
  })
  const others = elsewhere.length === 0 ? '' : `<p>${escapeText(elsewhere.join(', '))}</p>`
  const list = rows.length === 0 ? '' : table([texts.change, texts.before, texts.after], rows)
  return `<p>${escapeText(summary)}</p>\n${list}${others}`
}

function comments({ threads, withNames }: ReportFacts, { texts }: ReportWords): string {
  if (threads.length === 0) return `<p>${escapeText(texts.none)}</p>`
  return threads
    .map(({ anchor, comments: said, resolved, number }) => {
      const quote = anchor.kind === 'text' ? anchor.exact : anchor.label
      const state = `${texts.version} ${number} · ${resolved === null ? texts.open : texts.resolved}`
      const lines = said.map(
        ({ by, at, text }) =>
          `<p><span class="meta">${escapeText([...(withNames && by !== '' ? [by] : []), moment(at)].join(', '))}</span><br>${escapeText(text)}</p>`,
      )
      return `<article><p class="meta">${escapeText(state)}</p><blockquote>${escapeText(quote)}</blockquote>${lines.join('')}</article>`
    })
    .join('\n')
}

function decisions({ decisions: all, withNames }: ReportFacts, { texts }: ReportWords): string {
  if (all.length === 0) return `<p>${escapeText(texts.none)}</p>`
  return table(
    null,
    all.map(({ number, decision, at, reason, by }) => [
      `${texts.version} ${number}`,
      texts[decision],
      reason,
      [...(withNames && by !== '' ? [by] : []), moment(at)].join(', '),
    ]),
  )
}

function hashes({ hashes: { html, state, archive }, files }: ReportFacts, { texts }: ReportWords): string {
  const own = [
    [texts.page, '', html],
    [texts.state, '', state],
    [texts.archive, '', archive],
  ]
  return table(
    [texts.file, texts.bytes, 'SHA-256'],
    [...own, ...files.map(({ name, bytes, sha256 }) => [name, bytes === null ? '' : String(bytes), sha256])],
  )
}

function table(heads: readonly string[] | null, rows: readonly (readonly string[])[]): string {
  const line = (cell: 'th' | 'td', cells: readonly string[]): string =>
    `<tr>${cells.map((each) => `<${cell}>${escapeText(each)}</${cell}>`).join('')}</tr>`
  const head = heads === null ? '' : `<thead>${line('th', heads)}</thead>\n`
  return `<table>\n${head}<tbody>\n${rows.map((row) => line('td', row)).join('\n')}\n</tbody>\n</table>`
}
