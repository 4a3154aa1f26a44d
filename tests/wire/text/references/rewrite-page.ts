import { createPageWords } from '../../../../packages/wire/text/html/page-text.ts'
import { dummyNames } from '../../../../packages/wire/text/references/finder.ts'
import { rewriteHtml } from '../../../../packages/wire/text/references/html.ts'

/** Pieces that pages are made of, by turns, and the sizes of those pages. */
export interface PagesToRewrite {
  readonly before: string
  readonly pieces: readonly string[]
  readonly after: string
  readonly sizes: readonly number[]
}

/** Of each page: the time of the processor, in milliseconds, and how many references were replaced. */
export type Rewritten = readonly { readonly cpuMs: number; readonly replaced: number }[]

// A separate program with a limited heap: it gets its pages as an argument, and prints its findings.
const { before, pieces, after, sizes } = JSON.parse(process.argv[2] ?? '') as PagesToRewrite
const names = Array.from({ length: 50 }, (_, at) => `photo-${at}.jpg`)
const find = dummyNames(new Map(names.map((name) => [name, `https://cdn.test/${name}`])))
const turn = names.flatMap((name) => pieces.map((piece) => piece.replaceAll('NAME', name))).join('')
const pageOf = (size: number): string =>
  Buffer.from(before + turn.repeat(Math.ceil(size / turn.length)) + after).toString()

const rewritten: Rewritten = sizes.map((size) => {
  const html = pageOf(size)
  const words = createPageWords(1000)
  const started = process.cpuUsage()
  const { text } = rewriteHtml(html, find, words.reader)
  words.read()
  const { user, system } = process.cpuUsage(started)
  return { cpuMs: (user + system) / 1000, replaced: text.split('https://cdn.test/photo-').length - 1 }
})
console.log(JSON.stringify(rewritten))
