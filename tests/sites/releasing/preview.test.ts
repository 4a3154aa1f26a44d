import { once } from 'node:events'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

import { temporaryFolder } from '../../support/test-galley.ts'
import { createPublishingFixture } from './fixture.ts'

test('shows the site as it would be published, after a save and while its theme is edited, and only to this computer', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>Old text</p>', { 'hero.png': 'picture' })
  const theme = join(await temporaryFolder(), 'theme')
  await cp(fixture.themes[0] ?? '', theme, { recursive: true })
  const site = fixture.galley.index.sites.find('acme')
  if (site === null) throw new Error('The test site is missing')
  const { previews } = fixture.galley
  const started = await previews.start({ site, themesOf: () => [theme] })
  if (!started.ok) throw new Error(started.failure.code)
  const { url } = started.value
  expect(await previews.start({ site, themesOf: () => [theme] }), 'one a site').toEqual(started)

  const page = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, { headers })
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const shown = await page('post-1')
  expect(shown).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
  expect(shown.text).toContain('Old text')
  const [picture = ''] = /media\/[^"]+/.exec(shown.text) ?? []
  expect(await page(picture, { range: 'bytes=2-4' })).toMatchObject({ status: 206, text: 'ctu' })
  expect((await page('nothing')).status).toBe(404)

  await fixture.save('post-1', '<p>New text</p>')
  await vi.waitFor(async () => expect((await page('post-1/')).text).toContain('New text'), 60_000)
  const style = join(theme, 'assets/style.css')
  await writeFile(style, `${await readFile(style, 'utf8')}\n/* edited */\n`)
  const shownStyle = async () => page(/[^"]+\.css/.exec((await page('')).text)?.[0] ?? 'no style sheet')
  await vi.waitFor(async () => expect((await shownStyle()).text).toContain('edited'), 60_000)

  // A foreign host name that resolves to this computer.
  const asked = request(`${url}post-1/`, { headers: { host: 'evil.example' } }).end()
  const [answer] = (await once(asked, 'response')) as [{ statusCode?: number; resume(): void }]
  answer.resume()
  expect(answer.statusCode).toBe(403)

  // An error in a theme is reported, and the previous site stays visible.
  await writeFile(join(theme, 'page.html'), '{% if %}')
  await vi.waitFor(() => expect(previews.of('acme')?.problem).toMatchObject({ code: 'invalid_theme' }), 60_000)
  expect((await page('post-1/')).text).toContain('New text')

  await previews.stop('acme')
  expect(previews.of('acme')).toBe(null)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('a preview on a port that is taken leaves nothing, and one that starts shows a save of meanwhile', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>Before</p>')
  const { previews, index } = fixture.galley
  const site = index.sites.find('acme')
  if (site === null) throw new Error('The test site is missing')
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('galley-preview-'))
  const before = await folders()
  await expect(previews.start({ site, themesOf: () => fixture.themes, port })).rejects.toMatchObject({
    code: 'cannot_listen',
    message: expect.stringContaining(`Port ${port}`),
  })
  expect(await folders()).toEqual(before)

  const [started] = await Promise.all([
    previews.start({ site, themesOf: () => fixture.themes }),
    fixture.save('post-1', '<p>Meanwhile</p>'),
  ])
  if (!started.ok) throw new Error(started.failure.code)
  const shown = async () => (await fetch(`${started.value.url}post-1/`)).text()
  await vi.waitFor(async () => expect(await shown()).toContain('Meanwhile'), 60_000)
})

test('a preview follows the site to another theme and watches its files', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>Text</p>')
  const folder = await temporaryFolder()
  // The log names no theme by a folder.
  const [first, second] = ['first', 'second']
  for (const theme of [first, second]) await cp(fixture.themes[0] ?? '', join(folder, theme), { recursive: true })
  const edit = async (theme: string, note: string): Promise<void> => {
    const style = join(folder, theme, 'assets/style.css')
    await writeFile(style, `${await readFile(style, 'utf8')}\n/* ${note} */\n`)
  }
  const { previews, index, changes } = fixture.galley
  const site = index.sites.find('acme')
  if (site === null) throw new Error('The test site is missing')
  const give = async (theme: string): Promise<void> => {
    await index.commit.write(() => index.publishing.change('acme', { theme: basename(theme) }))
    changes.changed()
  }
  await give(first)
  const seen: string[] = []
  onTestFinished(previews.onChange((id) => seen.push(id)))
  const started = await previews.start({ site, themesOf: (theme) => [join(folder, theme)] })
  if (!started.ok) throw new Error(started.failure.code)
  const { url } = started.value
  const style = async (): Promise<string> => {
    const home = await (await fetch(url)).text()
    return (await fetch(`${url}${/[^"]+\.css/.exec(home)?.[0] ?? 'no style sheet'}`)).text()
  }
  await edit(second, 'of the second')
  await give(second)
  await vi.waitFor(async () => expect(await style()).toContain('of the second'), 60_000)
  await edit(second, 'edited while it is shown')
  await vi.waitFor(async () => expect(await style()).toContain('edited while it is shown'), 60_000)
  expect(seen).toContain('acme')

  // The previous theme is no longer watched.
  const shown = seen.length
  await edit(first, 'nobody looks')
  await edit(second, 'again')
  await vi.waitFor(async () => expect(await style()).toContain('again'), 60_000)
  expect(seen.length - shown, 'made anew for the theme of the site alone').toBeLessThanOrEqual(2)
})
