import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { bundledPackages, noticesOf } from '../../scripts/package/notices.ts'
import { partsOfElectron, sbomOf } from '../../scripts/package/sbom.ts'
import { projectRoot } from '../../scripts/runtime/project.ts'
import { temporaryFolder } from '../support/test-galley.ts'

const release = { name: 'galley', version: '1.2.3', madeAt: 1_790_000_000 }

test('each package whose code is built in, or comes along, is in notices and bill, with the text of its licence', () => {
  const bundled = bundledPackages(join(projectRoot, 'out'))
  const names = bundled.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['react', 'ssh2', 'undici', 'better-sqlite3', '@fontsource-variable/inter']),
  )
  for (const { text } of bundled) expect(text).toMatch(/licen[cs]e|permission|copyright/i)
  const notices = noticesOf(bundled)
  for (const { name, version } of bundled) expect(notices).toContain(`${name} ${version} (`)
  const bill = JSON.parse(sbomOf(release, bundled)) as { readonly components: readonly object[] }
  expect(bill.components).toHaveLength(bundled.length)
  expect(bill.components).toContainEqual(
    expect.objectContaining({ name: 'react', licenses: [{ license: { id: 'MIT' } }] }),
  )
})

test('a package without the text of its licence is refused by name', async () => {
  // A tool that no build contains. Its only licence text is in its readme.
  const built = await temporaryFolder()
  const sources = ['../../node_modules/react/index.js', '../../node_modules/isarray/index.js', '../src/a.ts']
  await writeFile(join(built, 'a.js.map'), JSON.stringify({ sources }))
  expect(() => bundledPackages(built)).toThrow(/^isarray .* names no licence or has no text of it$/)
  expect(bundledPackages(built, (script) => script !== 'a.js').length).toBeGreaterThan(0)
})

test('Electron is in the bill with what its own list names', async () => {
  const dist = await temporaryFolder()
  await writeFile(
    join(dist, 'LICENSES.chromium.html'),
    '<span class="title">A &amp; B</span><span class="title">Abseil</span>',
  )
  expect(partsOfElectron(dist, '45.4.1')).toEqual([
    expect.objectContaining({ name: 'electron', purl: 'pkg:npm/electron@45.4.1' }),
    { type: 'library', name: 'A & B', group: 'chromium' },
    { type: 'library', name: 'Abseil', group: 'chromium' },
  ])
  await writeFile(join(dist, 'LICENSES.chromium.html'), '')
  expect(() => partsOfElectron(dist, '45.4.1')).toThrow('names no parts')
})
