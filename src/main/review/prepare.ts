import { readStoredText } from '@galley/library'
import type { DamagedText } from '@galley/library'
import { withoutBase } from '@galley/library/records'
import { ownUrls } from '@galley/sites/bundle'
import type { Finder, Result } from '@galley/wire'
import { createPageFacts, dummyNames, jsonLines, knownUrls, ok, rewriteCss, rewriteHtml } from '@galley/wire'

import type { ComparedTexts, TextPart } from '../../ipc/review-window.ts'
import type { PageJob, PreparedPage, TextsJob } from './jobs.ts'
import { unshownIn } from './unshown.ts'

/** Prepares a stored page for display. */
export async function preparePage(job: PageJob): Promise<Result<PreparedPage, DamagedText>> {
  const html = await readStoredText(job.html)
  if (!html.ok) return html
  const css = job.css === null ? ok(null) : await readStoredText(job.css)
  if (!css.ok) return css
  const known = either(knownUrls(new Map(job.targets)), ownUrls(job.publicBases))
  // A placeholder whose file was never saved is reported like a missing file of this site.
  const find = either(known, outside(known, dummyNames(new Map())))
  const facts = createPageFacts()
  const page = rewriteHtml(withoutBase(html.value), either(find, policies), facts.reader)
  const fonts = css.value === null ? null : rewriteCss(css.value, find)
  const sheets: (string | null)[] = []
  const missing = new Set([...page.missing, ...(fonts?.missing ?? [])])
  const read: string[] = fonts === null ? [] : [fonts.text]
  for (const place of job.sheets) {
    const sheet = await readStoredText(place)
    // In another encoding, a rewritten text would not be the same text.
    const rewritten = sheet.ok && !sheet.value.includes('\uFFFD') ? rewriteCss(sheet.value, find) : null
    sheets.push(rewritten === null || rewritten.text === (sheet.ok && sheet.value) ? null : rewritten.text)
    if (rewritten !== null) read.push(rewritten.text)
    for (const url of rewritten?.missing ?? []) missing.add(url)
  }
  const shown = unshownIn({
    html: page.text,
    sheets: read,
    origin: job.origin,
    names: new Map(job.names),
    missing: [...missing],
    isMissing: (ref) => find(ref, 'address').length > 0,
  })
  const { language } = facts.read()
  return ok({ html: page.text, language, css: fonts?.text ?? null, sheets, missing: [...missing], ...shown })
}

const policyName = /(?:^|http-equiv\s*=\s*["']?)content-security-policy(?=$|[\s"'/>])/gi

/**
 * Finds the policy that a page, or the page of a frame, sets for itself. It names the addresses of its site, which are
 * others in review, and an export leaves it out. The policy of the review itself stays.
 */
const policies: Finder = Object.assign(
  (text: string) =>
    [...text.matchAll(policyName)].map(({ 0: name, index }) => {
      const end = index + name.length
      return { start: end - policyLength, end, name, replacement: 'galley-ignored' }
    }),
  { heads: /content-security-policy/i },
)
const policyLength = 'content-security-policy'.length

/** Finds the matches of both finders. For the same match, the first one's replacement counts. */
function either(known: Finder, other: Finder): Finder {
  const heads = [known, other].flatMap((find) => find.heads?.source ?? [])
  const find = (...where: Parameters<Finder>) => [...known(...where), ...other(...where)]
  return Object.assign(find, heads.length === 2 && { heads: new RegExp(heads.join('|'), 'i') })
}

/** Finds the other's matches outside of known ones: a file name may look like a placeholder. */
const outside = (known: Finder, other: Finder): Finder =>
  Object.assign(
    (...where: Parameters<Finder>) => {
      const taken = known(...where)
      return other(...where).filter(({ start, end }) => !taken.some((each) => each.start <= start && end <= each.end))
    },
    { ...(other.heads && { heads: other.heads }) },
  )

/** The source of a page with a line break between adjacent tags; otherwise unchanged. */
export const markupLines = (html: string): string => html.replace(/>(?=<[a-z/!])/gi, '>\n')

/** Prepares the texts of two versions for comparison. */
export async function prepareTexts({
  part,
  before,
  after,
  maxChars,
}: TextsJob): Promise<Result<ComparedTexts, DamagedText>> {
  const texts: string[] = []
  for (const stored of [before, after]) {
    const text = await readStoredText(stored)
    if (!text.ok) return text
    texts.push(readable[part](text.value))
  }
  const [from = '', to = ''] = texts.map((text) => text.slice(0, maxChars).toWellFormed())
  return ok({ before: from, after: to, isCut: texts.some((text) => text.length > maxChars) })
}

const readable: Readonly<Record<TextPart, (text: string) => string>> = {
  html: markupLines,
  state: jsonLines,
}
