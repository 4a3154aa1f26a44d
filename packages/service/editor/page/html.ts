import { assertNever } from '@galley/wire'

import type { Assets } from './assets.ts'
import { referenceTo } from './assets.ts'
import { criticalCss } from './critical-css.ts'
import type { FieldsOf } from './kinds.ts'
import { lookOfFields } from './looks.ts'
import type { Block, Page } from './page.ts'
import type { Span } from './spans.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>')

/** Attributes, each with a leading space. Null and empty ones are omitted, except `alt`. */
const attributes = (values: Readonly<Record<string, string | number | null | undefined>>): string =>
  Object.entries(values)
    .filter(([name, value]) => value != null && (value !== '' || name === 'alt'))
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')

function spanHtml({ text, bold, italic, link }: Span): string {
  const inner = lines(text)
  const slanted = italic ? `<em>${inner}</em>` : inner
  const strong = bold ? `<strong>${slanted}</strong>` : slanted
  return link === null ? strong : `<a${attributes({ href: link })}>${strong}</a>`
}

const textHtml = (spans: readonly Span[]): string => spans.map(spanHtml).join('')

const isBlank = (spans: readonly Span[]): boolean => spans.every(({ text }) => text.trim() === '')

function figureHtml(media: string, { caption, size }: FieldsOf<'image'> | FieldsOf<'video'>): string {
  const words = caption.trim() === '' ? '' : `<figcaption>${lines(caption)}</figcaption>`
  return `<figure${attributes({ ...lookOfFields({ size }) })}>${media}${words}</figure>`
}

function blockHtml(block: Block, assets: Assets): string {
  const inside = (): string => blocksHtml(block.kind === 'foreign' ? [] : block.blocks, assets)
  const source = (file: string): string => referenceTo(assets, file)
  switch (block.kind) {
    case 'paragraph':
      return isBlank(block.text) ? '' : `<p${attributes({ ...lookOfFields(block.fields) })}>${textHtml(block.text)}</p>`
    case 'heading': {
      const tag = `h${block.fields.level}`
      const look = attributes({ ...lookOfFields(block.fields) })
      return isBlank(block.text) ? '' : `<${tag}${look}>${textHtml(block.text)}</${tag}>`
    }
    case 'bulletList':
      return `<ul>${inside()}</ul>`
    case 'orderedList':
      return `<ol${attributes({ start: block.fields.start === 1 ? null : block.fields.start })}>${inside()}</ol>`
    case 'listItem':
      return `<li>${inside()}</li>`
    case 'blockquote':
      return `<blockquote>${inside()}</blockquote>`
    case 'horizontalRule':
      return '<hr>'
    case 'image': {
      const { file, alt, width, height } = block.fields
      const facts = { src: source(file), alt, width, height, loading: 'lazy', decoding: 'async' }
      return figureHtml(`<img${attributes(facts)}>`, block.fields)
    }
    case 'video': {
      const { file, label, width, height } = block.fields
      const facts = { src: source(file), 'aria-label': label, width, height, preload: 'metadata' }
      return figureHtml(`<video${attributes(facts)} controls playsinline></video>`, block.fields)
    }
    case 'table':
      return `<table><tbody>${inside()}</tbody></table>`
    case 'tableRow':
      return `<tr>${inside()}</tr>`
    case 'tableCell': {
      const { role, colspan, rowspan } = block.fields
      const tag = role === 'header' ? 'th' : 'td'
      const spans = { colspan: colspan === 1 ? null : colspan, rowspan: rowspan === 1 ? null : rowspan }
      return `<${tag}${attributes(spans)}>${inside()}</${tag}>`
    }
    case 'spacer':
      return `<div class="folio-space folio-${block.fields.size}"></div>`
    case 'columns':
      return `<div class="folio-columns">${inside()}</div>`
    case 'column':
      return `<div>${inside()}</div>`
    case 'section': {
      const look = lookOfFields(block.fields)
      return `<section${attributes({ ...look, class: `folio-section ${look.class ?? ''}`.trim() })}>${inside()}</section>`
    }
    case 'page':
    case 'foreign':
      return ''
    default:
      return assertNever(block)
  }
}

const blocksHtml = (blocks: readonly Block[], assets: Assets): string =>
  blocks
    .map((block) => blockHtml(block, assets))
    .filter((html) => html !== '')
    .join('\n')

/**
 * The `vms_html` of a page: one `<article>` that includes its critical CSS and refers to files the site has not stored
 * yet as `dummy-<name>` (contract, Editor state). Empty text produces no element.
 */
export function pageHtml(page: Page, assets: Assets): string {
  const title = page.title.trim() === '' ? '' : `<h1>${lines(page.title)}</h1>`
  const style = `<style>${criticalCss}</style>`
  const parts = [style, title, blocksHtml(page.blocks, assets)].filter((part) => part !== '')
  return `<article${attributes({ class: 'folio', ...lookOfFields(page.style.fields) })}>\n${parts.join('\n')}\n</article>`
}
