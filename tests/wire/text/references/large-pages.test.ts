import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

import type { PagesToRewrite, Rewritten } from './rewrite-page.ts'

const MiB = 1024 ** 2

/** Rewrites pages in a process that dies when its heap grows beyond so much. */
async function rewritten(pages: PagesToRewrite, heapMb: number): Promise<Rewritten> {
  const flags = [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=4']
  const script = join(import.meta.dirname, 'rewrite-page.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, JSON.stringify(pages)])
  return JSON.parse(stdout) as Rewritten
}

const image = '<img src="dummy-NAME" alt="">'
const json = '<script type="application/json">["dummy-NAME"]</script>'
const pages: readonly (readonly [string, Omit<PagesToRewrite, 'sizes'>])[] = [
  [
    'elements',
    {
      before: '',
      pieces: [`<p>Слова <b>и</b> ${image}</p>`, '<i style="b:url(dummy-NAME)" data-x="&#100;ummy-NAME"></i>', json],
      after: '',
    },
  ],
  ['plain elements', { before: '', pieces: [`<p>Слова <b>и</b> ${image}</p>`, json], after: '' }],
  ['one srcset', { before: '<img srcset="', pieces: ['dummy-NAME 1x, '], after: '">' }],
  ['one style sheet', { before: '<style>', pieces: ['a{background:url("dummy-NAME")}'], after: '</style>' }],
  ['elements that never end', { before: '', pieces: [`<div><table><tr><td><b><i>${image}</b>`], after: '' }],
]

describe('a page that consists of references', () => {
  it.each(pages)('is rewritten in little memory and linear time: %s', async (name, page) => {
    // The first page is for the compiler. Open elements are all remembered, so a page of them gets more.
    const sizes = name === 'elements that never end' ? [MiB, MiB, 4 * MiB] : [MiB, 2 * MiB, 8 * MiB]
    const [, small, large] = await rewritten({ ...page, sizes }, 160)
    expect(large?.replaced).toBeGreaterThan(20_000)
    expect((large?.cpuMs ?? 0) / (small?.cpuMs ?? 0)).toBeLessThan(9)
  })
})
