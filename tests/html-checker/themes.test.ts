import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

import { shipped, themesFolder } from '../sites/exporting/themed-site.ts'
import { filesIn } from '../sites/releasing/fixture.ts'
import { aSavedSite } from '../sites/releasing/saved-site.ts'
import { judge } from '../support/judges.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { wholeSite } from '../support/whole-site.ts'

interface Finding {
  readonly type: string
  readonly subType?: string
  readonly url: string
  readonly lastLine?: number
  readonly message: string
}

/** What the HTML checker of the W3C says of files, each with its file in front: errors, warnings and remarks alike. */
async function findings(files: readonly string[]): Promise<readonly string[]> {
  const vnu = await judge('vnu-jar/build/dist/vnu.jar')
  const options = ['-Dfile.encoding=UTF-8', '-jar', vnu, '--format', 'json', '--stdout', '--exit-zero-always']
  const { stdout } = await promisify(execFile)('java', [...options, ...files], { maxBuffer: 64 * 1024 * 1024 })
  const { messages } = JSON.parse(stdout) as { readonly messages: readonly Finding[] }
  return messages.map(
    ({ type, subType, url, lastLine, message }) => `${fileURLToPath(url)}:${lastLine}: ${subType ?? type}: ${message}`,
  )
}

/** A guess from the words of a page; the lists of a site in three languages may be full of titles in another one. */
const isGuess = (finding: string): boolean => finding.includes('This document appears to be written in')

test('the HTML checker has nothing to say about any page of any theme', async () => {
  const { galley, site, addTarget, task } = await aSavedSite(wholeSite(40))
  const checked: string[] = []
  const lists = new Set<string>()
  for (const theme of shipped) {
    const folder = await temporaryFolder()
    const target = await addTarget(`folder:${folder}`, { name: theme })
    const themesOf = () => [join(themesFolder, theme), join(themesFolder, 'default')]
    const done = await galley.releasing.publish({ site, target, themesOf, by: 'person' }, task)
    if (!done.ok) throw new Error(JSON.stringify(done.failure))
    const paths = [...(await filesIn(folder)).keys()].filter((path) => path.endsWith('.html'))
    checked.push(...paths.map((path) => join(folder, path)))
    const posts = new Set(done.value.pages.map(({ path }) => path))
    for (const path of paths) if (!posts.has(path)) lists.add(join(folder, path))
  }
  // Every page, every list, and the redirects.
  expect(checked.length).toBeGreaterThan(shipped.length * 40)
  const found = await findings(checked)
  const isOfList = (finding: string): boolean => [...lists].some((file) => finding.startsWith(`${file}:`))
  expect(found.filter((finding) => !(isGuess(finding) && isOfList(finding)))).toEqual([])
})

test('the HTML checker finds an error and a warning', async () => {
  const file = join(await temporaryFolder(), 'faulty.html')
  await writeFile(
    file,
    '<!doctype html><html lang="en"><head><title>t</title></head><body><p><div>a</div></p><section>b</section></body></html>',
  )
  const found = await findings([file])
  expect(found.some((each) => each.includes(': error: '))).toBe(true)
  expect(found.some((each) => each.includes(': warning: '))).toBe(true)
})
