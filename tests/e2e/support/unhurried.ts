import type { Page } from 'playwright'

const presses = new WeakMap<Page, (key: string) => Promise<void>>()

/**
 * Presses a key of several in a row: the focus is at rest before the first, and after each of them.
 */
export async function pressOn(page: Page, key: string): Promise<void> {
  await presses.get(page)?.(key)
  await page.evaluate(focusAtRest)
}

/**
 * Delays keys as a person would: each one is sent when the focus is at rest in what has just opened. A dialog is in the
 * page for some frames before it takes the focus; a key sent in that time would reach the content below it.
 */
export function unhurried(page: Page): Page {
  const { keyboard } = page
  const [press, type] = [keyboard.press.bind(keyboard), keyboard.type.bind(keyboard)]
  presses.set(page, press)
  Object.assign(keyboard, {
    press: async (...given: Parameters<typeof press>) => {
      await page.evaluate(focusAtRest)
      await press(...given)
    },
    type: async (...given: Parameters<typeof type>) => {
      await page.evaluate(focusAtRest)
      await type(...given)
    },
  })
  return page
}

/** Runs in the page: resolves when the focus has been in the right place for two frames. */
export async function focusAtRest(): Promise<void> {
  const restsWithinMs = 20_000
  // A toast is also a dialog, but does not take the focus.
  const layers = '[role="dialog"]:not([data-toast]), [role="alertdialog"]:not([data-toast]), [role="menu"]'
  // A hidden window draws no frames.
  const frame = () =>
    new Promise((drawn) => {
      requestAnimationFrame(drawn)
      setTimeout(drawn, 100)
    })
  const isInTopLayer = (): boolean => {
    const top = [...document.querySelectorAll(layers)].findLast((layer) => layer.closest('[data-closed]') === null)
    const active = document.activeElement
    return top === undefined || top.contains(active) || active?.closest('[role="listbox"]') !== null
  }
  const began = performance.now()
  let held = document.activeElement
  for (let frames = 0; frames < 2;) {
    await frame()
    frames = isInTopLayer() && document.activeElement === held ? frames + 1 : 0
    held = document.activeElement
    if (performance.now() - began > restsWithinMs)
      throw new Error(`What is open does not have the focus, but ${held?.outerHTML.slice(0, 200)}`)
  }
}
