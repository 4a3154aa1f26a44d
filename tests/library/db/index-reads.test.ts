import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = 'packages/library/db'
const index = await readFile(join(folder, 'library-index.ts'), 'utf8')

/** The members of `Operations`, as `repository.member`. */
const operations = Array.from(
  /type Operations = Checked<\{(.*?)\n\}>/s.exec(index)?.[1]?.matchAll(/^ {2}(\w+):((?:\s*\|? '\w+')+)/gm) ?? [],
).flatMap(([, repository, members]) => Array.from(members?.matchAll(/\w+/g) ?? [], ([name]) => `${repository}.${name}`))

/** The members of a repository that commit a change, or write this computer's data. */
function writing(source: string): readonly string[] {
  const lines = source.split('\n')
  return lines.flatMap((line, at) => {
    if (!/commit\.(?:now|soon|write)\(|durably\(/.test(line)) return []
    const member = lines.slice(0, at + 1).findLast((before) => /^ {4}(?:async )?\w+[:(]/.test(before))
    const inner = lines.slice(0, at + 1).findLast((before) => /^ {2}(?:async )?(?:function|const) /.test(before))
    const isInner =
      inner !== undefined && member !== undefined && lines.lastIndexOf(inner, at) > lines.lastIndexOf(member, at)
    return isInner ? [] : Array.from(/\w+/.exec(member?.replace('async ', '') ?? '') ?? [])
  })
}

it('readers of the index get no member that writes', async () => {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const missing = sources.flatMap((source) => {
    const repositories = Array.from(source.matchAll(/export (?:const|function) (create\w+)/g), ([, factory]) =>
      Array.from(index.matchAll(new RegExp(`(\\w+)(?:: | = )${factory}\\(`, 'g')), ([, repository]) => repository),
    ).flat()
    if (repositories.length === 0) return []
    const isListed = (member: string) =>
      repositories.some((repository) => operations.includes(`${repository}.${member}`))
    return writing(source).flatMap((member) => (isListed(member) ? [] : [`${repositories.join(' or ')}.${member}`]))
  })
  expect(operations.length).toBeGreaterThan(30)
  expect(missing).toEqual([])
})
