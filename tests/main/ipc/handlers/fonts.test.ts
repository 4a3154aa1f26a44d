import { expect, test } from 'vitest'

import { fontHandlers } from '../../../../src/main/ipc/handlers/fonts.ts'
import { aFontsSave, aSave, createTestGalley } from '../../../support/test-galley.ts'

const css = (weight: number, file: string) =>
  `@font-face{font-family:"Harbour Sans";font-weight:${weight};src:url(dummy-${file}) format("woff2")}`

async function setUp() {
  const made = await createTestGalley()
  const { service, post } = made
  const send = async (snapshotId: string, entries: Record<string, string>) => {
    const save = aFontsSave(service, snapshotId, entries)
    const { json } = await post(save.body, save.headers)
    expect(json.rc).toBe(1)
  }
  await send('set-1', { 'vms_fonts.css': css(400, 'a.woff2'), 'vms_fonts/a.woff2': 'one' })
  await send('set-2', {
    'vms_fonts.css': `${css(400, 'a.woff2')}${css(700, 'b.woff2')}@font-face{font-family:Absent;src:url(https://x.test/no.woff2)}`,
    'vms_fonts/a.woff2': 'two',
    'vms_fonts/b.woff2': 'bold',
    'vms_fonts/left.woff2': 'nobody names it',
  })
  return { ...made, calls: fontHandlers(made.galley) }
}

test('the usage of faces is read from the current pages and cached', async () => {
  const { calls, galley, service, post, know } = await setUp()
  const pages = {
    'post-1': '<style>h1{font-family:"harbour sans",serif}</style><h1>In <i>bold</i></h1>',
    'post-2': '<p style="font:italic 600 1rem/1.5 &quot;Lost Serif&quot;, Georgia">x</p>',
    'post-3': '<style>@font-face{font-family:Own;src:url(own.woff2)} p{font-family:Own}</style>',
  }
  for (const [materialId, html] of Object.entries(pages)) {
    await know(materialId)
    const save = aSave(service, { materialId, html, files: {} })
    await post(save.body, save.headers)
  }
  const expected = {
    kind: 'done',
    result: {
      materialsRead: 3,
      families: [
        {
          family: 'Harbour Sans',
          count: 1,
          materials: [{ materialId: 'post-1' }],
          faces: [
            { weight: '400', style: 'normal', count: 0, materials: [] },
            { weight: '700', style: 'normal', count: 1, materials: [{ materialId: 'post-1' }] },
          ],
          lacking: [{ weight: '700', style: 'italic', count: 1, materials: [{ materialId: 'post-1' }] }],
        },
        { family: 'Absent', count: 0, faces: [{ count: 0 }], lacking: [] },
      ],
      missing: [{ family: 'Lost Serif', count: 1, materials: [{ materialId: 'post-2' }] }],
    },
  }
  for (let round = 0; round < 2; round += 1) {
    const started = await calls.startFontUsage({ site: 'acme', snapshotId: 'set-2' })
    const task = started.ok ? started.value.task : ''
    await galley.tasks.ended(task)
    expect(galley.tasks.find(task)?.end).toMatchObject(expected)
  }
  const remembered = galley.index.pageFonts.currentPages('acme').map(({ fonts }) => fonts !== null)
  expect(remembered).toEqual([true, true, true])
})
