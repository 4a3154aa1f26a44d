import type { Page } from 'playwright'

/** Runs the command that the palette finds for a text. */
export async function fromPalette(page: Page, text: string, option: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(text)
  await page.getByRole('option', { name: option }).waitFor()
  await page.keyboard.press('Enter')
}
