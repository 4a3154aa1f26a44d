import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { sha256Of } from '../../../../packages/platform/disk/sha256.ts'
import { createThemePictures } from '../../../../src/main/ipc/theme-pictures.ts'
import { createTestGalley, temporaryFolder } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

async function setUp() {
  const { galley } = await createTestGalley()
  const pictures = createThemePictures()
  return { galley, pictures, ...testWindow(galley, { pictures }) }
}

const manifest = {
  name: 'harbour',
  label: { en: 'Harbour', ru: 'Гавань' },
  version: '1.0',
  settings: [{ key: 'intro', label: 'Line below the name', help: 'Shown on the home page', type: 'text', default: '' }],
}

async function aTheme(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

test('the themes of Galley are listed with their settings and pictures, and used by name', async () => {
  const { calls, galley, pictures, changes } = await setUp()
  const listed = await calls.listThemes({ site: 'acme' })
  if (!listed.ok) throw new Error(listed.failure.code)
  expect(listed.value.map(({ theme, isOwn, problem }) => ({ theme, isOwn, problem }))).toEqual(
    ['default', 'magazine', 'plain'].map((theme) => ({ theme, isOwn: false, problem: null })),
  )
  for (const { theme, settings, picture } of listed.value) {
    expect(settings.length, theme).toBeGreaterThan(0)
    const answered = await pictures.answer(picture ?? '', 'GET')
    expect(answered?.headers.get('content-type'), theme).toBe('image/png')
    const bytes = await readFile(`resources/themes/${theme}/picture.png`)
    expect(Buffer.from((await answered?.arrayBuffer()) ?? new ArrayBuffer()).equals(bytes), theme).toBe(true)
  }
  expect((await pictures.answer(`app://galley/theme-picture/${'0'.repeat(64)}`, 'GET'))?.status).toBe(404)
  expect(await pictures.answer('app://galley/renderer/index.html', 'GET')).toBe(null)

  changes.length = 0
  expect(await calls.useTheme({ site: 'acme', theme: 'magazine' })).toMatchObject({ value: { theme: 'magazine' } })
  expect(galley.index.publishing.of('acme').theme).toBe('magazine')
  expect(changes).toEqual(['materials', 'exports'])
  expect(await calls.listThemes({ site: 'nobody' })).toMatchObject({ failure: { code: 'unknown_site' } })
})

test('a folder is a theme once a person has chosen it; a mistake in it is reported with its position', async () => {
  const { calls, chosen, galley } = await setUp()
  const folder = await aTheme({
    'theme.json': JSON.stringify(manifest),
    'layouts/base.html': '<html>\n<head>{{ head }}</head>\n<body>{% block main %}{% endblock %}</body>\n</html>',
    'picture.png': 'no picture at all',
  })
  const use = () => calls.useTheme({ site: 'acme', theme: folder })
  expect(await use(), 'a window names no folder').toMatchObject({ failure: { code: 'path_not_chosen' } })
  expect(await calls.chooseThemeFolder({ site: 'acme' }), 'the dialog was closed').toEqual({ ok: true, value: null })

  chosen.push(folder)
  expect(await calls.chooseThemeFolder({ site: 'acme' })).toMatchObject({
    value: { theme: folder, isOwn: true, label: manifest.label, picture: null, problem: null },
  })
  await writeFile(
    join(folder, 'page.html'),
    "{% layout 'layouts/base.html' %}{% block main %}\n{{ content }}\n{{ pgae.title }}{% endblock %}",
  )
  const refused = await use()
  expect(refused).toMatchObject({
    failure: { code: 'invalid_theme', file: 'page.html', line: 3 },
  })
  expect(galley.index.publishing.of('acme').theme).toBe('default')

  const list = "{% layout 'layouts/base.html' %}{% block main %}{{ title }}{% endblock %}"
  await writeFile(
    join(folder, 'page.html'),
    "{% layout 'layouts/base.html' %}{% block main %}{{ content }}{% endblock %}",
  )
  for (const name of ['home', 'list', 'archive', 'tags', 'search', '404'])
    await writeFile(join(folder, `${name}.html`), list)
  const used = await use()
  expect(used).toMatchObject({ value: { theme: expect.stringMatching(/^files:/) as string } })
  const theme = used.ok ? used.value.theme : ''
  const listed = await calls.listThemes({ site: 'acme' })
  expect(listed.ok && listed.value.slice(-2)).toMatchObject([
    { theme, isOwn: true, label: manifest.label, version: '1.0', problem: null },
    { theme: folder, isOwn: true, problem: null },
  ])
  // Using it again stores what the folder holds now.
  await writeFile(join(folder, 'style.css'), 'p { color: red }')
  const again = await use()
  expect(again.ok && again.value.theme).not.toBe(theme)

  await writeFile(join(folder, 'theme.json'), '{\n  "name": "harbour",\n  "label": 5\n}')
  const broken = await calls.listThemes({ site: 'acme' })
  expect(broken.ok && broken.value.at(-1)).toMatchObject({
    theme: folder,
    label: null,
    settings: [],
    problem: { file: 'theme.json', line: 3 },
  })
})

test('a path in the log of a team is never read, and a file that is no theme is named as such', async () => {
  const { calls, galley } = await setUp()
  const change = (theme: string) => () => galley.index.publishing.change('acme', { theme })
  for (const path of ['/srv/theme', 'C:\\theme', '../theme', 'files:../../theme'])
    expect(change(path), path).toThrow('theme')
  expect(await calls.saveSitePublishing({ site: 'acme', changes: { theme: `files:${'a'.repeat(64)}` } })).toMatchObject(
    {
      failure: { code: 'path_not_chosen' },
    },
  )
  // Another member could store any file as a theme.
  const bytes = Buffer.from('{"galleyTheme":1,"files":[["../page.html",1]]}\nx')
  const staging = await galley.vault.stage()
  await writeFile(join(staging, 'file'), bytes)
  const sha256 = sha256Of(bytes)
  ;(await galley.vault.adopt([{ path: join(staging, 'file'), sha256 }])).settle('stored')
  galley.index.publishing.change('acme', { theme: `files:${sha256}` }, [
    { sha256, sizeBytes: bytes.length, pack: null },
  ])
  const listed = await calls.listThemes({ site: 'acme' })
  expect(listed.ok && listed.value.at(-1)).toMatchObject({ isOwn: true, picture: null, problem: { file: 'theme' } })
})
