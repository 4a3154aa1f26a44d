/** Reads the guide of docs/guide, for the build of the window and for tests. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer } from 'marked'
import type { Token, Tokens } from 'marked'

import type { GuideBlock, GuideSection, GuideSpan } from '../../src/renderer/domain/guide.ts'

/** The pages of the guide in reading order. */
export const guidePages = [
  'first-site',
  'editor',
  'review',
  'publishing',
  'fonts',
  'delivery',
  'backups',
  'updates',
  'command-line',
] as const

function spanOf(token: Token): GuideSpan {
  if (token.type === 'strong') return { strong: token['text'] }
  if (token.type === 'codespan') return { code: token['text'] }
  if (token.type === 'text' || token.type === 'escape') return token['text']
  throw new Error(`The guide shows no ${token.type}: ${token.raw}`)
}

const spansOf = (tokens: readonly Token[] = []): readonly GuideSpan[] =>
  tokens.flatMap((token) =>
    token.type === 'text' && token['tokens'] !== undefined ? spansOf(token['tokens']) : [spanOf(token)],
  )

function blockOf(token: Token): GuideBlock {
  if (token.type === 'paragraph') return { kind: 'text', spans: spansOf(token.tokens) }
  if (token.type === 'code') return { kind: 'code', text: token['text'] }
  if (token.type !== 'list') throw new Error(`The guide shows no ${token.type}: ${token.raw}`)
  const { ordered, items } = token as Tokens.List
  return { kind: 'list', isOrdered: ordered, items: items.map((item) => spansOf(item.tokens)) }
}

const plain = (spans: readonly GuideSpan[]): string =>
  spans.map((span) => (typeof span === 'string' ? span : 'code' in span ? span.code : span.strong)).join('')

const plainBlock = (block: GuideBlock): string =>
  block.kind === 'code' ? block.text : block.kind === 'list' ? block.items.map(plain).join('\n') : plain(block.spans)

/** What a comment `<!-- means: CODE ... -->` names. */
const meansOf = (token: Token): readonly string[] => /^<!-- means: (.*) -->\s*$/u.exec(token.raw)?.[1]?.split(' ') ?? []

function sectionsOf(page: string, markdown: string): readonly GuideSection[] {
  const tokens = lexer(markdown).filter(({ type }) => type !== 'space')
  const starts = tokens.flatMap(({ type }, at) => (type === 'heading' ? [at] : []))
  return starts.map((start, count) => {
    const body = tokens.slice(start + 1, starts[count + 1])
    const title = plain(spansOf((tokens[start] as Tokens.Heading).tokens))
    const blocks = body.filter(({ type }) => type !== 'html').map(blockOf)
    return {
      id: `${page}/${count}`,
      page,
      title,
      isFirst: count === 0,
      blocks,
      text: [title, ...blocks.map(plainBlock)].join('\n').toLocaleLowerCase(),
      means: body.filter(({ type }) => type === 'html').flatMap(meansOf),
    }
  })
}

/** All sections of the guide in a language. Throws if a page uses Markdown that the window does not show. */
export const readGuide = (root: string, language: string): readonly GuideSection[] =>
  guidePages.flatMap((page) => sectionsOf(page, readFileSync(join(root, 'docs/guide', language, `${page}.md`), 'utf8')))

/** Makes the modules `virtual:guide/LANGUAGE` for Vite. */
export const guidePlugin = (root: string) => ({
  name: 'guide',
  resolveId: (id: string) => (id.startsWith('virtual:guide/') ? `\0${id}` : null),
  load: (id: string) =>
    id.startsWith('\0virtual:guide/')
      ? `export default ${JSON.stringify(readGuide(root, id.slice('\0virtual:guide/'.length)))}`
      : null,
})
