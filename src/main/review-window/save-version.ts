import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Index, Reviewing } from '@galley/library'
import type { Answer } from '@galley/library/records'
import { isSystemError } from '@galley/platform'
import { loadCopies } from '@galley/sites'
import { fail, ok, reportTexts } from '@galley/wire'
import { app } from 'electron'

import type { InputOf } from '../../ipc/call.ts'
import type { deskCalls, SavedVersion } from '../../ipc/desk.ts'
import { reviewScheme } from '../review/review-scheme.ts'
import type { VersionPage, VersionPages } from '../review/version-pages.ts'
import type { Quarantine } from './quarantine.ts'

export type ChooseVersionFile = (
  what: 'versionFile',
  options: { readonly name: string; readonly extensions: readonly string[] },
) => Promise<string | null>

interface Ports {
  readonly index: Index
  readonly folder: string
  readonly reviewing: Pick<Reviewing, 'compare'>
  readonly pages: VersionPages
  readonly quarantine: Quarantine
  readonly choose: ChooseVersionFile
  readonly now: () => Date
}

const endings = { pdf: 'pdf', png: 'png', report: 'html', reportPdf: 'pdf' } as const
const notShown = fail({ code: 'unexpected' } as const)

/** Saves a page as PDF or PNG, or a report about a version, where a person chooses. */
export function versionSaver(ports: Ports) {
  const { index, pages, quarantine, choose } = ports

  async function bytesOf(input: SavedVersion): Promise<Answer<Uint8Array>> {
    const { kind } = input
    if (kind === 'report' || kind === 'reportPdf') {
      const html = await reportOf(ports, input)
      if (!html.ok) return html
      const made = kind === 'report' ? Buffer.from(html.value) : await quarantine.copy(pageOf(html.value), 'pdf')
      return made === null ? notShown : ok(made)
    }
    const page = await pages.make(input)
    if (!page.ok) return page
    const made = await quarantine.copy(page.value, kind)
    return made === null ? notShown : ok(made)
  }

  return async (input: InputOf<typeof deskCalls.saveVersion>): Promise<Answer<string | null>> => {
    const { site, materialId, versionId, kind } = input
    const version = index.versionList.find(site, materialId, versionId)
    if (version === null) return fail({ code: 'unknown_version' })
    const ending = endings[kind]
    const name = `${materialId.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80)}-${version.number}.${ending}`
    const path = await choose('versionFile', { name, extensions: [ending] })
    if (path === null) return ok(null)
    const bytes = await bytesOf(input)
    if (!bytes.ok) return bytes
    try {
      await writeFile(path, bytes.value)
      return ok(path)
    } catch (error) {
      if (isSystemError(error)) return fail({ code: 'chosen_file_failed', reason: error.code })
      throw error
    }
  }
}

async function reportOf(
  ports: Ports,
  { site: id, materialId, versionId, report }: SavedVersion,
): Promise<Answer<string>> {
  const site = ports.index.sites.find(id)
  if (site === null || report === null) return fail({ code: 'unknown_version' })
  const { from, withNames, texts, ...words } = report
  const compared = await ports.reviewing.compare({ site: id, materialId, from, to: versionId })
  if (!compared.ok) return compared
  const { reportFacts, reportHtml } = await loadCopies()
  const software = `Galley ${app.getVersion()}`
  const facts = await reportFacts(ports, {
    site,
    materialId,
    versionId,
    withNames,
    software,
    compared: compared.value,
    at: ports.now(),
  })
  return facts.ok ? ok(reportHtml(facts.value, { ...words, texts: { ...reportTexts, ...texts } })) : facts
}

/** A report as a page of its own, to be printed. */
function pageOf(text: string): VersionPage {
  const origin = `${reviewScheme}://${randomBytes(16).toString('hex')}`
  const files = new Map([['page', { kind: 'text', text, type: 'text/html; charset=utf-8' }]] as const)
  return { origin, url: `${origin}/page`, files, shown: { unshown: [], hasScripts: false } }
}
