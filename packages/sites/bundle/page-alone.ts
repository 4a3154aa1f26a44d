import { textDirection } from '@galley/library/records'

const doctype = /^(?:\s|<!--[^]*?-->)*<!doctype\b[^>]*>/i
const isWhole = /<(?:html|body)\b/i

/**
 * A stored page as a document of its own, as exports complete it: with the doctype of a site's template, whatever its own is,
 * and first the fonts of the site, as the template links them. A fragment gets the language and the direction that the
 * template would have.
 */
export function pageAlone(html: string, language: string, fontsUrl: string | null): string {
  const [own = ''] = doctype.exec(html) ?? []
  const start = isWhole.test(html)
    ? ''
    : `<html lang="${language.replace(/[^\w-]/g, '')}" dir="${textDirection(language)}">`
  const fonts = fontsUrl === null ? '' : `<link rel="stylesheet" href="${fontsUrl}">`
  return `<!doctype html>\n${start}${fonts}${html.slice(own.length)}`
}
