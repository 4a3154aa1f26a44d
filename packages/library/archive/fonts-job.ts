import {
  cause,
  encodeSegment,
  fail,
  fillFontUrls,
  fontsCssName,
  fontsRole,
  loadCssReferences,
  loadReferenceFinder,
  ok,
  shownName,
} from '@galley/wire'
import type { Result, Sha256 } from '@galley/wire'

import { decodeUtf8 } from './entry-name.ts'
import { readReferences } from './file-references.ts'
import type { JobTools } from './job-tools.ts'
import type { ArchiveFailure, NamedBlob, UnpackedFonts, UnpackFontsJob } from './jobs.ts'
import type { OpenArchive } from './open-archive.ts'
import { withStoredNames } from './stored-names.ts'
import { assignRoles, unpackEntries } from './unpack.ts'
import { urlHosts } from './url-hosts.ts'

/** Some senders refer to the CSS as `dummy-fonts.css`, whatever its entry is called. */
const cssAlias = 'fonts.css'

const treeName = 'vms_fonts.json'

/** Unpacks a fonts ZIP, rewrites its CSS and fills the font trees (contract, Site callback endpoint, fonts). */
export async function unpackFonts(
  job: UnpackFontsJob,
  archive: OpenArchive,
  place: JobTools,
): Promise<Result<UnpackedFonts, ArchiveFailure>> {
  const { staging, warnings, steps } = place
  const assigned = assignRoles<'css' | 'tree'>(archive, job.limits, fontsRole, { css: fontsCssName })
  if (!assigned.ok) return assigned
  // All files of a snapshot share one public folder, and the CSS uses this name.
  if (assigned.value.roles.some(({ role }) => role.kind === 'file' && role.name === fontsCssName)) {
    return fail({ kind: 'invalid_archive', problem: cause('font_named_css', { name: fontsCssName }) })
  }
  const unpacked = await unpackEntries(assigned.value, place)
  steps.end('unpack')
  if (!unpacked.ok) return unpacked
  const { texts, kept } = unpacked.value
  const files = withStoredNames(unpacked.value.files, job.isInFolder, () => '')

  const urlByFile = new Map<string, string>([[fontsCssName, job.publicFolder + encodeSegment(fontsCssName)]])
  for (const [name, { storedName }] of files) urlByFile.set(name, job.publicFolder + encodeSegment(storedName))
  const css = decodeUtf8(texts.get('css') ?? Buffer.alloc(0))
  if (css === null)
    return fail({
      kind: 'invalid_archive',
      problem: cause('unreadable', { name: fontsCssName, why: cause('not_utf8') }),
    })
  const rewrittenCss = await rewriteFontsCss(css, urlByFile, place)
  const tree = texts.get('tree')
  const filledTree = tree === undefined ? null : fillTree(tree, urlByFile, place)
  const answer = job.tree === null ? null : fillFontUrls(job.tree, urlByFile)
  if (answer !== null && !answer.ok) warnings.add('font_tree_unread')
  steps.end('rewrite')

  const cssBytes = Buffer.from(rewrittenCss)
  const keep = (name: string, content: Buffer): NamedBlob => ({ name, ...staging.keep(content) })
  const storedCss = keep(fontsCssName, cssBytes)
  const storedTree = filledTree === null ? null : keep(treeName, filledTree)
  const naming = new Map<Sha256, Buffer>([[storedCss.sha256, cssBytes]])
  if (storedTree !== null && filledTree !== null) naming.set(storedTree.sha256, filledTree)
  const result = {
    kind: 'fonts' as const,
    files: Array.from(files.values(), ({ storedName: name, ...blob }) => ({ name, ...blob })),
    css: storedCss,
    tree: storedTree,
    sheets: (await readReferences(naming)).sheets,
    answerTree: answer?.ok === true ? keep('fonts', Buffer.from(answer.value.text)) : null,
    kept,
    answerHosts: urlHosts(answer?.ok === true ? answer.value.urls : []),
  }
  return ok({ ...result, ...staging.finish(), warnings: warnings.list() })
}

async function rewriteFontsCss(
  css: string,
  urlByFile: ReadonlyMap<string, string>,
  { warnings }: JobTools,
): Promise<string> {
  const [{ rewriteCss }, { dummyNames, relativePaths }] = await Promise.all([
    loadCssReferences(),
    loadReferenceFinder(),
  ])
  const cssUrl = urlByFile.get(fontsCssName) ?? ''
  const { text, missing } = rewriteCss(css, dummyNames(new Map([[cssAlias, cssUrl], ...urlByFile])))
  for (const name of new Set(missing)) warnings.add('font_file_missing', shownName(name))
  // In the archive, the CSS is beside the fonts folder; some senders give file names only.
  const beside = [...urlByFile].flatMap(([name, url]) => [[`vms_fonts/${name}`, url] as const, [name, url] as const])
  return rewriteCss(text, relativePaths(new Map(beside))).text
}

/** The contract does not specify the tree's shape, so an unreadable tree is stored unchanged. */
function fillTree(bytes: Buffer, urlByFile: ReadonlyMap<string, string>, { warnings }: JobTools): Buffer {
  const text = decodeUtf8(bytes)
  const filled = text === null ? null : fillFontUrls(text, urlByFile)
  if (filled?.ok === true) return Buffer.from(filled.value.text)
  warnings.add('font_tree_kept', treeName)
  return bytes
}
