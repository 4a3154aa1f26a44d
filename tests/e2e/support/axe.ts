import axe from 'axe-core'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { comeToRest } from './come-to-rest.ts'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules of WCAG, and best practices. */
export const goodPractice = [...wcag, 'best-practice']

/** The rules that depend on colours: all that a second theme can break. */
const aboutColours = ['color-contrast', 'link-in-text-block']

/** Frames answer axe by messages, from whichever origin they are. */
const loadAxe = `${axe.source}
axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`

/** The findings of axe on the visible page: rule, element and problem; a colour halfway through a transition is none. */
export async function axeFindings(page: Page, rules: readonly string[] | 'colours' = wcag): Promise<readonly string[]> {
  await comeToRest(page)
  // Half a megabyte: sent to each document once.
  for (const frame of page.frames())
    if (await frame.evaluate(`typeof axe === 'undefined'`)) await frame.evaluate(loadAxe)
  const runOnly = rules === 'colours' ? { type: 'rule', values: aboutColours } : { type: 'tag', values: [...rules] }
  // Reduced to texts in the page: whole results take several times as long as the check, because of what they name as passed.
  return page.evaluate(async (runOnly) => {
    // Focus guards of popups are reached only by the Tab key, and move the focus on at once.
    const results: Promise<axe.AxeResults> = window.axe.run(
      { exclude: ['[data-base-ui-focus-guard]'] },
      { runOnly, resultTypes: ['violations'] },
    )
    const { violations } = await results
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
    )
  }, runOnly as axe.RunOnly)
}

/** Expects no findings of axe; `what` names the checked state. */
export async function expectAccessible(page: Page, what?: string, rules: readonly string[] = wcag): Promise<void> {
  expect(await axeFindings(page, rules), what).toStrictEqual([])
}

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
