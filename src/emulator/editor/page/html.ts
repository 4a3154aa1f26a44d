import type { Assets } from './assets.ts'
import { referenceTo } from './assets.ts'
import type { Block, Page } from './page.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/** All that the page needs to read well by itself; the site's own styles go before it or over it. */
const criticalCss = [
  '.vrstk-article{max-width:44rem;margin:0 auto;padding:0 1rem;line-height:1.6;overflow-wrap:break-word}',
  '.vrstk-article h1,.vrstk-article h2{line-height:1.2;text-wrap:balance}',
  '.vrstk-article figure{margin:1.5em 0}',
  '.vrstk-article img{display:block;max-width:100%;height:auto}',
].join('')

const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>')

function blockHtml(block: Block, assets: Assets): string {
  switch (block.kind) {
    case 'heading':
      return block.text.trim() === '' ? '' : `<h2>${lines(block.text)}</h2>`
    case 'paragraph':
      return block.text.trim() === '' ? '' : `<p>${lines(block.text)}</p>`
    case 'image':
      return `<figure><img src="${escaped(referenceTo(assets, block.file))}" alt="${escaped(block.alt)}" loading="lazy"></figure>`
    case 'foreign':
      return ''
  }
}

/**
 * The `vms_html` of a page: one `<article>` that brings its critical CSS along and refers to files that the site has
 * not stored yet as `dummy-<name>` (contract, Editor state). Empty text blocks leave nothing behind.
 */
export function pageHtml(page: Page, assets: Assets): string {
  const title = page.title.trim() === '' ? [] : [`<h1>${lines(page.title)}</h1>`]
  const parts = [...title, ...page.blocks.map((block) => blockHtml(block, assets)).filter((html) => html !== '')]
  return [
    '<article class="vrstk-article" data-vrstk-article="">',
    `<style data-vrstk-critical-css="">${criticalCss}</style>`,
    ...parts,
    '</article>',
  ].join('\n')
}
