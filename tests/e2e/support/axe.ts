import axe from 'axe-core'
import type { Page } from 'playwright'
import { expect } from 'vitest'

import { comeToRest } from './come-to-rest.ts'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules of WCAG, and best practices. */
export const goodPractice = [...wcag, 'best-practice']

/** The rules that depend on colours: all that a second theme can break, and nothing that a second language can. They take most of the time. */
const aboutColours = ['color-contrast', 'link-in-text-block']

/** Frames of any origin answer axe by messages. */
const loadAxe = `${axe.source}
axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`

/** What axe checks: the rules of these tags, those that depend on colours, or WCAG without the latter. */
type Rules = readonly string[] | 'colours' | 'without colours'

function runOnly(rules: Rules): axe.RunOptions {
  if (rules === 'colours') return { runOnly: { type: 'rule', values: aboutColours } }
  if (rules !== 'without colours') return { runOnly: { type: 'tag', values: [...rules] } }
  const off = Object.fromEntries(aboutColours.map((rule) => [rule, { enabled: false }]))
  return { runOnly: { type: 'tag', values: wcag }, rules: off }
}

/** The findings of axe on the visible page: rule, element and problem; a colour halfway through a transition is none. */
export async function axeFindings(page: Page, rules: Rules = wcag): Promise<readonly string[]> {
  await comeToRest(page)
  // Sent to each document once, because it has half a megabyte.
  for (const frame of page.frames())
    if (await frame.evaluate(`typeof axe === 'undefined'`)) await frame.evaluate(loadAxe)
  // Reduced to texts in the page: complete results take several times as long as the check, because they list
  // everything that passed.
  return page.evaluate(async (options) => {
    // Focus guards of popups are reached only by the Tab key, and move the focus on at once.
    const results: Promise<axe.AxeResults> = window.axe.run(
      { exclude: ['[data-base-ui-focus-guard]'] },
      // Style sheets are not read, which takes a fifth of the time: the one rule about them is experimental, so it is off.
      { ...options, preload: { assets: ['media'] }, resultTypes: ['violations'] },
    )
    const { violations } = await results
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
    )
  }, runOnly(rules))
}

/** Expects no findings of axe; `what` names the checked state. */
export async function expectAccessible(page: Page, what?: string, rules: Rules = wcag): Promise<void> {
  expect(await axeFindings(page, rules), what).toStrictEqual([])
}

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
