import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { temporaryFolder } from '../support/temporary-folder.ts'
import { aNewsroom, aPage } from './support/library.ts'

test('evidence and a web archive of a version are written to new files', async () => {
  const room = await aNewsroom()
  const { fingerprint } = (await room.run('open', 'acme', 'post')).json() as { fingerprint: string }
  const version = (await room.save(fingerprint, aPage('Night trains', 'a wagon'))).version_id ?? ''
  await room.run('review', 'approve', 'acme', 'post', '--by', 'Ada Weber')
  const folder = await temporaryFolder()
  for (const [command, name] of [
    ['evidence', 'page.zip'],
    ['wacz', 'page.wacz'],
  ] as const) {
    const file = join(folder, name)
    const written = await room.run(command, 'acme', 'post', version, '--out', file)
    expect(written.code, written.stderr).toBe(0)
    const bytes = await readFile(file)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(written.json()).toEqual({ file, bytes: bytes.length, sha256 })
    expect(bytes.includes('Ada Weber')).toBe(false)

    const again = await room.run(command, 'acme', 'post', version, '--out', file)
    expect([again.code, again.json()]).toMatchObject([1, { error: { code: 'not_ours' } }])
    expect((await readFile(file)).equals(bytes)).toBe(true)
  }
  const named = join(folder, 'named.zip')
  await room.run('evidence', 'acme', 'post', version, '--out', named, '--with-names')
  expect((await readFile(named)).includes('Ada Weber')).toBe(true)
  const unknown = await room.run('wacz', 'acme', 'post', 'other', '--out', join(folder, 'other.wacz'))
  expect([unknown.code, unknown.json()]).toMatchObject([1, { error: { code: 'unknown_version' } }])
  const nowhere = await room.run('wacz', 'acme', 'post', version)
  expect([nowhere.code, nowhere.json()]).toMatchObject([2, { error: { code: 'usage' } }])
})

test('a report tells changes, comments, decisions and hashes, and no names unless they are wanted', async () => {
  const room = await aNewsroom()
  const { fingerprint } = (await room.run('open', 'acme', 'post')).json() as { fingerprint: string }
  await room.save(fingerprint, aPage('Night trains', 'a wagon'))
  await room.run('review', 'approve', 'acme', 'post', '--by', 'Ada Weber')
  const version = (await room.save(fingerprint, aPage('Night <b>trains</b> & ferries', 'a wagon'))).version_id ?? ''
  const quoted = ['--quote', 'Text of Night trains & ferries', '--by', 'Ida Quay', '--text', 'Which <ferries>?']
  const comment = await room.run('comment', 'add', 'acme', 'post', ...quoted)
  expect(comment.code, comment.stderr).toBe(0)
  await room.run('review', 'request', 'acme', 'post', '--by', 'Ada Weber', '--reason', 'Name the quay')
  const folder = await temporaryFolder()
  const reported = async (name: string, ...more: readonly string[]) => {
    const file = join(folder, name)
    const written = await room.run('report', 'acme', 'post', ...more, '--out', file)
    expect(written.code, written.stderr).toBe(0)
    const bytes = await readFile(file)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(written.json()).toEqual({ file, bytes: bytes.length, sha256 })
    return bytes.toString('utf8')
  }
  const text = await reported('report.html')
  expect(text).toContain(version)
  expect(text).toContain('<blockquote>Text of Night trains &amp; ferries</blockquote>')
  expect(text).toContain('Which &lt;ferries&gt;?')
  expect(text).toContain('Name the quay')
  expect(text).toContain('Changes requested')
  expect(text.match(/No pictures of this version/g)).toHaveLength(2)
  expect(text).toMatch(/<td>[0-9a-f]{64}<\/td>/)
  expect(text).not.toMatch(/Ada Weber|Ida Quay|<script|@/)
  expect(await reported('named.html', '--with-names')).toMatch(/Ida Quay[^]*Ada Weber/)

  // Pictures that the app has made are in the report, one below the other.
  const sha256 = /<tr><td>Page<\/td><td><\/td><td>([0-9a-f]{64})/.exec(text)?.[1] ?? ''
  await mkdir(join(room.library, 'thumbnails'), { recursive: true })
  await writeFile(
    join(room.library, 'thumbnails', `${sha256}.json`),
    JSON.stringify({ slices: ['Zmlyc3Q=', 'c2Vjb25k'], isCut: true }),
  )
  const pictured = await reported('pictured.html', version)
  expect(pictured).toMatch(
    /data:image\/jpeg;base64,Zmlyc3Q="[^]*data:image\/jpeg;base64,c2Vjb25k"[^]*longer than its pictures/,
  )
  expect(pictured.match(/No pictures of this version/g)).toHaveLength(1)
  const again = await room.run('report', 'acme', 'post', '--out', join(folder, 'report.html'))
  expect([again.code, again.json()]).toMatchObject([1, { error: { code: 'not_ours' } }])
})
