import { randomBytes } from 'node:crypto'
import { copyFile, writeFile } from 'node:fs/promises'
import type { IndexReads, Reviewing } from '@galley/library'
import type { Answer } from '@galley/library/records'
import { isSystemError } from '@galley/platform'
import type { Background } from '@galley/platform'
import { loadCopies } from '@galley/sites'
import { fail, ok, reportTexts } from '@galley/wire'
import { app } from 'electron'

import type { InputOf } from '../../ipc/call.ts'
import type { deskCalls, SavedFile, SavedVersion } from '../../ipc/desk.ts'
import type { ReviewJobs } from '../review/jobs.ts'
import { reviewScheme } from '../review/review-scheme.ts'
import type { VersionFiles } from '../review/version-files.ts'
import type { VersionPage, VersionPages } from '../review/version-pages.ts'
import type { WholePages } from '../review/whole-pages.ts'
import type { Quarantine } from './quarantine.ts'

export type ChooseVersionFile = (
  what: 'versionFile',
  options: { readonly name: string; readonly extensions: readonly string[] },
) => Promise<string | null>

interface Ports {
  readonly index: IndexReads
  readonly folder: string
  readonly reviewing: Pick<Reviewing, 'compare'>
  readonly pages: VersionPages
  readonly wholePages: Pick<WholePages, 'make'>
  readonly quarantine: Quarantine
  readonly background: Background<ReviewJobs>
  readonly versionFiles: VersionFiles
  readonly choose: ChooseVersionFile
  readonly now: () => Date
}

const endings = { html: 'html', zip: 'zip', pdf: 'pdf', png: 'png', report: 'html', reportPdf: 'pdf' } as const
const notShown = fail({ code: 'unexpected' } as const)

interface Made {
  readonly bytes: Uint8Array
  readonly isCut: boolean
}

const whole = (bytes: Uint8Array | null): Answer<Made> => (bytes === null ? notShown : ok({ bytes, isCut: false }))

/** Saves a page or its archive as stored, the page as PDF or PNG, or a report about a version, where a person chooses. */
export function versionSaver(ports: Ports) {
  const { pages, quarantine, background, choose, versionFiles } = ports

  async function made(input: SavedVersion): Promise<Answer<Made>> {
    const { kind } = input
    if (kind === 'report' || kind === 'reportPdf') {
      const html = await reportOf(ports, input)
      if (!html.ok) return html
      return whole(kind === 'report' ? Buffer.from(html.value) : await quarantine.paper(pageOf(html.value)))
    }
    const page = await pages.make(input)
    if (!page.ok) return page
    if (kind === 'pdf') return whole(await quarantine.paper(page.value))
    const picture = await quarantine.whole(page.value)
    const bytes = picture && (await background.run('encodeWhole', picture))
    return bytes === null || picture === null ? notShown : ok({ bytes, isCut: picture.isCut })
  }

  return async (input: InputOf<typeof deskCalls.saveVersion>): Promise<Answer<SavedFile | null>> => {
    const { kind } = input
    const ending = endings[kind]
    const name = versionFiles.nameOf(input, ending)
    if (name === null) return fail({ code: 'unknown_version' })
    const path = await choose('versionFile', { name, extensions: [ending] })
    if (path === null) return ok(null)
    const isStored = kind === 'html' || kind === 'zip'
    const file = isStored ? await versionFiles.copy({ ...input, kind }) : await made(input)
    if (!file.ok) return file
    try {
      if (typeof file.value === 'string') await copyFile(file.value, path)
      else await writeFile(path, file.value.bytes)
      return ok({ path, isCut: typeof file.value !== 'string' && file.value.isCut })
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
  for (const each of from === null ? [versionId] : [from, versionId])
    await ports.wholePages.make({ site: id, materialId, versionId: each })
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
