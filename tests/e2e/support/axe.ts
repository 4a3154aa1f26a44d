import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import { expect } from 'vitest'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules of WCAG, and best practices. */
export const goodPractice = [...wcag, 'best-practice']

/** The rules that depend on colours: all that a second theme can break. */
const aboutColours = ['color-contrast', 'link-in-text-block']

/** The findings of axe on the visible page: rule, element and problem. */
export async function axeFindings(page: Page, rules: readonly string[] | 'colours' = wcag): Promise<readonly string[]> {
  // Electron cannot open the blank page that the newer mode works in.
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  if (rules === 'colours') builder.withRules(aboutColours)
  else builder.withTags([...rules])
  // Focus guards of popups are reached only by the Tab key, and move the focus on at once.
  const { violations } = await builder.exclude('[data-base-ui-focus-guard]').analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}

/** Expects no findings of axe; `what` names the checked state. */
export async function expectAccessible(page: Page, what?: string, rules: readonly string[] = wcag): Promise<void> {
  expect(await axeFindings(page, rules), what).toStrictEqual([])
}
