import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'

import { focusAtRest, pressOn } from './unhurried.ts'

/** Presses Tab until the focused element has this name. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const names: string[] = []
  await page.evaluate(focusAtRest)
  for (let presses = 0; presses < 60; presses += 1) {
    await pressOn(page, 'Tab')
    const found = await page.evaluate(() => {
      const outer = document.activeElement
      const element = outer?.shadowRoot?.activeElement ?? outer
      const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      const labelled = isField ? element.labels?.[0]?.textContent : null
      return (labelled ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim()
    })
    names.push(found)
    if (typeof name === 'string' ? found === name : name.test(found)) return
  }
  expect(names, 'what Tab reached').toContain(name)
}

/** Tabs on until this very element has the focus; one that has it already keeps it. */
export async function tabOnto(target: Locator): Promise<void> {
  const page = target.page()
  await page.evaluate(focusAtRest)
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await pressOn(page, 'Tab')
  }
  throw new Error(`Tab does not reach ${target.toString()}`)
}

/** Moves to this item of an opening menu or list, and selects it. */
export async function chooseInMenu(page: Page, name: string | RegExp): Promise<void> {
  const lines = page.locator('[role="menuitem"], [role="menuitemcheckbox"], [role="option"]')
  const line = lines.filter({ hasText: name }).first()
  // A key before the menu has the focus goes to the layer below it.
  const hasFocus = () =>
    line.evaluate((element) => element.closest('[role="menu"], [role="listbox"]')?.contains(document.activeElement))
  await expect.poll(hasFocus, { message: 'the menu has the focus' }).toBe(true)
  for (let presses = 0; presses < 60; presses += 1) {
    if (await line.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

/** Presses F6 until the focused element has this name. */
export async function paneTo(page: Page, name: string): Promise<void> {
  const names: (string | null)[] = []
  await page.evaluate(focusAtRest)
  for (let presses = 0; presses < 5; presses += 1) {
    await pressOn(page, 'F6')
    names.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null))
    if (names.at(-1) === name) return
  }
  expect(names, 'what F6 reached').toContain(name)
}
