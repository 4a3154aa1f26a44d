import type { Page } from 'playwright'

/**
 * Controls of the topmost layer that a pointer cannot reach, however the page is scrolled, and lists without room for a
 * row.
 */
export const unreachableIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const layers = document.querySelectorAll(
      ':is([role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]):not([data-toast])',
    )
    const uppermost = [...layers].at(-1) ?? document.body
    const kinds =
      'button, a[href], input, select, textarea, [role="tab"], [role="menuitem"], [role="combobox"], [role="grid"]'
    const nameOf = (control: Element): string =>
      `${control.tagName.toLowerCase()} ${control.getAttribute('aria-label') ?? control.textContent ?? ''}`.trim()
    const isHidden = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip'
    const unreachable: string[] = []
    for (const control of uppermost.querySelectorAll<HTMLElement>(kinds)) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('[aria-hidden="true"]') !== null)
        continue
      control.scrollIntoView({ block: 'center', inline: 'center' })
      // A script can scroll where a person cannot.
      for (let box = control.parentElement; box !== null; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box)
        if (isHidden(overflowX)) box.scrollLeft = 0
        if (isHidden(overflowY)) box.scrollTop = 0
      }
      const { left, top, width, height } = control.getBoundingClientRect()
      // Content for screen readers only has a size of one pixel.
      if (width <= 1) continue
      const isGrid = control.matches('[role="grid"]')
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      const isHit = hit !== null && (control.contains(hit) || hit.closest('label')?.contains(control) === true)
      if (!isHit || (isGrid && height < 64)) unreachable.push(nameOf(control))
    }
    return [...new Set(unreachable)]
  })
