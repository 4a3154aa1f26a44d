import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Locator } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, inGrid, startApp } from './support/app.ts'
import { libraryOf } from './support/review.ts'

/** A dictionary of four words in the format of Chromium: harbour, lighthouse, market, quay. */
const dictionary = Buffer.from(
  'QkRpYwIAAAAgAAAAVwAAACLelaZmUO8N4upN6J5NqA8yAAAAOAAAADkAAAA6AAAACgpBRiAwAAAAAFRSWSBlc2lhbnJ0b2xjZHVnbXBoYnlmdmt3egAA5GgAbAltFXEdQABhcmJvdXIAQABpZ2h0aG91c2UAQABhcmtldABAAHVheQA=',
  'base64',
)

async function startPress(folder: string) {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const page = { html: '<article><h1>The old quay</h1><p>About it.</p></article>' }
  const { environment } = await libraryOf(library, port, { 'stories/quay': [page] })
  const started = await startApp({ library, port, environment: { ...environment, GALLEY_DICTIONARIES: folder } })
  await expectListener(started.page, 'Listening')
  await inGrid(started.page, 'Materials').first().waitFor()
  return started
}

/** Keeps the items of menus instead of showing them, and counts downloads of dictionaries from now on. */
const watchMenus = (app: ElectronApplication) =>
  app.evaluate(({ Menu, session }) => {
    const seen = { items: [] as readonly { readonly label?: string; readonly click?: () => void }[], downloads: 0 }
    Object.assign(globalThis, { seen })
    Menu.buildFromTemplate = (items) => {
      seen.items = items as typeof seen.items
      return { popup: () => undefined } as unknown as Electron.Menu
    }
    session.defaultSession.on('spellcheck-dictionary-download-begin', () => void (seen.downloads += 1))
  })

type Seen = { seen: { items: readonly { label?: string; click?: () => void }[]; downloads: number } }

/** The labels of the menu that a right click on the first word of a field opens. */
async function menuOf(app: ElectronApplication, field: Locator): Promise<readonly string[]> {
  await field.click({ button: 'right', position: { x: 20, y: 10 } })
  return app.evaluate(() => (globalThis as unknown as Seen).seen.items.flatMap(({ label }) => label ?? []))
}

const plain = ['Cut', 'Copy', 'Paste', 'Select all']

test.skipIf(process.platform !== 'linux')(
  'words are checked with a dictionary of the system, in fields for prose, and corrected by right click',
  async () => {
    const folder = await aFolder()
    await writeFile(join(folder, 'en_US.bdic'), dictionary)
    const { app, page, close } = await startPress(folder)
    await watchMenus(app)
    await page.getByRole('button', { name: 'New material' }).click()
    const dialog = page.getByRole('dialog')
    const [id, title] = [dialog.getByRole('textbox').nth(0), dialog.getByRole('textbox').nth(1)]
    await title.click()
    await page.keyboard.type('harbuor quay ')
    await expect.poll(() => menuOf(app, title)).toEqual(['harbour', 'Add “harbuor” to the dictionary', ...plain])
    await app.evaluate(() => (globalThis as unknown as Seen).seen.items[0]?.click?.())
    await expect.poll(() => title.inputValue()).toBe('harbour quay ')

    // IDs are not spell-checked.
    await id.click()
    await page.keyboard.type('harbuor quay ')
    expect(await menuOf(app, id)).toEqual(plain)
    await close()
  },
)

test('without a dictionary nothing is checked and none is fetched', async () => {
  const { app, page, close } = await startPress(await aFolder())
  await watchMenus(app)
  await page.reload()
  await page.getByRole('button', { name: 'New material' }).click()
  const title = page.getByRole('dialog').getByRole('textbox').nth(1)
  await title.click()
  await page.keyboard.type('harbuor quay ')
  if (process.platform === 'linux') expect(await menuOf(app, title)).toEqual(plain)
  expect(await app.evaluate(() => (globalThis as unknown as Seen).seen.downloads)).toBe(0)
  await close()
})
